internal import ODataKit

/// A table of a service, as the store knows it.
struct StoredTable: Sendable, Hashable {
  let id: Int64
  /// The name as it was created.
  let name: String
}

/// What can be read of a store within one transaction. Not to be kept beyond it.
struct StoreSnapshot {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// The form of a table's name that is compared; names are ASCII letters and digits.
  static func folded(_ name: String) -> String { name.lowercased() }

  /// A table by its name in any case.
  func table(_ name: String, of account: String) throws -> StoredTable? {
    let statement = try connection.statement("SELECT id, name FROM tables WHERE account = ?1 AND folded = ?2")
    defer { statement.reset() }
    try statement.bind(1, account)
    try statement.bind(2, Self.folded(name))
    return try statement.step() ? StoredTable(id: statement.int64(0), name: statement.text(1)) : nil
  }

  /// Tables in the order of their folded names, from `folded` on, until `visit` says it has enough.
  func tables(of account: String, from folded: String, _ visit: (StoredTable) throws -> Bool) throws {
    let statement = try connection.statement(
      "SELECT id, name FROM tables WHERE account = ?1 AND folded >= ?2 ORDER BY folded")
    defer { statement.reset() }
    try statement.bind(1, account)
    try statement.bind(2, folded)
    while try statement.step() {
      guard try visit(StoredTable(id: statement.int64(0), name: statement.text(1))) else { return }
    }
  }

  /// One entity, or `nil`.
  func entity(_ key: StoreKey, in table: StoredTable) throws -> EntityRecord? {
    let statement = try connection.statement(
      "SELECT ticks, properties FROM entities WHERE owner = ?1 AND partition = ?2 AND row = ?3")
    defer { statement.reset() }
    try statement.bind(1, table.id)
    try statement.bind(2, key.partition)
    try statement.bind(3, key.row)
    guard try statement.step() else { return nil }
    var reader = StoredRecordReader()
    return try record(key, statement, ticks: 0, bytes: 1, &reader)
  }

  /// When an entity was last written, or `nil` where it is not there.
  func timestamp(_ key: StoreKey, in table: StoredTable) throws -> EdmDateTime? {
    let statement = try connection.statement(
      "SELECT ticks FROM entities WHERE owner = ?1 AND partition = ?2 AND row = ?3")
    defer { statement.reset() }
    try statement.bind(1, table.id)
    try statement.bind(2, key.partition)
    try statement.bind(3, key.row)
    return try statement.step() ? EdmDateTime(ticks: statement.int64(0)) : nil
  }

  /// The entities of a stretch of keys in order, until `visit` says it has enough. `visit` gets the key, the record
  /// and the number of bytes it takes in the store.
  func entities(
    of table: StoredTable, in range: StoreKeyRange,
    _ visit: (StoreKey, EntityRecord, Int) throws -> Bool
  ) throws {
    let statement = try connection.statement(Self.scan(hasUpper: range.upper != nil))
    defer { statement.reset() }
    try statement.bind(1, table.id)
    try statement.bind(2, range.lower.partition)
    try statement.bind(3, range.lower.row)
    if let upper = range.upper {
      try statement.bind(4, upper.partition)
      try statement.bind(5, upper.row)
    }
    var reader = StoredRecordReader()
    while try statement.step() {
      let key = StoreKey(
        partition: statement.withBytes(0) { Array($0) }, row: statement.withBytes(1) { Array($0) })
      let size = key.partition.count + key.row.count + statement.withBytes(3) { $0.count }
      guard try visit(key, record(key, statement, ticks: 2, bytes: 3, &reader), size) else { return }
    }
  }

  /// Row values, so that SQLite compares the keys as pairs and walks its index from one end to the other.
  static func scan(hasUpper: Bool) -> String {
    "SELECT partition, row, ticks, properties FROM entities WHERE owner = ?1 AND (partition, row) >= (?2, ?3)"
      + (hasUpper ? " AND (partition, row) < (?4, ?5)" : "") + " ORDER BY partition, row"
  }

  private func record(
    _ key: StoreKey, _ statement: SQLiteStatement, ticks: Int32, bytes: Int32,
    _ reader: inout StoredRecordReader
  ) throws -> EntityRecord {
    let record = EdmDateTime(ticks: statement.int64(ticks)).flatMap { timestamp in
      statement.withBytes(bytes) { reader.record(key: key, timestamp: timestamp, bytes: $0) }
    }
    guard let record else {
      throw ODataError(
        .storeUnusable, "\(connection.store) holds an entity that cannot be read; restore it from a copy.")
    }
    return record
  }
}
