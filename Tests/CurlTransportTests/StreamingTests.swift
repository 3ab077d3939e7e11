import CurlTransport
import ODataTestSupport
import Testing

/// Bodies in both directions, with a slow side.
@Suite struct StreamingTests {
  private static let piece = [UInt8](repeating: 0x61, count: 64 << 10)
  private static let pieces = 512  // 32 MiB, more than all socket buffers hold

  @Test(.timeLimit(.minutes(1)))
  func slowReaderSlowsTheServer() async throws {
    let size = Self.pieces * Self.piece.count
    let server = try LoopbackServer { _ in
      [
        .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
        .sendRepeatedly(Self.piece, count: Self.pieces),
      ]
    }
    let options = CurlOptions()
    let response = try await CurlEngine(options).send(CurlRequest("GET", server.url()))
    while response.body.pauseCount == 0 { await Task.yield() }
    var count = 0
    while let chunk = try await response.body.next() { count += chunk.count }
    #expect(count == size)
    #expect(response.body.peakBufferedBytes >= options.highWatermark)
    #expect(response.body.peakBufferedBytes <= options.highWatermark + 16 << 10)
  }

  @Test func unreadBodyOfAnySizeIsCut() async throws {
    let server = try LoopbackServer { _ in
      [
        .receive, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .sendRepeatedly(
          Array("1000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x1000) + [13, 10], count: .max),
      ]
    }
    let engine = try CurlEngine()
    _ = try await engine.send(CurlRequest("GET", server.url()))
    await server.wait { $0.endedConnections == [0] }
  }

  /// With one connection at a time the second request can only follow when the first body has been taken in.
  @Test func smallUnreadBodyKeepsTheConnection() async throws {
    let server = try LoopbackServer { _ in
      LoopbackServer.response(body: String(repeating: "a", count: 10_000))
    }
    var options = CurlOptions()
    options.maxConnectionsPerHost = 1
    let engine = try CurlEngine(options)
    for _ in 1...10 { _ = try await engine.send(CurlRequest("GET", server.url())) }
    #expect(server.snapshot.connectionCount == 1)
  }

  // MARK: Request bodies

  private func upload(
    _ length: Int64?, _ write: @escaping @Sendable (RequestBodyWriter) async throws -> Void
  ) async throws -> RecordedRequest? {
    let server = try LoopbackServer { _ in LoopbackServer.response() }
    let response = try await CurlEngine().send(
      CurlRequest("PUT", server.url(), body: .stream(length: length, write: write)))
    #expect(response.head.status == 200)
    return server.requests.first
  }

  @Test func bodyOfKnownLength() async throws {
    let request = try await upload(6) { writer in
      try await writer.write(Array("abc".utf8))
      try await writer.write([])
      try await writer.write(Array("def".utf8))
    }
    #expect(request?.values(of: "Content-Length") == ["6"])
    #expect(request?.values(of: "Transfer-Encoding") == [])
    #expect(request?.values(of: "Expect") == [])
    #expect(request?.text.hasSuffix("\r\n\r\nabcdef") == true)
  }

  @Test func bodyOfUnknownLengthIsChunked() async throws {
    let request = try await upload(nil) { try await $0.write(Array("abc".utf8)) }
    #expect(request?.values(of: "Content-Length") == [])
    #expect(request?.values(of: "Transfer-Encoding") == ["chunked"])
    #expect(request?.text.hasSuffix("\r\n\r\n3\r\nabc\r\n0\r\n\r\n") == true)
  }

  @Test(arguments: [0, nil] as [Int64?])
  func emptyStream(_ length: Int64?) async throws {
    let request = try await upload(length) { _ in }
    #expect(request?.body == [])
  }

  @Test func slowServerSlowsTheWriter() async throws {
    let peak = Watched(0)
    let request = try await upload(nil) { writer in
      for _ in 0..<Self.pieces { try await writer.write(Self.piece) }
      peak.update { $0 = writer.peakBufferedBytes }
    }
    #expect(request?.body.count == Self.pieces * Self.piece.count)
    let options = CurlOptions()
    #expect(peak.update { $0 } <= options.highWatermark + Self.piece.count)
  }

  @Test func bytesArriveWhileTheWriterStillWrites() async throws {
    let seen = Gate()
    let server = try LoopbackServer { _ in
      [.receiveHead, .wait(seen), .receive, .sendBytes(LoopbackServer.response())]
    }
    let task = Task {
      try await CurlEngine().send(
        CurlRequest(
          "POST", server.url(),
          body: .stream(length: nil) { writer in
            // The head is out before the first byte of the body is there.
            _ = await server.received(1)
            seen.open()
            // What follows the head looks like a request of its own to the server's second step.
            try await writer.write(Array("GET / HTTP/1.1\r\n\r\n".utf8))
          }))
    }
    #expect(try await task.value.head.status == 200)
  }

  @Test(arguments: [
    (2, "the request body is longer than its length of 2 bytes"),
    (4, "the request body ended after 3 of 4 bytes"),
  ])
  func lengthMismatch(_ length: Int64, _ detail: String) async throws {
    let server = try LoopbackServer { _ in [.receive, .hang] }
    let error = await curlError {
      _ = try await CurlEngine().send(
        CurlRequest(
          "POST", server.url(), body: .stream(length: length) { try await $0.write(Array("abc".utf8)) }))
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.detail == detail)
  }

  @Test func errorOfTheWriterIsThrownAsItIs() async throws {
    struct Broken: Error {}
    let server = try LoopbackServer { _ in [.receive, .hang] }
    await #expect(throws: Broken.self) {
      _ = try await CurlEngine().send(
        CurlRequest(
          "POST", server.url(),
          body: .stream(length: nil) { writer in
            try await writer.write([1])
            throw Broken()
          }))
    }
    await server.wait { $0.endedConnections == [0] }
    #expect(server.requests == [])
  }

  @Test func writerIsCancelledWhenTheAnswerComesEarly() async throws {
    let cancelled = Gate()
    let server = try LoopbackServer { _ in
      [
        .receiveHead,
        .sendBytes(LoopbackServer.response("413 Content Too Large", headers: ["Connection: close"])), .hang,
      ]
    }
    let response = try await CurlEngine().send(
      CurlRequest(
        "POST", server.url(),
        body: .stream(length: nil) { writer in
          do { while true { try await writer.write(Self.piece) } } catch {
            cancelled.open()
            throw error
          }
        }))
    #expect(response.head.status == 413)
    await cancelled.passed()
  }
}
