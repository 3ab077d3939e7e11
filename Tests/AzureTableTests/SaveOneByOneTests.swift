import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("Saving one by one")
struct SaveOneByOneTests {
  @Test("an added entity is one POST, and the service's values come into the handle")
  func insert() async throws {
    let fixture = try TableContextFixture([
      .respond(
        .text(
          201,
          #"{"odata.metadata":"http://127.0.0.1:10002/devstoreaccount1/$metadata#Books/@Element","odata.etag":"W/\"datetime'2026-01-02T03%3A04%3A05.678Z'\"","PartitionKey":"shelf-1","RowKey":"botchan","Timestamp":"2026-01-02T03:04:05.678Z","title":"坊っちゃん","author":"夏目漱石","rate":4}"#,
          type: "application/json;odata=minimalmetadata",
          headers: ["ETag": "W/\"datetime'2026-01-02T03%3A04%3A05.678Z'\""]))
    ])
    let book = try fixture.books.add(
      ShelfBook("shelf-1", "botchan", title: "坊っちゃん", author: "夏目漱石", rate: 4))
    #expect(book.entityState == .added)
    try await fixture.context.saveChanges()

    #expect(
      fixture.transport.requests.map(\.wireText) == [
        """
        POST /devstoreaccount1/Books
        Accept: application/json;odata=minimalmetadata
        DataServiceVersion: 3.0
        MaxDataServiceVersion: 3.0
        x-ms-version: 2019-02-02
        Content-Type: application/json

        {"PartitionKey":"shelf-1","RowKey":"botchan","title":"坊っちゃん","author":"夏目漱石","rate":4}
        """
      ])
    #expect(book.entityState == .unchanged)
    #expect(book.entityTag?.rawValue == "W/\"datetime'2026-01-02T03%3A04%3A05.678Z'\"")
    #expect(book.timestamp == EdmDateTime("2026-01-02T03:04:05.678Z"))
  }

  @Test("a changed property is one MERGE with that property under If-Match")
  func mergeSendsWhatChanged() async throws {
    let fixture = try TableContextFixture([.respond(.noContent(tag: "W/\"2\""))])
    let book = try fixture.attached("r", title: "old", rate: 1)
    book.rate = 5
    #expect(book.entityState == .modified)
    try await fixture.context.saveChanges()

    let request = try #require(fixture.transport.requests.first)
    #expect(request.method == .merge)
    #expect(request.url.target == "/devstoreaccount1/Books(PartitionKey='p',RowKey='r')")
    #expect(request.headers[.ifMatch] == "W/\"1\"")
    #expect(request.bodyText == #"{"PartitionKey":"p","RowKey":"r","rate":5}"#)
    #expect(book.entityState == .unchanged)
    #expect(book.entityTag?.rawValue == "W/\"2\"")
  }

  @Test("a property set back to what it was sends nothing")
  func nothingDiffers() async throws {
    let fixture = try TableContextFixture()
    let book = try fixture.attached("r", rate: 1)
    book.rate = 2
    book.rate = 1
    let result = try await fixture.context.saveChanges()
    #expect(result.entries.isEmpty)
    #expect(fixture.transport.requests.isEmpty)
    #expect(book.entityState == .unchanged)
  }

  @Test("a delete names the version, and lets the handle go")
  func delete() async throws {
    let fixture = try TableContextFixture([.respond(.noContent())])
    let book = try fixture.attached("O'Neil")
    try fixture.books.delete(book)
    try await fixture.context.saveChanges()
    let request = try #require(fixture.transport.requests.first)
    #expect(request.method == .delete)
    #expect(request.url.target == "/devstoreaccount1/Books(PartitionKey='p',RowKey='O%27%27Neil')")
    #expect(request.headers[.ifMatch] == "W/\"1\"")
    #expect(request.bodyText == "")
    #expect(book.entityState == .detached)
    #expect(fixture.context.entries.isEmpty)
  }

  @Test("a write answered without a tag leaves the version unknown, and nothing is overwritten blindly")
  func missingTag() async throws {
    let fixture = try TableContextFixture([.respond(.noContent())])
    let book = try fixture.attached("r", rate: 1)
    book.rate = 2
    try await fixture.context.saveChanges()
    book.rate = 3
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(
      error.description
        == "The version of the Books entity ('p', 'r') is not known, since the service's last answer about it had no "
        + "ETag; read it again before it is changed or deleted.")
    #expect(fixture.transport.requests.count == 1)
    #expect(book.entityState == .modified)
  }

  @Test("the same in Atom")
  func atom() async throws {
    let fixture = try TableContextFixture([.respond(.noContent(tag: "W/\"2\""))], format: .automatic)
    let book = try fixture.attached("r", title: "old")
    book.title = "Q&A <1> \"x\" 'y'"
    try await fixture.context.saveChanges()
    let request = try #require(fixture.transport.requests.first)
    #expect(request.headers[.contentType] == "application/atom+xml")
    #expect(request.headers[.accept] == "application/atom+xml,application/xml")
    #expect(request.headers["x-ms-version"] == "2015-07-08")
    #expect(
      request.bodyText.contains(
        "<m:properties><d:PartitionKey>p</d:PartitionKey><d:RowKey>r</d:RowKey>"
          + "<d:title>Q&amp;A &lt;1&gt; \"x\" 'y'</d:title></m:properties>"))
  }

  @Test("stopping at the second of three leaves each entity in the state that is true")
  func stopsAtFailure() async throws {
    let fixture = try TableContextFixture([
      .respond(.noContent(tag: "W/\"2\"")),
      .respond(.tableError(412, "UpdateConditionNotSatisfied", "The condition was not met.")),
    ])
    let books = try (1...3).map { try fixture.attached("\($0)") }
    for book in books { book.rate = 9 }
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }

    #expect(ODataError.Code.concurrencyConflict ~= error)
    #expect(error.result.outcomes.map(\.word) == ["done", "failed", "notTried"])
    #expect(books.map(\.entityState) == [.unchanged, .modified, .modified])
    #expect(books.map(\.entityTag?.rawValue) == ["W/\"2\"", "W/\"1\"", "W/\"1\""])
    #expect(fixture.transport.requests.count == 2)

    // Saving again sends only what is still pending.
    fixture.transport.add(.respond(.noContent(tag: "W/\"3\"")))
    fixture.transport.add(.respond(.noContent(tag: "W/\"4\"")))
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests.dropFirst(2).map(\.url.target).count == 2)
    #expect(books.map(\.entityState) == [.unchanged, .unchanged, .unchanged])
  }

  @Test("continuing behind a failure tries all")
  func continues() async throws {
    let fixture = try TableContextFixture([
      .respond(.noContent(tag: "W/\"2\"")),
      .respond(.tableError(412, "UpdateConditionNotSatisfied", "The condition was not met.")),
      .respond(.noContent(tag: "W/\"3\"")),
    ])
    let books = try (1...3).map { try fixture.attached("\($0)") }
    for book in books { book.rate = 9 }
    let error = try await #require(throws: SaveError.self) {
      try await fixture.context.saveChanges(.continueOnError)
    }
    #expect(error.result.outcomes.map(\.word) == ["done", "failed", "done"])
    #expect(books.map(\.entityState) == [.unchanged, .modified, .unchanged])
  }

  @Test("a broken connection leaves the outcome open and the change pending")
  func unknownOutcome() async throws {
    let fixture = try TableContextFixture([.fail(ODataError(.transport, "The connection broke."))])
    let book = try fixture.books.add(ShelfBook("p", "r", title: "t"))
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.result.outcomes.map(\.word) == ["unknown"])
    #expect(book.entityState == .added)
  }

  @Test("what the service would not take is found before anything is sent")
  func checksFirst() async throws {
    let fixture = try TableContextFixture()
    try fixture.books.add(ShelfBook("p", "good", title: "t"))
    try fixture.books.add(ShelfBook("p", "a/b", title: "t"))
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(fixture.transport.requests.isEmpty)
    #expect(error.result.outcomes.map(\.word) == ["notTried", "failed"])
    #expect(
      error.cause.message
        == "The property RowKey of the Books entity ('p', 'a/b') holds \"/\"; a key cannot have / \\ # or ?.")
  }

  @Test("replaceOnUpdate is a PUT with everything")
  func replace() async throws {
    let fixture = try TableContextFixture([.respond(.noContent(tag: "W/\"2\""))])
    let book = try fixture.attached("r", title: "old", rate: 1)
    book.title = "new"
    try await fixture.context.saveChanges(.replaceOnUpdate)
    let request = try #require(fixture.transport.requests.first)
    #expect(request.method == .put)
    #expect(request.bodyText == #"{"PartitionKey":"p","RowKey":"r","title":"new","rate":1}"#)
  }
}

extension OperationOutcome {
  /// The kind of the result, for comparing.
  var word: String {
    switch result {
    case .done: "done"
    case .failed: "failed"
    case .unknown: "unknown"
    case .rolledBack: "rolledBack"
    case .notTried: "notTried"
    }
  }
}
