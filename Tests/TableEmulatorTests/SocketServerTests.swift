import AzureTable
import CurlTransport
import Foundation
import ODataKit
import ODataTestSupport
import Testing

@testable import TableEmulator

/// What only the socket has: bytes on the wire, ports, many connections, the end.
@Suite struct SocketServerTests {
  private func emulator() throws -> Emulator {
    try Emulator(.memory, durability: .relaxed, configuration: TestClock().configuration)
  }

  /// A server without signatures, so that a test can write its requests by hand.
  private func openServer(
    _ log: (@Sendable (RequestLogEntry) -> Void)? = nil
  ) throws -> SocketServer {
    let configuration = TestClock().configuration
    let store = try TableStore(.memory, durability: .relaxed, now: configuration.now)
    return try SocketServer(
      EmulatorCore(store: store, configuration: configuration), host: "127.0.0.1", port: 0, log: log)
  }

  /// The head of a request, with what every request needs.
  private func head(_ line: String, _ more: String = "") -> String {
    "\(line) HTTP/1.1\r\nHost: tables.test\r\nx-ms-version: 2019-02-02\r\nAccept: application/json;odata=nometadata\r\n"
      + more + "\r\n"
  }

  @Test func theTargetIsTakenAsItCame() throws {
    let server = try openServer()
    defer { server.stop() }
    let connection = try RawConnection(port: server.port)
    connection.send(
      head(
        "POST /devstoreaccount1/Tables", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n")
        + "8\r\n{\"TableN\r\n10\r\name\":\"Books\"}   \r\n0\r\n\r\n")
    #expect(
      connection.response().contains("\r\nLocation: http://tables.test/devstoreaccount1/Tables('Books')\r\n"))
    // On the same connection: a verb of the service's own, and keys whose escapes must not be undone twice.
    connection.send(
      head(
        "MERGE /devstoreaccount1/Books(PartitionKey='a%252Fb+c',RowKey='%c3%A9')",
        "Content-Type: application/json\r\nContent-Length: 2\r\n")
        + "{}")
    #expect(connection.response().hasPrefix("HTTP/1.1 204 No Content\r\n"))
    connection.send(
      head(
        "GET http://tables.test/devstoreaccount1/Books?$filter=PartitionKey%20eq%20'a%252Fb%2Bc'&$select=PartitionKey"
      ))
    #expect(connection.response().hasSuffix("\r\n\r\n{\"value\":[{\"PartitionKey\":\"a%2Fb+c\"}]}"))
  }

  @Test func aBodyOverTheLimitIsRefused() throws {
    let server = try openServer()
    defer { server.stop() }
    let announced = try RawConnection(port: server.port)
    announced.send(
      head("POST /devstoreaccount1/Books", "Content-Type: application/json\r\nContent-Length: 4194305\r\n"))
    #expect(announced.response().hasPrefix("HTTP/1.1 413 "))

    let growing = try RawConnection(port: server.port)
    growing.send(
      head("POST /devstoreaccount1/Books", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n")
    )
    let chunk = "100000\r\n" + String(repeating: " ", count: 1 << 20) + "\r\n"
    for _ in 0..<5 { growing.send(chunk) }
    growing.send("0\r\n\r\n")
    let reply = growing.response()
    #expect(reply.hasPrefix("HTTP/1.1 413 "))
    #expect(reply.contains("\"code\":\"RequestBodyTooLarge\""))
  }

  @Test func manyConnectionsAtOnce() async throws {
    let emulator = try emulator()
    let server = try emulator.listen(port: 0)
    defer { server.stop() }
    let credential = emulator.credential
    let now = TestClock().now
    @Sendable func send(_ port: UInt16, _ method: HTTPMethod, _ path: String, _ body: String) throws -> String
    {
      var request = HTTPRequest(
        method, RequestURL(scheme: "http", authority: "h", path: "/devstoreaccount1" + path),
        headers: ["Content-Type": "application/json"])
      SharedKeySigner(credential).sign(&request, at: now)
      let connection = try RawConnection(port: port)
      let signed = request.headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
      connection.send(
        head("\(method) \(request.url.path)", signed + "Content-Length: \(body.utf8.count)\r\n") + body)
      return connection.response()
    }
    let port = server.port
    #expect(try send(port, .post, "/Tables", #"{"TableName":"Books"}"#).hasPrefix("HTTP/1.1 201 "))

    // 96 connections stand open before the first of them says a word.
    let connections = try (0..<96).map { _ in try RawConnection(port: port) }
    for (index, connection) in connections.enumerated() {
      var request = HTTPRequest(
        .post, RequestURL(scheme: "http", authority: "h", path: "/devstoreaccount1/Books"),
        headers: ["Content-Type": "application/json"])
      SharedKeySigner(credential).sign(&request, at: now)
      let body = #"{"PartitionKey":"p","RowKey":"\#(index)"}"#
      let signed = request.headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
      connection.send(
        head("POST /devstoreaccount1/Books", signed + "Content-Length: \(body.utf8.count)\r\n") + body)
    }
    let statuses = connections.map { $0.response().prefix(12) }
    #expect(statuses == Array(repeating: "HTTP/1.1 201", count: 96))
  }

  @Test func aPortThatIsTakenIsToldInASentence() throws {
    let server = try emulator().listen(port: 0)
    defer { server.stop() }
    do {
      _ = try emulator().listen(port: server.port)
      Issue.record("the port was given twice")
    } catch {
      #expect(
        "\(error)" == """
          The server cannot listen on 127.0.0.1:\(server.port) because another program does; stop that one or give \
          another port (0 for any that is free).
          """)
    }
    #expect(throws: ODataError.self) { try emulator().listen(host: "203.0.113.1", port: 0) }
  }

  @Test func theConnectionStringLeadsBack() throws {
    let server = try emulator().listen(port: 0)
    defer { server.stop() }
    let connection = try TableConnectionString(server.connectionString)
    #expect(connection.endpoint.description == "http://127.0.0.1:\(server.port)/devstoreaccount1")
  }

  @Test func stoppingEndsConnectionsAndTheSecondStopDoesNothing() throws {
    let server = try openServer()
    let idle = try RawConnection(port: server.port)
    idle.send(head("GET /devstoreaccount1/Tables"))
    #expect(idle.response().hasPrefix("HTTP/1.1 200 OK\r\n"))
    server.stop()
    server.stop()
    #expect(idle.response() == "")
    #expect(throws: (any Error).self) { try RawConnection(port: server.port) }
  }

  @Test func theLogMasksSignatures() throws {
    let entries = Locked<[RequestLogEntry]>([])
    let server = try openServer { entry in entries.withLock { $0.append(entry) } }
    let connection = try RawConnection(port: server.port)
    connection.send(head("GET /devstoreaccount1/Tables?sv=2019-02-02&sig=c2VjcmV0&$top=1"))
    _ = connection.response()
    server.stop()
    let logged = entries.withLock { $0.map { "\($0.method) \($0.target) \($0.status)" } }
    #expect(logged == ["GET /devstoreaccount1/Tables?sv=2019-02-02&sig=***&$top=1 200"])
  }

  @Test func oneServerForAFile() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      let first = try Emulator.open(at: file)
      let second = try Emulator.open(at: file)
      let server = try first.listen(port: 0)
      do {
        _ = try second.listen(port: 0)
        Issue.record("two servers have the same file")
      } catch {
        #expect(
          "\(error)" == """
            The store "\(file.path)" is locked by another process, which serves it already; stop that one or give \
            another file.
            """)
      }
      server.stop()
      let next = try second.listen(port: 0)
      next.stop()
    }
  }
}
