internal import CurlTransport

/// Shows each request and response on its way through another transport.
///
/// What is shown has the form of HTTP/1.1, whatever version is spoken below: start line, header fields, blank line,
/// body. Bodies are shown byte for byte, in the chunks in which they pass, so nothing is held back or collected.
/// Credentials are masked: the `Authorization` field and its like, the secret options of URLs, and what the body of an
/// error repeats of them, for which the body is shown at its end, or from its first 64 KiB on.
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
      write(Array("(no response: \(SecretMask.sentence("\(error)")))\n\n".utf8))
      throw error
    }
    return traced(response)
  }

  private func traced(_ response: HTTPResponse) -> HTTPResponse {
    var head = "HTTP/1.1 \(response.status)\n"
    append(response.headers, to: &head)
    write(Array("\(head)\n".utf8))
    let errorBody = response.status >= 400 ? TracedError(write) : nil
    let end = TracedEnd(errorBody?.write ?? write)
    var traced = response
    traced.body = HTTPResponseBody {
      var rest = response.body.makeAsyncIterator()
      do {
        let chunk = try await rest.next()
        if chunk == nil { errorBody?.show() }
        return end.passing(chunk)
      } catch {
        errorBody?.show()
        throw error
      }
    }
    return traced
  }

  private func append(_ headers: HeaderFields, to head: inout String) {
    for field in headers.fields { head += "\(field.name): \(SecretMask.value(of: field))\n" }
  }
}

private let newline = UInt8(ascii: "\n")

/// Keeps the body of an error until it can be told what of it is secret: a word may come in two chunks.
private final class TracedError: Sendable {
  private static let limit = 64 << 10
  private let base: @Sendable ([UInt8]) -> Void
  /// What waits; `nil` once it was shown, and then every chunk is shown as it comes.
  private let waiting = Locked<[UInt8]?>([])

  init(_ write: @escaping @Sendable ([UInt8]) -> Void) { base = write }

  var write: @Sendable ([UInt8]) -> Void {
    { [self] chunk in
      let shown: [UInt8]? = waiting.withLock { waiting in
        guard var bytes = waiting else { return chunk }
        bytes += chunk
        waiting = bytes.count < Self.limit ? bytes : nil
        return waiting == nil ? bytes : nil
      }
      if let shown { base(SecretMask.sentence(shown)) }
    }
  }

  /// Shows what waits.
  func show() {
    if let bytes = waiting.withLock({ waiting in
      defer { waiting = nil }
      return waiting
    }), !bytes.isEmpty {
      base(SecretMask.sentence(bytes))
    }
  }
}

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
