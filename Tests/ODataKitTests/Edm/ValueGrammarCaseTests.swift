import ODataKit
import ODataTestSupport
import Testing

/// The published test cases of OData's grammar that are about values as payloads carry them: one rule, one type.
@Suite("Published test cases of primitive values")
struct ValueGrammarCaseTests {
  private static let types: [String: EdmType] = [
    "booleanValue": .boolean, "byteValue": .byte, "sbyteValue": .sbyte, "int16Value": .int16,
    "int32Value": .int32, "int64Value": .int64, "decimalValue": .decimal, "doubleValue": .double,
    "singleValue": .single, "dateValue": .date, "date": .date, "dateTimeOffsetValue": .dateTimeOffset,
    "durationValue": .duration, "timeOfDayValue": .timeOfDay, "guid": .guid, "guidValue": .guid,
  ]

  /// What does not hold, and why not.
  private static func exception(_ item: GrammarCase) -> String? {
    switch (item.rule, item.input, item.isInvalid) {
    case ("decimalValue", "INF", false), ("decimalValue", "-INF", false), ("decimalValue", "NaN", false):
      "a Decimal that is no number (OData 4.01 only) is refused, since EdmDecimal is digits"
    case ("date", let text, false), ("dateTimeOffsetValue", let text, false):
      text.hasPrefix("0000") || text.hasPrefix("-")
        ? "a year outside of 1 to 9999 is refused, since no service of .NET or SQL stores one" : nil
    case ("decimalValue", "42.", true), ("decimalValue", ".1", true):
      "a point without digits on one side is read, since other writers leave them out"
    case ("booleanValue", _, true): "a Boolean is read in any case, as OData 4.01 has it in URLs"
    default: nil
    }
  }

  @Test(
    "every positive case is read and written back the same, every negative one refused",
    .enabled(if: SharedFolder.url != nil, "The folder of recordings is not there."))
  func published() throws {
    var passed = (valid: 0, invalid: 0)
    var exceptions: [String: Int] = [:]
    for item in try GrammarCase.all() {
      guard let type = Self.types[item.rule] else { continue }
      let value = try? EdmValue(lexical: item.input, type)
      if let reason = Self.exception(item) {
        exceptions[reason, default: 0] += 1
        #expect((value == nil) != item.isInvalid, "\(item.rule) \(item.input) is an exception no more")
        continue
      }
      #expect((value == nil) == item.isInvalid, "\(item.rule) \(item.input)")
      if let value {
        var text: [UInt8] = []
        value.appendLexical(to: &text)
        #expect(try EdmValue(lexical: String(decoding: text, as: UTF8.self), type) == value)
        passed.valid += 1
      } else {
        passed.invalid += 1
      }
    }
    print("value cases: \(passed.valid) valid and \(passed.invalid) invalid ones hold; exceptions:")
    for (reason, count) in exceptions.sorted(by: { $0.key < $1.key }) { print("  \(count): \(reason)") }
    #expect(passed.valid >= 30)
    #expect(passed.invalid >= 15)
  }
}
