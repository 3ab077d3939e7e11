import AzureTable
import Foundation
import ODataKit

/// One shelf of the table `Books`: what the commands do, each in a few lines.
struct Shelf {
  static let table = "Books"

  let name: String
  private let service: TableService
  private let context: TableContext
  private let books: EntitySet<Book>

  init(_ name: String, of service: TableService) throws {
    try Self.check(name)
    self.name = name
    self.service = service
    context = TableContext(service)
    books = try context.table(Self.table, of: Book.self)
  }

  /// Refuses a name that no partition of a table can have, before the first book is tried with it.
  static func check(_ name: String) throws {
    let isName = name.unicodeScalars.allSatisfy { scalar in
      !"/\\#?".unicodeScalars.contains(scalar) && scalar.properties.generalCategory != .control
    }
    guard isName, name.utf16.count <= 512 else {
      throw Failure(
        "This cannot be the name of a shelf: it has up to 512 characters, without / \\ # ? and control characters; "
          + "give another --shelf.")
    }
  }

  /// Inserts a book, under a new GUID unless an id is given.
  func add(title: String, author: String, rate: Int32?, id: String?) async throws -> Tracked<Book> {
    try await service.createTableIfNotExists(Self.table)
    let book = try books.add(
      Book(
        partitionKey: name, rowKey: id ?? UUID().uuidString.lowercased(), title: title, author: author,
        rate: rate))
    do {
      try await context.saveChanges()
    } catch ODataError.Code.alreadyExists {
      throw Failure(
        "There is a book with the id \(book.rowKey) on the shelf \(name) already; give another --id, or update it."
      )
    }
    return book
  }

  /// The book of an id.
  func book(_ id: String) async throws -> Tracked<Book> {
    guard let book = try await found(id) else { throw missing([id]) }
    return book
  }

  /// The books that have all that is asked for; the service does the looking.
  func books(author: String?, title: String?, minRate: Int32?, top: Int?) throws -> EntityQuery<Book> {
    var query = try onThisShelf()
    if let author { query = try query.filter { $0.author == author } }
    if let title { query = try query.filter { $0.title == title } }
    if let minRate { query = try query.filter { $0.rate >= minRate } }
    if let top { query = query.limit(top) }
    return query
  }

  /// The books that match a filter as the user wrote it.
  func books(matching filter: String) throws -> EntityQuery<Book> { try onThisShelf().filter(text: filter) }

  /// Reads the books of a query one by one, page after page.
  func forEach(_ query: EntityQuery<Book>, _ body: (Tracked<Book>) throws -> Void) async throws {
    do {
      for try await book in query.stream() { try body(book) }
    } catch let error as ODataError where isTableMissing(error) {
      // Nothing has been added yet: the shelf is empty.
    }
  }

  /// Changes what is given. Only that is sent, and only if nobody else has changed the book meanwhile.
  func update(_ id: String, title: String?, author: String?, rate: Int32?) async throws {
    let book = try await book(id)
    if let title { book.title = title }
    if let author { book.author = author }
    if let rate { book.rate = rate }
    do {
      try await context.saveChanges()
    } catch ODataError.Code.concurrencyConflict {
      throw Failure(
        "The book \(id) was changed by someone else at this moment; look at it and update it again.")
    }
  }

  /// Deletes books, a hundred in one change set. Those that are there are deleted even if others are not.
  func remove(_ ids: [String]) async throws {
    var absent: [String] = []
    for id in ids {
      if let book = try await found(id) { try books.delete(book) } else { absent.append(id) }
    }
    try await context.saveChanges(.batch)
    if !absent.isEmpty { throw missing(absent) }
  }

  private func onThisShelf() throws -> EntityQuery<Book> {
    // What is only printed need not be tracked: a shelf of a million books is listed in little memory.
    try books.query.mergeOption(.noTracking).filter { $0.partitionKey == name }
  }

  private func found(_ id: String) async throws -> Tracked<Book>? {
    do {
      return try await books.find(partitionKey: name, rowKey: id)
    } catch let error as ODataError where isTableMissing(error) {
      return nil
    }
  }

  private func isTableMissing(_ error: ODataError) -> Bool { error.serviceCode == "TableNotFound" }

  private func missing(_ ids: [String]) -> Failure {
    Failure(
      ids.count == 1
        ? "There is no book with the id \(ids[0]) on the shelf \(name); see BookShelf list."
        : "There are no books with the ids \(ids.joined(separator: ", ")) on the shelf \(name)."
    )
  }
}
