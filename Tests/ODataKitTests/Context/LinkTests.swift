import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Links between entities")
struct LinkTests {
  private typealias Order = LinkFixture.Order
  private typealias Line = LinkFixture.Line

  // MARK: On the wire

  @Test("OData 4 in JSON: $ref with the id of the other end")
  func versionFour() async throws {
    let fixture = try LinkFixture(.v4, (0..<4).map { _ in .respond(.noContent()) })
    let (order, line) = (try fixture.order(1), try fixture.line(7))
    try fixture.context.addLink(order, "Lines", to: line)
    try fixture.context.setLink(line, "Order", to: order)
    try await fixture.context.saveChanges()
    try fixture.context.deleteLink(order, "Lines", to: line)
    try fixture.context.setLink(line, "Order", to: nil)
    try await fixture.context.saveChanges()
    #expect(
      fixture.requests == [
        #"POST /svc/Orders(1)/Lines/$ref {"@odata.id":"http://shop.test/svc/Lines(7)"}"#,
        #"PUT /svc/Lines(7)/Order/$ref {"@odata.id":"http://shop.test/svc/Orders(1)"}"#,
        "DELETE /svc/Orders(1)/Lines/$ref?$id=http%3A%2F%2Fshop.test%2Fsvc%2FLines%287%29",
        "DELETE /svc/Lines(7)/Order/$ref",
      ])
    #expect(
      fixture.transport.requests[0].wireText == """
        POST /svc/Orders(1)/Lines/$ref
        Accept: application/json;odata.metadata=minimal
        OData-Version: 4.0
        OData-MaxVersion: 4.0
        Content-Type: application/json

        {"@odata.id":"http://shop.test/svc/Lines(7)"}
        """)
    #expect(!fixture.context.hasChanges)
  }

  @Test(
    "the body that names the other end",
    arguments: [
      (
        .v2, .atom, "application/xml",
        #"<?xml version="1.0" encoding="utf-8"?><uri xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">"#
          + "http://shop.test/svc/Lines(7)</uri>"
      ),
      (
        .v3, .atom, "application/xml",
        #"<?xml version="1.0" encoding="utf-8"?><uri xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">"#
          + "http://shop.test/svc/Lines(7)</uri>"
      ),
      (.v3, .json, "application/json", #"{"url":"http://shop.test/svc/Lines(7)"}"#),
      (
        .v4, .atom, "application/xml",
        #"<?xml version="1.0" encoding="utf-8"?><metadata:ref xmlns:metadata="http://docs.oasis-open.org/odata/ns/metadata" "#
          + #"id="http://shop.test/svc/Lines(7)"/>"#
      ),
    ] as [(Dialect, PayloadFormat, String, String)])
  func bodies(dialect: Dialect, format: PayloadFormat, type: String, body: String) async throws {
    let fixture = try LinkFixture(dialect, (0..<4).map { _ in .respond(.noContent()) }, format: format)
    let (order, line) = (try fixture.order(1), try fixture.line(7))
    try fixture.context.addLink(order, "Lines", to: line)
    try fixture.context.setLink(line, "Order", to: order)
    try await fixture.context.saveChanges()
    try fixture.context.deleteLink(order, "Lines", to: line)
    try fixture.context.setLink(line, "Order", to: nil)
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests[0].bodyText == body)
    #expect(fixture.transport.requests[0].headers[.contentType] == type)
    #expect(fixture.transport.requests[2].headers[.contentType] == nil)
    let lines = fixture.transport.requests.map { "\($0.method) \($0.url.target)" }
    #expect(
      lines
        == (dialect == .v4
          ? [
            "POST /svc/Orders(1)/Lines/$ref", "PUT /svc/Lines(7)/Order/$ref",
            "DELETE /svc/Orders(1)/Lines/$ref?$id=http%3A%2F%2Fshop.test%2Fsvc%2FLines%287%29",
            "DELETE /svc/Lines(7)/Order/$ref",
          ]
          : [
            "POST /svc/Orders(1)/$links/Lines", "PUT /svc/Lines(7)/$links/Order",
            "DELETE /svc/Orders(1)/$links/Lines(7)", "DELETE /svc/Lines(7)/$links/Order",
          ]))
  }

  @Test("keys with quotes and letters beyond ASCII are encoded once in a body and twice in $id")
  func keys() throws {
    let service = try ODataService(root: "http://shop.test/svc", dialect: .v4, transport: ScriptedTransport())
    let builder = RequestBuilder(service, format: .json)
    let link = EntityLink("Lines", to: .key(set: "Lines", EntityKey(.string("O'é"))))
    let source = EntityAddress.key(set: "Orders", EntityKey(.int32(1)))
    #expect(
      String(
        decoding: try builder.prepare(ChangeOperation(.addLink, from: source, link)).part.body, as: UTF8.self)
        == #"{"@odata.id":"http://shop.test/svc/Lines('O%27%27%C3%A9')"}"#)
    #expect(
      try builder.prepare(ChangeOperation(.deleteLink, from: source, link)).part.url
        == "http://shop.test/svc/Orders(1)/Lines/$ref?$id=http%3A%2F%2Fshop.test%2Fsvc%2FLines%28%27O%2527%2527%25C3%25A9%27%29"
    )
  }

  @Test("an entity without a key of its own is linked by its edit link, and its key is taken from there")
  func editLinks() throws {
    let service = try ODataService(root: "http://shop.test/svc", dialect: .v3, transport: ScriptedTransport())
    let builder = RequestBuilder(service, format: .json)
    let link = EntityLink("Lines", to: .link(set: "Lines", "Lines('a%2Fb(c')"))
    let source = EntityAddress.link(set: "Orders", "http://shop.test/svc/Orders(1)")
    #expect(
      try builder.prepare(ChangeOperation(.deleteLink, from: source, link)).part.url
        == "http://shop.test/svc/Orders(1)/$links/Lines('a%2Fb(c')")
    let keyless = EntityLink("Lines", to: .link(set: "Lines", "Lines/7"))
    expectError(.invalidState) {
      _ = try builder.prepare(ChangeOperation(.deleteLink, from: source, keyless))
    }
  }

  // MARK: New entities

  private static let created =
    #"{"ID":5,"Customer":"c","@odata.etag":"W/\"1\""}"#

  @Test("G14 · order, line and link in one change set: creators first, $1 in front, $2 as the sole id")
  func changeSet() async throws {
    let fixture = try LinkFixture(
      .v4,
      [
        .respond(
          .multipart([
            [
              "HTTP/1.1 201 Created\r\nContent-ID: 1\r\nContent-Type: application/json\r\n\r\n{\"ID\":5,\"Customer\":\"c\"}",
              "HTTP/1.1 201 Created\r\nContent-ID: 2\r\nContent-Type: application/json\r\n\r\n{\"ID\":9,\"Text\":\"t\"}",
              "HTTP/1.1 204 No Content\r\nContent-ID: 3\r\n\r\n",
            ]
          ]))
      ])
    let order = try fixture.orders.add(Order(id: 0, customer: "c"))
    let line = try fixture.lines.add(Line(id: 0, text: "t"))
    try fixture.context.addLink(order, "Lines", to: line)
    let result = try await fixture.context.saveChanges(.batch)
    let request = fixture.transport.requests[0]
    #expect(
      request.batchLines == [
        "--B", "Content-Type: multipart/mixed; boundary=C", "",
        "--C", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: 1", "",
        "POST http://shop.test/svc/Orders HTTP/1.1", "Accept: application/json;odata.metadata=minimal",
        "Content-Type: application/json", "Content-Length: 23", "", #"{"ID":0,"Customer":"c"}"#,
        "--C", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: 2", "",
        "POST http://shop.test/svc/Lines HTTP/1.1", "Accept: application/json;odata.metadata=minimal",
        "Content-Type: application/json", "Content-Length: 19", "", #"{"ID":0,"Text":"t"}"#,
        "--C", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: 3", "",
        "POST $1/Lines/$ref HTTP/1.1", "Accept: application/json;odata.metadata=minimal",
        "Content-Type: application/json", "Content-Length: 18", "", #"{"@odata.id":"$2"}"#,
        "--C--", "--B--", "",
      ])
    #expect(!request.bodyText.contains("/$1"))
    #expect(result.outcomes.map(\.word) == ["done", "done", "done"])
    #expect(result.outcomes[2].operation.kind == .addLink)
    #expect(result.entries[2].id == order.entryID)
    #expect(order.id == 5 && line.id == 9)
    #expect(!fixture.context.hasChanges)
  }

  @Test("G14 · the same in Atom of OData 3, with $links")
  func changeSetInAtom() async throws {
    let fixture = try LinkFixture(.v3)
    let order = try fixture.orders.add(Order(id: 1, customer: "c"))
    let line = try fixture.line(7)
    try fixture.context.addLink(order, "Lines", to: line)
    try fixture.context.setLink(line, "Order", to: order)
    _ = try? await fixture.context.saveChanges(.batch)
    let lines = fixture.transport.requests[0].batchLines
    #expect(lines.contains("POST $1/$links/Lines HTTP/1.1"))
    #expect(lines.contains("PUT http://shop.test/svc/Lines(7)/$links/Order HTTP/1.1"))
    #expect(lines.contains { $0.hasSuffix(#"dataservices">$1</uri>"#) })
    #expect(lines.contains { $0.hasSuffix(#"dataservices">http://shop.test/svc/Lines(7)</uri>"#) })
  }

  @Test("G14 · the same as a JSON batch, with what each operation depends on")
  func jsonBatch() async throws {
    let fixture = try LinkFixture(
      .v4,
      [
        .respond(
          .json(
            #"{"responses":[{"id":"3","atomicityGroup":"g1","status":204},"#
              + #"{"id":"2","atomicityGroup":"g1","status":201,"body":{"ID":9,"Text":"t"}},"#
              + #"{"id":"1","atomicityGroup":"g1","status":201,"headers":{"etag":"W/\"1\""},"body":{"ID":5,"Customer":"c"}}]}"#
          ))
      ], batchFormat: .json)
    let order = try fixture.orders.add(Order(id: 0, customer: "c"))
    let line = try fixture.lines.add(Line(id: 0, text: "t"))
    try fixture.context.addLink(order, "Lines", to: line)
    try await fixture.context.saveChanges(.batch)
    let request = fixture.transport.requests[0]
    let headers =
      #""headers":{"accept":"application/json;odata.metadata=minimal","content-type":"application/json"}"#
    #expect(
      request.bodyText
        == #"{"requests":[{"id":"1","atomicityGroup":"g1","method":"POST","url":"/svc/Orders",\#(headers),"body":{"ID":0,"Customer":"c"}},"#
        + #"{"id":"2","atomicityGroup":"g1","method":"POST","url":"/svc/Lines",\#(headers),"body":{"ID":0,"Text":"t"}},"#
        + #"{"id":"3","atomicityGroup":"g1","dependsOn":["1","2"],"method":"POST","url":"$1/Lines/$ref",\#(headers),"#
        + #""body":{"@odata.id":"$2"}}]}"#)
    #expect(request.headers[.contentType] == "application/json")
    #expect(order.id == 5 && line.id == 9 && order.entityTag?.rawValue == "W/\"1\"")
    #expect(!fixture.context.hasChanges)
  }

  @Test("one by one, the address that the service gave is used")
  func oneByOne() async throws {
    let fixture = try LinkFixture(
      .v4,
      [
        .respond(.json(#"{"ID":5,"Customer":"c"}"#, status: 201)),
        .respond(.json(#"{"ID":9,"Text":"t"}"#, status: 201)),
        .respond(.noContent()),
      ])
    let order = try fixture.orders.add(Order(id: 0, customer: "c"))
    let line = try fixture.lines.add(Line(id: 0, text: "t"))
    try fixture.context.addLink(order, "Lines", to: line)
    try await fixture.context.saveChanges()
    #expect(
      fixture.requests[2] == #"POST /svc/Orders(5)/Lines/$ref {"@odata.id":"http://shop.test/svc/Lines(9)"}"#)
  }

  @Test("a related entity is inserted into its parent's property", arguments: [false, true])
  func related(inBatch: Bool) async throws {
    let fixture = try LinkFixture(
      .v4,
      inBatch
        ? []
        : [
          .respond(.json(#"{"ID":5,"Customer":"c"}"#, status: 201)),
          .respond(.json(#"{"ID":9,"Text":"t"}"#, status: 201)), .respond(.noContent()),
        ])
    let order = try fixture.orders.add(Order(id: 0, customer: "c"))
    let line = try fixture.context.addRelated(order, "Lines", Line(id: 0, text: "t"), in: fixture.lines)
    if inBatch {
      _ = try? await fixture.context.saveChanges(.batch)
      let lines = fixture.transport.requests[0].batchLines
      #expect(
        lines.filter { $0.hasPrefix("POST") } == [
          "POST http://shop.test/svc/Orders HTTP/1.1", "POST $1/Lines HTTP/1.1",
        ])
      #expect(order.entityState == .added && line.entityState == .added)
      return
    }
    try await fixture.context.saveChanges()
    line.text = "u"
    try await fixture.context.saveChanges()
    #expect(
      fixture.requests == [
        #"POST /svc/Orders {"ID":0,"Customer":"c"}"#, #"POST /svc/Orders(5)/Lines {"ID":0,"Text":"t"}"#,
        #"PATCH /svc/Lines(9) {"Text":"u"}"#,
      ])
  }

  @Test("a plan shows references within a step, and tells those to an earlier one")
  func plan() throws {
    let fixture = try LinkFixture(.v4)
    let order = try fixture.orders.add(Order(id: 0, customer: "c"))
    try fixture.context.addLink(order, "Lines", to: try fixture.line(7))
    let batch = try fixture.context.plan(.batch).steps
    #expect(batch.map { $0.operations.map(\.kind) } == [[.insert, .addLink]])
    #expect(batch[0].operations[1].address == .created(set: "Orders", by: 0))
    let single = try fixture.context.plan().steps
    #expect(single.map { $0.operations.map(\.address) }[1] == [.created(set: "Orders", by: -1)])
  }
}
