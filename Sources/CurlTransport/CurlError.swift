internal import CCurl

/// Why a request brought no complete response. Cancellation is not among the kinds: it is `CancellationError`, always.
package struct CurlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// The name of the host, or of the proxy, has no address.
    case couldNotResolve
    /// No connection: refused, unreachable, or refused by the proxy.
    case couldNotConnect
    /// The TLS handshake or the certificate failed.
    case secureConnectionFailed
    /// A time limit passed; `detail` tells which.
    case timedOut
    /// The connection broke after the request, or a part of it, was sent, and before an answer came.
    case connectionLost
    /// The response began and ended early.
    case truncatedResponse
    /// The answer is not HTTP, breaks its rules, or exceeds a limit.
    case invalidResponse
    /// The request cannot be sent as it is; nothing was sent.
    case invalidRequest
    /// The engine was shut down meanwhile.
    case shutDown
    /// libcurl is too old, lacks a feature, or could not start.
    case unavailable
    /// Anything else, such as a lack of memory.
    case other
  }

  /// What the service can have seen of the request.
  package enum Exposure: Sendable, Hashable {
    /// Nothing; sending again is safe.
    case notSent
    /// All or a part of it; whether it was carried out is unknown.
    case unknown
    /// All of it: the head of the response was received.
    case answered
  }

  package var kind: Kind
  /// libcurl's words or ours, without a full stop; never secrets.
  package var detail: String
  package var exposure: Exposure

  package init(_ kind: Kind, _ detail: String, exposure: Exposure = .notSent) {
    self.kind = kind
    self.detail = detail
    self.exposure = exposure
  }

  package var description: String { "\(kind): \(detail)" }

  /// Reads libcurl's result of a transfer that failed.
  init(_ code: CURLcode, detail: String, exposure: Exposure) {
    let detail = detail.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : detail
    self.init(Self.kind(of: code, exposure: exposure), detail, exposure: exposure)
  }

  private static func kind(of code: CURLcode, exposure: Exposure) -> Kind {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolve
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: .couldNotConnect
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      .secureConnectionFailed
    case CURLE_PARTIAL_FILE: .truncatedResponse
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED: .invalidResponse
    // Once the request is out, "unsupported protocol" is libcurl's word for an answer without an HTTP head.
    case CURLE_UNSUPPORTED_PROTOCOL: exposure == .notSent ? .invalidRequest : .invalidResponse
    case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: .invalidRequest
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: .other
    default:
      // Send and receive errors, empty replies, broken HTTP/2 framing: what they mean depends on how far it came.
      switch exposure {
      case .notSent: .couldNotConnect
      case .unknown: .connectionLost
      case .answered: .truncatedResponse
      }
    }
  }
}
