import AzureTable
import Foundation
import ODataKit

/// Reads books from a CSV file and sends them a hundred at a time. The file is read in chunks, and no more than one
/// batch is held.
struct ImportJob {
  private struct Row: Sendable {
    let record: CSVRecord
    let book: Book
  }

  private let path: String
  private let shelf: String
  private let service: TableService
  private let books: TableClient
  private let console: Console
  private let batchSize: Int
  private let limit: Int

  private var columns: ImportColumns?
  private var rejects: RejectFile?
  private var rows: [Row] = []
  private var rowsRead = 0
  private var imported = 0
  private var requests = 0

  init(
    path: String, shelf: String, service: TableService, console: Console, batchSize: Int, limit: Int
  ) throws {
    self.path = path
    self.shelf = shelf
    self.service = service
    self.console = console
    self.batchSize = batchSize
    self.limit = limit
    try Shelf.check(shelf)
    books = try service.table(Shelf.table)
  }

  /// Imports the file and says in one sentence what became of it.
  mutating func run() async throws -> String {
    let clock = ContinuousClock()
    let start = clock.now
    let file = try open()
    try await service.createTableIfNotExists(Shelf.table)
    do {
      let failure = try await takeRows(of: file)
      // What was read before the file broke off is not lost with it.
      try await send(rows[...])
      if let failure { throw failure }
    } catch {
      console.progress("")
      guard imported > 0 else { throw error }
      throw Failure("\(error) Before that, \(imported) books were imported; importing again replaces them.")
    }
    console.progress("")
    guard columns != nil else {
      throw Failure("\(path) is empty; its first row must name the columns, among them title and author.")
    }
    return try summary(clock.now - start)
  }

  /// Takes the rows of the file; gives what kept it from being read to its end.
  private mutating func takeRows(of file: FileHandle) async throws -> (any Error)? {
    var reader = CSVReader()
    var isAtEnd = false
    while rowsRead < limit, !isAtEnd {
      let records: [CSVRecord]
      do {
        if let chunk = try read(file) {
          records = try reader.read(chunk)
        } else {
          isAtEnd = true
          records = try reader.finish()
        }
      } catch {
        return error
      }
      for record in records { try await take(record) }
    }
    return nil
  }

  private func open() throws -> FileHandle {
    do {
      return try FileHandle(forReadingFrom: URL(filePath: path))
    } catch {
      throw Failure("\(path) cannot be read: \(fileReason(error)).")
    }
  }

  private func read(_ file: FileHandle) throws -> [UInt8]? {
    do {
      let chunk = try file.read(upToCount: 1 << 16)
      return chunk.flatMap { $0.isEmpty ? nil : [UInt8]($0) }
    } catch {
      throw Failure("\(path) cannot be read: \(fileReason(error)).")
    }
  }

  private func fileReason(_ error: any Error) -> String {
    (error as? CocoaError)?.code == .fileReadNoSuchFile ? "there is no such file" : systemReason(error)
  }

  private mutating func take(_ record: CSVRecord) async throws {
    guard let columns else {
      columns = try ImportColumns(header: record, file: path)
      rejects = RejectFile(besides: path, header: record)
      return
    }
    guard rowsRead < limit else { return }
    rowsRead += 1
    do {
      let row = Row(record: record, book: try columns.book(record, shelf: shelf))
      // A change set may touch a book only once; a later row of the same id replaces what the earlier one said.
      let isRepeated = rows.contains { $0.book.rowKey.utf8.elementsEqual(row.book.rowKey.utf8) }
      if isRepeated { try await flush() }
      rows.append(row)
      if rows.count == batchSize { try await flush() }
    } catch let rejection as ImportColumns.Rejection {
      try rejects?.add(record, reason: rejection.reason)
    }
  }

  private mutating func flush() async throws {
    let batch = rows
    rows.removeAll(keepingCapacity: true)
    try await send(batch[...])
    console.progress("\(imported) books imported, \(rejects?.count ?? 0) rows rejected")
  }

  /// Sends rows in one change set, or in smaller ones where the service wants that, and sorts out those that cannot
  /// be stored.
  private mutating func send(_ rows: ArraySlice<Row>) async throws {
    guard let first = rows.first else { return }
    do {
      if rows.count == 1 {
        try await books.insertOrReplace(first.book)
      } else {
        var transaction = TableTransaction()
        for row in rows { transaction.insertOrReplace(row.book) }
        try await books.submit(transaction)
      }
      requests += 1
      imported += rows.count
    } catch let error as ODataError {
      if let index = error.failedOperation ?? (rows.count == 1 ? 0 : nil), index < rows.count,
        isAboutRow(error)
      {
        // Nothing of the change set is stored yet.
        let bad = rows.startIndex + index
        try rejects?.add(rows[bad].record, reason: error.message)
        try await send(rows[..<bad] + rows[(bad + 1)...])
      } else if rows.count > 1, isAboutSize(error) {
        let middle = rows.startIndex + rows.count / 2
        try await send(rows[..<middle])
        try await send(rows[middle...])
      } else {
        throw error
      }
    }
  }

  private func isAboutRow(_ error: ODataError) -> Bool {
    error.code == .invalidValue || error.httpStatus == 400 || error.httpStatus == 413
  }

  private func isAboutSize(_ error: ODataError) -> Bool {
    error.code == .invalidArgument || error.httpStatus == 413
  }

  private func summary(_ duration: Duration) throws -> String {
    let rejected = rejects?.count ?? 0
    let rejectPath = rejects?.path ?? ""
    if imported == 0, rejected > 0 {
      throw Failure("None of the \(rejected) rows of \(path) could be imported; \(rejectPath) says why.")
    }
    let seconds = (duration / .seconds(1)).formatted(
      .number.precision(.fractionLength(1)).locale(Locale(identifier: "en")))
    var text =
      "Imported \(counted(imported, "book")) to the shelf \(TextLine.visible(shelf)) in \(seconds) s"
      + " with \(counted(requests, batchSize == 1 ? "request" : "change set"))"
    if rejected > 0 { text += "; \(counted(rejected, "row")) rejected, see \(rejectPath)" }
    return text + "."
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
