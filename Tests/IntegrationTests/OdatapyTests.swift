import ODataKit
import Testing

/// Serialized, since the tests share the server's store; each that writes has entities of its own.
@Suite(
  "Against odatapy, a server of OData 4", .needsServers,
  .server("odatapy_server.py", "--page", "10", "--etag"), .serialized)
struct OdatapyTests {
  typealias Book = Sample.Book
  typealias Product = Sample.Product
  typealias Group = Sample.Group

  struct Order: Codable, Sendable, Equatable {
    var id: Int32
    var customer: String?
    var orderDate: EdmDateTimeOffset?
    var details: [Detail]?

    enum CodingKeys: String, CodingKey {
      case id = "Id", customer = "Customer", orderDate = "OrderDate", details = "Details"
    }
  }

  struct Detail: Codable, Sendable, Equatable {
    var order: Int32
    var product: Int32
    var quantity: Int16?

    enum CodingKeys: String, CodingKey {
      case order = "OrderId", product = "ProductId", quantity = "Quantity"
    }
  }

  static let formats = [PayloadFormat.json, .atom]

  private func service(
    _ format: PayloadFormat, transport: any Transport = LibcurlTransport.shared
  ) throws -> ODataService {
    try ODataService(root: ServerTrait.root, dialect: .v4, format: format, transport: transport)
  }

  /// A number for an entity that a test writes, apart from those of the sample and of the other format.
  private func number(_ base: Int32, _ format: PayloadFormat) -> Int32 { format == .json ? base : base + 1 }

  @Test("its metadata gives sets, keys, types and navigation", arguments: formats)
  func metadata(_ format: PayloadFormat) async throws {
    let metadata = try #require(try await service(format).withMetadata().metadata)
    #expect(
      metadata.entitySets.map(\.name) == ["Books", "Orders", "OrderDetails", "Products", "ProductGroups"])
    #expect(metadata.entityType(ofSet: "OrderDetails")?.key.map(\.path) == ["OrderId", "ProductId"])
    let book = try #require(metadata.entityType("Sample.Book"))
    #expect(book.properties.first { $0.name == "Price" }?.type.name == .decimal)
    #expect(book.properties.first { $0.name == "Created" }?.type.name == .dateTimeOffset)
    let group = try #require(metadata.entityType("Sample.ProductGroup"))
    #expect(group.navigationProperties.map(\.name) == ["Products"])
  }

  @Test("an entity is read with exact values, with and without metadata", arguments: formats, [false, true])
  func readOne(_ format: PayloadFormat, withMetadata: Bool) async throws {
    var service = try service(format)
    if withMetadata { service = try await service.withMetadata() }
    let books = try ObjectContext(service).entitySet("Books", of: Book.self, key: \.id)
    let book = try #require(try await books.find(EntityKey(.int32(2))))
    #expect(book.entity == Sample.book(2))
    #expect(book.entityTag == EntityTag(rawValue: "W/\"1\""))
    #expect(try await books.find(EntityKey(.int32(9999))) == nil)
  }

  @Test("filters are understood, also those with letters beyond ASCII", arguments: formats)
  func filter(_ format: PayloadFormat) async throws {
    let books = try ObjectContext(service(format)).entitySet("Books", of: Book.self, key: \.id)
    let found = try await books.query
      .filter { $0.author == "Çelik" && $0.price >= EdmDecimal("10.00")! }
      .with { $0.orderBy = [.init("Id", .descending)] }
      .values.execute()
    #expect(found == [23, 20, 17, 14, 11].map(Sample.book))
    let quoted = try await books.query.filter { $0.title == "O'Neil 'x' & #1 + 100%" }.values.execute()
    #expect(quoted.isEmpty)
    let selected = try await books.query.filter(text: "contains(Title,'Book 2') and not InStock")
      .with { $0.select = ["Id", "Title"] }.values.execute()
    #expect(selected == [21, 23, 25].map { Book(id: $0, title: "Book \($0)") })
  }

  @Test("the pages of the server are followed", arguments: formats)
  func pages(_ format: PayloadFormat) async throws {
    let log = RequestLog()
    let products = try ObjectContext(service(format, transport: log))
      .entitySet("OrderDetails", of: Detail.self, key: \.order, \.product)
    let all = try await products.query.values.execute()
    #expect(all.count == 30)
    #expect(Set(all.map { [$0.order, $0.product] }).count == 30)
    #expect(log.lines.count == 3)
    #expect(log.lines.first == "GET /OrderDetails")
  }

  @Test("related entities come along", arguments: formats)
  func expand(_ format: PayloadFormat) async throws {
    let context = try ObjectContext(service(format))
    let orders = try context.entitySet("Orders", of: Order.self, key: \.id)
    let order = try #require(
      try await orders.query.filter { $0.id == 3 }.with { $0.expand = ["Details"] }.first())
    #expect(
      order.entity
        == Order(
          id: 3, customer: "Customer 3", orderDate: EdmDateTimeOffset("2024-01-01T15:00:00Z"),
          details: [3, 4, 5].map { Detail(order: 3, product: $0, quantity: Int16($0)) }))
    let products = try context.entitySet("Products", of: Product.self, key: \.id)
    let product = try await products.query.filter { $0.id == 4 }.with { $0.expand = ["Group"] }.first()
    #expect(product?.entity.group == Group(id: 1, name: "Group 1"))
  }

  @Test("an entity is created, changed under its tag and deleted", arguments: formats)
  func writing(_ format: PayloadFormat) async throws {
    let context = try ObjectContext(service(format))
    let books = try context.entitySet("Books", of: Book.self, key: \.id)
    var expected = Sample.book(26)
    expected.id = number(1000, format)
    expected.title = "坊っちゃん <&> \"'"
    expected.address = Sample.Address(street: "道後", city: nil)
    let book = try books.add(expected)
    try await context.saveChanges()
    #expect(book.entityState == .unchanged)
    let created = try #require(book.entityTag)
    #expect(try await read(expected.id, format) == expected)

    book.title = "こころ"
    // Both members, since the server replaces a complex value where it should merge into it.
    book.address = Sample.Address(street: "城山", city: "松山")
    try await context.saveChanges()
    expected.title = "こころ"
    expected.address = Sample.Address(street: "城山", city: "松山")
    #expect(try await read(expected.id, format) == expected)

    let late = try ObjectContext(service(format))
    let lateBooks = try late.entitySet("Books", of: Book.self, key: \.id)
    let stale = try lateBooks.attach(expected, entityTag: created)
    stale.rating = 1
    let refusal = await #expect(throws: SaveError.self) { try await late.saveChanges() }
    #expect(refusal?.cause.code == .concurrencyConflict)
    #expect(refusal?.cause.httpStatus == 412)
    #expect(stale.entityState == .modified)

    let fresh = try await lateBooks.query.mergeOption(.preserveChanges).filter { $0.id == expected.id }
      .execute()
    #expect(fresh.first?.entityTag == book.entityTag)
    try await late.saveChanges()
    expected.rating = 1
    #expect(try await read(expected.id, format) == expected)

    try lateBooks.delete(stale)
    try await late.saveChanges()
    #expect(try await read(expected.id, format) == nil)
  }

  private func read(_ id: Int32, _ format: PayloadFormat) async throws -> Book? {
    let books = try ObjectContext(service(format)).entitySet("Books", of: Book.self, key: \.id)
    return try await books.find(EntityKey(.int32(id)))?.entity
  }

  /// The server reads the text of Atom within a batch in JSON, where the format has it in base64url.
  static let batches: [(PayloadFormat, BatchFormat)] = [
    (.json, .multipart), (.atom, .multipart), (.json, .json),
  ]

  @Test("a batch holds changes and queries", arguments: batches)
  func batch(_ format: PayloadFormat, _ batchFormat: BatchFormat) async throws {
    var service = try service(format)
    service.batchFormat = batchFormat
    let context = ObjectContext(service)
    let groups = try context.entitySet("ProductGroups", of: Group.self, key: \.id)
    let base = number(2000, format) + (batchFormat == .json ? 100 : 0)
    let made = try [base, base + 10].map { try groups.add(Group(id: $0, name: "Made \($0)")) }
    try await context.saveChanges(.batch)
    #expect(made.allSatisfy { $0.entityState == .unchanged })

    var batch = BatchRequest()
    let first = try batch.add(EntityKey(.int32(base)), of: groups.query.values)
    let list = try batch.add(try groups.query.filter { $0.name == "Made \(base + 10)" }.values)
    let none = try batch.add(EntityKey(.int32(9999)), of: groups.query.values)
    let result = try await service.execute(batch)
    #expect(try result.entity(first) == Group(id: base, name: "Made \(base)"))
    #expect(try result.page(list).entities.map(\.id) == [base + 10])
    #expect(try result.entity(none) == nil)

    for group in made { try groups.delete(group) }
    try await context.saveChanges(.batch)
    #expect(try await groups.find(EntityKey(.int32(base))) == nil)
  }

  @Test("a change set is all or nothing", arguments: batches)
  func changeSet(_ format: PayloadFormat, _ batchFormat: BatchFormat) async throws {
    var service = try service(format)
    service.batchFormat = batchFormat
    let context = ObjectContext(service)
    let groups = try context.entitySet("ProductGroups", of: Group.self, key: \.id)
    let id = number(2500, format)
    try groups.add(Group(id: id, name: "Undone"))
    try groups.delete(try groups.attach(Group(id: 9999, name: "Missing")))
    let refusal = await #expect(throws: SaveError.self) { try await context.saveChanges(.batch) }
    #expect(refusal?.cause.code == .notFound)
    let other = try ObjectContext(service).entitySet("ProductGroups", of: Group.self, key: \.id)
    #expect(try await other.find(EntityKey(.int32(id))) == nil)
  }

  /// The server takes references to entities in JSON only.
  @Test("entities are linked and unlinked, and inserted below others", arguments: [PayloadFormat.json])
  func links(_ format: PayloadFormat) async throws {
    let context = try ObjectContext(service(format))
    let groups = try context.entitySet("ProductGroups", of: Group.self, key: \.id)
    let products = try context.entitySet("Products", of: Product.self, key: \.id)
    let group = try groups.add(Group(id: number(3000, format), name: "Linked"))
    let product = try products.add(Product(id: number(3000, format), name: "One", price: EdmDecimal("1.50")))
    try await context.saveChanges()

    try context.setLink(product, "Group", to: group)
    try await context.saveChanges()
    #expect(try await related(product.id, format)?.group?.id == group.id)
    try context.setLink(product, "Group", to: nil)
    try await context.saveChanges()
    #expect(try await related(product.id, format)?.group == nil)

    try context.addLink(group, "Products", to: product)
    try context.addRelated(
      group, "Products", Product(id: number(3010, format), name: "Two", price: EdmDecimal("2.50")),
      in: products)
    try await context.saveChanges()
    #expect(try await members(group.id, format) == ["One", "Two"])
    try context.deleteLink(group, "Products", to: product)
    try await context.saveChanges()
    #expect(try await members(group.id, format) == ["Two"])
  }

  private func related(_ id: Int32, _ format: PayloadFormat) async throws -> Product? {
    let products = try ObjectContext(service(format)).entitySet("Products", of: Product.self, key: \.id)
    return try await products.query.filter { $0.id == id }.with { $0.expand = ["Group"] }.first()?.entity
  }

  private func members(_ id: Int32, _ format: PayloadFormat) async throws -> [String?]? {
    let groups = try ObjectContext(service(format)).entitySet("ProductGroups", of: Group.self, key: \.id)
    let group = try await groups.query.filter { $0.id == id }.with { $0.expand = ["Products"] }.first()
    return group?.products?.map(\.name)
  }
}
