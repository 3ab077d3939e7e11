/// How an engine works.
package struct CurlOptions: Sendable {
  /// Which proxy to go through. Loopback hosts are never asked for through a proxy.
  package enum Proxy: Sendable, Hashable {
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    case none
    /// The URL of a proxy for all other hosts.
    case fixed(String)
  }

  /// The limit for name look-up, connection and TLS handshake together.
  package var connectTimeout: Duration = .seconds(30)
  /// How long the service may stay silent while it is its turn; `nil` for any time.
  package var idleTimeout: Duration? = .seconds(60)
  /// How many transfers run for one origin at a time; more wait in order.
  package var maxConnectionsPerHost = 32
  package var proxy = Proxy.environment
  /// A file of certificates in PEM form that are trusted in place of the system's.
  package var certificateAuthorityFile: String?
  /// libcurl is paused with this many unread or unsent bytes in the buffer…
  package var highWatermark = 256 << 10
  /// … and goes on with no more than this many.
  package var lowWatermark = 64 << 10
  /// How much of an unread body is received to keep the connection.
  package var discardLimit = 64 << 10
  /// The limit for the header of a response with all its interim responses, in bytes.
  package var maxHeaderBytes = 64 << 10
  /// Gets libcurl's messages and the header lines, without secrets and bodies, on the curl thread.
  package var trace: (@Sendable (String) -> Void)?

  /// Durations beyond this one mean "for ever"; it keeps sums and conversions from overflowing.
  static let longest = Duration.seconds(365 * 86_400)

  package init() {}
}
