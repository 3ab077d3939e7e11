import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("The format of a service")
struct FormatNegotiationTests {
  /// Made anew each time: a body is read once.
  private static var atomRefusal: HTTPResponse {
    .text(
      415,
      """
      <?xml version="1.0" encoding="utf-8"?><error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">\
      <code>AtomFormatNotSupported</code><message xml:lang="en-US">Atom format is not supported.</message></error>
      """, type: "application/xml")
  }

  @Test("automatic answers a refusal of Atom by JSON, once, and remembers")
  func switchesOnce() async throws {
    let fixture = try TableContextFixture(
      [
        .respond(Self.atomRefusal), .respond(.noContent(tag: "W/\"2\"")),
        .respond(.noContent(tag: "W/\"3\"")),
      ],
      format: .automatic)
    let book = try fixture.books.add(ShelfBook("p", "r", title: "t"))
    try await fixture.context.saveChanges()
    book.title = "u"
    try await fixture.context.saveChanges()
    #expect(
      fixture.transport.requests.map { $0.headers[.contentType] } == [
        "application/atom+xml", "application/json", "application/json",
      ])
    #expect(
      fixture.transport.requests.map { $0.headers["x-ms-version"] } == [
        "2015-07-08", "2019-02-02", "2019-02-02",
      ])
    #expect(book.entityState == .unchanged)
  }

  @Test("a batch is written again in the other format")
  func batch() async throws {
    let fixture = try TableContextFixture(
      [.respond(Self.atomRefusal), .respond(.doneChangeSet(1))], format: .automatic)
    try fixture.books.add(ShelfBook("p", "r", title: "t"))
    try await fixture.context.saveChanges(.batch)
    #expect(fixture.transport.requests[0].bodyText.contains("<entry"))
    #expect(fixture.transport.requests[1].bodyText.contains(#"{"PartitionKey":"p""#))
  }

  @Test("a format that was asked for is not changed")
  func asked() async throws {
    let fixture = try TableContextFixture([.respond(Self.atomRefusal)], format: .atom)
    try fixture.books.add(ShelfBook("p", "r", title: "t"))
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.cause.serviceCode == "AtomFormatNotSupported")
    #expect(fixture.transport.requests.count == 1)
  }

  @Test(
    "Atom is refused locally where credential or host forbid it",
    arguments: [
      "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YWJjZA==;TableEndpoint=https://a.table.cosmos.azure.com:443/",
      "AccountName=a;SharedAccessSignature=sv=2019-02-02&sig=ab%3D",
    ])
  func forbidden(connectionString: String) throws {
    let error = try #require(throws: ODataError.self) {
      try TableService(connectionString: connectionString, format: .atom)
    }
    #expect(error.code == .unsupported)
    #expect(!error.description.contains("ab%3D"))
    _ = try TableService(connectionString: connectionString)
  }
}
