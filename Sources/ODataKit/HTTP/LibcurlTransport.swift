internal import CurlTransport

/// The transport that every service uses unless it is given another: HTTP/1.1 and, over TLS, HTTP/2 by libcurl.
///
/// All requests run on one thread of its own; connections are kept and shared. Bodies stream both ways, and whoever
/// reads slowly slows the sender. Compressed responses arrive decompressed, while their `Content-Encoding` and
/// `Content-Length` stay as the service sent them. Proxies are taken from `http_proxy`, `https_proxy`, `all_proxy` and
/// `no_proxy`, never for loopback hosts. Redirects are not followed.
///
/// A body short of its `Content-Length` or of its last chunk throws. Compressed data that ends early within a body that
/// is otherwise complete is not noticed here but by whoever parses it.
///
/// A request that changes nothing is sent again when a kept connection turns out to be dead. A write is not, once any
/// of it has left: the error then says so in its ``TransportFailure/exposure-swift.property``.
///
/// ```swift
/// let response = try await LibcurlTransport.shared.send(HTTPRequest(.get, url, timeout: .seconds(30)))
/// let bytes = try await response.body.collect(upTo: 1 << 20)
/// ```
public final class LibcurlTransport: Transport {
  /// How a transport works.
  public struct Configuration: Sendable {
    /// The limit for name look-up, connection and TLS handshake together; 30 seconds.
    public var connectTimeout: Duration = .seconds(30)
    /// How long a service may stay silent while a request or its answer is under way, to a quarter of it more; 60
    /// seconds. `nil` for any time.
    public var idleTimeout: Duration? = .seconds(60)
    /// How many requests to one host run at a time, 32; others wait for their turn, which counts for their own timeout
    /// but not for these limits.
    public var maxConnectionsPerHost = 32
    /// A file of certificates in PEM form to trust in place of the system's, for services with certificates of their
    /// own making.
    public var certificateAuthorityFile: String?
    /// Gets a line for each step and each header field. Bodies are left out, and credentials and signatures masked.
    /// Called on the transport's thread, which it holds up.
    public var trace: (@Sendable (String) -> Void)?

    /// Makes the default configuration.
    public init() {}
  }

  /// The transport that services share unless they are given one.
  public static let shared = LibcurlTransport()

  private let engine: Result<CurlEngine, CurlError>

  /// Makes a transport with a thread and connections of its own.
  ///
  /// If libcurl cannot be used, each `send` throws an error that says what it lacks.
  public init(_ configuration: Configuration = Configuration()) {
    var options = CurlOptions()
    options.connectTimeout = configuration.connectTimeout
    options.idleTimeout = configuration.idleTimeout
    options.maxConnectionsPerHost = configuration.maxConnectionsPerHost
    options.certificateAuthorityFile = configuration.certificateAuthorityFile
    options.trace = configuration.trace
    engine = Result { () throws(CurlError) in try CurlEngine(options) }
  }

  /// Sends one request and returns when the head of the response is there.
  ///
  /// Throws ``ODataError`` with ``ODataError/Code/transport``, ``ODataError/Code/timeout`` or, for a header that HTTP
  /// does not allow, ``ODataError/Code/invalidArgument``; the error of a streamed request body as it is; and
  /// `CancellationError` when the task was cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let url = request.url
    do {
      let response = try await engine.get().send(CurlRequest(request))
      var headers = HeaderFields()
      for header in response.head.headers { headers.append(HeaderFields.Name(header.name), header.value) }
      let body = response.body
      return HTTPResponse(
        status: response.head.status, headers: headers,
        body: HTTPResponseBody {
          do { return try await body.next() } catch let error as CurlError {
            throw ODataError(error, url: url)
          }
        })
    } catch let error as CurlError {
      throw ODataError(error, url: url)
    }
  }
}

extension CurlRequest {
  fileprivate init(_ request: HTTPRequest) {
    let body: Body =
      switch request.body {
      case .none: .none
      case .bytes(let bytes): .bytes(bytes)
      case .stream(let length, _, let makeChunks):
        .stream(length: length) { writer in
          for try await chunk in makeChunks() { try await writer.write(chunk) }
        }
      }
    self.init(
      request.method.rawValue, request.url.description,
      headers: request.headers.fields.map { CurlHeader($0.name.rawName, $0.value) }, body: body,
      timeout: request.timeout)
  }
}

extension ODataError {
  /// Tells the failure in a sentence with the host and what to do.
  fileprivate init(_ error: CurlError, url: RequestURL) {
    let place = url.authority
    let detail = error.detail
    let (reason, message): (TransportFailure.Reason, String) =
      switch error.kind {
      case .couldNotResolve:
        (
          .hostNotFound,
          "The host \(url.host) cannot be found (\(detail)); check the address of the service and the network."
        )
      case .couldNotConnect:
        (
          .connectionFailed,
          "There is no connection to \(place) (\(detail)); check that the service is running and can be reached."
        )
      case .secureConnectionFailed:
        (
          .secureConnectionFailed,
          "No secure connection to \(place) can be made (\(detail)); check the certificate and the scheme of the address."
        )
      case .timedOut:
        (
          .timeout,
          "\(place) did not complete the exchange in time (\(detail)); try again or allow more time."
        )
      case .connectionLost:
        (
          .connectionLost,
          "The connection to \(place) broke before an answer came (\(detail)); whether the request was carried out is unknown."
        )
      case .truncatedResponse:
        (.truncatedResponse, "The response of \(place) broke off (\(detail)); read it again.")
      case .invalidResponse:
        (
          .invalidResponse,
          "\(place) answered with something that cannot be read as HTTP (\(detail)); check the address and any proxy."
        )
      case .invalidRequest:
        (.other, "The request to \(place) cannot be sent (\(detail)); correct it.")
      case .shutDown:
        (.unavailable, "The request to \(place) was ended because its transport was shut down (\(detail)).")
      case .unavailable:
        (.unavailable, "The transport cannot be used: \(detail); install a complete libcurl.")
      case .other:
        (.other, "The exchange with \(place) failed (\(detail)).")
      }
    if error.kind == .invalidRequest {
      self.init(.invalidArgument, message)
      return
    }
    let exposure: TransportFailure.Exposure =
      switch error.exposure {
      case .notSent: .notSent
      case .unknown: .unknown
      case .answered: .answered
      }
    self.init(
      error.kind == .timedOut ? .timeout : .transport, message,
      underlying: TransportFailure(reason, exposure: exposure, detail: detail))
  }
}
