internal import CSQLite
internal import Foundation
internal import ODataKit

/// One connection to one SQLite database, with its prepared statements.
///
/// `@unchecked Sendable` because a connection is handed from thread to thread but used by one at a time: the writer
/// behind its lock, a reader by whoever took it out of the pool.
final class SQLiteConnection: @unchecked Sendable {
  /// How sentences call the store.
  let store: String
  private let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]

  /// Milliseconds to wait for another process before giving up; its transactions are a few rows long.
  private static let busyTimeout: Int32 = 2000

  /// Opens the database, and creates it where it is missing and `creates` says so.
  init(_ location: StoreLocation, creates: Bool) throws(ODataError) {
    store = location.sentenceName
    // Serialized mode would take a mutex at each call for nothing: one thread at a time is ours to keep.
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    if creates { flags |= SQLITE_OPEN_CREATE }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(location.sqliteName, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteFailure.error(code: code, handle: opened, store: store)
      sqlite3_close(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.busyTimeout)
    // SQLite opens a file it may not write read-only without a word; here that would only fail later.
    if sqlite3_db_readonly(handle, "main") == 1 { throw failure(SQLITE_READONLY) }
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    sqlite3_close(handle)
  }

  /// Runs statements that give no rows.
  func execute(_ sql: String) throws(ODataError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The prepared statement of this text, reset and without bindings; prepared once per connection.
  func statement(_ sql: String) throws(ODataError) -> SQLiteStatement {
    if let known = statements[sql] {
      known.reset()
      return known
    }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    let statement = SQLiteStatement(prepared, connection: self)
    statements[sql] = statement
    return statement
  }

  /// The one integer a statement gives, e.g. of a pragma.
  func integer(_ sql: String) throws(ODataError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }

  /// Runs `body` between `begin` and a commit, or a rollback when it throws.
  func transaction<Result>(_ begin: TransactionKind, _ body: () throws -> Result) throws -> Result {
    try execute(begin.rawValue)
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // A full disk or an I/O error has rolled back by itself already; then there is nothing left to roll back.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// How a transaction begins.
  enum TransactionKind: String {
    /// A snapshot to read from.
    case reading = "BEGIN DEFERRED"
    /// Takes the write lock at once, so that what is read inside is still true when it is written.
    case writing = "BEGIN IMMEDIATE"
  }

  /// Rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  func failure(_ code: Int32) -> ODataError { SQLiteFailure.error(code: code, handle: handle, store: store) }
}
