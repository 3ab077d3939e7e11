extension ODataService {
  /// Writes and sends one change. Throws only `CancellationError` and what the change breaks before it is sent.
  package func perform(_ operation: ChangeOperation) async throws -> OperationOutcome {
    try await perform(RequestBuilder(self, format: negotiation.current).prepare(operation))
  }

  /// Sends one change on its own. Throws only `CancellationError`; everything else is an outcome.
  package func perform(_ change: PreparedChange) async throws -> OperationOutcome {
    let operation = change.operation
    do {
      let (response, format) = try await exchange { try $0.request(change) }
      return try await outcome(of: operation, status: response.status, response: response, format: format)
    } catch var error as ODataError {
      // Digits and a colon in front of the message are no index here: there is no batch.
      error.failedOperation = nil
      return OperationOutcome(operation, error.leavesOutcomeOpen ? .unknown(error) : .failed(error))
    }
  }

  private func outcome(
    of operation: ChangeOperation, status: Int, response: HTTPResponse, format: WireFormat
  ) async throws -> OperationOutcome {
    let tag = response.headers[.entityTag].map(EntityTag.init(rawValue:))
    // These two say that it was done, whatever becomes of the body. A 200 does not: proxies and login pages answer with
    // it to whatever they are sent, so it has to carry the entity, or nothing at all where nothing was to be created.
    let isConfirmed = status == 201 || status == 204
    do {
      let stored =
        status == 204
        ? nil
        : try await entity(
          of: response, format: format, types: payloadTypes(of: operation.address.set))
      guard isConfirmed || stored != nil || operation.kind != .insert else {
        return OperationOutcome(operation, .unknown(unconfirmed(response)))
      }
      return OperationOutcome(
        operation, .done, stored: operation.kind == .delete ? nil : stored,
        entityTag: tag ?? stored?.control.entityTag)
    } catch is ODataError {
      guard isConfirmed else { return OperationOutcome(operation, .unknown(unconfirmed(response))) }
      return OperationOutcome(operation, .done, entityTag: tag)
    }
  }

  private func unconfirmed(_ response: HTTPResponse) -> ODataError {
    ODataError(
      .malformedPayload,
      "\(root.authority) answered a write in a way that does not say that it was done; check the address and any "
        + "proxy, and read the entity to see.",
      httpStatus: response.status,
      requestID: ServiceError.requestID(response.headers))
  }

  /// Sends change sets in one batch, each all or nothing, and gives the outcomes in the shape of `changeSets`.
  ///
  /// Throws only `CancellationError`; everything else is an outcome.
  package func perform(changeSets: [[PreparedChange]]) async throws -> [[OperationOutcome]] {
    let operations = changeSets.map { $0.map(\.operation) }
    do {
      var refused: ODataError?
      // A second turn only where the first one's format was refused inside of the batch.
      while true {
        let (response, format) = try await exchange { try $0.batch(changeSets) }
        let parts = try await batchParts(
          of: response, operationCount: operations.lazy.map(\.count).reduce(0, +))
        let outcomes = BatchOutcomes(service: self, format: format).match(parts, to: operations)
        let formatError = outcomes.lazy.joined().compactMap(\.error).first { $0.httpStatus == 415 }
        if refused == nil, outcomes.count == 1, let formatError,
          negotiation.shouldRetry(after: formatError, in: format)
        {
          refused = formatError
          continue
        }
        return outcomes
      }
    } catch var error as ODataError {
      if let index = error.failedOperation, operations.count != 1 || !operations[0].indices.contains(index) {
        error.failedOperation = nil
      }
      let result: OperationOutcome.Result = error.leavesOutcomeOpen ? .unknown(error) : .failed(error)
      return operations.map { $0.map { OperationOutcome($0, result) } }
    }
  }

  private func batchParts(of response: HTTPResponse, operationCount: Int) async throws -> [BatchResponsePart]
  {
    do {
      var reader = try BatchResponseReader(
        contentType: response.headers[.contentType], operationCount: operationCount, limits: payloadLimits)
      var parts: [BatchResponsePart] = []
      for try await chunk in response.body { parts += try reader.read(chunk) }
      return parts + (try reader.finish())
    } catch var error as ODataError {
      error.responseWasLost = true
      throw error
    }
  }
}
