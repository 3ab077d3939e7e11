import CurlTransport
import ODataTestSupport
import Testing

/// What comes back, answer by answer.
@Suite struct ResponseTests {
  private func send(
    _ answer: [LoopbackServer.Step], method: String = "GET", options: CurlOptions = CurlOptions()
  ) async throws -> (head: ResponseHead, body: String) {
    let server = try LoopbackServer { _ in [.receive] + answer }
    let response = try await CurlEngine(options).send(CurlRequest(method, server.url()))
    return (response.head, try await response.text())
  }

  @Test func headerOrderAndRepetition() async throws {
    let (head, body) = try await send([
      .send("HTTP/1.1 200 OK\r\nB: 1\r\na: 2\r\nB: 3\r\nContent-Length: 2\r\n\r\nhi")
    ])
    #expect(head.status == 200)
    #expect(
      head.headers == [
        CurlHeader("B", "1"), CurlHeader("a", "2"), CurlHeader("B", "3"), CurlHeader("Content-Length", "2"),
      ])
    #expect(body == "hi")
  }

  @Test func everySplitOfAResponseReadsTheSame() async throws {
    let answer = Array(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab\0c\r\n1;x=y\r\nd\r\n0\r\nT: 1\r\n\r\n"
        .utf8)
    let engine = try CurlEngine()
    let server = try LoopbackServer { number in
      // The gap is real only where the kernel keeps the pieces apart; libcurl's own parser is not what is tested.
      [.receive, .sendBytes(Array(answer[..<number])), .sendBytes(Array(answer[number...]))]
    }
    for _ in answer.indices {
      let response = try await engine.send(
        CurlRequest("GET", server.url(), headers: [CurlHeader("Connection", "close")]))
      #expect(response.head.headers == [CurlHeader("A", "1"), CurlHeader("Transfer-Encoding", "chunked")])
      #expect(try await response.text() == "ab\0cd")
    }
    #expect(server.snapshot.connectionCount == answer.count)
  }

  @Test func interimResponsesAreSkipped() async throws {
    let (head, body) = try await send([
      .send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"),
      .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"),
    ])
    #expect(head == ResponseHead(status: 200, headers: [CurlHeader("Content-Length", "1")]))
    #expect(body == "x")
  }

  @Test func bodyUntilTheConnectionCloses() async throws {
    #expect(try await send([.send("HTTP/1.0 200 OK\r\n\r\nall of it")]).body == "all of it")
  }

  @Test(arguments: ["204 No Content", "304 Not Modified"])
  func responsesWithoutBody(_ status: String) async throws {
    let (head, body) = try await send([.send("HTTP/1.1 \(status)\r\nETag: \"1\"\r\n\r\n"), .hang])
    #expect(head.headers == [CurlHeader("ETag", "\"1\"")])
    #expect(body == "")
  }

  @Test func headHasNoBodyThoughItTellsALength() async throws {
    let (head, body) = try await send(
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"), .hang], method: "HEAD")
    #expect(head.status == 200)
    #expect(body == "")
  }

  @Test func redirectIsAResponse() async throws {
    let server = try LoopbackServer { request in
      LoopbackServer.response("302 Found", headers: ["Location: /other"], body: "moved")
    }
    let response = try await CurlEngine().send(
      CurlRequest("GET", server.url("/first"), headers: [CurlHeader("Authorization", "secret")]))
    #expect(response.head.status == 302)
    #expect(try await response.text() == "moved")
    #expect(server.requests.map(\.target) == ["/first"])
  }

  @Test func credentialsAreNotAskedFor() async throws {
    let (head, body) = try await send([
      .sendBytes(
        LoopbackServer.response(
          "401 Unauthorized", headers: ["WWW-Authenticate: Basic realm=\"x\""], body: "no"))
    ])
    #expect(head.status == 401)
    #expect(body == "no")
  }

  // MARK: Compression

  /// `{"value":[{"PartitionKey":"p"}]}`
  private static let zipped: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 171, 86, 42, 75, 204, 41, 77, 85, 178, 138, 174, 86, 10, 72, 44, 42,
    201, 44,
    201, 204, 207, 243, 78, 173, 84, 178, 82, 42, 80, 170, 141, 173, 5, 0, 124, 136, 21, 28, 32, 0, 0, 0,
  ]

  private func zipped(_ status: String, length: Int) -> [LoopbackServer.Step] {
    [
      .send("HTTP/1.1 \(status)\r\nContent-Encoding: gzip\r\nContent-Length: \(length)\r\n\r\n"),
      .sendBytes(Self.zipped),
    ]
  }

  @Test(arguments: ["200 OK", "404 Not Found"])
  func compressedBodyIsRead(_ status: String) async throws {
    #expect(
      try await send(zipped(status, length: Self.zipped.count)).body == #"{"value":[{"PartitionKey":"p"}]}"#)
  }

  @Test func compressedBodyThatEndsEarly() async throws {
    let error = await curlError { _ = try await send(zipped("200 OK", length: Self.zipped.count + 1)) }
    #expect(error?.kind == .truncatedResponse)
  }

  @Test func bodyThatIsNotCompressedAsItSays() async throws {
    let error = await curlError {
      _ = try await send([
        .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\nnot gzip, not at all")
      ])
    }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.exposure == .answered)
  }

  // MARK: Broken off

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"value\":[",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
  ])
  func bodyThatBreaksOff(_ answer: String) async throws {
    let error = await curlError { _ = try await send([.send(answer)]) }
    #expect(error?.kind == .truncatedResponse)
    #expect(error?.exposure == .answered)
  }

  @Test func whatCameBeforeTheBreakIsReadFirst() async throws {
    let server = try LoopbackServer { _ in
      [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")]
    }
    let response = try await CurlEngine().send(CurlRequest("GET", server.url()))
    #expect(try await response.body.next() == Array("abc".utf8))
    #expect(await curlError { _ = try await response.body.next() }?.kind == .truncatedResponse)
  }

  @Test func resetInTheBody() async throws {
    let error = await curlError {
      _ = try await send([.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nabc"), .reset])
    }
    #expect(error?.kind == .truncatedResponse || error?.kind == .connectionLost)
  }

  @Test func headThatBreaksOff() async throws {
    let error = await curlError { _ = try await send([.send("HTTP/1.1 200 OK\r\nContent-Le")]) }
    #expect(error?.kind == .truncatedResponse)
    #expect(error?.exposure == .unknown)
  }

  @Test(arguments: [[], [LoopbackServer.Step.reset]])
  func noAnswerAtAll(_ answer: [LoopbackServer.Step]) async throws {
    let error = await curlError { _ = try await send(answer) }
    #expect(error?.kind == .connectionLost)
    #expect(error?.exposure == .unknown)
  }

  // MARK: Not HTTP

  @Test(arguments: ["hello\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 banana\r\n\r\n"])
  func answersThatAreNotHTTP(_ answer: String) async throws {
    let error = await curlError { _ = try await send([.send(answer)]) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.exposure == .unknown)
  }

  @Test func headerOverTheLimitIsRefused() async throws {
    let fields = (0..<70).map { "X-\($0): " + String(repeating: "a", count: 1000) + "\r\n" }.joined()
    let error = await curlError { _ = try await send([.send("HTTP/1.1 200 OK\r\n" + fields + "\r\n")]) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.detail == "the header of the response is too large")
  }

  @Test func headerBelowTheLimitIsRead() async throws {
    let fields = (0..<60).map { "X-\($0): " + String(repeating: "a", count: 1000) + "\r\n" }.joined()
    let (head, _) = try await send([.send("HTTP/1.1 200 OK\r\n" + fields + "\r\n")])
    #expect(head.headers.count == 60)
  }

  @Test func endlessInterimResponsesAreRefused() async throws {
    let error = await curlError {
      _ = try await send([.sendRepeatedly(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), count: 100_000)])
    }
    #expect(error?.detail == "the header of the response is too large")
  }
}
