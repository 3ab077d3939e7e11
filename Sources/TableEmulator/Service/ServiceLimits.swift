internal import AzureTable
internal import ODataKit

/// The limits of the service: those that clients know too (``TableLimits``), and those that are a server's own.
enum ServiceLimits {
  /// Custom properties of an entity; with the three of the system they make 255.
  static let properties = TableLimits.properties
  /// UTF-16 code units of a property's name.
  static let propertyName = TableLimits.nameLength
  /// UTF-16 code units of a String: 64 KiB.
  static let string = TableLimits.stringLength
  /// Bytes of a Binary.
  static let binary = TableLimits.binaryLength
  /// UTF-16 code units of PartitionKey and of RowKey: 1 KiB.
  static let key = TableLimits.keyLength
  /// Bytes of an entity, counted by the service's formula.
  static let entity = TableLimits.entitySize
  /// The earliest DateTime the service takes: 1601-01-01, where Windows file times begin.
  static let earliestTicks = EdmDateTime.earliestOfTables.ticks
  /// Letters and digits of a table's name.
  static let tableName = 3...63
  /// Changes in a change set.
  static let changes = TableLimits.changeSetOperations
  /// Bytes of a request's body.
  static let body = TableLimits.changeSetBytes
  /// Rows, or tables, of a page.
  static let pageLength = TableLimits.pageLength
  /// Rows that one request looks at before it gives a page up, be it empty, and a token to go on from; the service
  /// stops after five seconds, here the count keeps a filter without a key from blocking the store.
  static let scanLength = 20_000
  /// Stored bytes of the rows of a page; keeps a page of entities of 1 MiB each from taking 1 GiB.
  static let pageBytes = 4 << 20
}
