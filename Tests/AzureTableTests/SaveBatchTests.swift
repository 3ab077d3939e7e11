import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("Saving in batches")
struct SaveBatchTests {
  @Test("interim answers among those of a change set count for nothing")
  func interimAnswers() async throws {
    let done = (1...2).map { "HTTP/1.1 204 No Content\r\nETag: W/\"\($0)\"\r\n\r\n" }
    let fixture = try TableContextFixture([
      .respond(.changeSet(["HTTP/1.1 100 Continue\r\n\r\n"] + done))
    ])
    let books = try ["1", "2"].map { try fixture.attached($0) }
    for book in books { book.rate = 5 }
    let result = try await fixture.context.saveChanges(.batch)
    #expect(result.outcomes.count { $0.isDone } == 2)
    #expect(books.map { $0.entityTag?.rawValue } == ["W/\"1\"", "W/\"2\""])
  }

  @Test("a refusal behind answers that say done is that of its own operation, and nothing was done")
  func lateRefusal() async throws {
    let done = "HTTP/1.1 204 No Content\r\nETag: W/\"1\"\r\n\r\n"
    let fixture = try TableContextFixture([
      .respond(.changeSet([done, "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"]))
    ])
    let books = try ["1", "2"].map { try fixture.attached($0) }
    for book in books { book.rate = 5 }
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges(.batch) }
    #expect(error.cause.failedOperation == 1)
    #expect(books.map(\.entityState) == [.modified, .modified])
  }

  @Test("the change set on the wire, line by line")
  func wireText() async throws {
    let fixture = try TableContextFixture([.respond(.doneChangeSet(3))])
    try fixture.books.add(ShelfBook("p", "1", title: "é🍖"))
    let changed = try fixture.attached("2")
    changed.rate = 5
    try fixture.books.delete(try fixture.attached("3"))
    try await fixture.context.saveChanges([.batch, .minimalResponse])

    let request = try #require(fixture.transport.requests.first)
    #expect(request.method == .post)
    #expect(request.url.target == "/devstoreaccount1/$batch")
    let type = try #require(request.headers[.contentType])
    let batch = try #require(type.split(separator: "boundary=").last.map(String.init))
    #expect(type == "multipart/mixed; boundary=\(batch)")
    let text = request.bodyText
    let set = try #require(
      text.split(separator: "boundary=").dropFirst().first?.prefix {
        $0.isLetter || $0.isNumber || "_-".contains($0)
      })
    #expect(
      text
        == """
        --\(batch)
        Content-Type: multipart/mixed; boundary=\(set)

        --\(set)
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        POST http://127.0.0.1:10002/devstoreaccount1/Books HTTP/1.1
        Content-ID: 1
        Accept: application/json;odata=minimalmetadata
        DataServiceVersion: 3.0
        Content-Type: application/json
        Prefer: return-no-content
        Content-Length: 50

        {"PartitionKey":"p","RowKey":"1","title":"é🍖"}
        --\(set)
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        MERGE http://127.0.0.1:10002/devstoreaccount1/Books(PartitionKey='p',RowKey='2') HTTP/1.1
        Content-ID: 2
        Accept: application/json;odata=minimalmetadata
        DataServiceVersion: 3.0
        Content-Type: application/json
        If-Match: W/"1"
        Content-Length: 42

        {"PartitionKey":"p","RowKey":"2","rate":5}
        --\(set)
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        DELETE http://127.0.0.1:10002/devstoreaccount1/Books(PartitionKey='p',RowKey='3') HTTP/1.1
        Content-ID: 3
        Accept: application/json;odata=minimalmetadata
        DataServiceVersion: 3.0
        If-Match: W/"1"


        --\(set)--
        --\(batch)--

        """.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
  }

  @Test("every operation gets its own tag back")
  func tags() async throws {
    let fixture = try TableContextFixture([.respond(.doneChangeSet(2))])
    let books = try (0..<2).map { try fixture.books.add(ShelfBook("p", "\($0)", title: "t")) }
    try await fixture.context.saveChanges(.batch)
    #expect(books.map(\.entityTag?.rawValue) == ["W/\"b0\"", "W/\"b1\""])
    #expect(books.allSatisfy { $0.entityState == .unchanged })
  }

  @Test(
    "G12 · the failing operation is told from the message, wherever the service puts it",
    arguments: [
      ("1:Row exists already.", 1, "Row exists already."), ("Row does not exist.", 0, "Row does not exist."),
      ("Syntax error: character at 5", 0, "Syntax error: character at 5"), ("0:Oops", 0, "Oops"),
    ])
  func failingIndex(message: String, index: Int, text: String) async throws {
    let fixture = try TableContextFixture([.respond(.failedChangeSet(409, "EntityAlreadyExists", message))])
    let books = try (0..<3).map { try fixture.books.add(ShelfBook("p", "\($0)", title: "t")) }
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges(.batch) }
    let expected = (0..<3).map { $0 == index ? "failed" : "rolledBack" }
    #expect(error.result.outcomes.map(\.word) == expected)
    #expect(error.cause.failedOperation == index)
    #expect(error.cause.code == .alreadyExists)
    #expect(error.cause.httpStatus == 409 && error.cause.serviceCode == "EntityAlreadyExists")
    #expect(error.cause.message == text)
    // Which entity it is, from the outcome and from the entry.
    let failed = try #require(error.result.entries.first { $0.outcome.error != nil })
    #expect(failed.id == books[index].entryID)
    #expect(failed.outcome.operation.record["RowKey"] == .string("\(index)"))
    #expect(books.allSatisfy { $0.entityState == .added })
  }

  @Test("a number beyond the change set is no index: all have failed, and which one first is not told")
  func indexBeyond() async throws {
    let fixture = try TableContextFixture([
      .respond(.failedChangeSet(400, "InvalidInput", "12:30 is no time."))
    ])
    for index in 0..<3 { try fixture.books.add(ShelfBook("p", "\(index)", title: "t")) }
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges(.batch) }
    #expect(error.result.outcomes.map(\.word) == ["failed", "failed", "failed"])
    #expect(error.cause.failedOperation == nil)
    #expect(error.cause.message == "12:30 is no time.")
  }

  @Test(
    "G11 · a row that is too big for the service is told by its keys before anything is sent, and the rest goes on"
  )
  func tooBig() async throws {
    let parts = Dictionary(
      uniqueKeysWithValues: (0..<20).map { ("p\($0)", String(repeating: "x", count: 32_000)) })
    for (options, words) in [
      (SaveOptions.batch, ["notTried", "failed", "notTried", "notTried"]),
      ([.batch, .continueOnError], ["done", "failed", "done", "done"]),
    ] as [(SaveOptions, [String])] {
      let fixture = try TableContextFixture([.respond(.doneChangeSet(3))])
      let rows = try fixture.context.table("Books", of: [String: String].self)
      let added = try (0..<4).map { index in
        let keys = ["partitionKey": "p", "rowKey": "row \(index)"]
        return try rows.add(index == 1 ? keys.merging(parts) { $1 } : keys)
      }
      let error = try await #require(throws: SaveError.self) {
        try await fixture.context.saveChanges(options)
      }
      #expect(error.result.outcomes.map(\.word) == words)
      #expect(error.result.entries.map(\.id) == added.map(\.entryID))
      #expect(error.cause.code == .invalidValue)
      #expect(error.cause.message.contains("row 1"))
      #expect(error.cause.message.hasSuffix("the service takes 1 MiB (1048576) at most."))
      #expect(fixture.transport.requests.count == (words[0] == "done" ? 1 : 0))
      #expect(fixture.transport.requests.allSatisfy { !$0.bodyText.contains("row%201") })
    }
  }

  @Test("partitions and 100 operations make change sets of their own, in order")
  func splits() async throws {
    let fixture = try TableContextFixture()
    for index in 0..<250 {
      try fixture.books.add(ShelfBook(index % 2 == 0 ? "even" : "odd", "\(index)", title: "t"))
    }
    let plan = try fixture.context.plan(.batch)
    #expect(plan.steps.map(\.operations.count) == [100, 25, 100, 25])
    #expect(plan.steps[0].operations.first?.record["RowKey"] == .string("0"))
    #expect(plan.steps[2].operations.first?.record["RowKey"] == .string("1"))
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("4 MiB are counted on the bytes that are sent", arguments: ["a", "é"])
  func splitsBySize(letter: String) async throws {
    let fixture = try TableContextFixture()
    struct Large: Codable { var partitionKey, rowKey, a, b, c, d: String }
    let large = try fixture.context.table("Large", of: Large.self)
    let text = String(repeating: letter, count: 32_768)
    for index in 0..<40 {
      try large.add(Large(partitionKey: "p", rowKey: "\(index)", a: text, b: text, c: text, d: text))
    }
    let plan = try fixture.context.plan(.batch)
    #expect(plan.steps.count > 1)
    #expect(plan.steps.allSatisfy { $0.byteCount <= 4 << 20 })
    #expect(plan.steps.reduce(0) { $0 + $1.operations.count } == 40)

    for step in plan.steps { fixture.transport.add(.respond(.doneChangeSet(step.operations.count))) }
    try await fixture.context.saveChanges(.batch)
    let sizes = fixture.transport.requests.map(\.bodyText.utf8.count)
    #expect(sizes.count == plan.steps.count)
    #expect(zip(sizes, plan.steps).allSatisfy { $0 <= $1.byteCount && $1.byteCount - $0 < 1000 })
    // A fuller split would not have fitted.
    #expect(sizes.dropLast().allSatisfy { $0 > (4 << 20) - 140_000 * (letter == "a" ? 1 : 2) })
  }

  @Test("a failed change set stops the ones behind it, unless told to go on")
  func stops() async throws {
    for (options, words) in [
      (SaveOptions.batch, ["failed", "rolledBack", "notTried"]),
      ([.batch, .continueOnError], ["failed", "rolledBack", "done"]),
    ] as [(SaveOptions, [String])] {
      let fixture = try TableContextFixture([
        .respond(.failedChangeSet(412, "UpdateConditionNotSatisfied", "0:No.")), .respond(.doneChangeSet(1)),
      ])
      try fixture.books.add(ShelfBook("a", "1", title: "t"))
      try fixture.books.add(ShelfBook("a", "2", title: "t"))
      try fixture.books.add(ShelfBook("b", "1", title: "t"))
      let error = try await #require(throws: SaveError.self) {
        try await fixture.context.saveChanges(options)
      }
      #expect(error.result.outcomes.map(\.word) == words)
    }
  }

  @Test("an answer that ends early leaves open what it does not tell")
  func shortAnswer() async throws {
    let body = HTTPResponse.doneChangeSet(1)
    let fixture = try TableContextFixture([.respond(body)])
    let books = try (0..<2).map { try fixture.books.add(ShelfBook("p", "\($0)", title: "t")) }
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges(.batch) }
    #expect(error.result.outcomes.map(\.word) == ["done", "unknown"])
    #expect(books.map(\.entityState) == [.unchanged, .added])
  }

  @Test("an answer that is no batch leaves everything open")
  func brokenAnswer() async throws {
    let fixture = try TableContextFixture([.respond(.text(202, "<html>proxy</html>", type: "text/html"))])
    let book = try fixture.books.add(ShelfBook("p", "1", title: "t"))
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges(.batch) }
    #expect(error.result.outcomes.map(\.word) == ["unknown"])
    #expect(book.entityState == .added)
  }

  @Test("a batch that is refused as a whole fails, with the service's words")
  func refused() async throws {
    let fixture = try TableContextFixture([
      .respond(.tableError(403, "AuthenticationFailed", "Server failed to authenticate the request."))
    ])
    try fixture.books.add(ShelfBook("p", "1", title: "t"))
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges(.batch) }
    #expect(error.result.outcomes.map(\.word) == ["failed"])
    #expect(error.cause.code == .unauthorized)
    #expect(error.cause.serviceCode == "AuthenticationFailed")
  }
}
