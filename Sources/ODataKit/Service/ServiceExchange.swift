extension ODataService {
  /// Sends what `build` makes for the current format; a refusal of that format is answered by the other one, once, and a
  /// service that is too busy is asked again as ``retryPolicy`` says.
  ///
  /// Gives responses of the 200s only; every other status is thrown as an ``ODataError`` with what the body said.
  package func exchange(
    _ build: (RequestBuilder) throws -> HTTPRequest
  ) async throws -> (response: HTTPResponse, format: WireFormat) {
    var isRepeated = false
    return try await exchange(build, isRepeated: &isRepeated)
  }

  /// The same; `isRepeated` becomes true where the service was asked again because it was too busy.
  func exchange(
    _ build: (RequestBuilder) throws -> HTTPRequest, isRepeated: inout Bool
  ) async throws -> (response: HTTPResponse, format: WireFormat) {
    var retries = 0
    while true {
      let format = negotiation.current
      let request = try build(RequestBuilder(self, format: format))
      let response = try await send(request)
      if (200..<300).contains(response.status) {
        try checkVersion(of: response, to: request)
        return (response, format)
      }
      var error = await failure(of: response)
      // A body that was cut off by a cancellation explains nothing.
      try Task.checkCancellation()
      if error.allowsRetry(of: request.method),
        let delay = retryPolicy.delay(beforeRetry: retries, after: error)
      {
        retries += 1
        isRepeated = true
        try await retryPolicy.wait(delay)
        continue
      }
      guard !negotiation.shouldRetry(after: error, in: format) else { continue }
      if retries > 0 { error.noteRepetition(of: request.method) }
      throw error
    }
  }

  /// Refuses an answer in a version that is not known, before any of it is read.
  ///
  /// A 201 and a 204 say that a change was done, in whatever version; the readers refuse the body of the former.
  private func checkVersion(of response: HTTPResponse, to request: HTTPRequest) throws(ODataError) {
    guard ![201, 204].contains(response.status), var refusal = dialect.refusal(of: response.headers) else {
      return
    }
    refusal.httpStatus = response.status
    refusal.requestID = ServiceError.requestID(response.headers)
    refusal.responseWasLost = request.method.changesSomething
    throw refusal
  }

  /// The error that a response of another status than the 200s stands for.
  package func failure(of response: HTTPResponse) async -> ODataError {
    // The body of an error is small. Of one that is not, or that breaks off, the beginning is what there is to tell.
    let limit = 1 << 20
    var body: [UInt8] = []
    do {
      for try await chunk in response.body {
        body += chunk.prefix(limit - body.count)
        if body.count == limit { break }
      }
    } catch {}
    return ServiceError.read(status: response.status, headers: response.headers, body: body, now: .now())
  }

  /// Reads the single entity of a response, or `nil` where there is no body.
  package func entity(
    of response: HTTPResponse, format: WireFormat, types: PayloadTypes
  ) async throws -> EntityRecord? {
    let reader = makeReader(for: response, format: format, types: types)
    var found: EntityRecord?
    var isEmpty = true
    for try await chunk in response.body {
      isEmpty = false
      found = try reader.read(chunk).last ?? found
    }
    if isEmpty { return nil }
    _ = try reader.finish()
    return found
  }

  /// A reader for a response, whose errors tell which response it was.
  package func makeReader(
    for response: HTTPResponse, format: WireFormat, types: PayloadTypes
  ) -> any PayloadReader {
    ResponseReader(makeReader(response.headers, format: format, types: types), of: response)
  }

  /// A reader for what the header fields say it is; for what was asked for, where it does not say. One that throws, where
  /// they tell a version that is not known.
  package func makeReader(
    _ headers: HeaderFields, format: WireFormat, types: PayloadTypes
  ) -> any PayloadReader {
    if let refusal = dialect.refusal(of: headers) { return RefusedPayload(refusal) }
    let type = headers[.contentType]?.lowercased() ?? ""
    if type.contains("json") || (type.isEmpty && format == .json) {
      return JSONReader(limits: payloadLimits, types: types)
    }
    return AtomReader(limits: payloadLimits, types: types)
  }
}
