import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("Tracking")
struct TrackingTests {
  @Test("added then deleted sends nothing")
  func addThenDelete() async throws {
    let fixture = try TableContextFixture()
    let book = try fixture.books.add(ShelfBook("p", "r", title: "t"))
    try fixture.books.delete(book)
    #expect(book.entityState == .detached)
    #expect(!fixture.context.hasChanges)
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("deleted then added with the same key is one replace under the old tag", arguments: [false, true])
  func deleteThenAdd(inBatch: Bool) async throws {
    let fixture = try TableContextFixture([
      .respond(inBatch ? .doneChangeSet(1) : .noContent(tag: "W/\"b0\""))
    ])
    let old = try fixture.attached("r", title: "old")
    try fixture.books.delete(old)
    let new = try fixture.books.add(ShelfBook("p", "r", title: "new"))
    #expect(old.entityState == .detached)
    try await fixture.context.saveChanges(inBatch ? .batch : [])
    #expect(fixture.transport.requests.count == 1)
    let request = fixture.transport.requests[0]
    #expect(inBatch ? request.bodyText.contains("PUT ") : request.method == .put)
    #expect(request.bodyText.contains(#"{"PartitionKey":"p","RowKey":"r","title":"new"}"#))
    #expect(new.entityState == .unchanged)
    #expect(new.entityTag?.rawValue == "W/\"b0\"")
    #expect(fixture.context.entries.count == 1)
  }

  @Test("a second entity of a live key is refused")
  func sameKey() throws {
    let fixture = try TableContextFixture()
    try fixture.attached("r")
    let error = try #require(throws: ODataError.self) {
      try fixture.books.add(ShelfBook("p", "r", title: "t"))
    }
    #expect(error.code == .invalidState)
    #expect(fixture.context.entries.count == 1)
    #expect(throws: ODataError.self) { try fixture.books.attach(ShelfBook("p", "r", title: "t")) }
  }

  @Test("the NFC and NFD spellings of a key are two entities")
  func identityIsCodeUnits() throws {
    let fixture = try TableContextFixture()
    try fixture.attached("caf\u{E9}")
    try fixture.attached("cafe\u{301}")
    #expect(fixture.context.entries.count == 2)
  }

  @Test("the handle of another context is refused")
  func foreignHandle() throws {
    let (mine, other) = (try TableContextFixture(), try TableContextFixture())
    let book = try other.attached("r")
    for attempt in [mine.context.update, mine.context.delete, mine.context.detach] {
      let error = try #require(throws: ODataError.self) { try attempt(book) }
      #expect(error.code == .invalidState)
      #expect(error.message.contains("not tracked by this context"))
    }
    #expect(book.entityState == .unchanged)
  }

  @Test("a detached handle and a deleted one cannot be updated")
  func updateOfGone() throws {
    let fixture = try TableContextFixture()
    let book = try fixture.attached("r")
    try fixture.books.delete(book)
    #expect(throws: ODataError.self) { try fixture.books.update(book) }
    try fixture.context.detach(book)
    #expect(throws: ODataError.self) { try fixture.books.update(book) }
    #expect(throws: ODataError.self) { try fixture.books.delete(book) }
  }

  @Test("update says to send everything")
  func updateSendsEverything() async throws {
    let fixture = try TableContextFixture([.respond(.noContent(tag: "W/\"2\""))])
    let book = try fixture.attached("r", title: "t", rate: 1)
    try fixture.books.update(book)
    #expect(book.entityState == .modified)
    try await fixture.context.saveChanges()
    #expect(
      fixture.transport.requests[0].bodyText == #"{"PartitionKey":"p","RowKey":"r","title":"t","rate":1}"#)
    #expect(book.entityState == .unchanged)
  }

  @Test("a changed key is refused, naming the property")
  func changedKey() async throws {
    let fixture = try TableContextFixture()
    let book = try fixture.attached("r")
    book.rowKey = "other"
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.cause.message.contains("The key property RowKey of a tracked Books entity was changed"))
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("without a tag, whatever version is there is updated")
  func attachWithoutTag() async throws {
    let fixture = try TableContextFixture([.respond(.noContent(tag: "W/\"2\""))])
    let book = try fixture.books.attach(ShelfBook("p", "r", title: "t"))
    book.title = "u"
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests[0].headers[.ifMatch] == "*")
  }

  @Test("changes keep their order")
  func order() async throws {
    let fixture = try TableContextFixture(
      (0..<3).map { .respond(.noContent(tag: "W/\"\($0)\"")) })
    let (a, b) = (try fixture.attached("a"), try fixture.attached("b"))
    b.rate = 2
    try fixture.books.add(ShelfBook("p", "c", title: "t"))
    a.rate = 2
    try await fixture.context.saveChanges()
    #expect(
      fixture.transport.requests.map { "\($0.method) \($0.url.path.split(separator: "/").last ?? "")" } == [
        "MERGE Books(PartitionKey='p',RowKey='b')", "POST Books", "MERGE Books(PartitionKey='p',RowKey='a')",
      ])
  }

  // MARK: - Clearing a property

  @Test("a cleared property of an entity that was read whole becomes a replace that keeps the rest")
  func clearing() async throws {
    let page =
      #"{"value":[{"odata.etag":"W/\"1\"","PartitionKey":"p","RowKey":"r","Timestamp":"2026-01-01T00:00:00Z","title":"t","rate":3,"unknown@odata.type":"Edm.Int64","unknown":"7"}]}"#
    let fixture = try TableContextFixture([
      .respond(.text(200, page, type: "application/json")), .respond(.noContent(tag: "W/\"2\"")),
    ])
    let first = try await fixture.books.query.first()
    let book = try #require(first)
    book.rate = nil
    try await fixture.context.saveChanges()
    let request = fixture.transport.requests[1]
    #expect(request.method == .put)
    #expect(request.headers[.ifMatch] == "W/\"1\"")
    #expect(
      request.bodyText
        == #"{"PartitionKey":"p","RowKey":"r","title":"t","unknown@odata.type":"Edm.Int64","unknown":"7"}"#)

    // A second change merges again, and knows that the property is gone.
    fixture.transport.add(.respond(.noContent(tag: "W/\"3\"")))
    book.title = "u"
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests[2].method == .merge)
    #expect(fixture.transport.requests[2].bodyText == #"{"PartitionKey":"p","RowKey":"r","title":"u"}"#)
  }

  @Test("a cleared property of an entity that is not known whole is refused, never ignored")
  func clearingUnknown() async throws {
    let fixture = try TableContextFixture()
    let book = try fixture.attached("r", rate: 1)
    book.rate = nil
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.cause.message.contains("The property rate of a Books entity was cleared"))
    #expect(fixture.transport.requests.isEmpty)
    #expect(book.entityState == .modified)
  }

  @Test("a property keeps the type it was read with, and an untouched one is never sent")
  func keepsTypes() async throws {
    let page =
      #"{"value":[{"odata.etag":"W/\"1\"","PartitionKey":"p","RowKey":"r","title":"t","rate":3.0}]}"#
    let fixture = try TableContextFixture([
      .respond(.text(200, page, type: "application/json")), .respond(.noContent(tag: "W/\"2\"")),
      .respond(.noContent(tag: "W/\"3\"")),
    ])
    struct Rated: Codable {
      var partitionKey, rowKey, title: String
      var rate: Double
    }
    let first = try await fixture.context.table("Books", of: Rated.self).query.first()
    let book = try #require(first)
    book.title = "u"
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests[1].bodyText == #"{"PartitionKey":"p","RowKey":"r","title":"u"}"#)
    book.rate = 4
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests[2].bodyText == #"{"PartitionKey":"p","RowKey":"r","rate":4.0}"#)
  }

  // MARK: - Meeting what is tracked

  private static let newer =
    #"{"value":[{"odata.etag":"W/\"9\"","PartitionKey":"p","RowKey":"r","title":"theirs","author":"theirs","rate":9}]}"#

  @Test(
    "how a query meets a changed entity",
    arguments: [
      (MergeOption.appendOnly, "mine", nil, "W/\"1\"", EntityState.modified),
      (.overwriteChanges, "theirs", "theirs", "W/\"9\"", .unchanged),
      (.preserveChanges, "mine", "theirs", "W/\"9\"", .modified),
    ] as [(MergeOption, String, String?, String, EntityState)])
  func mergeOptions(
    option: MergeOption, title: String, author: String?, tag: String, state: EntityState
  ) async throws {
    let fixture = try TableContextFixture([.respond(.text(200, Self.newer, type: "application/json"))])
    let book = try fixture.attached("r", title: "old")
    book.title = "mine"
    let read = try await fixture.books.query.mergeOption(option).execute()
    #expect(read.count == 1)
    #expect(read[0] === book)
    #expect(book.title == title)
    #expect(book.author == author)
    #expect(book.entityTag?.rawValue == tag)
    #expect(book.entityState == state)
  }

  @Test("without tracking, the tracked entity is left alone")
  func noTracking() async throws {
    let fixture = try TableContextFixture([.respond(.text(200, Self.newer, type: "application/json"))])
    let book = try fixture.attached("r", title: "old")
    let read = try await fixture.books.query.mergeOption(.noTracking).execute()
    #expect(read[0] !== book)
    #expect(read[0].entityState == .detached)
    #expect(read[0].title == "theirs")
    #expect(book.title == "old")
    #expect(fixture.context.entries.count == 1)
  }

  @Test("reading the same rows again adds no entries")
  func rereading() async throws {
    let fixture = try TableContextFixture(
      (0..<3).map { _ in .respond(.text(200, Self.newer, type: "application/json")) })
    for _ in 0..<3 { _ = try await fixture.books.query.execute() }
    #expect(fixture.context.entries.count == 1)
  }
}
