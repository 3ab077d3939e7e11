internal import CurlTransport

/// Shows each request and response on its way through another transport.
///
/// What is shown has the form of HTTP/1.1, whatever version is spoken below: start line, header fields, blank line,
/// body. Bodies are shown byte for byte, in the chunks in which they pass, so nothing is held back or collected.
/// Credentials are masked: the `Authorization` field and its like, and `sig=` in URLs.
///
/// ```swift
/// let transport = TracingTransport(LibcurlTransport()) { FileHandle.standardError.write(Data($0)) }
/// ```
public struct TracingTransport: Transport {
  private let base: any Transport
  private let write: @Sendable ([UInt8]) -> Void

  /// Wraps `base`. `write` is called with text ready to be shown, in order within one exchange; where exchanges run
  /// at the same time their pieces take turns.
  public init(_ base: any Transport, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.base = base
    self.write = write
  }

  /// Sends through the wrapped transport; throws what that throws.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    var head = "\(request.method.rawValue) \(SecretMask.url(request.url.target)) HTTP/1.1\n"
    head += "Host: \(request.url.authority)\n"
    append(request.headers, to: &head)
    switch request.body {
    case .none:
      write(Array("\(head)\n".utf8))
    case .bytes(let bytes):
      if request.headers[.contentLength] == nil { head += "Content-Length: \(bytes.count)\n" }
      write(Array("\(head)\n".utf8) + bytes + Array((bytes.last == newline ? "\n" : "\n\n").utf8))
    case .stream(let length, let isReplayable, let makeChunks):
      if let length, request.headers[.contentLength] == nil { head += "Content-Length: \(length)\n" }
      write(Array("\(head)\n".utf8))
      request.body = .stream(length: length, isReplayable: isReplayable) { [write] in
        let end = TracedEnd(write)
        let chunks = makeChunks()
        return AsyncThrowingStream {
          // A new iterator goes on where the last one stopped; here and below.
          var rest = chunks.makeAsyncIterator()
          return end.passing(try await rest.next())
        }
      }
    }
    let response: HTTPResponse
    do {
      response = try await base.send(request)
    } catch {
      write(Array("(no response: \(error))\n\n".utf8))
      throw error
    }
    return traced(response)
  }

  private func traced(_ response: HTTPResponse) -> HTTPResponse {
    var head = "HTTP/1.1 \(response.status)\n"
    append(response.headers, to: &head)
    write(Array("\(head)\n".utf8))
    let end = TracedEnd(write)
    var traced = response
    traced.body = HTTPResponseBody {
      var rest = response.body.makeAsyncIterator()
      return end.passing(try await rest.next())
    }
    return traced
  }

  private func append(_ headers: HeaderFields, to head: inout String) {
    for field in headers.fields { head += "\(field.name): \(SecretMask.value(of: field))\n" }
  }
}

private let newline = UInt8(ascii: "\n")

/// Shows the chunks of one body, and a blank line behind the last one.
private struct TracedEnd: Sendable {
  private let write: @Sendable ([UInt8]) -> Void
  private let last = Locked<UInt8?>(nil)

  init(_ write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

  func passing(_ chunk: [UInt8]?) -> [UInt8]? {
    if let chunk {
      write(chunk)
      if let byte = chunk.last { last.withLock { $0 = byte } }
    } else if let byte = last.withLock({ $0.take() }) {
      write(Array((byte == newline ? "\n" : "\n\n").utf8))
    }
    return chunk
  }
}
