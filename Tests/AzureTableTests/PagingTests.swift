import AzureTable
import CurlTransport
import ODataKit
import ODataTestSupport
import Testing

@Suite("Paging")
struct PagingTests {
  private static func page(_ rows: [String], _ headers: HeaderFields = [:]) -> ScriptedTransport.Step {
    let entities = rows.map { #"{"PartitionKey":"p","RowKey":"\#($0)","title":"t"}"# }
    return .respond(
      .text(
        200, #"{"value":[\#(entities.joined(separator: ","))]}"#, type: "application/json", headers: headers))
  }

  @Test("tokens are sent back as they came, the ones that are there only; empty pages do not end it")
  func tokens() async throws {
    let fixture = try TableContextFixture([
      Self.page(["1"], ["x-ms-continuation-NextPartitionKey": "1!8!dGVzdDE-"]),
      Self.page(
        [], ["X-MS-Continuation-nextpartitionkey": "1!4!cA--", "x-ms-continuation-NextRowKey": "1!4!cg--"]),
      Self.page(["2"], ["x-ms-continuation-NextRowKey": ""]),
    ])
    let books = try await fixture.books.query.filter { $0.rate >= 4 }.execute()
    #expect(books.map(\.rowKey) == ["1", "2"])
    #expect(
      fixture.transport.requests.map(\.url.target) == [
        "/devstoreaccount1/Books?$filter=rate%20ge%204",
        "/devstoreaccount1/Books?$filter=rate%20ge%204&NextPartitionKey=1%218%21dGVzdDE-",
        "/devstoreaccount1/Books?$filter=rate%20ge%204&NextPartitionKey=1%214%21cA--&NextRowKey=1%214%21cg--",
      ])
  }

  @Test("a limit counts over all pages and asks for no more than it needs")
  func limit() async throws {
    let next: HeaderFields = ["x-ms-continuation-NextPartitionKey": "a"]
    let fixture = try TableContextFixture([Self.page(["1", "2"], next), Self.page(["3", "4"], next)])
    let books = try await fixture.books.query.limit(3).execute()
    #expect(books.map(\.rowKey) == ["1", "2", "3"])
    #expect(fixture.transport.requests.count == 2)
    #expect(fixture.transport.requests[0].url.query == "$top=3")
    #expect(try fixture.books.query.limit(5000).request().url.query == "$top=1000")
    #expect(try await fixture.books.query.limit(0).execute().isEmpty)
    #expect(fixture.transport.requests.count == 2)
  }

  @Test("a service that leads back to a page it has given ends in an error")
  func loops() async throws {
    let next: HeaderFields = ["x-ms-continuation-NextPartitionKey": "a"]
    let fixture = try TableContextFixture((0..<4).map { Self.page(["\($0)"], next) })
    let error = try await #require(throws: ODataError.self) { _ = try await fixture.books.query.execute() }
    #expect(error.code == .malformedPayload)
    #expect(fixture.transport.requests.count == 2)
  }

  @Test("pages are asked for only when they are needed")
  func lazy() async throws {
    let next: HeaderFields = ["x-ms-continuation-NextPartitionKey": "a"]
    let fixture = try TableContextFixture([Self.page(["1", "2"], next), Self.page(["3"])])
    var books = fixture.books.query.values.stream().makeAsyncIterator()
    #expect(fixture.transport.requests.isEmpty)
    #expect(try await books.next()?.rowKey == "1")
    #expect(try await books.next()?.rowKey == "2")
    #expect(fixture.transport.requests.count == 1)
    #expect(try await books.next()?.rowKey == "3")
    #expect(try await books.next() == nil)
    #expect(fixture.transport.requests.count == 2)
    #expect(fixture.context.entries.isEmpty)
  }

  @Test("a page that was not given can be asked for again")
  func retried() async throws {
    let fixture = try TableContextFixture([
      .fail(ODataError(.timeout, "Too slow.")),
      .respond(
        .text(
          200, #"{"value":[{"PartitionKey":"p","RowKey":"1","title":"t"}]}"#, type: "application/json")),
    ])
    var books = fixture.books.query.stream().makeAsyncIterator()
    await #expect(throws: ODataError.self) { _ = try await books.next() }
    #expect(try await books.next()?.rowKey == "1")
    #expect(try await books.next() == nil)
  }

  @Test("a projection of tracked entities takes the keys along, one of plain values does not")
  func projection() throws {
    let books = try TableContextFixture().books
    let query = books.query.with { $0.select = ["title", "RowKey"] }
    #expect(try query.request().url.query == "$select=title%2CRowKey%2CPartitionKey")
    #expect(try query.values.request().url.query == "$select=title%2CRowKey")
  }

  @Test("asked for again between pages, nothing is lost or read twice")
  func resumes() async throws {
    let next: HeaderFields = ["x-ms-continuation-NextPartitionKey": "a"]
    let fixture = try TableContextFixture([
      Self.page(["1"], next), .respond(.text(503)), .fail(ODataError(.timeout, "Too slow.")),
      Self.page(["2"]),
    ])
    var books = fixture.books.query.values.stream().makeAsyncIterator()
    #expect(try await books.next()?.rowKey == "1")
    for code in [ODataError.Code.service, .timeout] {
      do {
        _ = try await books.next()
        Issue.record("The page was not to be had.")
      } catch { #expect((error as? ODataError)?.code == code) }
    }
    #expect(try await books.next()?.rowKey == "2")
    #expect(try await books.next() == nil)
    #expect(fixture.transport.requests.count == 4)
  }

  @Test(
    "a body that is no payload is told with status, request id and its beginning; of a payload nothing is shown"
  )
  func foreignBody() async throws {
    let html = "<!DOCTYPE html>\n<html><body>Please log in</body></html>"
    let id: HeaderFields = ["x-ms-request-id": "7"]
    let fixture = try TableContextFixture([
      .respond(.text(200, html, type: "text/html", headers: id)),
      .respond(.text(203, "Please log in", type: "application/json")),
      .respond(.text(200, #"{"value":[{"PartitionKey":"private","#, type: "application/json", headers: id)),
    ])
    var told: [String] = []
    for _ in 0..<3 {
      let error = try await #require(throws: ODataError.self) { _ = try await fixture.books.query.execute() }
      #expect(error.code == .malformedPayload)
      told.append(error.description)
    }
    #expect(
      told == [
        "The XML document declares a document type (line 1), as HTML pages do and OData payloads never; it is refused. "
          + "The body begins with: <!DOCTYPE html> <html><body>Please log in</body></html> (HTTP 200, request 7)",
        "The JSON payload cannot be read at byte 0: “P” does not belong there. The body begins with: Please log in "
          + "(HTTP 203)",
        "The JSON payload cannot be read at byte 36: it ends too early. (HTTP 200, request 7)",
      ])
  }

  @Test("of an error whose body breaks off, what came is told")
  func brokenError() async throws {
    let chunks = Chunks(["Service ", "busy"])
    let fixture = try TableContextFixture([
      .respond(HTTPResponse(status: 503, body: HTTPResponseBody { try chunks.next() }))
    ])
    let error = try await #require(throws: ODataError.self) { _ = try await fixture.books.query.execute() }
    #expect(
      error.description
        == "The service answered with status 503 and a body that is no OData error; it begins with: Service busy "
        + "(HTTP 503)")
  }

  @Test("a lone object is no page", arguments: [#"{"value":null}"#, #"{"a":1}"#, "{}"])
  func loneObject(body: String) async throws {
    let fixture = try TableContextFixture([.respond(.text(200, body, type: "application/json"))])
    struct Loose: Codable { var title: String? }
    let client = try fixture.service.table("Books")
    var rows = client.query(Loose.self).stream().makeAsyncIterator()
    do {
      let row = try await rows.next()
      Issue.record("read a row, or an end, instead of failing: \(String(describing: row))")
    } catch {
      #expect((error as? ODataError)?.code == .malformedPayload)
    }
  }

  @Test("a page that breaks off is an error, not a shorter list")
  func truncated() async throws {
    let fixture = try TableContextFixture([
      .respond(
        .text(200, #"{"value":[{"PartitionKey":"p","RowKey":"1","title":"t"},"#, type: "application/json"))
    ])
    let error = try await #require(throws: ODataError.self) { _ = try await fixture.books.query.execute() }
    #expect(error.code == .malformedPayload)
  }
}

/// A body that ends in a broken connection.
private final class Chunks: Sendable {
  private let rest: Locked<[String]>

  init(_ chunks: [String]) { rest = Locked(chunks) }

  func next() throws -> [UInt8]? {
    let chunk = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let chunk else { throw ODataError(.transport, "The connection broke.") }
    return Array(chunk.utf8)
  }
}
