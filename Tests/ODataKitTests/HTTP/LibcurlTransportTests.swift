import ODataKit
import ODataTestSupport
import Testing

@Suite struct LibcurlTransportTests {
  private func url(_ server: LoopbackServer, _ target: String = "/") throws -> RequestURL {
    try #require(RequestURL(server.url(target)))
  }

  @Test func headAndBodyArrive() async throws {
    let server = try LoopbackServer { request in
      LoopbackServer.response("201 Created", headers: ["ETag: W/\"1\"", "X: 1", "X: 2"], body: "坊っちゃん")
    }
    let response = try await LibcurlTransport.shared.send(
      HTTPRequest(
        .post, url(server, "/Books"), headers: [.contentType: "text/plain"], body: .bytes(Array("b".utf8))))
    #expect(response.status == 201)
    #expect(response.headers[.entityTag] == "W/\"1\"")
    #expect(response.headers["x"] == "1, 2")
    #expect(response.headers.fields.map(\.name.rawName) == ["ETag", "X", "X", "Content-Length"])
    #expect(String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self) == "坊っちゃん")
    #expect(server.requests.first?.requestLine == "POST /Books HTTP/1.1")
    #expect(server.requests.first?.body == Array("b".utf8))
  }

  @Test func streamedBodyIsSent() async throws {
    let server = try LoopbackServer { _ in LoopbackServer.response() }
    let body = HTTPBody.stream(length: 6, isReplayable: true) {
      AsyncThrowingStream { stream in
        stream.yield(Array("abc".utf8))
        stream.yield(Array("def".utf8))
        stream.finish()
      }
    }
    let response = try await LibcurlTransport.shared.send(HTTPRequest(.put, url(server), body: body))
    #expect(response.status == 200)
    #expect(server.requests.first?.body == Array("abcdef".utf8))
    #expect(server.requests.first?.values(of: "Content-Length") == ["6"])
  }

  private func failure(_ url: String, timeout: Duration? = nil) async throws -> ODataError {
    let url = try #require(RequestURL(url))
    return try #require(
      await #expect(throws: ODataError.self) {
        let response = try await LibcurlTransport.shared.send(HTTPRequest(.post, url, timeout: timeout))
        _ = try await response.body.collect(upTo: 1 << 20)
      })
  }

  @Test func refusedConnectionNamesTheHostAndWasNotSent() async throws {
    let port = try LoopbackServer.closedPort()
    let error = try await failure("http://127.0.0.1:\(port)/secret")
    #expect(error.code == .transport)
    #expect(error.transportFailure?.reason == .connectionFailed)
    #expect(error.transportFailure?.exposure == .notSent)
    #expect(error.message.hasPrefix("There is no connection to 127.0.0.1:\(port) ("))
    #expect(!error.description.contains("secret"))
  }

  @Test func unknownHost() async throws {
    let error = try await failure("http://no-such-host.invalid/")
    #expect(error.code == .transport)
    #expect(error.transportFailure?.reason == .hostNotFound)
    #expect(error.transportFailure?.exposure == .notSent)
  }

  @Test func silenceBeyondTheTimeLimit() async throws {
    let server = try LoopbackServer { _ in [.receive, .hang] }
    let error = try await failure(server.url(), timeout: .milliseconds(400))
    #expect(error.code == .timeout)
    #expect(error.transportFailure?.exposure == .unknown)
  }

  @Test func lostConnectionLeavesTheOutcomeUnknown() async throws {
    let server = try LoopbackServer { _ in [.receive, .reset] }
    let error = try await failure(server.url())
    #expect(error.code == .transport)
    #expect(error.transportFailure?.reason == .connectionLost)
    #expect(error.transportFailure?.exposure == .unknown)
  }

  @Test func bodyThatBreaksOffThrowsWhileItIsRead() async throws {
    let server = try LoopbackServer { _ in
      [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nabc")]
    }
    let error = try await failure(server.url())
    #expect(error.code == .transport)
    #expect(error.transportFailure?.reason == .truncatedResponse)
    #expect(error.transportFailure?.exposure == .answered)
  }

  @Test func headerWithLineBreakIsRefused() async throws {
    let server = try LoopbackServer { _ in LoopbackServer.response() }
    let request = HTTPRequest(.get, try url(server), headers: ["X": "a\r\nY: b"])
    let error = try #require(
      await #expect(throws: ODataError.self) { _ = try await LibcurlTransport.shared.send(request) })
    #expect(error.code == .invalidArgument)
    #expect(server.snapshot.connectionCount == 0)
  }

  @Test func cancelledTaskThrowsCancellationError() async throws {
    let server = try LoopbackServer { _ in [.receive, .hang] }
    let url = try url(server)
    let task = Task { try await LibcurlTransport.shared.send(HTTPRequest(.get, url)) }
    _ = await server.received(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    await server.wait { $0.endedConnections == [0] }
  }

  @Test func bodyOutlivesItsTransport() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), .wait(gate), .send("abc")]
    }
    let response = try await LibcurlTransport().send(HTTPRequest(.get, url(server)))
    gate.open()
    #expect(try await response.body.collect(upTo: 3) == Array("abc".utf8))
  }
}
