import ODataKit
import ODataTestSupport
import Testing

@Suite("A context of a plain OData service")
struct ObjectContextTests {
  private func makeBooks(
    _ dialect: Dialect, _ steps: [ScriptedTransport.Step]
  ) throws -> (ScriptedTransport, ObjectContext, EntitySet<ServiceBook>) {
    let transport = ScriptedTransport(steps)
    var service = try ODataService(root: "http://books.test/svc", dialect: dialect, transport: transport)
    service.retryPolicy = .none
    let context = ObjectContext(service)
    return (transport, context, try context.entitySet("Books", of: ServiceBook.self, key: \.id))
  }

  private static let entry = """
    <?xml version="1.0" encoding="utf-8"?>
    <entry xml:base="http://books.test/svc/" xmlns="http://www.w3.org/2005/Atom" \
    xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:etag="W/&quot;7&quot;">
    <id>http://books.test/svc/Books(7)</id><title/><link rel="edit" href="Books(7)"/>
    <content type="application/xml"><m:properties><d:ID m:type="Edm.Int32">7</d:ID><d:Title>坊っちゃん</d:Title>\
    <d:Rate m:type="Edm.Int32">4</d:Rate></m:properties></content></entry>
    """

  @Test("OData 2 is spoken in Atom, with MERGE and the key the service gave")
  func versionTwo() async throws {
    let (transport, context, books) = try makeBooks(
      .v2,
      [
        .respond(.text(201, Self.entry, type: "application/atom+xml", headers: ["ETag": "W/\"7\""])),
        .respond(.noContent(tag: "W/\"8\"")), .respond(.noContent()),
      ])
    let book = try books.add(ServiceBook(id: 0, title: "坊っちゃん", rate: 4))
    try await context.saveChanges()
    #expect(book.id == 7)
    book.rate = 5
    try await context.saveChanges()
    try books.delete(book)
    try await context.saveChanges()

    let lines = transport.requests.map { "\($0.method) \($0.url.target) \($0.headers[.ifMatch] ?? "-")" }
    #expect(
      lines == ["POST /svc/Books -", "MERGE /svc/Books(7) W/\"7\"", "DELETE /svc/Books(7) W/\"8\""])
    #expect(transport.requests[0].headers[.dataServiceVersion] == "2.0")
    #expect(
      transport.requests[1].bodyText.contains(
        #"<m:properties><d:Rate m:type="Edm.Int32">5</d:Rate></m:properties>"#))
  }

  @Test(
    "G08 · a cleared property goes to an OData service as null, in a merge and under the four letters of no text"
  )
  func clearing() async throws {
    let (transport, context, books) = try makeBooks(
      .v4, [.respond(.noContent(tag: "W/\"2\"")), .respond(.noContent(tag: "W/\"3\""))])
    let book = try books.attach(
      ServiceBook(id: 7, title: "null", rate: 4), entityTag: EntityTag(rawValue: "W/\"1\""))
    book.rate = nil
    try await context.saveChanges()
    #expect(transport.requests[0].method == .patch)
    #expect(transport.requests[0].bodyText == #"{"Rate":null}"#)
    // The text "null" is a text; a replace leaves out what there is not.
    book.title = "NULL"
    try await context.saveChanges(.replaceOnUpdate)
    #expect(transport.requests[1].method == .put)
    #expect(transport.requests[1].bodyText == #"{"ID":7,"Title":"NULL"}"#)
  }

  @Test("OData 4 is spoken in JSON, with PATCH and version headers of its own; null clears")
  func versionFour() async throws {
    let (transport, context, books) = try makeBooks(.v4, [.respond(.noContent(tag: "W/\"2\""))])
    let book = try books.attach(
      ServiceBook(id: 7, title: "t", rate: 4), entityTag: EntityTag(rawValue: "W/\"1\""))
    book.rate = nil
    try await context.saveChanges()
    #expect(
      transport.requests[0].wireText == """
        PATCH /svc/Books(7)
        Accept: application/json;odata.metadata=minimal
        OData-Version: 4.0
        OData-MaxVersion: 4.0
        Content-Type: application/json
        If-Match: W/"1"

        {"Rate":null}
        """)
  }

  @Test("the next link is followed, absolute or relative, and credentials stay with the service's own host")
  func nextLinks() async throws {
    struct Authorizer: RequestAuthorizer {
      func authorize(_ request: inout HTTPRequest) async throws { request.headers[.authorization] = "secret" }
    }
    func feed(_ id: Int, next: String?) -> ScriptedTransport.Step {
      let link = next.map { #","odata.nextLink":"\#($0)""# } ?? ""
      return .respond(
        .text(200, #"{"value":[{"ID":\#(id),"Title":"t"}]\#(link)}"#, type: "application/json"))
    }
    let transport = ScriptedTransport([
      feed(1, next: "Books?$skiptoken=1"), feed(2, next: "http://elsewhere.test/Books?$skiptoken=2"),
      feed(3, next: nil),
    ])
    let service = try ODataService(
      root: "http://books.test/svc/", dialect: .v3, format: .json, authorizer: Authorizer(),
      transport: transport)
    let books = try ObjectContext(service).entitySet("Books", of: ServiceBook.self, key: \.id)
    #expect(try await books.query.values.execute().map(\.id) == [1, 2, 3])
    #expect(
      transport.requests.map(\.url.description) == [
        "http://books.test/svc/Books", "http://books.test/svc/Books?$skiptoken=1",
        "http://elsewhere.test/Books?$skiptoken=2",
      ])
    #expect(transport.requests.map { $0.headers[.authorization] } == ["secret", "secret", nil])
  }

  @Test("an entity that cannot be told from others is not taken for a tracked one")
  func untrackable() async throws {
    let page = HTTPResponse.text(200, #"{"value":[{"ID":1,"Title":"t"}]}"#, type: "application/json")
    let service = try ODataService(
      root: "http://books.test/svc", dialect: .v4, transport: ScriptedTransport([.respond(page)]))
    let books = try ObjectContext(service).entitySet("Books", of: ServiceBook.self)
    let error = try await #require(throws: ODataError.self) { _ = try await books.query.execute() }
    #expect(error.code == .invalidState)
    #expect(error.message.contains("neither its key nor a link of its own"))
  }

  @Test(
    "a refused change set names the operation by its Content-ID, and none where the service does not",
    arguments: [("Content-ID: 2\r\n", 1), ("", nil), ("Content-ID: 9\r\n", nil)] as [(String, Int?)])
  func refusedChangeSet(header: String, index: Int?) async throws {
    let body = """
      --b\r
      Content-Type: multipart/mixed; boundary=c\r
      \r
      --c\r
      Content-Type: application/http\r
      \r
      HTTP/1.1 409 Conflict\r
      \(header)\r
      --c--\r
      --b--\r

      """
    let (_, context, books) = try makeBooks(
      .v3, [.respond(.text(202, body, type: "multipart/mixed; boundary=b"))])
    for id in 1...3 { try books.add(ServiceBook(id: Int32(id), title: "t")) }
    let error = try await #require(throws: SaveError.self) { try await context.saveChanges(.batch) }
    #expect(error.cause.failedOperation == index)
    let blamed = error.result.outcomes.map { $0.error != nil }
    #expect(blamed == (0..<3).map { index == nil || $0 == index })
  }

  @Test("a missing entity is nil, and any other refusal an error")
  func find() async throws {
    let (transport, _, books) = try makeBooks(
      .v2, [.respond(.text(404)), .respond(.text(500, "<html>oops</html>", type: "text/html"))])
    #expect(try await books.find(EntityKey(.int32(7))) == nil)
    let error = try await #require(throws: ODataError.self) { _ = try await books.find(EntityKey(.int32(7))) }
    #expect(error.httpStatus == 500)
    #expect(error.description.contains("<html>oops"))
    #expect(transport.requests[0].url.target == "/svc/Books(7)")
  }

  @Test("a query is its URL, percent-encoded once, and nothing is sent for it")
  func request() throws {
    let (transport, _, books) = try makeBooks(.v2, [])
    let request = try books.query.filter { $0.title == "夏目漱石's a&b" && $0.rate >= 4 }.limit(3).request()
    #expect(
      request.url.description
        == "http://books.test/svc/Books?$filter=Title%20eq%20%27%E5%A4%8F%E7%9B%AE%E6%BC%B1%E7%9F%B3%27%27s%20a%26b"
        + "%27%20and%20Rate%20ge%204&$top=3")
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "a root that cannot be one is refused",
    arguments: [
      "books.test/svc", "ftp://books.test/", "http://books.test/?a=b", "", "http://u:p@books.test/",
    ])
  func roots(root: String) {
    #expect(throws: ODataError.self) {
      try ODataService(root: root, dialect: .v2, transport: ScriptedTransport())
    }
  }
}
