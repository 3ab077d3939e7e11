import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("A service that knows its metadata")
struct ServiceWithMetadataTests {
  private struct Line: Codable, Sendable {
    enum CodingKeys: String, CodingKey {
      case order = "OrderId"
      case number = "Number"
    }
    var order: Int32
    var number: Int16
  }

  private func makeService(
    _ dialect: Dialect, _ responses: [HTTPResponse]
  ) throws -> (ScriptedTransport, ODataService) {
    let transport = ScriptedTransport(responses.map { .respond($0) })
    return (
      transport, try ODataService(root: "http://shop.test/svc", dialect: dialect, transport: transport)
    )
  }

  @Test("it is fetched as XML, from OData 4 as JSON too")
  func request() async throws {
    let (transport, service) = try makeService(
      .v2, [.text(200, MetadataFixtures.shop2, type: "application/xml")])
    #expect(try await service.loadMetadata() == MetadataFixtures.read(MetadataFixtures.shop2))
    #expect(
      transport.requests.map(\.wireText) == [
        """
        GET /svc/$metadata
        Accept: application/xml
        DataServiceVersion: 2.0
        MaxDataServiceVersion: 2.0


        """
      ])
    let (transport4, service4) = try makeService(
      .v4, [.text(200, MetadataFixtures.shop4JSON, type: "application/json")])
    #expect(try await service4.loadMetadata() == MetadataFixtures.read(MetadataFixtures.shop4))
    #expect(
      transport4.requests.map(\.wireText) == [
        """
        GET /svc/$metadata
        Accept: application/xml,application/json;q=0.5
        OData-Version: 4.0
        OData-MaxVersion: 4.0


        """
      ])
  }

  @Test("what is wrong with it says which answer it was")
  func failures() async throws {
    let id: HeaderFields = ["x-ms-request-id": "r-1"]
    let (_, service) = try makeService(
      .v4,
      [
        .text(404, "", type: "text/plain"), .text(200, "<html/>", type: "text/html", headers: id),
        .text(200, MetadataFixtures.shop4),
      ])
    let missing = await #expect(throws: ODataError.self) { _ = try await service.loadMetadata() }
    #expect(missing?.code == .notFound)
    let page = await #expect(throws: ODataError.self) { _ = try await service.loadMetadata() }
    #expect(
      page?.description
        == "The body is an HTML page, not its metadata; check the address of the service. (HTTP 200, request r-1)"
    )
    var narrow = service
    narrow.payloadLimits.totalLength = 1000
    let tooLarge = await #expect(throws: ODataError.self) { _ = try await narrow.loadMetadata() }
    #expect(tooLarge?.code == .payloadTooLarge)
  }

  @Test("entity sets take their key from it")
  func keys() async throws {
    let feed = """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
      xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><entry><content type="application/xml">\
      <m:properties><d:OrderId m:type="Edm.Int32">7</d:OrderId><d:Number m:type="Edm.Int16">2</d:Number></m:properties>\
      </content></entry></feed>
      """
    let (transport, plain) = try makeService(
      .v2,
      [
        .text(200, MetadataFixtures.shop2, type: "application/xml"),
        .text(200, feed, type: "application/atom+xml"), .noContent(), .noContent(),
      ])
    let service = try await plain.withMetadata()
    #expect(service.metadata?.entitySets.count == 3)
    let context = ObjectContext(service)
    let lines = try context.entitySet("Lines", of: Line.self)
    let read = try await lines.query.with { $0.select = ["Number"] }.execute()
    try lines.delete(try #require(read.first))
    try lines.delete(try lines.attach(Line(order: 8, number: 1)))
    try await context.saveChanges()
    #expect(
      transport.requests.dropFirst().map { "\($0.method) \($0.url.target)" } == [
        "GET /svc/Lines?$select=Number%2COrderId", "DELETE /svc/Lines(OrderId=7,Number=2)",
        "DELETE /svc/Lines(OrderId=8,Number=1)",
      ])
  }

  @Test("where neither caller nor metadata says the key, an entity cannot be attached")
  func noKey() throws {
    let (_, service) = try makeService(.v4, [])
    let lines = try ObjectContext(service).entitySet("Lines", of: Line.self)
    let error = expectError(.invalidArgument) { try lines.attach(Line(order: 8, number: 1)) }
    #expect(
      error?.message
        == "An entity without its key cannot be attached to Lines; name the key when the set is made, or load the service's metadata before."
    )
  }

  @Test("what the caller names goes before what the metadata says")
  func callersKey() throws {
    var (_, service) = try makeService(.v2, [])
    service.metadata = try MetadataFixtures.read(MetadataFixtures.shop2)
    let lines = try ObjectContext(service).entitySet("Lines", of: Line.self, key: \.number)
    #expect(lines.keyNames == ["Number"])
    // A key inside of a complex property is addressed by the service's own links.
    service.metadata = try MetadataFixtures.read(MetadataFixtures.shop4)
    #expect(service.declaredKeyNames(of: "Customers") == [])
    #expect(service.declaredKeyNames(of: "Hidden") == ["CustomerId", "Number"])
  }

  @Test("readers are told the type of a set, and where to look up the rest")
  func payloadTypes() throws {
    var (_, service) = try makeService(.v4, [])
    #expect(service.payloadTypes(of: "Customers").root == nil)
    #expect(service.payloadTypes(of: "Customers").catalog == nil)
    service.metadata = try MetadataFixtures.read(MetadataFixtures.shop4)
    let types = service.payloadTypes(of: "Customers")
    let root = try #require(types.root)
    #expect(root.rawValue == "Sales.V1.Customer")
    #expect(types.catalog?.property("Since", of: root)?.type == .dateTimeOffset)
    #expect(service.payloadTypes(of: "Unknown").root == nil)
    #expect(service.payloadTypes(of: "Me").root == root)
  }
}
