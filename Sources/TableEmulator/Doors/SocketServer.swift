internal import CMicroHTTPD
internal import CurlTransport
internal import Foundation
internal import ODataKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The door for other programs: HTTP/1.1 over TCP, by libmicrohttpd.
///
/// The library calls back on one thread for each connection. Of a request there is one `IncomingRequest`, made when
/// its first line was read, which the library carries as its context and gives back when the request is over.
final class SocketServer: Sendable {
  let host: String
  let port: UInt16
  private let site: Site
  private let daemon: Locked<DaemonHandle?>

  /// A burst of clients is served; more wait in the listen queue.
  private static let connectionLimit: UInt32 = 512
  /// Seconds after which a silent connection is closed.
  private static let idleSeconds: UInt32 = 120
  /// How long `stop` waits for requests that are under way.
  private static let drainSeconds = 10

  init(_ core: EmulatorCore, host: String, port: UInt16, log: (@Sendable (RequestLogEntry) -> Void)?) throws {
    let socket = try ListeningSocket(host: host, port: port)
    self.host = host
    self.port = socket.port
    site = Site(core: core, authority: "\(host):\(socket.port)", log: log)
    let started = cmhd_start(
      socket.descriptor, Self.connectionLimit, Self.idleSeconds,
      { context, connection, _, method, version, upload, uploadSize, state in
        Site.serve(context, connection, method, upload, uploadSize, state)
      },
      { _, target, _ in
        guard let target else { return nil }
        return Unmanaged.passRetained(IncomingRequest(target: String(cString: target))).toOpaque()
      },
      { context, _, state, _ in Site.complete(context, state) },
      Unmanaged.passUnretained(site).toOpaque())
    guard let started else {
      close(socket.descriptor)
      throw ODataError(
        .transport, "The server cannot start on \(host):\(socket.port): no thread could be made for it.")
    }
    daemon = Locked(DaemonHandle(pointer: started))
  }

  deinit { stop() }

  /// Takes no more connections, finishes the requests under way, then ends. Does nothing the second time.
  func stop() {
    guard let stopping = daemon.withLock({ $0.take() }) else { return }
    site.beginStopping()
    let socket = MHD_quiesce_daemon(stopping.pointer)
    if socket >= 0 { close(socket) }
    site.waitForRequests(seconds: Self.drainSeconds)
    MHD_stop_daemon(stopping.pointer)
  }
}

/// `@unchecked Sendable` because the library's functions may be called from any thread, and only `stop` calls them.
private struct DaemonHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// A request that was answered, for a log. Holds no header and no body; signatures in the target are masked.
public struct RequestLogEntry: Sendable {
  /// The verb as it came.
  public let method: String
  /// Path and query as they came.
  public let target: String
  /// The status of the answer.
  public let status: Int
  /// How long the answer took.
  public let duration: Duration
}

/// What the callbacks share. The server owns it, and ends the library's threads before it goes.
private final class Site: Sendable {
  private let core: EmulatorCore
  private let authority: String
  private let log: (@Sendable (RequestLogEntry) -> Void)?
  private let running = DispatchGroup()
  private let isStopping = Locked(false)

  init(core: EmulatorCore, authority: String, log: (@Sendable (RequestLogEntry) -> Void)?) {
    self.core = core
    self.authority = authority
    self.log = log
  }

  func beginStopping() { isStopping.withLock { $0 = true } }

  func waitForRequests(seconds: Int) { _ = running.wait(timeout: .now() + .seconds(seconds)) }

  /// Called several times for a request: once with the head, then with each piece of the body, then without any.
  static func serve(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ method: UnsafePointer<CChar>?,
    _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let context, let connection, let method, let uploadSize, let state = state?.pointee else {
      return cmhd_no()
    }
    let site = Unmanaged<Site>.fromOpaque(context).takeUnretainedValue()
    let request = Unmanaged<IncomingRequest>.fromOpaque(state).takeUnretainedValue()
    if !request.hasBegun {
      site.running.enter()
      request.begin(method: String(cString: method), headers: headers(of: connection))
      // Answering now makes the library close the connection without reading the body that is announced.
      return request.isTooLarge ? site.answer(request, on: connection) : cmhd_yes()
    }
    if uploadSize.pointee > 0, let upload {
      request.append(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
      uploadSize.pointee = 0
      return cmhd_yes()
    }
    return site.answer(request, on: connection)
  }

  static func complete(
    _ context: UnsafeMutableRawPointer?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) {
    guard let context, let opaque = state?.pointee else { return }
    state?.pointee = nil
    let request = Unmanaged<IncomingRequest>.fromOpaque(opaque).takeRetainedValue()
    if request.hasBegun { Unmanaged<Site>.fromOpaque(context).takeUnretainedValue().running.leave() }
  }

  private func answer(_ incoming: IncomingRequest, on connection: OpaquePointer) -> MHD_Result {
    let clock = ContinuousClock()
    let start = clock.now
    let request = incoming.request(defaultAuthority: authority)
    var response = incoming.isTooLarge ? core.refuseBody(of: request) : core.handle(request)
    if isStopping.withLock({ $0 }) { response.headers["Connection"] = "close" }
    log?(
      RequestLogEntry(
        method: incoming.method, target: incoming.maskedTarget, status: response.status,
        duration: clock.now - start))
    return Self.queue(response, on: connection)
  }

  private static func queue(_ response: EmulatorResponse, on connection: OpaquePointer) -> MHD_Result {
    let made = response.body.withUnsafeBytes { cmhd_response($0.baseAddress, $0.count) }
    guard let made else { return cmhd_no() }
    defer { MHD_destroy_response(made) }
    for field in response.headers.fields { MHD_add_response_header(made, field.name.rawName, field.value) }
    return MHD_queue_response(connection, UInt32(response.status), made)
  }

  private static func headers(of connection: OpaquePointer) -> HeaderFields {
    var headers = HeaderFields()
    withUnsafeMutablePointer(to: &headers) { pointer in
      cmhd_each_header(
        connection,
        { context, _, name, value in
          guard let name, let headers = context?.assumingMemoryBound(to: HeaderFields.self) else {
            return cmhd_yes()
          }
          let value = value.map { String(cString: $0) } ?? ""
          headers.pointee.append(HeaderFields.Name(String(cString: name)), value)
          return cmhd_yes()
        }, pointer)
    }
    return headers
  }
}
