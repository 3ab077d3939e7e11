import AzureTable
import Foundation

/// The rows that could not be imported, as they stood in the file, each with the reason in a column behind it.
/// The file, `books.rejected.csv` for `books.csv`, is made with the first of them.
final class RejectFile {
  let path: String
  private(set) var count = 0
  private let header: CSVRecord
  private var handle: FileHandle?

  init(besides path: String, header: CSVRecord) {
    let isCSV = path.lowercased().hasSuffix(".csv")
    self.path = (isCSV ? String(path.dropLast(".csv".count)) : path) + ".rejected.csv"
    self.header = header
  }

  func add(_ record: CSVRecord, reason: String) throws {
    do {
      let file = try handle ?? make()
      handle = file
      // A short row gets the columns it lacks, so that the reason stands in its own.
      let missing = max(0, header.fields.count - record.fields.count)
      try file.write(
        contentsOf: line(record, String(repeating: ",", count: missing) + "," + CSVRecord.text(of: reason)))
      count += 1
    } catch {
      throw Failure("\(path), where rejected rows go, cannot be written: \(systemReason(error)).")
    }
  }

  private func make() throws -> FileHandle {
    try Data().write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: line(header, ",reason"))
    return file
  }

  private func line(_ record: CSVRecord, _ rest: String) -> Data {
    Data(record.bytes + Array(rest.utf8) + Array("\r\n".utf8))
  }
}
