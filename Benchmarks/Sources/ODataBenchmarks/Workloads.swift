import Foundation
import ODataKit
import SAXFloor

/// The names under which the report finds what it compares.
enum WorkloadName {
  static let saxFloor = "libxml2, bare SAX push pass"
  static let foundation = "Foundation's JSONDecoder into structs"
  static let orjson = "orjson into dictionaries (Python)"
  static func decoding(_ format: Format, typed: Bool) -> String {
    "ODataKit, \(format.name) into \(typed ? "structs" : "records")"
  }
  static func encoding(_ format: Format, typed: Bool) -> String {
    "ODataKit, \(typed ? "structs" : "records") to \(format.name)"
  }
  static func copying(_ format: Format) -> String { "copying ready \(format.name) bodies" }
}

/// What reads the documents of `count` entities; `orjson` joins where there is one.
func decodingWorkloads(_ count: Int, orjson: Orjson?) throws -> [Workload] {
  let feed = SampleData.feed(count)
  let page = SampleData.page(count)
  let data = Data(page)
  let decoder = JSONDecoder()
  var workloads: [Workload] = [
    Workload(WorkloadName.saxFloor, bytes: feed.count) {
      let elements = feed.withUnsafeBufferPointer { sax_floor($0.baseAddress, $0.count, pieceLength) }
      guard elements > count else { throw BenchmarkError("libxml2 did not take the feed.") }
    }
  ]
  for (format, bytes) in [(Format.atom, feed), (.json, page)] {
    let pieces = bytes.pieces
    try verify(pieces, format, count)
    workloads.append(
      Workload(WorkloadName.decoding(format, typed: true), bytes: bytes.count) {
        try demand(try readBooks(pieces, format).count, count)
      })
    workloads.append(
      Workload(WorkloadName.decoding(format, typed: false), bytes: bytes.count) {
        try demand(try readRows(pieces, format).count, count)
      })
  }
  workloads.append(
    Workload(WorkloadName.foundation, bytes: page.count) {
      try demand(try decoder.decode(PlainPage.self, from: data).value.count, count)
    })
  if let orjson {
    try orjson.take(page)
    workloads.append(.timed(WorkloadName.orjson, bytes: page.count, orjson.decode))
  }
  return workloads
}

/// What writes `count` entities, each as the body of a request.
func encodingWorkloads(_ count: Int) throws -> [Workload] {
  let books = try (0..<count).map(SampleData.book)
  let encoder = RecordEncoder(dialect: .azureTable)
  let records = try books.map(encoder.encode)
  var workloads: [Workload] = []
  for format in Format.allCases {
    let bodies = try bodies(format, of: books)
    let total = bodies.reduce(0) { $0 + $1.count }
    workloads.append(
      Workload(WorkloadName.copying(format), bytes: total) {
        var copied = 0
        for body in bodies {
          var buffer: [UInt8] = []
          buffer.append(contentsOf: body)
          copied += buffer.count
        }
        try demand(copied, total)
      })
    workloads.append(
      Workload(WorkloadName.encoding(format, typed: true), bytes: total) {
        let encoder = RecordEncoder(dialect: .azureTable)
        try demand(try writeRecords(format, count) { try encoder.encode(books[$0]) }, total)
      })
    workloads.append(
      Workload(WorkloadName.encoding(format, typed: false), bytes: total) {
        try demand(try writeRecords(format, count) { records[$0] }, total)
      })
  }
  return workloads
}

private func demand(_ found: Int, _ expected: Int) throws {
  guard found == expected else { throw BenchmarkError("\(found) where \(expected) were expected.") }
}

/// Whether what is measured is right: every entity has to be what the text says.
private func verify(_ pieces: [[UInt8]], _ format: Format, _ count: Int) throws {
  for (index, book) in try readBooks(pieces, format).enumerated() {
    guard book == (try SampleData.book(index)) else {
      throw BenchmarkError("Entity \(index) was read wrongly from \(format.name).")
    }
  }
}
