import ODataKit

/// JSON: the same whole and in pieces; and what was read, once it is written, reads the same.
@Sendable func fuzzJSON(_ input: FuzzInput) {
  guard let reading = input.read({ JSONReader(limits: FuzzInput.limits) }) else { return }
  for record in reading.records.prefix(4) {
    for annotations in [JSONAnnotations.odata3, .odata4] {
      var writer = JSONEntityWriter(annotations: annotations)
      do {
        try writer.requestEntity(record, writesNulls: true)
      } catch {
        // What the other generations alone have cannot be written; then nothing is.
        demand(writer.bytes.isEmpty, "a refused record left bytes behind")
        continue
      }
      reread(writer.bytes, [record], annotations)
    }
    // A table holds nothing else, and what is written for it takes nothing else.
    guard record.isFlat else { continue }
    var writer = JSONEntityWriter(annotations: .odata3)
    writer.beginFeed(
      context: JSONResponseContext(
        base: "http://books.example/", accountName: "books", tableName: "Books", metadata: .full))
    do {
      try writer.feedEntity(record)
      try writer.feedEntity(record)
    } catch {
      // Types of OData 4 that tables do not have.
      continue
    }
    writer.endFeed()
    reread(writer.bytes, [record, record], .odata3)
  }
}

private func reread(_ bytes: [UInt8], _ records: [EntityRecord], _ annotations: JSONAnnotations) {
  let again = Outcome { try PayloadReading([bytes], by: JSONReader()) }
  let text = String(decoding: bytes, as: UTF8.self)
  guard case .value(let reading) = again, reading.records.count == records.count else {
    fatalError("what was written cannot be read: \(again)\n\(text)")
  }
  for (read, record) in zip(reading.records, records) where record.isFlat {
    demand(
      read.shape == record.shape && read.values.elementsEqual(record.values) { same($0, $1, annotations) },
      "\(record)\nwas written as\n\(text)\nand read as\n\(read)")
  }
}

/// Whether one value stands for the other. OData 4 has no DateTime, and a DateTimeOffset in its place.
private func same(_ read: EdmValue, _ value: EdmValue, _ annotations: JSONAnnotations) -> Bool {
  switch (read, value) {
  case (.dateTimeOffset(let read), .dateTime(let value)) where annotations == .odata4: read.instant == value
  default: read == value
  }
}
