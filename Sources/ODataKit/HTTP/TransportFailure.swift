/// How an exchange failed below HTTP; the `underlying` error of an ``ODataError`` with the code
/// ``ODataError/Code/transport`` or ``ODataError/Code/timeout``.
///
/// It answers the question behind every retry: may the service have carried the request out?
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was.
  public enum Reason: Sendable, Hashable {
    /// The host, or the proxy, has no address.
    case hostNotFound
    /// No connection could be made.
    case connectionFailed
    /// The TLS handshake or the certificate failed.
    case secureConnectionFailed
    /// A time limit passed: for connecting, for silence, or for the whole exchange.
    case timeout
    /// The connection broke before an answer came.
    case connectionLost
    /// The response broke off.
    case truncatedResponse
    /// The answer is not HTTP, or its header exceeds the limit.
    case invalidResponse
    /// The transport was shut down, or could not start.
    case unavailable
    /// Anything else.
    case other
  }

  /// What the service can have seen of the request.
  public enum Exposure: Sendable, Hashable {
    /// Nothing; sending it again is safe, whatever it does.
    case notSent
    /// All or a part of it; whether it was carried out is unknown.
    case unknown
    /// All of it; the head of the response arrived.
    case answered
  }

  /// What kind of failure it was.
  public var reason: Reason
  /// What the service can have seen of the request.
  public var exposure: Exposure
  /// The words of the layer below, without secrets.
  public var detail: String

  /// Makes a failure.
  public init(_ reason: Reason, exposure: Exposure, detail: String) {
    self.reason = reason
    self.exposure = exposure
    self.detail = detail
  }

  /// The words of the layer below.
  public var description: String { detail }
}

extension ODataError {
  /// How the exchange failed below HTTP, if it did.
  public var transportFailure: TransportFailure? { underlying as? TransportFailure }
}
