import ODataKit
import Testing

@Suite("Names of coding keys on the wire")
struct PropertyNamingTests {
  @Test(
    "a rule and its exceptions work in both directions",
    arguments: [
      (PropertyNaming.unchanged, "title", "title"), (.upperCamelCase, "title", "Title"),
      (.upperCamelCase, "a", "A"), (.upperCamelCase, "élan", "élan"), (.upperCamelCase, "_id", "_id"),
      (.upperCamelCase, "", ""), (tableNaming, "partitionKey", "PartitionKey"),
      (tableNaming, "rowkey", "rowkey"),
      (.upperCamelCase.renaming(["id": "Id"]).renaming(["id": "ID"]), "id", "ID"),
    ])
  func bothWays(naming: PropertyNaming, codingKey: String, wireName: String) throws {
    #expect(naming.wireName(of: codingKey) == wireName)
    #expect(naming.codingKey(of: wireName) == codingKey)
    let record = try RecordEncoder(naming: naming, dialect: .v4).encode([codingKey: EdmValue.int32(1)])
    #expect(record == EntityRecord([wireName: .int32(1)]))
    #expect(
      try RecordDecoder(naming: naming).decode([String: EdmValue].self, from: record) == [
        codingKey: .int32(1)
      ])
  }

  @Test("namings compare by their rule and exceptions")
  func equality() {
    #expect(PropertyNaming.unchanged != .upperCamelCase)
    #expect(PropertyNaming.unchanged.renaming(["a": "b"]) == .unchanged.renaming(["a": "b"]))
    #expect(
      PropertyNaming.unchanged.renaming(["a": "caf\u{E9}"]) != .unchanged.renaming(["a": "cafe\u{301}"]))
  }
}
