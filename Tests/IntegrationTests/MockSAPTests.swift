import ODataKit
import Testing

/// Serialized, since the tests share the server's data; each that writes has entities of its own.
@Suite(
  "Against mock-sap, a server of OData 2 with CSRF tokens", .needsServers,
  .server("mocksap_server.py"), .serialized
)
struct MockSAPTests {
  struct Address: Codable, Sendable, Equatable {
    var city: String?
    var country: String?

    enum CodingKeys: String, CodingKey {
      case city = "City"
      case country = "Country"
    }
  }

  struct Partner: Codable, Sendable, Equatable {
    var id: String
    var name: String?
    var address: Address?

    enum CodingKeys: String, CodingKey {
      case id = "BusinessPartnerID"
      case name = "CompanyName"
      case address = "Address"
    }
  }

  struct Order: Codable, Sendable, Equatable {
    var id: String
    var amount: EdmDecimal?
    var created: EdmDateTime?
    var lines: [Line]?
    var partner: Partner?

    enum CodingKeys: String, CodingKey {
      case id = "SalesOrderID"
      case amount = "GrossAmount"
      case created = "CreatedAt"
      case lines = "ToLineItems"
      case partner = "ToBusinessPartner"
    }
  }

  struct Line: Codable, Sendable, Equatable {
    var order: String
    var position: String
    var quantity: EdmDecimal?

    enum CodingKeys: String, CodingKey {
      case order = "SalesOrderID"
      case position = "ItemPosition"
      case quantity = "Quantity"
    }
  }

  struct Product: Codable, Sendable, Equatable {
    var id: String
    var name: String?

    enum CodingKeys: String, CodingKey {
      case id = "ProductID"
      case name = "Name"
    }
  }

  private func service(
    csrf: CSRFTokens = .fetch, transport: any Transport = LibcurlTransport.shared
  ) async throws -> ODataService {
    try await ODataService(
      root: ServerTrait.root + "/sap/opu/odata/IWBEP/GWSAMPLE_BASIC", dialect: .v2, format: .json,
      csrf: csrf,
      transport: transport
    ).withMetadata()
  }

  @Test("its metadata and its service document name the sets")
  func documents() async throws {
    let service = try await service()
    let names = [
      "BusinessPartnerSet", "ContactSet", "ProductSet", "SalesOrderSet", "SalesOrderLineItemSet",
    ]
    #expect(service.metadata?.entitySets.map(\.name) == names)
    #expect(try await service.serviceDocument().entitySets.map(\.name) == names)
  }

  @Test("entities are read, filtered and expanded with exact values")
  func reading() async throws {
    let context = ObjectContext(try await service())
    let orders = try context.entitySet("SalesOrderSet", of: Order.self)
    let order = try #require(
      try await orders.query.filter { $0.id == "500000001" }
        .with { $0.expand = ["ToLineItems", "ToBusinessPartner"] }.first())
    #expect(order.amount == EdmDecimal("631.890"))
    #expect(order.entityTag?.rawValue.hasPrefix("W/\"datetime'") == true)
    #expect(
      order.lines == [
        Line(order: "500000001", position: "0000000010", quantity: EdmDecimal("9.000"))
      ])
    #expect(order.partner?.id == "0100000005")
    #expect(try await orders.find(EntityKey(.string("nope"))) == nil)
    let partners = try context.entitySet("BusinessPartnerSet", of: Partner.self)
    let found = try await partners.query.filter { $0.name == "SAP" }.values.execute()
    #expect(
      found == [
        Partner(id: "0100000000", name: "SAP", address: Address(city: "Walldorf", country: "DE"))
      ])
  }

  @Test("pages are cut out with top and skip, and come with the total")
  func pages() async throws {
    let orders = try ObjectContext(try await service()).entitySet("SalesOrderSet", of: Order.self)
    let sorted = orders.query.values.with { $0.orderBy = [.init("SalesOrderID")] }
    let all = try await sorted.execute().map(\.id)
    try #require(all.count > 4)
    var batch = BatchRequest()
    let pages = try stride(from: 0, to: all.count, by: 2).map { start in
      try batch.add(sorted.with { ($0.skip, $0.top, $0.inlineCount) = (start, 2, true) })
    }
    let result = try await orders.context.service.execute(batch)
    let read = try pages.map { try result.page($0) }
    #expect(read.flatMap(\.entities).map(\.id) == all)
    #expect(read.allSatisfy { $0.totalCount == Int64(all.count) })
  }

  @Test("without a token changes are refused")
  func noToken() async throws {
    let context = ObjectContext(try await service(csrf: .none))
    try context.entitySet("BusinessPartnerSet", of: Partner.self).add(
      Partner(id: "0200000000", name: "n"))
    let refusal = await #expect(throws: SaveError.self) { try await context.saveChanges() }
    #expect(refusal?.cause.code == .unauthorized)
  }

  @Test("an entity is created, changed under its tag and deleted, with one token for all")
  func writing() async throws {
    let log = RequestLog()
    let service = try await service(transport: log)
    let context = ObjectContext(service)
    let partners = try context.entitySet("BusinessPartnerSet", of: Partner.self)
    let made = Partner(id: "0200000001", name: "坂の上", address: Address(city: "松山", country: "JP"))
    let partner = try partners.add(made)
    try await context.saveChanges()
    #expect(partner.entityTag != nil)
    let found = try await partners.query.mergeOption(.noTracking).filter { $0.name == "坂の上" }
      .first()
    #expect(found?.entity == made)

    let late = ObjectContext(service)
    let stale = try late.entitySet("BusinessPartnerSet", of: Partner.self)
      .attach(made, entityTag: EntityTag(rawValue: "W/\"datetime'2001-01-01T00%3A00%3A00'\""))
    stale.name = "late"
    let refusal = await #expect(throws: SaveError.self) { try await late.saveChanges() }
    #expect(refusal?.cause.code == .concurrencyConflict)

    partner.name = "坂の下"
    try await context.saveChanges()
    let id = made.id
    let changed = try await partners.query.mergeOption(.noTracking).filter { $0.id == id }.first()
    #expect(changed?.name == "坂の下")
    #expect(changed?.address == made.address)
    try partners.delete(partner)
    try await context.saveChanges()
    #expect(try await partners.query.filter { $0.id == id }.first() == nil)
    #expect(log.lines.count { $0 == "GET /sap/opu/odata/IWBEP/GWSAMPLE_BASIC/" } == 1)
  }

  @Test("a batch holds changes and queries, and a change set is all or nothing")
  func batch() async throws {
    let context = ObjectContext(try await service())
    let products = try context.entitySet("ProductSet", of: Product.self)
    let made = try ["ZZ-1", "ZZ-2"].map { try products.add(Product(id: $0, name: "Made é")) }
    try await context.saveChanges(.batch)
    #expect(made.allSatisfy { $0.entityState == .unchanged })

    var batch = BatchRequest()
    let first = try batch.add(EntityKey(.string("ZZ-1")), of: products.query.values)
    let list = try batch.add(try products.query.filter { $0.name == "Made é" }.values)
    let none = try batch.add(EntityKey(.string("ZZ-9")), of: products.query.values)
    let result = try await context.service.execute(batch)
    #expect(try result.entity(first) == Product(id: "ZZ-1", name: "Made é"))
    #expect(try result.page(list).entities.map(\.id).sorted() == ["ZZ-1", "ZZ-2"])
    #expect(try result.entity(none) == nil)

    let failing = ObjectContext(context.service)
    let others = try failing.entitySet("ProductSet", of: Product.self)
    try others.add(Product(id: "ZZ-3", name: "Undone"))
    try others.delete(try others.attach(Product(id: "ZZ-9", name: "Missing")))
    let refusal = await #expect(throws: SaveError.self) { try await failing.saveChanges(.batch) }
    #expect(refusal?.cause.code == .notFound)
    #expect(try await products.find(EntityKey(.string("ZZ-3"))) == nil)

    for product in made { try products.delete(product) }
    try await context.saveChanges(.batch)
    #expect(try await products.find(EntityKey(.string("ZZ-1"))) == nil)
  }
}
