internal import ODataKit

/// The sizes of "Understanding the Table service data model" and its neighbours.
enum ServiceLimits {
  /// Custom properties of an entity; with the three of the system they make 255.
  static let properties = 252
  /// UTF-16 code units of a property's name.
  static let propertyName = 255
  /// UTF-16 code units of a String: 64 KiB.
  static let string = 32768
  /// Bytes of a Binary.
  static let binary = 65536
  /// UTF-16 code units of PartitionKey and of RowKey: 1 KiB.
  static let key = 512
  /// Bytes of an entity, counted by the service's formula.
  static let entity = 1 << 20
  /// The earliest DateTime the service takes: 1601-01-01, where Windows file times begin.
  static let earliestTicks: Int64 = 504_911_232_000_000_000
  /// Letters and digits of a table's name.
  static let tableName = 3...63
  /// Changes in a change set.
  static let changes = 100
  /// Bytes of a request's body.
  static let body = 4 << 20
  /// Rows, or tables, of a page.
  static let pageLength = 1000
  /// Rows that one request looks at before it gives a page up, be it empty, and a token to go on from; the service
  /// stops after five seconds, here the count keeps a filter without a key from blocking the store.
  static let scanLength = 20_000
  /// Stored bytes of the rows of a page; keeps a page of entities of 1 MiB each from taking 1 GiB.
  static let pageBytes = 4 << 20
}
