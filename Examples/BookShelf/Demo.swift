import AzureTable
import ODataKit
import Synchronization
import TableEmulator

/// A tour through what BookShelf does, in a store in memory that is gone afterwards.
struct Demo {
  let console: Console
  let format: PayloadFormat
  let isTraced: Bool

  func run() async throws {
    let wire = Wire(echo: isTraced ? console : nil)
    let service = try TableService.embedded(in: Emulator.inMemory(), format: format) {
      TracingTransport($0) { wire.take($0) }
    }
    try await service.createTableIfNotExists(Shelf.table)
    let context = TableContext(service)
    let books = try context.table(Shelf.table, of: Book.self)

    try title("Adding a book")
    wire.startRecording()
    let botchan = try books.add(book("botchan", "坊っちゃん", "夏目漱石", 4))
    try await context.saveChanges()
    try console.print("What went over the wire, and what came back:\n")
    try console.print(wire.stopRecording(), terminator: "")

    try title("Adding more, in one change set: all of them or none")
    for book in [
      book("kokoro", "こころ", "夏目漱石", 5), book("sanshiro", "三四郎", "夏目漱石", 3),
      book("rashomon", "羅生門", "芥川龍之介", 5), book("qa", "Q&A <1> \"x\" 'y'", "O'Neil", nil),
    ] {
      try books.add(book)
    }
    for step in try context.plan(.batch).steps {
      try console.print("One change set of \(step.operations.count) operations.")
    }
    try await context.saveChanges(.batch)
    try await list(books.query)

    try title("Finding what 夏目漱石 wrote and is rated 4 or better")
    try await list(books.query.filter { $0.author == "夏目漱石" && $0.rate >= 4 })

    try title("Rating 坊っちゃん 5: only the rate is sent, and only if nobody changed the book meanwhile")
    botchan.rate = 5
    try await context.saveChanges()
    try await list(books.query.filter { $0.author == "夏目漱石" && $0.rate == 5 })

    try title("Removing the two that are not rated 5")
    for book in try await books.query.execute() where book.rate != 5 { try books.delete(book) }
    try await context.saveChanges(.batch)
    try await list(books.query)

    try console.print("\nNow it is your turn: BookShelf add --title 坊っちゃん --author 夏目漱石 --rate 5")
  }

  private func book(_ id: String, _ title: String, _ author: String, _ rate: Int32?) -> Book {
    Book(partitionKey: "demo", rowKey: id, title: title, author: author, rate: rate)
  }

  private func title(_ text: String) throws { try console.print("\n== \(text)\n") }

  private func list(_ query: EntityQuery<Book>) async throws {
    for try await book in query.stream() { try console.print(TextLine.row(book.entity)) }
  }
}

/// Keeps what goes over the wire while it is asked to, and shows it where a trace is wanted.
private final class Wire: Sendable {
  private let echo: Console?
  private let recording = Mutex<[UInt8]?>(nil)

  init(echo: Console?) { self.echo = echo }

  func take(_ bytes: [UInt8]) {
    echo?.note(bytes)
    recording.withLock { $0? += bytes }
  }

  func startRecording() { recording.withLock { $0 = [] } }

  func stopRecording() -> String {
    String(decoding: recording.withLock { $0.take() ?? [] }, as: UTF8.self)
  }
}
