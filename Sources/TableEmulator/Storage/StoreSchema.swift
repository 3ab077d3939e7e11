internal import ODataKit

/// The tables of a store's file, and the check that a file is one.
///
/// - `tables`: a service's tables, per account; unique by the name in lower case, since the service ignores case
///   and keeps it. Ids are never used twice, so that rows of a deleted table cannot turn up in a new one.
/// - `entities`: one row per entity, ordered by table, PartitionKey, RowKey (see ``StoreKey``). Without row ids the
///   table is its own index, which is what every query walks along.
/// - `clock`: the last timestamp given out; see ``StoreTransaction/nextTimestamp()``.
enum StoreSchema {
  /// `user_version` of the files this version reads and writes.
  static let version: Int64 = 1
  /// `application_id`: "ODTS".
  static let applicationID: Int64 = 0x4F44_5453

  /// Looks whether the file is a store or empty, without changing anything in it; refuses files of others and of a
  /// newer version.
  static func check(_ connection: SQLiteConnection) throws -> State {
    let found = try connection.integer("PRAGMA user_version")
    let application = try connection.integer("PRAGMA application_id")
    if application == applicationID {
      guard found <= version else {
        throw ODataError(
          .storeTooNew,
          "\(connection.store) was written by a newer version (format \(found), this one reads up to \(version)); "
            + "update this program.")
      }
      return .ready
    }
    let objects = try connection.integer("SELECT count(*) FROM sqlite_schema")
    guard application == 0, found == 0, objects == 0 else {
      throw ODataError(
        .storeUnusable, "\(connection.store) is not a table store but an SQLite database of another program.")
    }
    return .empty
  }

  /// What a file holds.
  enum State { case empty, ready }

  /// Makes the tables in an empty file. Looks again inside the transaction, as another process may be at the same.
  static func prepare(_ connection: SQLiteConnection) throws {
    try connection.transaction(.writing) {
      if try check(connection) == .empty { try connection.execute(definition) }
    }
  }

  private static let definition = """
    CREATE TABLE tables(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account TEXT NOT NULL,
      folded TEXT NOT NULL,
      name TEXT NOT NULL,
      UNIQUE(account, folded));
    CREATE TABLE entities(
      owner INTEGER NOT NULL,
      partition BLOB NOT NULL,
      row BLOB NOT NULL,
      ticks INTEGER NOT NULL,
      properties BLOB NOT NULL,
      PRIMARY KEY(owner, partition, row)) WITHOUT ROWID;
    CREATE TABLE clock(id INTEGER PRIMARY KEY CHECK(id = 0), ticks INTEGER NOT NULL);
    INSERT INTO clock VALUES(0, 0);
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    """
}
