import CurlTransport
import ODataTestSupport
import Testing

/// Connections, cancellation, time limits, proxies, and the end of the engine.
@Suite struct EngineTests {
  private static func ok(_ request: RecordedRequest) -> [UInt8] {
    LoopbackServer.response(body: request.target)
  }

  // MARK: Connections

  @Test func connectionIsKept() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let engine = try CurlEngine()
    for number in 1...5 {
      let text = try await engine.send(CurlRequest("POST", server.url("/\(number)"))).text()
      #expect(text == "/\(number)")
    }
    #expect(server.snapshot.connectionCount == 1)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [(30, 32), (200, 32), (200, 4)])
  func manyAtATime(_ count: Int, limit: Int) async throws {
    let server = try LoopbackServer(answering: Self.ok)
    var options = CurlOptions()
    options.maxConnectionsPerHost = limit
    let engine = try CurlEngine(options)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<count {
        group.addTask {
          try await engine.send(
            CurlRequest("POST", server.url("/\(number)"), body: .bytes(Array("\(number)".utf8)))
          ).text()
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers == Set((0..<count).map { "/\($0)" }))
    #expect(server.requests.count == count)
    #expect(server.requests.allSatisfy { "/" + String(decoding: $0.body, as: UTF8.self) == $0.target })
    #expect(server.snapshot.connectionCount <= limit)
  }

  /// A server whose first connection answers once and is then reset in the middle of the second request.
  private func staleServer() throws -> LoopbackServer {
    try LoopbackServer { number in
      number == 0
        ? [.receive, .sendBytes(LoopbackServer.response(body: "first")), .receive, .reset] : [.serve(Self.ok)]
    }
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS"])
  func readIsSentAgainWhenAKeptConnectionIsReset(_ method: String) async throws {
    let server = try staleServer()
    let engine = try CurlEngine()
    _ = try await engine.send(CurlRequest("GET", server.url())).bytes()
    let response = try await engine.send(CurlRequest(method, server.url("/second")))
    #expect(response.head.status == 200)
    #expect(server.requests.map(\.target) == ["/", "/second", "/second"])
  }

  @Test(
    arguments: [
      ("POST", .bytes([1])), ("MERGE", .bytes([1])), ("PUT", .bytes([1])), ("POST", .none), ("DELETE", .none),
      ("POST", .stream(length: 1) { try await $0.write([1]) }),
    ] as [(String, CurlRequest.Body)])
  func writeIsNotSentAgainWhenAKeptConnectionIsReset(_ method: String, _ body: CurlRequest.Body) async throws
  {
    let server = try staleServer()
    let engine = try CurlEngine()
    _ = try await engine.send(CurlRequest("GET", server.url())).bytes()
    let error = await curlError {
      _ = try await engine.send(CurlRequest(method, server.url("/second"), body: body))
    }
    #expect(error?.kind == .connectionLost)
    #expect(error?.exposure == .unknown)
    #expect(server.requests.map(\.target) == ["/", "/second"])
    // The engine is none the worse for it.
    #expect(try await engine.send(CurlRequest(method, server.url("/third"), body: body)).head.status == 200)
  }

  @Test(arguments: ["GET", "POST", "DELETE"])
  func connectionThatWasClosedMeanwhileIsReplaced(_ method: String) async throws {
    let server = try LoopbackServer { number in
      number == 0 ? [.receive, .sendBytes(LoopbackServer.response())] : [.serve(Self.ok)]
    }
    let engine = try CurlEngine()
    _ = try await engine.send(CurlRequest("GET", server.url())).bytes()
    await server.wait { $0.endedConnections == [0] }
    #expect(try await engine.send(CurlRequest(method, server.url("/second"))).text() == "/second")
    #expect(server.requests.map(\.connection) == [0, 1])
  }

  @Test func refused() async throws {
    let port = try LoopbackServer.closedPort()
    let error = await curlError {
      _ = try await CurlEngine().send(CurlRequest("POST", "http://127.0.0.1:\(port)/"))
    }
    #expect(error?.kind == .couldNotConnect)
    #expect(error?.exposure == .notSent)
  }

  @Test func plainServerBehindAnHTTPSAddress() async throws {
    let server = try LoopbackServer { _ in [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .hang] }
    let error = await curlError {
      _ = try await CurlEngine().send(CurlRequest("POST", "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.kind == .secureConnectionFailed)
    #expect(error?.exposure == .notSent)
  }

  // MARK: Requests that cannot be sent

  @Test(arguments: [
    CurlRequest("GET", "ftp://127.0.0.1/"), CurlRequest("GET", "/relative"),
    CurlRequest("G T", "http://127.0.0.1:9/"),
    CurlRequest("", "http://127.0.0.1:9/"),
    CurlRequest("GET", "http://127.0.0.1:9/", headers: [CurlHeader("A B", "1")]),
    CurlRequest("GET", "http://127.0.0.1:9/", headers: [CurlHeader("A", "1\r\nB: 2")]),
    CurlRequest("GET", "http://127.0.0.1:9/", headers: [CurlHeader("A", "1\0")]),
    CurlRequest("GET", "http://127.0.0.1:9/", headers: [CurlHeader("Transfer-Encoding", "chunked")]),
    CurlRequest(
      "POST", "http://127.0.0.1:9/", headers: [CurlHeader("Content-Length", "3")], body: .bytes([1])),
  ])
  func invalidRequest(_ request: CurlRequest) async throws {
    let error = await curlError { _ = try await CurlEngine().send(request) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.exposure == .notSent)
  }

  // MARK: Cancellation

  @Test func cancelledBeforeItIsSent() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let engine = try CurlEngine()
    let gate = Gate()
    let task = Task {
      await gate.passed()
      return try await engine.send(CurlRequest("GET", server.url()))
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(server.snapshot.connectionCount == 0)
  }

  @Test func cancelledWhileTheServerIsSilent() async throws {
    let server = try LoopbackServer { _ in [.receive, .hang] }
    let engine = try CurlEngine()
    let task = Task { try await engine.send(CurlRequest("POST", server.url())) }
    _ = await server.received(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    await server.wait { $0.endedConnections == [0] }
  }

  @Test func cancelledWhileTheBodyIsRead() async throws {
    let server = try LoopbackServer { _ in
      [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hang]
    }
    let engine = try CurlEngine()
    let readTwo = Gate()
    let task = Task {
      let response = try await engine.send(CurlRequest("GET", server.url()))
      #expect(try await response.body.next() == Array("ab".utf8))
      readTwo.open()
      return try await response.body.next()
    }
    await readTwo.passed()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    await server.wait { $0.endedConnections == [0] }
  }

  @Test func cancelledWhileWaitingForItsTurn() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      [.receive, .wait(gate), .sendBytes(LoopbackServer.response()), .serve(Self.ok)]
    }
    var options = CurlOptions()
    options.maxConnectionsPerHost = 1
    let engine = try CurlEngine(options)
    let first = Task { try await engine.send(CurlRequest("GET", server.url("/first"))).bytes() }
    _ = await server.received(1)
    let second = Task { try await engine.send(CurlRequest("GET", server.url("/second"))) }
    second.cancel()
    await #expect(throws: CancellationError.self) { _ = try await second.value }
    gate.open()
    _ = try await first.value
    #expect(try await engine.send(CurlRequest("GET", server.url("/third"))).text() == "/third")
    #expect(server.requests.map(\.target) == ["/first", "/third"])
  }

  // MARK: Time limits

  private func timeout(
    _ answer: [LoopbackServer.Step], timeout: Duration? = .milliseconds(400),
    options: CurlOptions = CurlOptions()
  ) async throws -> CurlError? {
    let server = try LoopbackServer { _ in answer }
    let engine = try CurlEngine(options)
    let error = await curlError {
      _ = try await engine.send(CurlRequest("POST", server.url(), timeout: timeout)).bytes()
    }
    await server.wait { $0.endedConnections == [0] }
    return error
  }

  @Test func timeLimitWhileTheServerIsSilent() async throws {
    let error = try await timeout([.receive, .hang])
    #expect(error == CurlError(.timedOut, "the time limit of the request passed", exposure: .unknown))
  }

  @Test func timeLimitInTheBody() async throws {
    let error = try await timeout(
      [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hang], timeout: .seconds(1))
    #expect(error == CurlError(.timedOut, "the time limit of the request passed", exposure: .answered))
  }

  @Test func timeLimitWhileWaitingForItsTurn() async throws {
    let server = try LoopbackServer { _ in [.receive, .hang] }
    var options = CurlOptions()
    options.maxConnectionsPerHost = 1
    let engine = try CurlEngine(options)
    let first = Task { try await engine.send(CurlRequest("GET", server.url("/first"))) }
    _ = await server.received(1)
    let error = await curlError {
      _ = try await engine.send(CurlRequest("POST", server.url("/second"), timeout: .milliseconds(50)))
    }
    #expect(error?.kind == .timedOut)
    #expect(error?.exposure == .notSent)
    first.cancel()
    #expect(await first.result.isFailure)
    #expect(server.requests.map(\.target) == ["/first"])
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1)])
  func absurdTimeLimits(_ limit: Duration) async throws {
    let server = try LoopbackServer(answering: Self.ok)
    var options = CurlOptions()
    options.connectTimeout = .seconds(Int64.max)
    options.idleTimeout = .seconds(Int64.max)
    let engine = try CurlEngine(options)
    let result = await Result {
      try await engine.send(CurlRequest("GET", server.url(), timeout: limit)).head.status
    }
    switch result {
    case .success(let status): #expect(status == 200 && limit > .zero)
    case .failure(let error): #expect((error as? CurlError)?.kind == .timedOut && limit < .zero)
    }
  }

  @Test func silenceOfTheServer() async throws {
    var options = CurlOptions()
    options.idleTimeout = .milliseconds(50)
    let error = try await timeout([.receive, .hang], timeout: nil, options: options)
    #expect(error == CurlError(.timedOut, "the service was silent for too long", exposure: .unknown))
  }

  @Test func silenceOfTheReaderIsNotTheServers() async throws {
    let body = [UInt8](repeating: 0x61, count: 1 << 20)
    let server = try LoopbackServer { number in
      number == 0
        ? [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"), .sendBytes(body)]
        : [.receive, .hang]
    }
    var options = CurlOptions()
    // Long enough for the server to get its turn on a busy machine.
    options.idleTimeout = .milliseconds(500)
    let engine = try CurlEngine(options)
    let response = try await engine.send(CurlRequest("GET", server.url()))
    while response.body.pauseCount == 0 { await Task.yield() }
    // By the time another has failed for silence, this one has not been read for longer than the limit.
    let error = await curlError { _ = try await engine.send(CurlRequest("GET", server.url())) }
    #expect(error?.kind == .timedOut)
    #expect(try await response.bytes() == body)
  }

  @Test func handshakeTimeLimit() async throws {
    let server = try LoopbackServer { _ in [.hang] }
    var options = CurlOptions()
    options.connectTimeout = .milliseconds(50)
    let engine = try CurlEngine(options)
    let error = await curlError {
      _ = try await engine.send(CurlRequest("POST", "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.kind == .timedOut)
    #expect(error?.exposure == .notSent)
  }

  // MARK: Proxies

  @Test func loopbackIsNeverAskedForThroughAProxy() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let proxy = try LoopbackServer { _ in LoopbackServer.response("502 Bad Gateway") }
    var options = CurlOptions()
    options.proxy = .fixed(proxy.url())
    let engine = try CurlEngine(options)
    for host in ["127.0.0.1", "localhost"] {
      #expect(try await engine.send(CurlRequest("GET", "http://\(host):\(server.port)/x")).text() == "/x")
    }
    #expect(proxy.snapshot.connectionCount == 0)
  }

  @Test func otherHostsAre() async throws {
    let proxy = try LoopbackServer(answering: Self.ok)
    var options = CurlOptions()
    options.proxy = .fixed(proxy.url())
    let response = try await CurlEngine(options).send(CurlRequest("GET", "http://service.invalid/a/../b?c"))
    #expect(response.head.status == 200)
    #expect(proxy.requests.first?.requestLine == "GET http://service.invalid/a/../b?c HTTP/1.1")
  }

  @Test func proxyThatRefusesATunnelSeesNoCredentials() async throws {
    let proxy = try LoopbackServer { _ in LoopbackServer.response("403 Forbidden", headers: ["X-Proxy: 1"]) }
    var options = CurlOptions()
    options.proxy = .fixed(proxy.url())
    let engine = try CurlEngine(options)
    let error = await curlError {
      _ = try await engine.send(
        CurlRequest("POST", "https://service.invalid/", headers: [CurlHeader("Authorization", "secret")]))
    }
    #expect(error?.kind == .couldNotConnect)
    #expect(error?.exposure == .notSent)
    #expect(proxy.requests.first?.requestLine == "CONNECT service.invalid:443 HTTP/1.1")
    #expect(proxy.requests.first?.values(of: "Authorization") == [])
  }

  // MARK: Trace and end

  @Test func traceShowsHeadersWithoutSecrets() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let lines = Watched<[String]>([])
    var options = CurlOptions()
    options.trace = { line in lines.update { $0.append(line) } }
    let engine = try CurlEngine(options)
    _ = try await engine.send(
      CurlRequest(
        "POST", server.url("/t?sig=s3cr3t"), headers: [CurlHeader("Authorization", "SharedKey s3cr3t")],
        body: .bytes(Array("s3cr3t".utf8)))
    ).bytes()
    let seen = lines.update { $0 }
    #expect(seen.contains("> POST /t?sig=… HTTP/1.1"))
    #expect(seen.contains("> Authorization: …"))
    #expect(seen.contains("< HTTP/1.1 200 OK"))
    #expect(seen.filter { $0.contains("s3cr3t") && !$0.hasPrefix("<") } == [])
  }

  /// Opens a gate when it is released.
  private final class Token: Sendable {
    let released: Gate
    init(_ released: Gate) { self.released = released }
    deinit { released.open() }
  }

  private func options(holding token: Token) -> CurlOptions {
    var options = CurlOptions()
    options.trace = { _ in withExtendedLifetime(token) {} }
    return options
  }

  @Test func threadEndsWithTheEngine() async throws {
    let released = Gate()
    let server = try LoopbackServer { _ in [.serve(Self.ok)] }
    do {
      let engine = try CurlEngine(options(holding: Token(released)))
      _ = try await engine.send(CurlRequest("GET", server.url())).bytes()
    }
    await released.passed()
    // Kept connections are closed with it.
    await server.wait { $0.endedConnections == [0] }
  }

  @Test func bodyKeepsTheEngine() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), .wait(gate), .send("abc")]
    }
    let response = try await CurlEngine().send(CurlRequest("GET", server.url()))
    gate.open()
    #expect(try await response.text() == "abc")
  }

  /// The closure that follows the trace lets go of the body, and with it of the engine, on the curl thread, which
  /// cannot wait for itself.
  @Test func engineMayBeReleasedOnItsOwnThread() async throws {
    let released = Gate()
    let goOn = Gate()
    let server = try LoopbackServer { _ in
      [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), .wait(goOn), .send("abc"), .hang]
    }
    let held = Watched<CurlResponseBody?>(nil)
    do {
      let token = Token(released)
      var options = CurlOptions()
      options.trace = { [token] line in
        withExtendedLifetime(token) {}
        guard line.hasPrefix("* Connection #0") else { return }
        // The last line of a transfer; the value is released outside the lock.
        let last = held.update { $0.take() }
        withExtendedLifetime(last) {}
      }
      let response = try await CurlEngine(options).send(CurlRequest("GET", server.url()))
      held.update { $0 = response.body }
    }
    goOn.open()
    await released.passed()
    await server.wait { $0.endedConnections == [0] }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }

  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
