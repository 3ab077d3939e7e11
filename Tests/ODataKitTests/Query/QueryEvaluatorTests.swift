import Foundation
import ODataKit
import Testing

@Suite struct QueryEvaluatorTests {
  private static let record = EntityRecord([
    "PartitionKey": .string("shelf-1"), "RowKey": .string("botchan"), "Title": .string("坊っちゃん"),
    "Rate": .int32(4), "Copies": .int64(4_294_967_296), "Price": .double(2.5), "Whole": .double(4),
    "Nothing": .double(.nan), "Read": .boolean(true), "Lent": .boolean(false),
    "Bought": .dateTime(EdmDateTime("2014-09-02T21:09:14.8848547Z")!), "Cover": .binary([0, 1, 0xA0]),
    "Number": .guid(UUID(uuidString: "debc44d5-04a9-42ea-ab2f-4e2cb49ff833")!), "Empty": .string(""),
  ])

  private func matches(_ text: String, _ record: EntityRecord = record) throws -> Bool {
    try QueryEvaluator(FilterParser.parse(text, dialect: .azureTable)).matches(record)
  }

  @Test(arguments: [
    "Title eq '坊っちゃん'", "Title ne '坊ちゃん'", "Rate eq 4", "4 eq Rate", "Rate ge 4", "Rate le 4", "3 lt Rate",
    "Rate gt 3 and Rate lt 5", "Copies eq 4294967296L", "Copies gt 5L", "Price eq 2.5", "Price lt 3.0",
    "Price ne 2.0", "Whole eq 4.0", "Nothing ne 1.0", "Nothing ne NaN", "Read eq true", "Read gt false",
    "Lent ne true",
    "Bought eq datetime'2014-09-02T21:09:14.8848547Z'", "Bought lt datetime'2014-09-02T21:09:14.8848548Z'",
    "Cover eq X'0001A0'", "Cover gt X'0001'", "Cover lt X'0002'", "Empty eq ''", "RowKey ge 'botchan'",
    "Number eq guid'DEBC44D5-04a9-42ea-ab2f-4e2cb49ff833'",
    "Number gt guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff832'",
    "true", "not false", "true and Rate eq 4", "false or Rate eq 4", "not (Rate eq 5)",
    "(Rate eq 4)and(not(Lent eq true))", "Rate eq 1 or Rate eq 2 and Rate eq 3 or Rate eq 4",
  ])
  func holds(text: String) throws { #expect(try matches(text)) }

  @Test(arguments: [
    "Title eq '坊ちゃん'", "Title eq 'ぼっちゃん'", "RowKey eq 'Botchan'", "Rate ne 4", "Rate gt 4", "Rate lt 4",
    "false", "not true", "Nothing eq NaN", "Nothing lt 1.0", "Nothing ge 1.0", "Empty lt ''",
    "not (Rate eq 4)",
    "(Rate eq 4 or Rate eq 5) and Rate eq 6", "title eq '坊っちゃん'",
    // A constant of another type than the stored one, whatever the relation.
    "Whole eq 4", "Whole ne 5", "Rate eq 4L", "Rate eq 4.0", "Rate ne 5L", "Copies eq 5", "Copies gt 5",
    "Price gt 2",
    "Rate eq '4'", "Title ne 4", "Bought ne '2014'", "Read eq 'true'",
    "Number eq 'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'",
  ])
  func fails(text: String) throws { #expect(try !matches(text)) }

  /// What is missing is in no relation to anything, and the opposite of that is true.
  @Test(arguments: ["eq", "ne", "gt", "ge", "lt", "le"])
  func missingProperty(word: String) throws {
    for constant in ["''", "'x'", "1", "1L", "1.5", "true", "datetime'2014-01-01T00:00:00Z'"] {
      #expect(try !matches("Isbn \(word) \(constant)"))
      #expect(try matches("not (Isbn \(word) \(constant))"))
      #expect(try !matches("not not (Isbn \(word) \(constant))"))
      #expect(try !matches("Isbn \(word) \(constant) and Rate eq 4"))
      #expect(try matches("Isbn \(word) \(constant) or Rate eq 4"))
    }
  }

  /// Eight rows, every combination of three conditions, against the same conditions computed by hand.
  @Test func groupingAndNot() throws {
    let filters: [(String, (Bool, Bool, Bool) -> Bool)] = [
      ("(A eq 1 or B eq 1) and C eq 1", { ($0 || $1) && $2 }),
      ("A eq 1 or (B eq 1 and C eq 1)", { $0 || ($1 && $2) }),
      ("A eq 1 or B eq 1 and C eq 1", { $0 || ($1 && $2) }),
      ("not (A eq 1 and B eq 1)", { a, b, _ in !(a && b) }),
      ("not (A eq 1) and B eq 1", { a, b, _ in !a && b }),
      ("not (A eq 1) or not (B eq 1) and C eq 1", { !$0 || (!$1 && $2) }),
      ("A ne 1 and (B ne 1 or C eq 1)", { !$0 && (!$1 || $2) }),
    ]
    for (text, expected) in filters {
      for row in 0..<8 {
        let flags = [row & 1, row >> 1 & 1, row >> 2].map { $0 == 1 }
        var record = EntityRecord()
        for (name, flag) in zip(["A", "B", "C"], flags) { record[name] = .int32(flag ? 1 : 0) }
        #expect(try matches(text, record) == expected(flags[0], flags[1], flags[2]), "\(text) \(flags)")
      }
    }
  }

  /// What a client sends for a bare Boolean property means what the property says.
  @Test func bareBooleanProperty() throws {
    for (text, expected) in [
      ("Read", true), ("Lent", false), ("not Read", false), ("not Lent and Read", true),
    ] {
      let sent = try FilterParser.parse(text, dialect: .azureTable).rendered(for: .azureTable)
      #expect(try matches(sent) == expected)
    }
  }

  @Test func ordinalOrderOfStrings() throws {
    // By UTF-16 code units: capitals first, surrogates before U+E000.
    for (smaller, larger) in [
      ("Z", "a"), ("z", "é"), ("", "\u{0}"), ("a", "a\u{0}"), ("🦊", "\u{E000}"), ("e\u{301}", "é"),
    ] {
      var record = EntityRecord()
      record["A"] = .string(smaller)
      #expect(try matches("A lt '\(larger)' and A ne '\(larger)'", record), "\(smaller) \(larger)")
      record["A"] = .string(larger)
      #expect(try matches("A gt '\(smaller)' and not (A eq '\(smaller)')", record), "\(smaller) \(larger)")
    }
  }

  @Test(arguments: [
    ("Read", ODataError.Code.invalidQuery), ("A eq null", .invalidQuery), ("A eq B", .invalidQuery),
    ("1 eq 1", .invalidQuery),
    ("'x'", .invalidQuery), ("startswith(A,'b')", .unsupported), ("A add 1 eq 2", .unsupported),
    ("-A eq 2", .unsupported),
    ("A/B eq 1", .unsupported),
    ((1...16).map { "A ne \($0)" }.joined(separator: " and "), .invalidQuery),
  ])
  func refused(text: String, code: ODataError.Code) { expectError(code) { try matches(text) } }
}
