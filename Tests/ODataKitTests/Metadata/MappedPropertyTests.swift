import ODataTestSupport
import Testing

@testable import ODataKit

/// Properties that the metadata puts outside of the content of Atom entries, from the model to the wire and back.
struct MappedPropertyTests {
  private struct Order: Codable, Sendable {
    enum CodingKeys: String, CodingKey {
      case id = "Id"
      case note = "Note"
    }
    var id: Int32
    var note: String?
  }

  private static let answer = """
    <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><title type="text">ring twice</title>\
    <content type="application/xml"><m:properties><d:Id>7</d:Id></m:properties></content></entry>
    """

  private static let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(answer)</feed>"

  @Test func readUpdatedAndInserted() async throws {
    let transport = ScriptedTransport([
      .respond(.text(200, Self.feed, type: "application/atom+xml")), .respond(.noContent()),
      .respond(.text(201, Self.answer, type: "application/atom+xml")),
    ])
    var service = try ODataService(root: "http://shop.test/svc", dialect: .v2, transport: transport)
    service.metadata = try MetadataFixtures.read(MetadataFixtures.shop2)
    let context = ObjectContext(service)
    let orders = try context.entitySet("Orders", of: Order.self)
    let order = try #require(try await orders.query.execute().first)
    #expect(order.note == "ring twice")
    order.note = "ring <once>"
    try await context.saveChanges()
    try orders.add(Order(id: 8, note: "new"))
    try await context.saveChanges()
    #expect(
      transport.requests.map { "\($0.method) \($0.url.target)" } == [
        "GET /svc/Orders", "MERGE /svc/Orders(7)", "POST /svc/Orders",
      ])
    let bodies = transport.requests.map(\.wireText)
    #expect(bodies[1].contains("<title type=\"text\">ring &lt;once&gt;</title>"))
    #expect(bodies[1].contains("<m:properties></m:properties>"))
    #expect(bodies[2].contains("<title type=\"text\">new</title>"))
    #expect(bodies[2].contains("<m:properties><d:Id m:type=\"Edm.Int32\">8</d:Id></m:properties>"))
  }
}
