internal import CSQLite
public import ODataKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What SQLite reports, as one sentence that says which store, what and what to do.
enum SQLiteFailure {
  /// Reads the connection's last error; `store` is how sentences call the store, e.g. `The store "/x/books.db"`.
  static func error(code: Int32, handle: OpaquePointer?, store: String) -> ODataError {
    let detail =
      handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
      ?? String(cString: sqlite3_errstr(code))
    if isFull(code, handle) {
      return ODataError(
        .storeFull, "\(store) cannot grow because the disk is full; nothing of this change was kept.")
    }
    // Extended codes carry the reason in the upper bits; the lower eight are the kind.
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return ODataError(
        .storeLocked,
        "\(store) is locked by another process; wait until that one is done with it, or stop it.")
    case SQLITE_NOTADB:
      return ODataError(.storeUnusable, "\(store) is not a table store: the file is no SQLite database.")
    case SQLITE_CORRUPT:
      return ODataError(
        .storeUnusable, "\(store) is damaged and cannot be read; restore it from a copy (\(detail)).")
    case SQLITE_READONLY:
      return ODataError(
        .storeReadOnly, "\(store) is read-only; give this user the right to write the file and its folder.")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      return ODataError(
        .storeUnusable,
        "\(store) cannot be opened; check that its folder exists and that this user may read and write there."
      )
    case SQLITE_IOERR:
      return ODataError(
        .storeUnusable, "\(store) cannot be read or written because the disk reports an error (\(detail)).")
    case SQLITE_NOMEM:
      return ODataError(.storeUnusable, "\(store) cannot be used because memory ran out.")
    default:
      return ODataError(.storeUnusable, "\(store) failed with SQLite error \(code): \(detail).")
    }
  }

  /// Whether the disk is full, or the user's share of it. SQLite says so for the database and its log; for the index of
  /// the log, which even a reader has to make room for, it only reports an I/O error.
  private static func isFull(_ code: Int32, _ handle: OpaquePointer?) -> Bool {
    switch code & 0xFF {
    case SQLITE_FULL: true
    case SQLITE_IOERR: handle.map { [ENOSPC, EDQUOT].contains(sqlite3_system_errno($0)) } ?? false
    default: false
    }
  }
}

extension ODataError.Code {
  /// Another process holds the store's lock.
  public static let storeLocked = ODataError.Code("storeLocked")
  /// The store cannot be opened or read: missing folder, no right, damaged, or not a table store.
  public static let storeUnusable = ODataError.Code("storeUnusable")
  /// The disk is full.
  public static let storeFull = ODataError.Code("storeFull")
  /// The store may not be written.
  public static let storeReadOnly = ODataError.Code("storeReadOnly")
  /// The store was written by a newer version of this library.
  public static let storeTooNew = ODataError.Code("storeTooNew")
}
