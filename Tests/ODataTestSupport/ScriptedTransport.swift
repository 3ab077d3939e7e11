internal import CurlTransport
package import ODataKit

/// A transport that plays responses in order and keeps every request it was given.
package final class ScriptedTransport: Transport {
  /// What happens to one request.
  package enum Step: Sendable {
    case respond(HTTPResponse)
    case fail(ODataError)
    /// Answers by what the request is.
    case answer(@Sendable (HTTPRequest) async throws -> HTTPResponse)
  }

  private struct State {
    var steps: [Step]
    var requests: [HTTPRequest] = []
  }

  private let state: Locked<State>

  package init(_ steps: [Step] = []) { state = Locked(State(steps: steps)) }

  /// Every request in order.
  package var requests: [HTTPRequest] { state.withLock { $0.requests } }

  package func add(_ step: Step) { state.withLock { $0.steps.append(step) } }

  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let step: Step? = state.withLock { state in
      state.requests.append(request)
      return state.steps.isEmpty ? nil : state.steps.removeFirst()
    }
    switch step {
    case .respond(let response): return response
    case .fail(let error): throw error
    case .answer(let answer): return try await answer(request)
    case nil: throw ODataError(.transport, "The script has no response for \(request.method) \(request.url).")
    }
  }
}

extension HTTPResponse {
  /// A response with a text as its body.
  package static func text(
    _ status: Int, _ body: String = "", type: String? = nil, headers: HeaderFields = [:]
  ) -> HTTPResponse {
    var headers = headers
    if let type { headers[.contentType] = type }
    return HTTPResponse(status: status, headers: headers, body: HTTPResponseBody(Array(body.utf8)))
  }

  /// `204 No Content` with a tag.
  package static func noContent(tag: String? = nil) -> HTTPResponse {
    text(204, headers: tag.map { [.entityTag: $0] } ?? [:])
  }
}

extension HTTPRequest {
  /// The request as text: request line, header fields in order, a blank line, the body. Line ends as they are.
  package var wireText: String {
    var text = "\(method) \(url.target)\n"
    for field in headers.fields { text += "\(field.name): \(field.value)\n" }
    return text + "\n" + bodyText
  }

  /// The body as text.
  package var bodyText: String {
    if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }
}
