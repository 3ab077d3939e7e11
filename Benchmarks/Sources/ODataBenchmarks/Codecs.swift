import ODataKit

/// The two formats, and what is measured of each.
enum Format: String, CaseIterable {
  case atom, json

  var name: String { self == .atom ? "Atom" : "JSON" }

  func makeReader() -> any PayloadReader {
    switch self {
    case .atom: AtomReader()
    case .json: JSONReader()
    }
  }

  func document(_ count: Int) -> [UInt8] {
    switch self {
    case .atom: SampleData.feed(count)
    case .json: SampleData.page(count)
    }
  }
}

/// The bytes that a transport hands over at once.
let pieceLength = 64 << 10

extension [UInt8] {
  /// The bytes as they come from a transport.
  var pieces: [[UInt8]] {
    stride(from: 0, to: count, by: pieceLength).map { Array(self[$0..<Swift.min(count, $0 + pieceLength)]) }
  }
}

/// Reads pieces into records, each of which goes to `body`.
func readRecords(
  _ pieces: [[UInt8]], _ format: Format, _ body: (EntityRecord) throws -> Void
) throws {
  let reader = format.makeReader()
  for piece in pieces {
    for record in try reader.read(piece) { try body(record) }
  }
  _ = try reader.finish()
}

/// Reads pieces into records and keeps them.
func readRows(_ pieces: [[UInt8]], _ format: Format) throws -> [EntityRecord] {
  var rows: [EntityRecord] = []
  try readRecords(pieces, format) { rows.append($0) }
  return rows
}

/// Reads pieces into structs and keeps them.
func readBooks(_ pieces: [[UInt8]], _ format: Format) throws -> [Book] {
  let decoder = RecordDecoder()
  var books: [Book] = []
  try readRecords(pieces, format) { books.append(try decoder.decode(Book.self, from: $0)) }
  return books
}

/// Writes each record as the body of a request, and gives the bytes of all.
func writeRecords(
  _ format: Format, _ count: Int, _ record: (Int) throws -> EntityRecord
) throws -> Int {
  var total = 0
  switch format {
  case .atom:
    var writer = AtomWriter()
    for index in 0..<count {
      try writer.requestEntry(try record(index), updated: .unixEpoch)
      total += writer.take().count
    }
  case .json:
    var writer = JSONEntityWriter(annotations: .odata3)
    for index in 0..<count {
      try writer.requestEntity(try record(index), writesNulls: false)
      total += writer.take().count
    }
  }
  return total
}

/// The bodies themselves.
func bodies(_ format: Format, of books: [Book]) throws -> [[UInt8]] {
  let encoder = RecordEncoder(dialect: .azureTable)
  var jsonWriter = JSONEntityWriter(annotations: .odata3)
  return try books.map { book in
    let record = try encoder.encode(book)
    switch format {
    case .atom:
      var writer = AtomWriter()
      try writer.requestEntry(record, updated: .unixEpoch)
      return writer.take()
    case .json:
      try jsonWriter.requestEntity(record, writesNulls: false)
      return jsonWriter.take()
    }
  }
}
