extension ODataService {
  /// Signs and sends one request, with the token of the session where the service wants one; gives the response whatever
  /// its status.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // Token and cookies are of this service and go nowhere else.
    guard let session, isOwn(request.url) else { return try await transmit(request) }
    var ticket = session.ticket
    if request.method.changesSomething, ticket.token == nil { ticket = try await fetchToken(session) }
    let response = try await transmit(request, ticket, session)
    guard response.status == 403, request.method.changesSomething, request.body.isReplayable,
      response.headers[.csrfToken]?.lowercased() == "required"
    else { return response }
    session.expire(ticket)
    // Another request may have fetched a new one already.
    let next = session.ticket
    return try await transmit(
      request, next.token == nil ? try await fetchToken(session) : next, session)
  }

  private func transmit(
    _ request: HTTPRequest, _ ticket: CSRFSession.Ticket, _ session: CSRFSession
  ) async throws -> HTTPResponse {
    var stamped = request
    ticket.stamp(&stamped)
    let response = try await transmit(stamped)
    session.take(response.headers, of: ticket)
    return response
  }

  /// Asks the root of the service for a token, again where it is too busy. Whatever goes wrong here, the change has not
  /// been sent.
  private func fetchToken(_ session: CSRFSession) async throws -> CSRFSession.Ticket {
    var retries = 0
    while true {
      do {
        return try await fetchTokenOnce(session)
      } catch let error as ODataError {
        // A body that was cut off by a cancellation explains nothing.
        try Task.checkCancellation()
        guard error.allowsRetry(of: .get),
          let delay = retryPolicy.delay(beforeRetry: retries, after: error)
        else { throw error }
        retries += 1
        try await retryPolicy.wait(delay)
      }
    }
  }

  private func fetchTokenOnce(_ session: CSRFSession) async throws -> CSRFSession.Ticket {
    let ticket = session.ticket
    var request = RequestBuilder(self, format: negotiation.current).serviceDocument()
    request.headers[.csrfToken] = "Fetch"
    ticket.stamp(&request)
    do {
      let response = try await transmit(request)
      guard (200..<300).contains(response.status) else { throw await failure(of: response) }
      // The token is in the head; the body is small, and read so that the connection can be used again.
      for try await _ in response.body {}
      return session.begin(response.headers, after: ticket)
    } catch var error as ODataError {
      error.message = "The service gave no CSRF token, so nothing was changed. \(error.message)"
      error.isBeforeSending = true
      throw error
    }
  }

  private func transmit(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    // A link may lead to another host; the credentials of this service are none of its business.
    if let authorizer, isOwn(request.url) { try await authorizer.authorize(&request) }
    return try await transport.send(request)
  }

  private func isOwn(_ url: RequestURL) -> Bool { url.hasOrigin(of: root) }
}

extension HTTPBody {
  /// Whether it can be sent once more.
  fileprivate var isReplayable: Bool {
    switch self {
    case .none, .bytes: true
    case .stream(_, let isReplayable, _): isReplayable
    }
  }
}
