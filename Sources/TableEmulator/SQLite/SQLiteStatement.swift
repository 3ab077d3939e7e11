internal import CSQLite
internal import ODataKit

/// A prepared statement: bind, step, read columns, reset. It belongs to its connection and lives as long.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private unowned let connection: SQLiteConnection

  init(_ handle: OpaquePointer, connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  func finalize() { sqlite3_finalize(handle) }

  /// Forgets rows and bindings; also ends the read transaction the statement may hold open.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Binds an integer to the parameter at `index`, counted from one.
  func bind(_ index: Int32, _ value: Int64) throws(ODataError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds text.
  func bind(_ index: Int32, _ value: String) throws(ODataError) {
    var value = value
    let code = value.withUTF8 { bytes in
      // The pointer of an empty buffer may be null, which SQLite would take for NULL.
      bytes.isEmpty
        ? sqlite3_bind_text(handle, index, "", 0, csqlite_transient())
        : bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), csqlite_transient())
        }
    }
    try check(code)
  }

  /// Binds bytes.
  func bind(_ index: Int32, _ value: [UInt8]) throws(ODataError) {
    let code =
      value.isEmpty
      ? sqlite3_bind_zeroblob(handle, index, 0)
      : sqlite3_bind_blob(handle, index, value, Int32(value.count), csqlite_transient())
    try check(code)
  }

  /// Goes to the next row; `false` at the end.
  func step() throws(ODataError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = connection.failure(code)
      reset()
      throw error
    }
  }

  /// Runs a statement, whose rows do not matter.
  func run() throws(ODataError) {
    defer { reset() }
    _ = try step()
  }

  /// The integer in a column, counted from zero.
  func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The text in a column.
  func text(_ column: Int32) -> String {
    sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
  }

  /// The bytes in a column, valid until the next step.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    // The pointer comes first: asking for the length may not convert, asking for the blob may.
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func check(_ code: Int32) throws(ODataError) {
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }
}
