import Foundation
import ODataKit

/// The entity most tests of the bridge use.
struct ShelfBook: Codable, Equatable {
  enum Kind: String, Codable, CaseIterable { case novel, essay }

  var partitionKey: String
  var rowKey: String
  var title: String
  var author: String
  var rate: Int32
  var pages: Int
  var price: Double
  var published: Date
  var isbn: UUID
  var kind: Kind
  var cover: Data?
  var note: String?

  static let sample = ShelfBook(
    partitionKey: "shelf-1", rowKey: "botchan", title: "坊っちゃん", author: "夏目漱石", rate: 4, pages: 206, price: 9,
    published: Date(timeIntervalSince1970: -2_000_000_000.5),
    isbn: UUID(uuidString: "DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833")!, kind: .novel, cover: Data([1, 2]),
    note: nil)
}

/// The naming Azure tables use for their own properties.
let tableNaming = PropertyNaming.unchanged.renaming(["partitionKey": "PartitionKey", "rowKey": "RowKey"])

/// One property of any type.
struct PropertyBox<Value: Codable>: Codable {
  var value: Value
}

extension PropertyBox {
  /// Reads the box from a record with the one property.
  static func reading(_ value: EdmValue) throws -> Value {
    try RecordDecoder().decode(PropertyBox.self, from: EntityRecord(["value": value])).value
  }
}
