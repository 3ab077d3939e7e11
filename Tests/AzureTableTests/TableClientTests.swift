import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("A table without tracking")
struct TableClientTests {
  private func makeClient(_ steps: [ScriptedTransport.Step]) throws -> (ScriptedTransport, TableClient) {
    let fixture = try TableContextFixture(steps)
    return (fixture.transport, try fixture.service.table("Books"))
  }

  private func lines(_ transport: ScriptedTransport) -> [String] {
    transport.requests.map { request in
      let path = request.url.target.dropFirst("/devstoreaccount1/".count)
      return "\(request.method) \(path) \(request.headers[.ifMatch] ?? "-") \(request.bodyText)"
    }
  }

  @Test("each write has its verb, its condition and its body")
  func writes() async throws {
    let (transport, books) = try makeClient((0..<6).map { .respond(.noContent(tag: "W/\"\($0)\"")) })
    let book = ShelfBook("p", "O'Neil", title: "t", rate: 4)
    #expect(try await books.insert(book)?.rawValue == "W/\"0\"")
    #expect(try await books.merge(book)?.rawValue == "W/\"1\"")
    #expect(try await books.replace(book, ifMatch: EntityTag(rawValue: "W/\"1\""))?.rawValue == "W/\"2\"")
    try await books.insertOrMerge(book)
    try await books.insertOrReplace(book)
    try await books.delete(partitionKey: "p", rowKey: "O'Neil")
    let body = #"{"PartitionKey":"p","RowKey":"O'Neil","title":"t","rate":4}"#
    let key = "Books(PartitionKey='p',RowKey='O%27%27Neil')"
    #expect(
      lines(transport) == [
        "POST Books - \(body)", "MERGE \(key) * \(body)", "PUT \(key) W/\"1\" \(body)",
        "MERGE \(key) - \(body)",
        "PUT \(key) - \(body)", "DELETE \(key) * ",
      ])
    #expect(transport.requests[0].headers[.prefer] == "return-no-content")
  }

  @Test("a point read gives entity and tag, or nil; a missing table is an error")
  func get() async throws {
    let (transport, books) = try makeClient([
      .respond(
        .text(
          200, #"{"odata.etag":"W/\"7\"","PartitionKey":"p","RowKey":"r","title":"t"}"#,
          type: "application/json")),
      .respond(.tableError(404, "ResourceNotFound", "The specified resource does not exist.")),
      .respond(.tableError(404, "TableNotFound", "The table specified does not exist.")),
    ])
    let found = try await books.get(ShelfBook.self, partitionKey: "p", rowKey: "r")
    #expect(found?.entity == ShelfBook("p", "r", title: "t"))
    #expect(found?.entityTag?.rawValue == "W/\"7\"")
    #expect(try await books.get(ShelfBook.self, partitionKey: "p", rowKey: "r") == nil)
    let error = try await #require(throws: ODataError.self) {
      _ = try await books.get(ShelfBook.self, partitionKey: "", rowKey: "")
    }
    #expect(error.serviceCode == "TableNotFound")
    #expect(transport.requests[2].url.target == "/devstoreaccount1/Books(PartitionKey='',RowKey='')")
  }

  @Test("tables are created, listed by prefix and deleted")
  func tables() async throws {
    let fixture = try TableContextFixture([
      .respond(.noContent()),
      .respond(.tableError(409, "TableAlreadyExists", "The table specified already exists.")),
      .respond(
        .text(200, #"{"value":[{"TableName":"Books"},{"TableName":"Boxes"}]}"#, type: "application/json")),
      .respond(.noContent()),
      .respond(.tableError(404, "ResourceNotFound", "The specified resource does not exist.")),
    ])
    #expect(try await fixture.service.createTableIfNotExists("Books"))
    #expect(try await !fixture.service.createTableIfNotExists("Books"))
    #expect(try await fixture.service.tableNames(prefix: "Bo") == ["Books", "Boxes"])
    try await fixture.service.deleteTable("Books")
    let error = try await #require(throws: ODataError.self) { try await fixture.service.deleteTable("Books") }
    #expect(error.code == .notFound)
    #expect(
      lines(fixture.transport) == [
        #"POST Tables - {"TableName":"Books"}"#, #"POST Tables - {"TableName":"Books"}"#,
        "GET Tables?$filter=TableName%20ge%20%27Bo%27%20and%20TableName%20lt%20%27Bp%27 - ",
        "DELETE Tables('Books') - ",
        "DELETE Tables('Books') - ",
      ])
  }

  @Test("a transaction is one change set, sent as often as one likes")
  func transaction() async throws {
    let (transport, books) = try makeClient([.respond(.doneChangeSet(2)), .respond(.doneChangeSet(2))])
    var transaction = TableTransaction()
    transaction.insertOrReplace(ShelfBook("p", "1", title: "a"))
    transaction.delete(partitionKey: "p", rowKey: "2")
    #expect(try await books.submit(transaction).map(\.?.rawValue) == ["W/\"b0\"", "W/\"b1\""])
    try await books.submit(transaction)
    #expect(transport.requests.count == 2)
    #expect(transport.requests.allSatisfy { $0.bodyText.contains("PUT ") && $0.bodyText.contains("DELETE ") })
  }

  @Test("a refused transaction names the operation")
  func refusedTransaction() async throws {
    let (_, books) = try makeClient([
      .respond(.failedChangeSet(409, "EntityAlreadyExists", "1:There is one."))
    ])
    var transaction = TableTransaction()
    for index in 0..<3 { transaction.insert(ShelfBook("p", "\(index)", title: "t")) }
    let error = try await #require(throws: ODataError.self) { try await books.submit(transaction) }
    #expect(error.code == .alreadyExists)
    #expect(error.failedOperation == 1)
  }

  @Test("an entity that breaks a rule is named by its place, and nothing is sent")
  func invalidOperation() async throws {
    let (transport, books) = try makeClient([])
    var transaction = TableTransaction()
    transaction.insert(ShelfBook("p", "1", title: "t"))
    transaction.insert(ShelfBook("p", "a/b", title: "t"))
    let error = try await #require(throws: ODataError.self) { try await books.submit(transaction) }
    #expect(error.code == .invalidValue)
    #expect(error.failedOperation == 1)
    #expect(transport.requests.isEmpty)
  }

  @Test("what cannot be one transaction is refused before anything is sent")
  func impossibleTransactions() async throws {
    let (transport, books) = try makeClient([])
    func message(_ keys: [(String, String)]) async throws -> String {
      var transaction = TableTransaction()
      for (partitionKey, rowKey) in keys { transaction.delete(partitionKey: partitionKey, rowKey: rowKey) }
      return try await #require(throws: ODataError.self) { try await books.submit(transaction) }.message
    }
    #expect(try await message([]).contains("1 to 100 operations; this one has 0"))
    #expect(try await message((0...100).map { ("p", "\($0)") }).contains("this one has 101"))
    #expect(try await message([("p", "1"), ("q", "1")]).contains("operation 1 is of another"))
    #expect(try await message([("p", "1"), ("p", "1")]).contains("operation 1 is the second on its row"))
    #expect(try await message([("caf\u{E9}", "1"), ("cafe\u{301}", "1")]).contains("of another"))
    #expect(transport.requests.isEmpty)
  }

  @Test("eight transactions at once send their own operations and no others")
  func parallelTransactions() async throws {
    let (transport, books) = try makeClient((0..<8).map { _ in .respond(.doneChangeSet(10)) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          var transaction = TableTransaction()
          for row in 0..<10 { transaction.insert(ShelfBook("p", "\(task)-\(row)", title: "t")) }
          try await books.submit(transaction)
        }
      }
      try await group.waitForAll()
    }
    let sent = transport.requests.map(\.bodyText)
    for task in 0..<8 {
      let mine = sent.filter { $0.contains("\"RowKey\":\"\(task)-") }
      #expect(mine.count == 1)
      for row in 0..<10 { #expect(mine[0].contains("\"RowKey\":\"\(task)-\(row)\"")) }
    }
  }

  @Test("the key is in no description of a service, dumped or printed")
  func secrets() throws {
    let text = "AccountName=acct;AccountKey=c2VjcmV0LWtleQ==;TableEndpoint=http://127.0.0.1:1/acct"
    let service = try TableService(connectionString: text)
    var shown = ""
    dump(service, to: &shown)
    shown += "\(service)" + String(reflecting: service)
    #expect(!shown.contains("c2VjcmV0"))
    #expect(!shown.contains("115, 101, 99"))
  }

  /// Proxies and login pages answer with 200 to whatever they are sent.
  @Test("only what confirms a write counts as one")
  func unconfirmedWrites() async throws {
    let page = { HTTPResponse.text(200, "<html><body>Sign in</body></html>", type: "text/html") }
    let book = ShelfBook("p", "r", title: "t")
    let (_, books) = try makeClient([
      .respond(page()), .respond(.text(200)), .respond(page()), .respond(page()), .respond(.text(200)),
      .respond(.text(201, "<html/>", type: "text/html")),
    ])
    for write in [
      { try await books.insert(book) }, { try await books.insert(book) },
      { try await books.insertOrReplace(book) },
      {
        try await books.delete(partitionKey: "p", rowKey: "r")
        return nil
      },
    ] as [() async throws -> EntityTag?] {
      let error = try await #require(throws: ODataError.self) { _ = try await write() }
      #expect(error.httpStatus == 200)
      #expect(error.code == .malformedPayload)
    }
    try await books.merge(book)
    try await books.insert(book)
  }

  @Test("an index that no operation has is not told as one", arguments: ["999:no", "1:no"])
  func indexBeyond(_ message: String) async throws {
    let refusal = { HTTPResponse.tableError(400, "InvalidInput", message) }
    let (_, books) = try makeClient([.respond(refusal()), .respond(refusal())])
    let book = ShelfBook("p", "r", title: "t")
    let alone = try await #require(throws: ODataError.self) { try await books.insertOrReplace(book) }
    #expect(alone.failedOperation == nil)
    var transaction = TableTransaction()
    transaction.insert(book)
    let error = try await #require(throws: ODataError.self) { try await books.submit(transaction) }
    #expect(error.failedOperation == nil)
  }
}
