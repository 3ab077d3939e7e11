import Foundation
import ODataKit

/// The entities that `odatapy_server.py` and `pyslet_server.py` hold.
enum Sample {
  struct Book: Codable, Sendable, Equatable {
    var id: Int32
    var title: String
    var author: String?
    var price: EdmDecimal?
    var rating: Double?
    var inStock: Bool?
    var isbn: UUID?
    var copies: Int64?
    var blob: [UInt8]?
    var address: Address?

    enum CodingKeys: String, CodingKey {
      case id = "Id", title = "Title", author = "Author", price = "Price", rating = "Rating", inStock =
        "InStock"
      case isbn = "Isbn", copies = "Copies", blob = "Blob", address = "Address"
    }
  }

  struct Address: Codable, Sendable, Equatable {
    var street: String?
    var city: String?

    enum CodingKeys: String, CodingKey { case street = "Street", city = "City" }
  }

  struct Group: Codable, Sendable, Equatable {
    var id: Int32
    var name: String?
    var products: [Product]?

    enum CodingKeys: String, CodingKey { case id = "Id", name = "Name", products = "Products" }
  }

  struct Product: Codable, Sendable, Equatable {
    var id: Int32
    var name: String?
    var price: EdmDecimal?
    var group: Group?

    enum CodingKeys: String, CodingKey { case id = "Id", name = "Name", price = "Price", group = "Group" }
  }

  /// The book that the samples hold under a number.
  static func book(_ number: Int32) -> Book {
    Book(
      id: number, title: "Book \(number)", author: ["Ann", "Bob", "Çelik"][Int(number) % 3],
      price: EdmDecimal("\(number).99"), rating: Double(number) / 2, inStock: number % 2 == 0,
      isbn: UUID(uuidString: "00000000-0000-0000-0000-0000000000" + String(format: "%02X", number)),
      copies: 1 << 53 + Int64(number), blob: [UInt8(number)])
  }
}
