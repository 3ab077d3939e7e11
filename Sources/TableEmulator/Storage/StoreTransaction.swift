internal import ODataKit

/// What can be done to a store within one transaction. Not to be kept beyond it.
final class StoreTransaction {
  /// The state as this transaction sees it, its own changes included.
  let snapshot: StoreSnapshot
  private let connection: SQLiteConnection
  private let now: EdmDateTime
  private var lastTicks: Int64
  private var movedClock = false

  init(_ connection: SQLiteConnection, now: EdmDateTime) throws {
    self.connection = connection
    self.now = now
    snapshot = StoreSnapshot(connection)
    lastTicks = try connection.integer("SELECT ticks FROM clock")
  }

  /// A timestamp later than all that this store has given out, also by other processes and when the machine's clock
  /// was set back: entity tags are made of it, and one that came twice would let an overwritten change pass.
  private func nextTimestamp() -> EdmDateTime {
    lastTicks = max(now.ticks, lastTicks + 1)
    movedClock = true
    return EdmDateTime(ticks: lastTicks) ?? .maximum
  }

  /// Keeps the last timestamp; the last thing in a transaction.
  func saveClock() throws {
    guard movedClock else { return }
    let statement = try connection.statement("UPDATE clock SET ticks = ?1")
    try statement.bind(1, lastTicks)
    try statement.run()
  }

  /// Creates a table; `false` where one of that name, in any case, is there.
  func createTable(_ name: String, of account: String) throws -> Bool {
    let statement = try connection.statement(
      "INSERT INTO tables(account, folded, name) VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING")
    try statement.bind(1, account)
    try statement.bind(2, StoreSnapshot.folded(name))
    try statement.bind(3, name)
    try statement.run()
    return connection.changes == 1
  }

  /// Deletes a table with all its entities.
  func deleteTable(_ table: StoredTable) throws {
    for sql in ["DELETE FROM entities WHERE owner = ?1", "DELETE FROM tables WHERE id = ?1"] {
      let statement = try connection.statement(sql)
      try statement.bind(1, table.id)
      try statement.run()
    }
  }

  /// Adds an entity; `nil` where one of that key is there, else its timestamp.
  func insert(_ key: StoreKey, _ record: EntityRecord, into table: StoredTable) throws -> EdmDateTime? {
    guard try snapshot.timestamp(key, in: table) == nil else { return nil }
    return try put(key, record, into: table)
  }

  /// Stores an entity, whether or not one of that key is there; gives its timestamp.
  func put(_ key: StoreKey, _ record: EntityRecord, into table: StoredTable) throws -> EdmDateTime {
    let timestamp = nextTimestamp()
    let statement = try connection.statement(
      """
      INSERT INTO entities(owner, partition, row, ticks, properties) VALUES(?1, ?2, ?3, ?4, ?5)
      ON CONFLICT DO UPDATE SET ticks = excluded.ticks, properties = excluded.properties
      """)
    try statement.bind(1, table.id)
    try statement.bind(2, key.partition)
    try statement.bind(3, key.row)
    try statement.bind(4, timestamp.ticks)
    try statement.bind(5, RecordCoding.encode(record))
    try statement.run()
    return timestamp
  }

  /// Deletes an entity that is there.
  func delete(_ key: StoreKey, from table: StoredTable) throws {
    let statement = try connection.statement(
      "DELETE FROM entities WHERE owner = ?1 AND partition = ?2 AND row = ?3")
    try statement.bind(1, table.id)
    try statement.bind(2, key.partition)
    try statement.bind(3, key.row)
    try statement.run()
  }
}
