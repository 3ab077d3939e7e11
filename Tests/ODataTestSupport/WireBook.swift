package import ODataKit

/// The book of the tests, as a table has it.
package struct ShelfBook: Codable, Sendable, Equatable {
  package var partitionKey: String
  package var rowKey: String
  package var timestamp: EdmDateTime?
  package var title: String
  package var author: String?
  package var rate: Int32?

  package init(
    _ partitionKey: String, _ rowKey: String, title: String, author: String? = nil, rate: Int32? = nil
  ) {
    self.partitionKey = partitionKey
    self.rowKey = rowKey
    self.title = title
    self.author = author
    self.rate = rate
  }
}

/// The book of the tests, as a plain OData service has it.
package struct ServiceBook: Codable, Sendable, Equatable {
  package var id: Int32
  package var title: String
  package var rate: Int32?

  package init(id: Int32, title: String, rate: Int32? = nil) {
    self.id = id
    self.title = title
    self.rate = rate
  }

  package enum CodingKeys: String, CodingKey {
    case id = "ID"
    case title = "Title"
    case rate = "Rate"
  }
}
