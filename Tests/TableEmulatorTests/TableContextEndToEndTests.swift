import AzureTable
import Foundation
import ODataKit
import ODataTestSupport
import TableEmulator
import Testing

/// The client against the emulator, in both formats: what is written is what is read.
@Suite("A context over the embedded store", .serialized)
struct TableContextEndToEndTests {
  private func makeBooks(
    _ format: PayloadFormat
  ) async throws -> (TableService, TableContext, EntitySet<ShelfBook>) {
    let service = try TableService.embedded(in: try Emulator.inMemory(), format: format)
    try await service.createTableIfNotExists("Books")
    let context = TableContext(service)
    return (service, context, try context.table("Books", of: ShelfBook.self))
  }

  @Test("from added to deleted", arguments: PayloadFormat.allCases)
  func life(format: PayloadFormat) async throws {
    let (service, context, books) = try await makeBooks(format)
    let book = try books.add(
      ShelfBook("shelf", "O'Neil", title: "Q&A <1> \"x\" 'y'", author: "夏目漱石", rate: 4))
    try await context.saveChanges()
    #expect(book.entityState == .unchanged)
    #expect(book.timestamp != nil)
    let firstTag = try #require(book.entityTag)

    book.rate = 5
    try await context.saveChanges()
    #expect(book.entityTag != firstTag)

    let fresh = TableContext(service)
    let found = try await fresh.table("Books", of: ShelfBook.self).query
      .filter { $0.author == "夏目漱石" && $0.rate >= 4 }.execute()
    #expect(found.map(\.entity.title) == ["Q&A <1> \"x\" 'y'"])
    #expect(found.map(\.entity.rate) == [5])
    #expect(found.first?.entityTag == book.entityTag)

    try books.delete(book)
    try await context.saveChanges(.batch)
    #expect(try await service.table("Books").query(ShelfBook.self).execute().isEmpty)
  }

  @Test(
    "an update of a version that is gone is a conflict, and nothing is lost",
    arguments: PayloadFormat.allCases)
  func conflict(format: PayloadFormat) async throws {
    let (service, context, books) = try await makeBooks(format)
    let mine = try books.add(ShelfBook("p", "r", title: "first", rate: 1))
    try await context.saveChanges()
    try await service.table("Books").merge(ShelfBook("p", "r", title: "theirs"))

    mine.title = "mine"
    await #expect(throws: SaveError.self) { try await context.saveChanges() }
    #expect(mine.entityState == .modified)
    #expect(try await service.table("Books").query(ShelfBook.self).first()?.title == "theirs")

    // Read again keeping the change, and save: now against the version that is there.
    _ = try await books.query.mergeOption(.preserveChanges).execute()
    try await context.saveChanges()
    let stored = try await service.table("Books").query(ShelfBook.self).first()
    #expect(stored?.title == "mine")
    #expect(stored?.rate == 1)
  }

  @Test("keys and values of every kind survive", arguments: PayloadFormat.allCases)
  func oddities(format: PayloadFormat) async throws {
    let (service, context, books) = try await makeBooks(format)
    let keys = [
      "", "O'Neil", "''", "a b", "a+b", "100%", "%20", "a&b=c", "Forêt d'été", "🦊no", "caf\u{E9}",
      "cafe\u{301}",
      "日本語", "a,b", "(x)", "\"q\"", "~_.-", "a;b:c@d", "{}[]|^`<>$!*",
    ]
    let titles = [
      "", " ", "  a\n\n b\t ", "x\r\ny", "\r", "]]> & <b>", "\u{7F}\u{85}\u{2028}", "日本語 🦊 Ω≠ω", "NaN",
      "null", "4",
    ]
    for (index, key) in keys.enumerated() {
      try books.add(ShelfBook(key, key, title: titles[index % titles.count]))
    }
    try await context.saveChanges(.batch)
    for (index, key) in keys.enumerated() {
      let found = try await service.table("Books").get(ShelfBook.self, partitionKey: key, rowKey: key)
      let entity = try #require(found?.entity, "key \(key.debugDescription)")
      #expect(entity.rowKey.utf8.elementsEqual(key.utf8))
      #expect(entity.title.utf8.elementsEqual(titles[index % titles.count].utf8))
      let byFilter = try await service.table("Books").query(ShelfBook.self)
        .filter { $0.partitionKey == key && $0.rowKey == key }.execute()
      #expect(byFilter.count == 1)
    }
    // Each is updated and deleted by its key, in one batch for each partition.
    for entry in try await books.query.mergeOption(.overwriteChanges).execute() { entry.rate = 1 }
    try await context.saveChanges(.batch)
    #expect(
      try await service.table("Books").query(ShelfBook.self).filter { $0.rate == 1 }.execute().count
        == keys.count)
    for entry in context.entries { try context.delete(entry) }
    try await context.saveChanges()
    #expect(try await service.table("Books").query(ShelfBook.self).execute().isEmpty)
  }

  @Test("a change set is all or nothing, and the failing entity is named", arguments: PayloadFormat.allCases)
  func rollback(format: PayloadFormat) async throws {
    let (service, context, books) = try await makeBooks(format)
    try await service.table("Books").insert(ShelfBook("p", "7", title: "there"))
    let added = try (0..<10).map { try books.add(ShelfBook("p", "\($0)", title: "t")) }
    let error = try await #require(throws: SaveError.self) { try await context.saveChanges(.batch) }
    #expect(error.cause.serviceCode == "EntityAlreadyExists")
    #expect(error.cause.failedOperation == 7)
    #expect(added.allSatisfy { $0.entityState == .added })
    #expect(try await service.table("Books").query(ShelfBook.self).execute().map(\.title) == ["there"])

    try books.delete(added[7])
    try await context.saveChanges(.batch)
    #expect(try await service.table("Books").query(ShelfBook.self).execute().count == 10)
  }

  @Test(
    "2500 entities of two partitions are saved in batches and read over pages",
    arguments: PayloadFormat.allCases)
  func many(format: PayloadFormat) async throws {
    let (service, context, books) = try await makeBooks(format)
    for index in 0..<2500 {
      try books.add(
        ShelfBook(index % 2 == 0 ? "even" : "odd", "\(index / 2)", title: "t", rate: Int32(index)))
    }
    let result = try await context.saveChanges([.batch, .minimalResponse])
    #expect(result.entries.count == 2500)
    #expect(context.entries.allSatisfy { $0.entityTag != nil })
    let read = try await service.table("Books").query(ShelfBook.self).execute()
    #expect(Set(read.compactMap(\.rate)).count == 2500)
    #expect(try await service.table("Books").query(ShelfBook.self).limit(1500).execute().count == 1500)
  }

  @Test("a cleared property is gone, in both formats", arguments: PayloadFormat.allCases)
  func clearing(format: PayloadFormat) async throws {
    let (service, context, books) = try await makeBooks(format)
    let book = try books.add(ShelfBook("p", "r", title: "t", author: "a", rate: 1))
    try await context.saveChanges()
    book.rate = nil
    try await context.saveChanges()
    let record = try await service.table("Books").record(partitionKey: "p", rowKey: "r")
    #expect(record?["rate"] == nil)
    #expect(record?["Timestamp"]?.type == .dateTime)
    #expect(record?["author"] == .string("a"))
  }
}
