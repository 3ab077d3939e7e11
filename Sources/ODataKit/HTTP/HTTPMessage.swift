internal import CurlTransport

/// The verb of a request; an open set, since services have verbs of their own.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The verb as it goes over the wire.
  public let rawValue: String
  /// Makes a verb; the text is sent as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a verb from a literal.
  public init(stringLiteral value: String) { rawValue = value }
  /// The verb as it goes over the wire.
  public var description: String { rawValue }

  /// `GET`
  public static let get: Self = "GET"
  /// `HEAD`
  public static let head: Self = "HEAD"
  /// `POST`
  public static let post: Self = "POST"
  /// `PUT`, the replacing update.
  public static let put: Self = "PUT"
  /// `PATCH`, the merging update of OData 3 and 4.
  public static let patch: Self = "PATCH"
  /// `MERGE`, the merging update of OData 1 and 2 and of Azure tables.
  public static let merge: Self = "MERGE"
  /// `DELETE`
  public static let delete: Self = "DELETE"
}

/// One HTTP request, ready to be sent.
public struct HTTPRequest: Sendable {
  /// The verb.
  public var method: HTTPMethod
  /// Where it goes, exactly as on the wire.
  public var url: RequestURL
  /// The header fields; the transport adds only `Host`, `Accept-Encoding`, and the `Content-Length` of the body or
  /// `Transfer-Encoding: chunked`.
  public var headers: HeaderFields
  /// What is sent behind the header.
  public var body: HTTPBody
  /// The limit for the whole exchange: connecting, sending, waiting and reading the body; `nil` for none.
  public var timeout: Duration?

  /// Makes a request.
  public init(
    _ method: HTTPMethod, _ url: RequestURL, headers: HeaderFields = [:], body: HTTPBody = .none,
    timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// The body of a request.
public enum HTTPBody: Sendable {
  /// No body.
  case none
  /// Bytes in memory; can be sent again.
  case bytes([UInt8])
  /// Chunks that are made while they are sent. `length` is the number of bytes if known; `makeChunks` is called once
  /// for each try, so a body that can be read only once says `isReplayable: false` and is never sent again.
  case stream(
    length: Int64?, isReplayable: Bool, makeChunks: @Sendable () -> AsyncThrowingStream<[UInt8], any Error>)
}

/// The head of a response, with a body that is read as it arrives.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: HeaderFields
  /// The body, read once.
  public var body: HTTPResponseBody

  /// Makes a response.
  public init(status: Int, headers: HeaderFields = [:], body: HTTPResponseBody = HTTPResponseBody([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The body of a response: chunks of bytes in the order they arrive, read at most once.
///
/// A body that ends early (short of its `Content-Length`, or without its last chunk) throws instead of ending.
public struct HTTPResponseBody: AsyncSequence, Sendable {
  /// Bytes as they came, never empty.
  public typealias Element = [UInt8]
  private let next: @Sendable () async throws -> [UInt8]?

  /// Makes a body from a function that gives the next chunk, or `nil` at the end.
  public init(next: @escaping @Sendable () async throws -> [UInt8]?) { self.next = next }

  /// Makes a body that is in memory.
  public init(_ bytes: [UInt8]) {
    let rest = Locked<[UInt8]?>(bytes.isEmpty ? nil : bytes)
    self.init { rest.withLock { $0.take() } }
  }

  /// Gives the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let pull: @Sendable () async throws -> [UInt8]?
    /// The next chunk, or `nil` at the end.
    public mutating func next() async throws -> [UInt8]? { try await pull() }
  }

  /// Starts reading; the second reader of the same body finds what the first has left.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pull: next) }

  /// The whole body, or ``ODataError/Code/payloadTooLarge`` once it exceeds `limit` bytes.
  public func collect(upTo limit: Int) async throws -> [UInt8] {
    var all: [UInt8] = []
    for try await chunk in self {
      guard all.count + chunk.count <= limit else {
        throw ODataError(.payloadTooLarge, "The response body is larger than the limit of \(limit) bytes.")
      }
      if all.isEmpty { all = chunk } else { all += chunk }
    }
    return all
  }
}

/// What carries requests to a service. A program may plug in its own HTTP client.
///
/// `send` returns once the head of the response is there. A response of any status is a response, not an error;
/// thrown are ``ODataError`` with ``ODataError/Code/transport`` or ``ODataError/Code/timeout``, and
/// `CancellationError` when the task was cancelled. A transport does not follow redirects and does not retry.
public protocol Transport: Sendable {
  /// Sends one request and gives the head of its response.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
