import AzureTable
import Foundation

/// Where the columns of a book are in a CSV file, and how a row becomes a book.
struct ImportColumns {
  /// What is wrong with a row, as half a sentence.
  struct Rejection: Error {
    let reason: String
  }

  private let count: Int
  private let title: Int
  private let author: Int
  private let rate: Int?
  private let id: Int?

  /// Reads the header row; the case of the names does not matter.
  init(header: CSVRecord, file: String) throws {
    let names = header.fields.map { trimmed($0).lowercased() }
    func column(_ spellings: String...) -> Int? { spellings.lazy.compactMap(names.firstIndex(of:)).first }
    guard let title = column("title"), let author = column("author", "authors") else {
      throw Failure(
        """
        \(file) has no \(column("title") == nil ? "title" : "author or authors") column; its first row must name the \
        columns, among them title and author (or authors).
        """)
    }
    count = names.count
    self.title = title
    self.author = author
    rate = column("rate", "average_rating")
    id = column("id", "book_id")
  }

  /// The book of a row, on a shelf.
  func book(_ record: CSVRecord, shelf: String) throws(Rejection) -> Book {
    if let problem = record.problem { throw Rejection(reason: problem) }
    guard record.fields.count == count else {
      throw Rejection(reason: "the row has \(record.fields.count) columns where the header has \(count)")
    }
    let id = id.map { trimmed(record.fields[$0]) } ?? ""
    return Book(
      partitionKey: shelf, rowKey: id.isEmpty ? UUID().uuidString.lowercased() : id,
      title: try text(record.fields[title], "title"), author: try text(record.fields[author], "author"),
      rate: try rate.flatMap { (column) throws(Rejection) in try number(record.fields[column]) })
  }

  private func text(_ field: String, _ name: String) throws(Rejection) -> String {
    guard !trimmed(field).isEmpty else { throw Rejection(reason: "the \(name) is empty") }
    return field
  }

  private func number(_ field: String) throws(Rejection) -> Int32? {
    let field = trimmed(field)
    guard !field.isEmpty else { return nil }
    // What a person would write: `Double` also reads hexadecimal digits.
    let isDecimal = field.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isDecimal, let value = Double(field), let rounded = Int32(exactly: value.rounded()) else {
      throw Rejection(reason: "the rate is not a number from \(Int32.min) to \(Int32.max)")
    }
    return rounded
  }
}

private func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
