internal import Foundation
internal import ODataKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A TCP socket that listens, made here rather than by the HTTP library so that each thing that can go wrong gets
/// its own sentence and port 0 can be asked for the port it became.
struct ListeningSocket {
  let descriptor: Int32
  let port: UInt16

  /// Binds `host`, a name or a numeric address, and `port`, 0 for any that is free.
  init(host: String, port: UInt16) throws(ODataError) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &found)
    guard code == 0, let address = found?.pointee else {
      throw ODataError(
        .invalidArgument,
        "The server cannot listen on the host \"\(host)\": \(String(cString: gai_strerror(code))). Give an address of "
          + "this machine, such as 127.0.0.1.")
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    guard descriptor >= 0 else { throw Self.error(errno, host, port) }
    // A child process of the program must not keep the port.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Connections of a server that has just ended may linger; a server that still listens is refused all the same.
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, 256) == 0,
      let port = Self.boundPort(of: descriptor)
    else {
      let error = Self.error(errno, host, port)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = port
  }

  private static func boundPort(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      let code = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
      guard code == 0 else { return nil }
      // The port is at the same place, in network order, in the addresses of both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }

  private static func error(_ code: Int32, _ host: String, _ port: UInt16) -> ODataError {
    let place = "\(host):\(port)"
    return switch code {
    case EADDRINUSE:
      ODataError(
        .invalidState,
        "The server cannot listen on \(place) because another program does; stop that one or give another port "
          + "(0 for any that is free).")
    case EACCES:
      ODataError(
        .invalidState,
        "The server cannot listen on \(place) because this user may not; give a port above 1023.")
    case EADDRNOTAVAIL:
      ODataError(
        .invalidArgument,
        "The server cannot listen on \(place) because this machine does not have that address.")
    default:
      ODataError(.transport, "The server cannot listen on \(place): \(String(cString: strerror(code))).")
    }
  }
}
