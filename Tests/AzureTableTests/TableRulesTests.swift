import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("The rules of the service, before anything is sent")
struct TableRulesTests {
  /// The message of the refusal of an insert, or `nil` where it would be sent.
  private func refusal(_ record: EntityRecord) -> String? {
    do throws(ODataError) {
      try TableRules.check(ChangeOperation(.insert, at: .set("Books"), record: record))
      return nil
    } catch {
      #expect(error.code == .invalidValue)
      return error.message
    }
  }

  private func entity(_ properties: (String, EdmValue)...) -> EntityRecord {
    var record = EntityRecord(["PartitionKey": .string("p"), "RowKey": .string("r")])
    for (name, value) in properties { record[name] = value }
    return record
  }

  @Test(
    "keys",
    arguments: [
      ("", nil), ("O'Neil", nil), ("100%", nil), ("a+b", nil), ("日本 🦊", nil),
      (String(repeating: "é", count: 512), nil),
      ("a/b", "holds \"/\"; a key cannot have / \\ # or ?"),
      ("a\\b", "holds \"\\\"; a key cannot have / \\ # or ?"),
      ("a#b", "holds \"#\"; a key cannot have / \\ # or ?"),
      ("a?b", "holds \"?\"; a key cannot have / \\ # or ?"),
      ("a\u{0}b", "holds the control character U+0000, which a key cannot"),
      ("a\nb", "holds the control character U+000A, which a key cannot"),
      ("a\u{85}b", "holds the control character U+0085, which a key cannot"),
      (String(repeating: "k", count: 513), "is longer than 1 KiB (512 UTF-16 units)"),
      (String(repeating: "🦊", count: 257), "is longer than 1 KiB (512 UTF-16 units)"),
    ] as [(String, String?)])
  func keys(key: String, rule: String?) {
    for name in ["PartitionKey", "RowKey"] {
      var record = entity()
      record[name] = .string(key)
      let message = refusal(record)
      if let rule {
        #expect(message?.hasPrefix("The property \(name) of the Books entity (") == true)
        #expect(message?.hasSuffix(") \(rule).") == true)
      } else {
        #expect(message == nil)
      }
    }
  }

  @Test("an entity without a key, or with a number as one, is refused")
  func missingKeys() {
    #expect(
      refusal(EntityRecord(["PartitionKey": .string("p")]))?.contains("has no PartitionKey or no RowKey")
        == true)
    #expect(
      refusal(EntityRecord(["PartitionKey": .string("p"), "RowKey": .int32(1)]))?.contains("as a string")
        == true)
  }

  @Test(
    "values",
    arguments: [
      (.string(String(repeating: "é", count: 32_768)), nil),
      (.string(String(repeating: "e", count: 32_769)), "is longer than 64 KiB (32768 UTF-16 units)"),
      (.binary(Array(repeating: 0, count: 65_536)), nil),
      (.binary(Array(repeating: 0, count: 65_537)), "is longer than 64 KiB (65536 bytes)"),
      (.dateTime(.earliestOfTables), nil),
      (.dateTime(.minimum), "is before 1601-01-01, the earliest date that the service stores"),
      (.double(.nan), nil), (.null, nil),
      (
        .int16(1),
        "is of the type Edm.Int16, which tables do not have; use String, Int32, Int64, Double, Boolean, DateTime, Guid or Binary"
      ),
    ] as [(EdmValue, String?)])
  func values(value: EdmValue, rule: String?) {
    #expect(
      refusal(entity(("v", value))) == rule.map { "The property v of the Books entity ('p', 'r') \($0)." })
  }

  @Test(
    "names",
    arguments: [
      ("ETag", true), ("名前", true), ("_x", true), ("a1", true), (String(repeating: "n", count: 255), true),
      ("a-b", false), ("Distinguished Name", false), ("1a", false), ("", false), ("a.b", false),
      ("odata:x", false), ("a\u{B7}b", false), ("a\u{200D}b", false), ("e\u{301}", true), ("ª٣", true),
      (String(repeating: "n", count: 256), false),
    ])
  func names(name: String, isFine: Bool) {
    #expect((refusal(entity((name, .int32(1)))) == nil) == isFine)
  }

  @Test("252 properties fit, 253 do not")
  func propertyCount() {
    var record = entity()
    for index in 0..<252 { record["p\(index)"] = .int32(1) }
    #expect(refusal(record) == nil)
    record["more"] = .int32(1)
    #expect(refusal(record)?.contains("has 253 properties; the service takes 252 at most") == true)
  }

  @Test("an entity of more than 1 MiB is refused")
  func entitySize() {
    var record = entity()
    for index in 0..<15 { record["p\(index)"] = .string(String(repeating: "e", count: 32_768)) }
    #expect(refusal(record) == nil)
    record["p15"] = .string(String(repeating: "e", count: 32_768))
    #expect(refusal(record)?.contains("takes 1 MiB (1048576) at most") == true)
  }

  @Test(
    "names of tables",
    arguments: [
      ("Books", true), ("abc", true), (String(repeating: "a", count: 63), true),
      ("$MetricsHourPrimary", true),
      ("ab", false), (String(repeating: "a", count: 64), false), ("1abc", false), ("a-bc", false),
      ("tables", false),
      ("Tables", false), ("本の棚", false), ("", false),
    ])
  func tableNames(name: String, isFine: Bool) {
    #expect(((try? TableRules.check(table: name)) != nil) == isFine)
  }

  @Test("a refusal never repeats a value")
  func noValues() {
    let message = refusal(entity(("v", .string("secret" + String(repeating: "e", count: 40_000)))))
    #expect(message?.contains("secret") == false)
  }
}
