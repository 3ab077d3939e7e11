import Foundation

/// A server on 127.0.0.1 that answers by script, byte for byte, and records the bytes of each request.
///
/// ```swift
/// let server = try LoopbackServer { _ in [.receive, .send("HTTP/1.1 204 No Content\r\n\r\n")] }
/// ```
/// Each connection runs its script on a thread of its own and is closed when the script is at its end. The server stops
/// when it is released.
package final class LoopbackServer: Sendable {
  /// One thing a connection does.
  package enum Step: Sendable {
    /// Takes in one whole request and records it.
    case receive
    /// Takes in and records the head of a request; the body stays unread.
    case receiveHead
    case send(String)
    case sendBytes([UInt8])
    /// Sends the same bytes so many times, each time as soon as the client has made room.
    case sendRepeatedly([UInt8], count: Int)
    /// Does nothing until the test opens the gate.
    case wait(Gate)
    /// Answers every request until the client closes the connection.
    case serve(@Sendable (RecordedRequest) -> [UInt8])
    /// Does nothing until the client closes the connection; what it sends is dropped.
    case hang
    /// Closes the connection the hard way, so that the client sees a reset.
    case reset
  }

  /// What has happened so far.
  package struct Log: Sendable {
    /// The requests of all connections in the order they were complete.
    package var requests: [RecordedRequest] = []
    /// How many connections were accepted.
    package var connectionCount = 0
    /// The numbers of the connections that are closed.
    package var endedConnections: Set<Int> = []
    /// The bytes sent so far on all connections.
    package var sentBytes = 0

    fileprivate var sockets: [Int: Int32] = [:]
    fileprivate var isStopped = false
  }

  /// The port, chosen by the system.
  package let port: Int
  private let log = Watched(Log())

  /// Starts a server; `script` gets the zero-based number of the connection.
  package init(_ script: @escaping @Sendable (Int) -> [Step]) throws {
    let listener = socket(AF_INET, streamSocket, 0)
    var address = Self.address(port: 0)
    guard listener >= 0, withSocketAddress(&address, { bind(listener, $0, $1) }) == 0,
      listen(listener, 512) == 0,
      let port = Self.port(of: listener)
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.port = port
    let log = log
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          if errno == EINTR || errno == ECONNABORTED { continue }
          break
        }
        let number: Int? = log.update { log in
          guard !log.isStopped else { return nil }
          log.connectionCount += 1
          log.sockets[log.connectionCount - 1] = connection
          return log.connectionCount - 1
        }
        guard let number else {
          close(connection)
          break
        }
        Thread.detachNewThread {
          ScriptedConnection(socket: connection, number: number, log: log).run(script(number))
        }
      }
      close(listener)
    }
  }

  /// Starts a server that answers every request of every connection.
  package convenience init(answering answer: @escaping @Sendable (RecordedRequest) -> [UInt8]) throws {
    try self.init { _ in [.serve(answer)] }
  }

  deinit { stop() }

  /// Closes the port and all connections.
  package func stop() {
    let wasStopped = log.update { log in
      for socket in log.sockets.values { shutdown(socket, Int32(SHUT_RDWR)) }
      defer { log.isStopped = true }
      return log.isStopped
    }
    guard !wasStopped else { return }
    // Wakes the thread in `accept`, which nothing else does on every system.
    let waker = socket(AF_INET, streamSocket, 0)
    var address = Self.address(port: port)
    _ = withSocketAddress(&address) { connect(waker, $0, $1) }
    close(waker)
  }

  /// `http://127.0.0.1:port` and the target.
  package func url(_ target: String = "/") -> String { "http://127.0.0.1:\(port)\(target)" }

  /// What has happened so far.
  package var snapshot: Log { log.update { $0 } }
  /// The requests so far.
  package var requests: [RecordedRequest] { snapshot.requests }

  /// Waits until something has happened.
  package func wait(until condition: @escaping @Sendable (Log) -> Bool) async {
    await log.wait(until: condition)
  }

  /// Waits for the first so many requests.
  package func received(_ count: Int) async -> [RecordedRequest] {
    await wait { $0.requests.count >= count }
    return requests
  }

  /// A whole response with `Content-Length`.
  package static func response(
    _ status: String = "200 OK", headers: [String] = [], body: String = ""
  ) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)", "", body]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
  }

  private static func port(of socket: Int32) -> Int? {
    var address = sockaddr_in()
    let code = withSocketAddress(&address) { pointer, length in
      var length = length
      return getsockname(socket, pointer, &length)
    }
    return code == 0 ? Int(in_port_t(bigEndian: address.sin_port)) : nil
  }

  /// A port of 127.0.0.1 at which nobody listens: it was given by the system a moment ago.
  package static func closedPort() throws -> Int {
    let unused = socket(AF_INET, streamSocket, 0)
    defer { close(unused) }
    var address = address(port: 0)
    guard unused >= 0, withSocketAddress(&address, { bind(unused, $0, $1) }) == 0, let port = port(of: unused)
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return port
  }
}

#if canImport(Darwin)
  private let streamSocket = SOCK_STREAM
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif

private func withSocketAddress<Result>(
  _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

/// One accepted connection at its script.
private struct ScriptedConnection {
  let socket: Int32
  let number: Int
  let log: Watched<LoopbackServer.Log>

  func run(_ script: [LoopbackServer.Step]) {
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var cutter = RequestCutter()
    for step in script {
      guard perform(step, &cutter) else { break }
    }
    log.update { log in
      log.sockets[number] = nil
      close(socket)
      log.endedConnections.insert(number)
    }
  }

  /// `false` once the connection is over.
  private func perform(_ step: LoopbackServer.Step, _ cutter: inout RequestCutter) -> Bool {
    switch step {
    case .receive:
      return receive(&cutter) { $0.cut(connection: number) } != nil
    case .receiveHead:
      return receive(&cutter) { $0.cutHead(connection: number) } != nil
    case .send(let text): return send(Array(text.utf8))
    case .sendBytes(let bytes): return send(bytes)
    case .sendRepeatedly(let bytes, let count):
      for _ in 0..<count {
        guard send(bytes) else { return false }
      }
      return true
    case .wait(let gate):
      gate.pass()
      return true
    case .serve(let answer):
      while let request = receive(&cutter, { $0.cut(connection: number) }) {
        guard send(answer(request)) else { return false }
      }
      return false
    case .hang:
      while let bytes = read() { _ = bytes }
      return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      return false
    }
  }

  private func receive(
    _ cutter: inout RequestCutter, _ cut: (inout RequestCutter) -> RecordedRequest?
  ) -> RecordedRequest? {
    while true {
      if let request = cut(&cutter) {
        log.update { $0.requests.append(request) }
        return request
      }
      guard let bytes = read() else { return nil }
      cutter.append(bytes)
    }
  }

  /// What has arrived; `nil` at the end.
  private func read() -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count > 0 { return buffer[..<count] }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        #if canImport(Darwin)
          Darwin.send(socket, $0.baseAddress, $0.count, flags)
        #else
          Glibc.send(socket, $0.baseAddress, $0.count, flags)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
      log.update { $0.sentBytes += count }
    }
    return true
  }
}
