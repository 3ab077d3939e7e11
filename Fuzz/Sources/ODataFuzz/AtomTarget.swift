import ODataKit

/// Atom: the same whole and in pieces; and what was read, once it is written, reads the same.
@Sendable func fuzzAtom(_ input: FuzzInput) {
  guard let reading = input.read({ AtomReader(limits: FuzzInput.limits) }) else { return }
  for dialect in [Dialect.v3, .v4] {
    for record in reading.records.prefix(4) {
      rereadEntry(record, dialect)
      rereadFeed([record, record], dialect)
    }
  }
}

private let instant = EdmDateTime.unixEpoch

/// Writes a record as a client does.
private func rereadEntry(_ record: EntityRecord, _ dialect: Dialect) {
  var writer = AtomWriter(dialect: dialect)
  do {
    try writer.requestEntry(record, updated: instant, includesType: true)
  } catch {
    // What the other generation alone has cannot be written; then nothing is.
    demand(writer.bytes.isEmpty, "a refused record left bytes behind")
    return
  }
  let again = Outcome { try PayloadReading([writer.bytes], by: AtomReader()) }
  guard case .value(let reading) = again, let read = reading.records.first else {
    fatalError("what was written cannot be read: \(again)\n\(String(decoding: writer.bytes, as: UTF8.self))")
  }
  guard record.isFlat else { return }
  demand(same(read, record), "\(record)\nwas written and read as\n\(read)")
  demand(
    (read.control.id ?? "") == (record.control.id ?? ""), "the id \(record.control) became \(read.control)")
}

/// Writes records as a server does.
private func rereadFeed(_ records: [EntityRecord], _ dialect: Dialect) {
  var writer = AtomWriter(dialect: dialect)
  let context = AtomResponseContext(
    base: "http://books.example/", accountName: "books", tableName: "Books", updated: instant)
  do {
    try writer.beginFeed(in: context)
    for record in records { try writer.feedEntry(record) }
    try writer.endFeed()
  } catch { return }
  let again = Outcome { try PayloadReading([writer.bytes], by: AtomReader()) }
  guard case .value(let reading) = again, reading.records.count == records.count, reading.summary.isFeed
  else {
    fatalError("a feed that was written cannot be read: \(again)")
  }
  for (read, record) in zip(reading.records, records) where record.isFlat {
    demand(same(read, record), "\(record)\nwas written and read as\n\(read)")
    demand(
      read.control.entityTag == record.control.entityTag, "the tag \(record.control) became \(read.control)")
  }
}

/// Names and values alike.
private func same(_ a: EntityRecord, _ b: EntityRecord) -> Bool { a.shape == b.shape && a.values == b.values }
