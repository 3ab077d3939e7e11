internal import Foundation
internal import ODataKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One server's claim on a store's file, so that a second server on the same file is told instead of taking turns.
///
/// The lock is on a file of its own, `<store>-server`: closing any descriptor of the database itself would drop the
/// locks SQLite holds on it (POSIX locks belong to the process). The system drops the claim with the process, however
/// it ends. Programs that open the store in process need no claim and may do so beside a server.
final class StoreClaim: Sendable {
  private let path: String
  private let descriptor: Int32

  init(_ store: URL) throws(ODataError) {
    path = store.path(percentEncoded: false) + "-server"
    while true {
      let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard opened >= 0 else {
        throw ODataError(
          .storeUnusable,
          "The store \"\(store.path(percentEncoded: false))\" cannot be claimed because its folder cannot be written: "
            + "\(String(cString: strerror(errno))).")
      }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        close(opened)
        throw ODataError(
          .storeLocked,
          "The store \"\(store.path(percentEncoded: false))\" is locked by another process, which serves it already; "
            + "stop that one or give another file.")
      }
      // A server that ends removes the file. Whoever has opened the removed one before locks something that nobody
      // else will ever find, and has to try again.
      var locked = stat()
      var present = stat()
      if fstat(opened, &locked) == 0, stat(path, &present) == 0, locked.st_ino == present.st_ino {
        descriptor = opened
        return
      }
      close(opened)
    }
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}
