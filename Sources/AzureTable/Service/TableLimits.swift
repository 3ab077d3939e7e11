/// The limits of the Table service, from "Understanding the Table service data model", "Query timeout and pagination"
/// and "Performing entity group transactions".
package enum TableLimits {
  /// Entities in a page.
  package static let pageLength = 1000
  /// Operations in a change set.
  package static let changeSetOperations = 100
  /// Bytes of the body that carries a change set: 4 MiB.
  package static let changeSetBytes = 4 << 20
  /// UTF-16 units of a key: 1 KiB.
  package static let keyLength = 512
  /// Properties of an entity beside its keys and its timestamp.
  package static let properties = 252
  /// UTF-16 units of the name of a property.
  package static let nameLength = 255
  /// UTF-16 units of a string: 64 KiB.
  package static let stringLength = 32_768
  /// Bytes of a binary value: 64 KiB.
  package static let binaryLength = 65_536
  /// Bytes of an entity: 1 MiB.
  package static let entitySize = 1 << 20
}
