import ODataKit

/// A book as it stands in the table: any `Codable` type will do. The shelf is the partition and the id the row.
struct Book: Codable, Sendable {
  var partitionKey: String
  var rowKey: String
  /// When the store last wrote the book; the store sets it.
  var timestamp: EdmDateTime?
  var title: String
  var author: String
  var rate: Int32?
}
