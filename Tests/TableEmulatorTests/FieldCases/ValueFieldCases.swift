import AzureTable
import ODataKit
import ODataTestSupport
import TableEmulator
import Testing

/// Faults that users of other table clients met, each as it came to them, through the client and the store and back, in
/// both formats. The numbers are those of the collection the cases were taken from.
@Suite("Field cases of values, end to end")
struct ValueFieldCases {
  private func table(_ format: PayloadFormat, _ body: (TableClient) async throws -> Void) async throws {
    let service = try TableService.embedded(in: try Emulator.inMemory(), format: format)
    try await service.createTable("Cases")
    try await body(try service.table("Cases"))
  }

  private func record(_ properties: KeyValuePairs<String, EdmValue>) -> EntityRecord {
    var record = EntityRecord(properties)
    record["PartitionKey"] = .string("p")
    record["RowKey"] = .string("r")
    return record
  }

  private func stored(_ table: TableClient) async throws -> EntityRecord {
    try #require(try await table.record(partitionKey: "p", rowKey: "r"))
  }

  @Test(
    "G04 · dates keep their 100 ns while another property changes", arguments: [PayloadFormat.atom, .json])
  func dates(_ format: PayloadFormat) async throws {
    let texts = [
      "2014-09-02T21:09:14.8848547Z", "1601-01-01T00:00:00Z", "9999-12-31T23:59:59.9999999Z",
      "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.1Z",
    ]
    try await table(format) { table in
      for text in texts {
        let date = EdmValue.dateTime(try #require(EdmDateTime(text)))
        var entity = record(["D": date, "S": .string("a")])
        try await table.insertOrReplace(entity)
        entity = try await stored(table)
        #expect(entity["D"] == date)
        entity["S"] = .string("b")
        try await table.replace(entity)
        #expect(try await stored(table)["D"] == date)
        #expect(date.lexicalText == text)
        #expect(try date.literal(for: .azureTable) == "datetime'\(text)'")
      }
    }
  }

  @Test(
    "G04 · a date before 1601 is refused by name before anything is sent",
    arguments: [PayloadFormat.atom, .json])
  func dateOutOfRange(_ format: PayloadFormat) async throws {
    try await table(format) { table in
      let entity = record(["D": .dateTime(.minimum)])
      let error = await #expect(throws: ODataError.self) { try await table.insert(entity) }
      #expect(error?.code == .invalidValue)
      #expect(error?.message.contains("The property D of the Cases entity") == true)
      #expect(error?.message.contains("1601") == true)
      let found = try await table.record(partitionKey: "p", rowKey: "r")
      #expect(found == nil)
    }
  }

  @Test(
    "G05 · an Int64 stays one, small or large, whatever is done with its row",
    arguments: [PayloadFormat.atom, .json])
  func integers(_ format: PayloadFormat) async throws {
    try await table(format) { table in
      try await table.insert(record(["A": .int64(9_333_111_000), "B": .int64(5), "C": .int32(5)]))
      try await table.replace(try await stored(table))
      let entity = try await stored(table)
      #expect(entity["A"] == .int64(9_333_111_000))
      #expect(entity["B"] == .int64(5))
      #expect(entity["C"] == .int32(5))
    }
  }

  private struct Unsigned: Codable {
    var partitionKey = "p"
    var rowKey = "r"
    var count: UInt64
  }

  @Test("G05 · a number beyond Int64 is refused by name", arguments: [PayloadFormat.atom, .json])
  func unsigned(_ format: PayloadFormat) async throws {
    try await table(format) { table in
      let error = await #expect(throws: ODataError.self) { try await table.insert(Unsigned(count: .max)) }
      #expect(error?.message.contains("count") == true)
      try await table.insert(Unsigned(count: 5))
      #expect(try await stored(table)["count"] == .int64(5))
    }
  }

  @Test(
    "G06 · NaN and the infinities are values, and text that spells one is text",
    arguments: [PayloadFormat.atom, .json])
  func specialNumbers(_ format: PayloadFormat) async throws {
    let values: KeyValuePairs<String, EdmValue> = [
      "D1": .double(.nan), "D2": .double(.infinity), "D3": .double(-.infinity), "S": .string("NaN"),
      "D4": .double(4), "D5": .double(-0.0),
    ]
    try await table(format) { table in
      try await table.insert(record(values))
      let entity = try await stored(table)
      for (name, value) in values { #expect(entity[name] == value, "\(name)") }
    }
  }

  @Test(
    "G09 · words that look like the system's are names like any other",
    arguments: [PayloadFormat.atom, .json])
  func systemWords(_ format: PayloadFormat) async throws {
    let values: KeyValuePairs<String, EdmValue> = [
      "ETag": .string("mine"), "etag": .string("other"), "default": .int32(1), "self": .boolean(true),
      "Type": .string("t"), "id": .string("i"), "value": .string("v"), "d": .string("d"),
      "error": .string("e"),
      "results": .string("r"), "title": .string("T"), "updated": .string("u"), "content": .string("c"),
    ]
    try await table(format) { table in
      try await table.insert(record(values))
      let entity = try await stored(table)
      for (name, value) in values { #expect(entity[name] == value, "\(name)") }
      let tag = try #require(entity.control.entityTag)
      #expect(tag.rawValue.hasPrefix("W/\"datetime'"))
      try await table.replace(entity, ifMatch: tag)
      await #expect(throws: ODataError.self) { try await table.replace(entity, ifMatch: tag) }
    }
  }

  @Test(
    "G09 · a name that no table takes is refused with the name in the sentence",
    arguments: ["Distinguished Name", "a-b", String(repeating: "x", count: 256)], [PayloadFormat.atom, .json])
  func badName(_ name: String, _ format: PayloadFormat) async throws {
    try await table(format) { table in
      var entity = record([:])
      entity[name] = .int32(1)
      let error = await #expect(throws: ODataError.self) { try await table.insert(entity) }
      #expect(error?.message.contains(String(name.prefix(20))) == true)
    }
  }

  @Test("G19 · every character of a text survives", arguments: [PayloadFormat.atom, .json])
  func whiteSpace(_ format: PayloadFormat) async throws {
    let values: KeyValuePairs<String, EdmValue> = [
      "S1": .string("  a\n\n b\t "), "S2": .string(" "), "S3": .string(""), "S5": .string("x\r\ny"),
      "S6": .string("]]> & <b>"), "S7": .string("\r"), "S8": .string("\t\n\r\u{7F}\u{85}"),
    ]
    try await table(format) { table in
      var written = record(values)
      written["S4"] = .null
      try await table.insert(written)
      let entity = try await stored(table)
      for (name, value) in values { #expect(entity[name] == value, "\(name)") }
      // A null is none to a table.
      #expect(entity["S4"] == nil)
    }
  }

  @Test(
    "G20 · a character XML cannot carry: Atom refuses it by name, JSON brings it back",
    arguments: ["ok\u{8}bad", "\u{0}", "\u{1F}", "\u{FFFE}"])
  func controlCharacters(_ text: String) async throws {
    try await table(.atom) { table in
      let entity = record(["S": .string(text)])
      let error = await #expect(throws: ODataError.self) { try await table.insert(entity) }
      #expect(error?.code == .invalidValue)
      #expect(error?.message.contains("property 'S'") == true)
      #expect(error?.message.contains("U+") == true)
      let found = try await table.record(partitionKey: "p", rowKey: "r")
      #expect(found == nil)
    }
    try await table(.json) { table in
      try await table.insert(record(["S": .string(text)]))
      #expect(try await stored(table)["S"] == .string(text))
    }
  }
}

extension EdmValue {
  fileprivate var lexicalText: String {
    var bytes: [UInt8] = []
    appendLexical(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
