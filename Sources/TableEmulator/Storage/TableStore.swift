internal import CurlTransport
internal import Foundation
internal import ODataKit

/// The tables and entities of a table service in one SQLite database.
///
/// A file is in WAL mode: one writer at a time, and readers that see the state before it. Several threads and
/// several processes may use the same file; each write is one transaction. A store in memory has one connection,
/// which everyone takes turns with.
final class TableStore: Sendable {
  let location: StoreLocation
  private let now: @Sendable () -> EdmDateTime
  private let writer: Locked<SQLiteConnection>
  private let readers: ReaderPool?

  /// Opens or creates the store.
  ///
  /// Throws ``ODataKit/ODataError`` with one of the `store…` codes.
  init(_ location: StoreLocation, durability: StoreDurability, now: @escaping @Sendable () -> EdmDateTime)
    throws
  {
    self.location = location
    self.now = now
    let connection = try SQLiteConnection(location, creates: true)
    // First of all, since the settings below would change a file that is not ours.
    let state = try StoreSchema.check(connection)
    if case .file = location {
      // Rows of a few kilobytes stay within one page of the index then; the size only counts for new files.
      try connection.execute("PRAGMA page_size = 8192")
      try connection.statement("PRAGMA journal_mode = WAL").run()
      try connection.execute("PRAGMA synchronous = \(durability.pragma)")
      readers = ReaderPool(location)
    } else {
      readers = nil
    }
    if state == .empty { try StoreSchema.prepare(connection) }
    writer = Locked(connection)
  }

  /// Reads within one snapshot.
  func read<Result: Sendable>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    guard let readers else {
      return try writer.withLock { connection in
        try connection.transaction(.reading) { try body(StoreSnapshot(connection)) }
      }
    }
    let connection = try readers.take()
    defer { readers.giveBack(connection) }
    return try connection.transaction(.reading) { try body(StoreSnapshot(connection)) }
  }

  /// Writes in one transaction: all of `body`, on the disk once this returns, or nothing when it throws.
  func write<Result: Sendable>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try writer.withLock { connection in
      try connection.transaction(.writing) {
        let transaction = try StoreTransaction(connection, now: now())
        let result = try body(transaction)
        try transaction.saveClock()
        return result
      }
    }
  }
}

/// When a write counts as done.
public enum StoreDurability: Sendable, Hashable {
  /// Once it is on the disk (`fsync` at each commit): survives a crash of the machine.
  case full
  /// Once it is with the operating system: survives the end of the process, however it ends, but the last writes
  /// may be lost with the machine. Much faster for many small writes.
  case relaxed

  var pragma: String {
    switch self {
    case .full: "FULL"
    case .relaxed: "NORMAL"
    }
  }
}

/// Connections for reading, opened when needed and kept.
private final class ReaderPool: Sendable {
  private let location: StoreLocation
  private let idle = Locked<[SQLiteConnection]>([])
  /// More than these are closed when they come back, so a burst of requests does not keep its files open.
  private static let keeps = 8

  init(_ location: StoreLocation) { self.location = location }

  func take() throws -> SQLiteConnection {
    if let connection = idle.withLock({ $0.popLast() }) { return connection }
    return try SQLiteConnection(location, creates: false)
  }

  func giveBack(_ connection: SQLiteConnection) {
    idle.withLock { if $0.count < Self.keeps { $0.append(connection) } }
  }
}
