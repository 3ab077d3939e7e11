import ODataKit
import Testing

/// Serialized, since the tests share the server's one database connection; each that writes has entities of its own.
///
/// With metadata throughout: the server names no types in Atom and has strings for doubles in JSON.
@Suite(
  "Against pyslet, a server of OData 2", .needsServers, .server("pyslet_server.py", "--page", "10"),
  .serialized
)
struct PysletTests {
  typealias Group = Sample.Group
  typealias Product = Sample.Product

  /// Without the binary property, which the server spells in digits of its own.
  struct Book: Codable, Sendable, Equatable {
    var id: Int32
    var title: String
    var author: String?
    var price: EdmDecimal?
    var rating: Double?
    var inStock: Bool?
    var copies: Int64?
    var created: EdmDateTime?
    var address: Sample.Address

    enum CodingKeys: String, CodingKey {
      case id = "Id"
      case title = "Title"
      case author = "Author"
      case price = "Price"
      case rating = "Rating"
      case inStock = "InStock"
      case copies = "Copies"
      case created = "Created"
      case address = "Address"
    }

    /// The book that the sample holds under a number.
    static func sample(_ number: Int32) -> Book {
      let book = Sample.book(number)
      let day = number < 10 ? "0\(number)" : "\(number)"
      return Book(
        id: number, title: book.title, author: book.author, price: book.price, rating: book.rating,
        inStock: book.inStock, copies: book.copies, created: EdmDateTime("2024-01-\(day)T00:00:00"),
        address: Sample.Address(city: "City \(number)"))
    }
  }

  static let formats = [PayloadFormat.atom, .json]

  private func service(
    _ format: PayloadFormat, transport: any Transport = LibcurlTransport.shared
  ) async throws -> ODataService {
    try await ODataService(
      root: ServerTrait.root, dialect: .v2, format: format, transport: transport
    )
    .withMetadata()
  }

  private func number(_ base: Int32, _ format: PayloadFormat) -> Int32 {
    format == .json ? base : base + 1
  }

  @Test("its metadata and its service document name the sets", arguments: formats)
  func documents(_ format: PayloadFormat) async throws {
    let service = try await service(format)
    let names = ["Books", "ProductGroups", "Products", "Orders", "OrderDetails"]
    #expect(service.metadata?.entitySets.map(\.name) == names)
    #expect(
      service.metadata?.entityType(ofSet: "OrderDetails")?.key.map(\.path) == ["OrderId", "Line"])
    let document = try await service.serviceDocument()
    #expect(document.entitySets.map(\.name) == names)
    #expect(document.entitySets.map(\.url) == names.map { "\(ServerTrait.root)/\($0)" })
  }

  @Test("an entity is read with exact values", arguments: formats)
  func readOne(_ format: PayloadFormat) async throws {
    let books = try ObjectContext(try await service(format)).entitySet("Books", of: Book.self)
    let book = try #require(try await books.find(EntityKey(.int32(2))))
    #expect(book.entity == Book.sample(2))
    #expect(book.entityTag != nil)
    #expect(try await books.find(EntityKey(.int32(9999))) == nil)
  }

  @Test("filters are understood, also those with letters beyond ASCII", arguments: formats)
  func filter(_ format: PayloadFormat) async throws {
    let books = try ObjectContext(try await service(format)).entitySet("Books", of: Book.self)
    let found = try await books.query.filter {
      // The server compares decimals as texts.
      $0.author == "Çelik" && $0.copies >= 9_007_199_254_741_002
    }
    .with { $0.orderBy = [.init("Id", .descending)] }
    .values.execute()
    #expect(found == [23, 20, 17, 14, 11].map(Book.sample))
  }

  @Test("the pages of the server are followed", arguments: formats)
  func pages(_ format: PayloadFormat) async throws {
    let log = RequestLog()
    let books = try ObjectContext(try await service(format, transport: log)).entitySet(
      "Books", of: Book.self)
    let all = try await books.query.filter { $0.id <= 25 }.values.execute()
    #expect(all == (1...25).map(Book.sample))
    #expect(log.lines.count { $0.hasPrefix("GET /Books") } == 3)
  }

  @Test("related entities come along", arguments: formats)
  func expand(_ format: PayloadFormat) async throws {
    let products = try ObjectContext(try await service(format)).entitySet(
      "Products", of: Product.self)
    let product = try await products.query.filter { $0.id == 4 }.with { $0.expand = ["Group"] }
      .first()
    #expect(product?.entity.group == Group(id: 2, name: "Group 2"))
  }

  @Test("an entity is created, changed and deleted", arguments: formats)
  func writing(_ format: PayloadFormat) async throws {
    let context = ObjectContext(try await service(format))
    let books = try context.entitySet("Books", of: Book.self)
    var expected = Book.sample(26)
    expected.id = number(1000, format)
    // What the server does not take in JSON as it is specified (MS-ODATA § 2.2.6.3.1): doubles are to be strings, and of
    // the milliseconds of a date it reads the first digit only.
    if format == .json { (expected.rating, expected.created) = (nil, nil) }
    expected.title = "坊っちゃん <&> \"'"
    expected.address.street = "道後"
    let book = try books.add(expected)
    try await context.saveChanges()
    #expect(try await read(expected.id, format) == expected)

    book.title = "こころ"
    book.rating = nil
    // In JSON the server sets to null what a MERGE leaves out, complex values among it, and fails.
    try await context.saveChanges(format == .json ? .replaceOnUpdate : [])
    expected.title = "こころ"
    expected.rating = nil
    #expect(try await read(expected.id, format) == expected)

    try books.delete(book)
    try await context.saveChanges()
    #expect(try await read(expected.id, format) == nil)
  }

  private func read(_ id: Int32, _ format: PayloadFormat) async throws -> Book? {
    let books = try ObjectContext(try await service(format)).entitySet("Books", of: Book.self)
    return try await books.find(EntityKey(.int32(id)))?.entity
  }

  @Test("an entity is linked to another", arguments: formats)
  func links(_ format: PayloadFormat) async throws {
    let context = ObjectContext(try await service(format))
    let products = try context.entitySet("Products", of: Product.self)
    let groups = try context.entitySet("ProductGroups", of: Group.self)
    let product = try products.add(
      Product(id: number(2000, format), name: "Linked", price: EdmDecimal("1.50")))
    try await context.saveChanges()
    let group = try #require(try await groups.find(EntityKey(.int32(3))))
    try context.setLink(product, "Group", to: group)
    try await context.saveChanges()
    let id = product.id
    let other = try ObjectContext(context.service).entitySet("Products", of: Product.self)
    let read = try await other.query.filter { $0.id == id }.with { $0.expand = ["Group"] }.first()
    #expect(read?.entity.group?.id == 3)
  }
}
