/// One field of a header, in wire order and spelling.
package struct CurlHeader: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as the engine sends it.
package struct CurlRequest: Sendable {
  /// What is sent behind the header.
  package enum Body: Sendable {
    /// No body; POST, PUT, PATCH and MERGE say so by `Content-Length: 0`.
    case none
    case bytes([UInt8])
    /// A body written while it is sent, with its `length` in bytes, or chunked for `nil`. `write` runs at most once, on
    /// a task of its own that is cancelled when the transfer ends.
    case stream(length: Int64?, write: @Sendable (RequestBodyWriter) async throws -> Void)
  }

  package var method: String
  /// Absolute, encoded, sent as it is.
  package var url: String
  package var headers: [CurlHeader]
  package var body: Body
  /// The limit for the whole exchange, from the call of `send` to the last byte of the response.
  package var timeout: Duration?

  package init(
    _ method: String, _ url: String, headers: [CurlHeader] = [], body: Body = .none, timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

extension CurlRequest {
  /// A method that changes nothing may be sent again on its own when a kept connection turns out to be dead
  /// (RFC 9110 § 9.2.1). Others are not even when idempotent: whoever repeats a write must know that it is a repeat.
  var isSafe: Bool { method == "GET" || method == "HEAD" || method == "OPTIONS" }

  /// Whether a request without a body says so by `Content-Length: 0` (RFC 9110 § 8.6).
  var announcesEmptyBody: Bool { ["POST", "PUT", "PATCH", "MERGE"].contains(method) }

  /// The number of bytes of the body, `nil` where only the end will tell.
  private var bodyLength: Int64? {
    switch body {
    case .none: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .stream(let length, _): length
    }
  }

  /// The header as libcurl takes it: a value behind `:`, `;` for a field that is there and empty, and a bare `:` for
  /// a field that libcurl must not add by itself.
  func headerLines() throws(CurlError) -> [String] {
    guard method.utf8.allSatisfy(isTokenByte), !method.isEmpty else {
      throw CurlError(.invalidRequest, "the method is not an HTTP token")
    }
    var lines: [String] = []
    lines.reserveCapacity(headers.count + 3)
    var given: Set<String> = []
    for header in headers {
      guard !header.name.isEmpty, header.name.utf8.allSatisfy(isTokenByte) else {
        throw CurlError(.invalidRequest, "a header field has a name that is not an HTTP token")
      }
      // A line break would start a field of its own, a NUL would end the text for libcurl.
      guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw CurlError(.invalidRequest, "the header field \(header.name) holds a control character")
      }
      let name = header.name.lowercased()
      given.insert(name)
      switch name {
      case "transfer-encoding":
        throw CurlError(.invalidRequest, "Transfer-Encoding is set by the transport alone")
      case "content-length":
        guard let length = bodyLength, Int64(header.value) == length else {
          throw CurlError(.invalidRequest, "the Content-Length given is not the length of the body")
        }
      default:
        lines.append(header.value.isEmpty ? header.name + ";" : header.name + ": " + header.value)
      }
    }
    for name in ["Accept", "Content-Type", "Expect"] where !given.contains(name.lowercased()) {
      lines.append(name + ":")
    }
    return lines
  }
}

private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
