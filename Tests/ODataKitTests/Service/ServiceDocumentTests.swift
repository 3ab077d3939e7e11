import ODataKit
import ODataTestSupport
import Testing

@Suite("Service documents, and the version of answers")
struct ServiceDocumentTests {
  private func read(
    _ dialect: Dialect, _ format: PayloadFormat, _ body: String
  ) async throws -> ([String], [ServiceDocument.Resource]) {
    let transport = ScriptedTransport([.respond(.text(200, body))])
    let service = try ODataService(
      root: "http://shop.test/svc", dialect: dialect, format: format, transport: transport)
    let document = try await service.serviceDocument()
    return (
      transport.requests.map { "\($0.method) \($0.url.target) \($0.headers[.accept] ?? "")" },
      document.resources
    )
  }

  @Test("verbose JSON of OData 2 lists names")
  func verbose() async throws {
    let (requests, resources) = try await read(.v2, .json, #"{"d":{"EntitySets":["Books","Shelf é"]}}"#)
    #expect(requests == ["GET /svc/ application/json;odata=verbose,application/json;q=0.9"])
    #expect(
      resources == [
        .init(.entitySet, "Books", url: "http://shop.test/svc/Books"),
        .init(.entitySet, "Shelf é", url: "http://shop.test/svc/Shelf%20%C3%A9"),
      ])
  }

  @Test("JSON of OData 3 and 4 lists names, kinds, titles and addresses")
  func light() async throws {
    let (_, three) = try await read(
      .v3, .json,
      #"{"odata.metadata":"http://a.test/x/$metadata","value":[{"name":"Books","url":"Books"}]}"#)
    #expect(three == [.init(.entitySet, "Books", url: "http://a.test/x/Books")])
    let (requests, four) = try await read(
      .v4, .json,
      #"""
      {"@odata.context":"$metadata","value":[{"name":"Books","kind":"EntitySet","url":"Books"},
      {"name":"Me","title":"About me","kind":"Singleton","url":"Me"},
      {"name":"Top","kind":"FunctionImport","url":"Top"},{"name":"HR","kind":"ServiceDocument","url":"http://hr.test/"}]}
      """#)
    #expect(requests == ["GET /svc/ application/json;odata.metadata=minimal"])
    #expect(
      four == [
        .init(.entitySet, "Books", url: "http://shop.test/svc/Books"),
        .init(.singleton, "Me", title: "About me", url: "http://shop.test/svc/Me"),
        .init(.functionImport, "Top", url: "http://shop.test/svc/Top"),
        .init(.serviceDocument, "HR", url: "http://hr.test/"),
      ])
  }

  @Test("Atom lists them in the elements of the publishing protocol and of OData 4")
  func atom() async throws {
    let (requests, two) = try await read(
      .v2, .atom,
      """
      <service xmlns="http://www.w3.org/2007/app" xml:base="http://b.test/y/"><workspace>\
      <title xmlns="http://www.w3.org/2005/Atom">Default</title><collection href="Books">\
      <title xmlns="http://www.w3.org/2005/Atom">Books</title></collection></workspace></service>
      """)
    #expect(requests == ["GET /svc/ application/atomsvc+xml,application/xml;q=0.9"])
    #expect(two == [.init(.entitySet, "Books", url: "http://b.test/y/Books")])
    let (_, four) = try await read(
      .v4, .atom,
      """
      <app:service xmlns:app="http://www.w3.org/2007/app" xmlns:a="http://www.w3.org/2005/Atom" \
      xmlns:m="http://docs.oasis-open.org/odata/ns/metadata"><app:workspace><a:title>Data</a:title>\
      <app:collection href="Books" m:name="Books"><a:title>All books</a:title></app:collection>\
      <m:singleton href="Me" m:name="Me"><a:title>Me</a:title></m:singleton>\
      <m:function-import href="Top" m:name="Top"><a:title>Top</a:title></m:function-import>\
      </app:workspace></app:service>
      """)
    #expect(
      four == [
        .init(.entitySet, "Books", title: "All books", url: "http://shop.test/svc/Books"),
        .init(.singleton, "Me", url: "http://shop.test/svc/Me"),
        .init(.functionImport, "Top", url: "http://shop.test/svc/Top"),
      ])
  }

  @Test("anything else is refused", arguments: ["", "<html/>", "{}", "[]", "{\"value\":[{}]}", "hello"])
  func others(_ body: String) async throws {
    let error = await #expect(throws: ODataError.self) { _ = try await read(.v4, .json, body) }
    #expect(error?.code == .malformedPayload)
    #expect(error?.httpStatus == 200)
  }

  @Test(
    "an answer in a later version than was asked for is not read",
    arguments: [
      (Dialect.v2, "DataServiceVersion", "3.0;", "3.0 of OData, and at most 2 was asked for"),
      (.v3, "OData-Version", "4.0", "4.0 of OData, and at most 3 was asked for"),
      (.v4, "OData-Version", "5.0", "5.0 of OData, and at most 4 was asked for"),
      (.v2, "DataServiceVersion", "2.0; some server", nil), (.v3, "DataServiceVersion", "1.0", nil),
      (.v4, "OData-Version", "4.01", nil), (.v4, "OData-Version", "new", nil),
    ] as [(Dialect, String, String, String?)])
  func version(_ dialect: Dialect, _ field: String, _ value: String, _ refusal: String?) async throws {
    let response = HTTPResponse.text(
      200, #"{"value":[]}"#, type: "application/json", headers: [HeaderFields.Name(field): value])
    let service = try ODataService(
      root: "http://shop.test/svc", dialect: dialect, format: .json,
      transport: ScriptedTransport([.respond(response)]))
    let orders = try ObjectContext(service).entitySet("Orders", of: LinkFixture.Order.self)
    do {
      #expect(try await orders.query.execute().isEmpty)
      #expect(refusal == nil)
    } catch let error as ODataError {
      #expect(error.code == .unsupported)
      #expect(error.message.contains(refusal ?? "no refusal"))
    }
  }
}
