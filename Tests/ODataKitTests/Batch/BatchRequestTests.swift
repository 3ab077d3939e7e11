import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Queries and change sets in one batch")
struct BatchRequestTests {
  private func makeService(
    _ dialect: Dialect, _ steps: [ScriptedTransport.Step], format: PayloadFormat = .json,
    batchFormat: BatchFormat = .multipart, targets: BatchTargetForm = .absolute
  ) throws -> (ScriptedTransport, ODataService, ValueQuery<ServiceBook>) {
    let transport = ScriptedTransport(steps)
    var service = try ODataService(
      root: "http://books.test/svc", dialect: dialect, format: format, transport: transport)
    service.batchFormat = batchFormat
    service.retryPolicy = .none
    service.batchTargets = targets
    return (transport, service, ValueQuery(service, set: "Books"))
  }

  private static let value = "a&b+c#d/e?f%g h"
  private static let encoded = "Title%20eq%20%27a%26b%2Bc%23d%2Fe%3Ff%25g%20h%27"

  /// One query of each kind, and a change set between them.
  private func makeBatch(_ books: ValueQuery<ServiceBook>, continuesOnError: Bool = false) throws -> Batch {
    var batch = BatchRequest(continuesOnError: continuesOnError)
    let page = try batch.add(books.filter { $0.title == Self.value })
    let changes = batch.addChangeSet([
      ChangeOperation(.insert, at: .set("Books"), record: EntityRecord(["ID": .int32(1)])),
      ChangeOperation(.merge, at: .created(set: "Books", by: 0), record: EntityRecord(["Rate": .int32(5)])),
    ])
    let entity = try batch.add(EntityKey(.int32(7)), of: books)
    let count = try batch.addCount(of: books.filter { $0.rate >= 4 })
    return Batch(request: batch, page: page, changes: changes, entity: entity, count: count)
  }

  private struct Batch {
    let request: BatchRequest
    let page: BatchQuery<ServiceBook>
    let changes: BatchChangeSet
    let entity: BatchEntity<ServiceBook>
    let count: BatchCount
  }

  @Test(
    "G02 · the request line of a query in a batch is encoded as that of the query alone",
    arguments: [
      (.absolute, "http://books.test/svc/"), (.absolutePath, "/svc/"), (.relative, ""),
    ] as [(BatchTargetForm, String)])
  func requestLines(form: BatchTargetForm, prefix: String) async throws {
    let (transport, service, books) = try makeService(.v4, [], targets: form)
    let batch = try makeBatch(books)
    _ = try await service.execute(batch.request)
    let lines = transport.requests[0].batchLines
    #expect(
      lines.filter { $0.hasSuffix(" HTTP/1.1") }
        == [
          "GET \(prefix)Books?$filter=\(Self.encoded) HTTP/1.1", "POST \(prefix)Books HTTP/1.1",
          "PATCH $1 HTTP/1.1", "GET \(prefix)Books(7) HTTP/1.1",
          "GET \(prefix)Books/$count?$filter=Rate%20ge%204 HTTP/1.1",
        ].map { $0.replacing("$1", with: "$2") })
    let alone = try books.filter { $0.title == Self.value }.request()
    #expect(alone.url.target == "/svc/Books?$filter=\(Self.encoded)")
    // An absolute path says nothing of the host.
    #expect(lines.count { $0 == "Host: books.test" } == (form == .absolutePath ? 4 : 0))
  }

  @Test("a multipart on the wire: queries stand outside of change sets, numbers go through")
  func multipart() async throws {
    let (transport, service, books) = try makeService(.v4, [])
    _ = try await service.execute(try makeBatch(books, continuesOnError: true).request)
    let request = transport.requests[0]
    #expect(request.url.target == "/svc/$batch")
    #expect(request.headers[.prefer] == "odata.continue-on-error")
    #expect(request.headers[.accept] == "multipart/mixed")
    #expect(
      Array(request.batchLines.prefix(34)) == [
        "--B", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
        "GET http://books.test/svc/Books?$filter=\(Self.encoded) HTTP/1.1",
        "Accept: application/json;odata.metadata=minimal", "", "",
        "--B", "Content-Type: multipart/mixed; boundary=C", "",
        "--C", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: 2", "",
        "POST http://books.test/svc/Books HTTP/1.1", "Accept: application/json;odata.metadata=minimal",
        "Content-Type: application/json", "Content-Length: 8", "", #"{"ID":1}"#,
        "--C", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: 3", "",
        "PATCH $2 HTTP/1.1", "Accept: application/json;odata.metadata=minimal",
        "Content-Type: application/json", "Content-Length: 10", "", #"{"Rate":5}"#, "--C--",
      ])
  }

  @Test(
    "as JSON: every item behind the one in front of it, unless errors are passed over",
    arguments: [false, true])
  func json(continuesOnError: Bool) async throws {
    let (transport, service, books) = try makeService(.v4, [], batchFormat: .json)
    _ = try await service.execute(try makeBatch(books, continuesOnError: continuesOnError).request)
    func depends(_ ids: String...) -> String {
      let ids = ids.filter { !continuesOnError || $0 == "2" }
      return ids.isEmpty ? "" : #""dependsOn":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))],"#
    }
    let get = #""headers":{"accept":"application/json;odata.metadata=minimal"}"#
    let post =
      #""headers":{"accept":"application/json;odata.metadata=minimal","content-type":"application/json"}"#
    #expect(
      transport.requests[0].bodyText
        == #"{"requests":[{"id":"1","method":"GET","url":"/svc/Books?$filter=\#(Self.encoded)",\#(get)},"#
        + #"{"id":"2","atomicityGroup":"g2",\#(depends("1"))"method":"POST","url":"/svc/Books",\#(post),"body":{"ID":1}},"#
        + #"{"id":"3","atomicityGroup":"g2",\#(depends("1", "2"))"method":"PATCH","url":"$2",\#(post),"body":{"Rate":5}},"#
        + #"{"id":"4",\#(depends("g2"))"method":"GET","url":"/svc/Books(7)",\#(get)},"#
        + #"{"id":"5",\#(depends("4"))"method":"GET","url":"/svc/Books/$count?$filter=Rate%20ge%204",\#(get)}]}"#
    )
  }

  private static let pageBody =
    #"{"@odata.count":9,"value":[{"ID":1,"Title":"坊っちゃん","Rate":4}],"@odata.nextLink":"Books?$skiptoken=1"}"#
  private static let json = "Content-Type: application/json\r\n\r\n"

  @Test("each query gives its own answer, each change set its outcomes", arguments: BatchFormat.allCases)
  func answers(format: BatchFormat) async throws {
    let answer =
      format == .multipart
      ? HTTPResponse.multipart([
        ["alone HTTP/1.1 200 OK\r\n\(Self.json)\(Self.pageBody)"],
        [
          "HTTP/1.1 201 Created\r\n\(Self.json){\"ID\":1,\"Title\":\"t\"}",
          "HTTP/1.1 204 No Content\r\nETag: W/\"2\"\r\n\r\n",
        ],
        ["alone HTTP/1.1 404 Not Found\r\n\(Self.json){\"error\":{\"code\":\"x\",\"message\":\"none\"}}"],
        ["alone HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n\u{FEFF}12"],
      ])
      : .json(
        #"{"responses":[{"id":"5","status":200,"headers":{"content-type":"text/plain"},"body":"12"},"#
          + #"{"id":"4","status":404,"body":{"error":{"code":"x","message":"none"}}},"#
          + #"{"id":"3","status":204,"headers":{"etag":"W/\"2\""}},{"id":"2","status":201,"body":{"ID":1,"Title":"t"}},"#
          + #"{"id":"1","status":200,"body":\#(Self.pageBody)}]}"#)
    let (_, service, books) = try makeService(.v4, [.respond(answer)], batchFormat: format)
    let batch = try makeBatch(books)
    let result = try await service.execute(batch.request)
    let page = try result.page(batch.page)
    #expect(page.entities == [ServiceBook(id: 1, title: "坊っちゃん", rate: 4)])
    #expect(page.totalCount == 9 && page.nextLink == "Books?$skiptoken=1")
    #expect(result.outcomes(batch.changes).map(\.word) == ["done", "done"])
    #expect(result.outcomes(batch.changes)[1].entityTag?.rawValue == "W/\"2\"")
    #expect(try result.entity(batch.entity) == nil)
    #expect(try result.count(batch.count) == 12)
    #expect(result.firstFailure?.code == .notFound)
  }

  @Test("a query that failed throws its own error and no other", arguments: BatchFormat.allCases)
  func failures(format: BatchFormat) async throws {
    let answer =
      format == .multipart
      ? HTTPResponse.multipart([
        ["alone HTTP/1.1 400 Bad\r\n\(Self.json){\"error\":{\"code\":\"c\",\"message\":\"3:no\"}}"]
      ])
      : .json(
        #"{"responses":[{"id":"1","status":400,"body":{"error":{"code":"c","message":"3:no"}}},"#
          + #"{"id":"2","atomicityGroup":"g2","status":424},{"id":"3","atomicityGroup":"g2","status":424},{"id":"4","status":424},"#
          + #"{"id":"5","status":424}]}"#)
    let (_, service, books) = try makeService(.v4, [.respond(answer)], batchFormat: format)
    let batch = try makeBatch(books)
    let result = try await service.execute(batch.request)
    let error = try #require(throws: ODataError.self) { _ = try result.page(batch.page) }
    #expect(error.httpStatus == 400 && error.serviceCode == "c" && error.failedOperation == nil)
    #expect(error.message == "3:no")
    // OData 4 ends a batch at the first failure, so what follows was not tried.
    #expect(result.outcomes(batch.changes).map(\.word) == ["notTried", "notTried"])
    #expect(throws: ODataError.self) { _ = try result.count(batch.count) }
  }

  @Test("a refused insert in JSON fails its change set, in any order, and what is said to be done is open")
  func refusedGroup() async throws {
    for (answer, word) in [
      (
        #"{"responses":[{"id":"3","status":204},{"id":"2","status":409},{"id":"1","status":200,"body":{"value":[]}}]}"#,
        "unknown"
      ),
      (#"{"responses":[{"id":"3","status":424},{"id":"2","status":409}]}"#, "rolledBack"),
      (#"{"responses":[{"id":"2","status":409}]}"#, "rolledBack"),
    ] {
      let (_, service, books) = try makeService(.v4, [.respond(.json(answer))], batchFormat: .json)
      let batch = try makeBatch(books)
      let result = try await service.execute(batch.request)
      #expect(result.outcomes(batch.changes).map(\.word) == ["failed", word])
      #expect(result.outcomes(batch.changes)[0].error?.failedOperation == 0)
    }
  }

  @Test("what an answer does not tell is unknown, in JSON whichever it is", arguments: BatchFormat.allCases)
  func missing(format: BatchFormat) async throws {
    let answer =
      format == .multipart
      ? HTTPResponse.multipart([
        ["alone HTTP/1.1 200 OK\r\n\(Self.json){\"value\":[]}"], ["HTTP/1.1 204 No Content\r\n\r\n"],
      ]) : .json(#"{"responses":[{"id":"3","status":204},{"id":"1","status":200,"body":{"value":[]}}]}"#)
    let (_, service, books) = try makeService(.v4, [.respond(answer)], batchFormat: format)
    let batch = try makeBatch(books)
    let result = try await service.execute(batch.request)
    #expect(try result.page(batch.page).entities.isEmpty)
    #expect(
      result.outcomes(batch.changes).map(\.word)
        == (format == .multipart ? ["done", "unknown"] : ["unknown", "done"]))
    expectError(.malformedPayload) { _ = try result.entity(batch.entity) }
  }

  @Test(
    "an answer that breaks off leaves open what it does not tell, at every length",
    arguments: BatchFormat.allCases)
  func cutShort(format: BatchFormat) async throws {
    let whole =
      format == .multipart
      ? HTTPResponse.multipart([
        ["alone HTTP/1.1 200 OK\r\n\(Self.json){\"value\":[]}"],
        ["HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n"],
      ])
      : .json(
        #"{"responses":[{"id":"1","status":200,"body":{"value":[]}},{"id":"2","status":204},{"id":"3","status":204}]}"#
      )
    let body = try await whole.body.collect(upTo: 1 << 16)
    for length in stride(from: 0, through: body.count, by: 3) {
      let (_, service, books) = try makeService(
        .v4,
        [
          .respond(
            HTTPResponse(status: 200, headers: whole.headers, body: HTTPResponseBody(Array(body[..<length]))))
        ],
        batchFormat: format)
      let batch = try makeBatch(books)
      let result = try await service.execute(batch.request)
      let words = result.outcomes(batch.changes).map(\.word)
      #expect(Set(words).isSubset(of: ["done", "unknown"]) && words.sorted() == words)
      if length < body.count / 2 { #expect(words == ["unknown", "unknown"]) }
      let isRead = (try? result.page(batch.page)) != nil
      #expect(isRead || words == ["unknown", "unknown"])
    }
  }

  @Test("an older service goes on behind a failure, and what it leaves out is unknown")
  func olderServices() async throws {
    let (_, service, books) = try makeService(
      .v3, [.respond(.multipart([["alone HTTP/1.1 400 Bad\r\n\r\n"]], status: 202))])
    let batch = try makeBatch(books)
    let result = try await service.execute(batch.request)
    #expect(result.outcomes(batch.changes).map(\.word) == ["unknown", "unknown"])
  }

  @Test("where the whole batch fails each item says so, writes as unknown if they may have been done")
  func wholeBatch() async throws {
    for (step, word) in [
      (.respond(.text(503)), "failed"), (.fail(ODataError(.timeout, "late")), "unknown"),
      (.respond(.text(200, "<html>hello</html>", type: "text/html")), "unknown"),
    ] as [(ScriptedTransport.Step, String)] {
      let (_, service, books) = try makeService(.v4, [step])
      let batch = try makeBatch(books)
      let result = try await service.execute(batch.request)
      #expect(result.outcomes(batch.changes).map(\.word) == [word, word])
      #expect(throws: ODataError.self) { _ = try result.page(batch.page) }
    }
  }

  @Test("what cannot be sent is refused before anything is")
  func refused() async throws {
    let (transport, service, books) = try makeService(.v3, [], batchFormat: .json)
    await expectRefusal(.unsupported) { _ = try await service.execute(try makeBatch(books).request) }
    let (_, other, _) = try makeService(.v4, [])
    let foreign = ValueQuery<ServiceBook>(
      try ODataService(root: "http://else.test/svc", dialect: .v4, transport: transport), set: "Books")
    await expectRefusal(.invalidArgument) { _ = try await other.execute(try makeBatch(foreign).request) }
    await expectRefusal(.invalidArgument) { _ = try await other.execute(BatchRequest()) }
    for index in [-1, 0, 1, 2] {
      var batch = BatchRequest()
      _ = batch.addChangeSet([
        ChangeOperation(.delete, at: .key(set: "Books", EntityKey(.int32(1)))),
        ChangeOperation(.delete, at: .created(set: "Books", by: index)),
      ])
      await expectRefusal(.invalidArgument) { _ = try await other.execute(batch) }
    }
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "a query of a service whose root only begins alike is one of another service",
    arguments: [
      "http://books.test/svc2", "http://books.test", "https://books.test/svc", "http://books.test:81/svc",
    ])
  func foreignQuery(root: String) async throws {
    let (transport, service, _) = try makeService(.v4, [])
    let other = ValueQuery<ServiceBook>(
      try ODataService(root: root, dialect: .v4, transport: transport), set: "Books")
    await expectRefusal(.invalidArgument) { _ = try await service.execute(try makeBatch(other).request) }
    #expect(transport.requests.isEmpty)
  }

  @Test("roots with and without a slash at the end are the same", arguments: ["/svc", "/svc/"])
  func ownQuery(path: String) async throws {
    let answer = HTTPResponse.multipart([["alone HTTP/1.1 200 OK\r\n\(Self.json){\"ID\":7,\"Title\":\"t\"}"]])
    let (transport, service, _) = try makeService(.v4, [.respond(answer)])
    let books = ValueQuery<ServiceBook>(
      try ODataService(root: "http://books.test\(path)", dialect: .v4, transport: transport), set: "Books")
    var batch = BatchRequest()
    let place = try batch.add(EntityKey(.int32(7)), of: books)
    let request = batch
    #expect(try await service.execute(request).entity(place)?.title == "t")
  }

  @Test("a query whose answer has a Content-Length that is too large is read")
  func staleLength() async throws {
    let body = #"{"ID":7,"Title":"t"}"#
    let answer = HTTPResponse.multipart([
      ["alone HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count + 7)\r\n\(Self.json)\(body)"]
    ])
    let (_, service, books) = try makeService(.v4, [.respond(answer)])
    var batch = BatchRequest()
    let place = try batch.add(EntityKey(.int32(7)), of: books)
    let request = batch
    #expect(try await service.execute(request).entity(place)?.title == "t")
  }

  private func expectRefusal(_ code: ODataError.Code, _ body: () async throws -> Void) async {
    let error = await #expect(throws: ODataError.self) { try await body() }
    #expect(error?.code == code)
  }
}
