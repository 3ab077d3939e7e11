import ODataKit

/// The entity of all measurements, as a program declares it.
struct Book: Codable, Equatable {
  var partitionKey: String
  var rowKey: String
  var timestamp: EdmDateTime
  var title: String
  var author: String
  var rate: Int
  var price: Double
  var isbn: Int64
  var published: EdmDateTime
  var inStock: Bool

  enum CodingKeys: String, CodingKey {
    case partitionKey = "PartitionKey"
    case rowKey = "RowKey"
    case timestamp = "Timestamp"
    case title, author, rate, price, isbn, published, inStock
  }
}

/// The same for Foundation's JSONDecoder, which knows nothing of OData's types: an Int64 and the dates stay the texts
/// that they are in JSON. That spares it the work of reading them.
struct PlainBook: Decodable {
  var partitionKey: String
  var rowKey: String
  var timestamp: String
  var title: String
  var author: String
  var rate: Int
  var price: Double
  var isbn: String
  var published: String
  var inStock: Bool

  enum CodingKeys: String, CodingKey {
    case partitionKey = "PartitionKey"
    case rowKey = "RowKey"
    case timestamp = "Timestamp"
    case title, author, rate, price, isbn, published, inStock
  }
}

/// A page as Foundation reads it.
struct PlainPage: Decodable {
  var value: [PlainBook]
}
