import ODataTestSupport
import Testing

@testable import ODataKit

/// Rows that look like the one before them are read by a way of their own, which must not be told by its results. Byte by
/// byte no row is whole when it begins, so that each is read the long way.
struct JSONRowPredictionTests {
  private enum Outcome: Equatable {
    case records([EntityRecord], PayloadSummary)
    case error(String)
  }

  private func outcome(
    _ chunks: [[UInt8]], _ limits: PayloadLimits = PayloadLimits(), _ types: PayloadTypes = PayloadTypes()
  ) -> Outcome {
    do {
      let (records, summary) = try read(chunks, limits: limits, types: types)
      return .records(records, summary)
    } catch {
      return .error(String(describing: error))
    }
  }

  private func expectAlike(
    _ bytes: [UInt8], _ limits: PayloadLimits = PayloadLimits(), _ types: PayloadTypes = PayloadTypes(),
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let long = outcome(bytes.map { [$0] }, limits, types)
    #expect(outcome([bytes], limits, types) == long, comment, sourceLocation: sourceLocation)
  }

  private static let head = #"{"odata.metadata":"http://h.invalid/$metadata#T","value":["#

  private static func row(_ number: Int) -> String {
    """
    {"odata.etag":"W/\\"datetime'\(number)'\\"","odata.id":"http://h.invalid/T(\(number))","odata.editLink":"T(\(number))",\
    "odata.type":"h.T","PartitionKey":"p","title":"雪国 \(number)","rate":\(number),"price":\(number).25,\
    "isbn@odata.type":"Edm.Int64","isbn":"978\(number)","published@odata.type":"Edm.DateTime",\
    "published":"1906-01-0\(1 + number % 9)T00:00:00.5Z","inStock":true}
    """
  }

  private func feed(_ rows: [String]) -> [UInt8] {
    Array((Self.head + rows.joined(separator: ",") + "]}").utf8)
  }

  @Test("rows that look alike are read as each of them alone")
  func alike() throws {
    let bytes = feed((0..<20).map(Self.row))
    expectAlike(bytes)
    let records = try read([bytes]).records
    #expect(records.count == 20)
    #expect(Set(records.map { ObjectIdentifier($0.shape) }).count == 1)
    #expect(records[7].control.entityTag?.rawValue == "W/\"datetime'7'\"")
    #expect(records[7].control.base == "http://h.invalid/$metadata#T")
    #expect(records[7]["price"] == .double(7.25))
  }

  @Test(
    "a row that differs is read as it stands, and so are those behind it",
    arguments: [
      #"{}"#, #"{"A":1}"#, #"{"PartitionKey":"p","title":null}"#, #"{"A":{"B":1}}"#, #"{"A":[1,2]}"#,
      #"{"A":1,"A":2}"#, #"{"A@odata.type":"Edm.Int64","A":5}"#, #"{"A":"5","A@odata.type":"Edm.Int64"}"#,
      #"{"A":1.5e3,"B":-0,"C":-0.0,"D":123456789012345678901234567890,"E":0.1234567890123456789}"#,
      #"{"A":2147483648,"B":-2147483648,"C":999999999999999,"D":1000000000000000,"E":9223372036854775808}"#,
      #"{"A":01}"#, #"{"A":1.}"#, #"{"A":.5}"#, #"{"A":+1}"#, #"{"A":-}"#, #"{"A":1e999}"#, #"{"A":tru}"#,
      #"{"A":"\u00e9\ud83d\ude00\ud800\/\b"}"#, #"{"A":"\x"}"#, #"{"A":"\u12"}"#, #"{ "A" : 1 , "B" : "x" }"#,
      "{\n\t\"A\"\r\n:\n1\n}", #"{"A":"/Date(0)/"}"#, #"{"A@odata.type":"Edm.DateTime","A":"/Date(0)/"}"#,
      #"{"A@odata.type":"Edm.DateTime","A":"2000-02-30T00:00:00Z"}"#,
      #"{"A@odata.type":"Edm.DateTime","A":"2000-02-29T23:59:60Z"}"#,
      #"{"A@odata.type":"Edm.DateTime","A":"2000-02-29T23:59+01:00"}"#,
      #"{"A@odata.type":"Edm.Double","A":"NaN"}"#, #"{"A@odata.type":"Edm.Double","A":7}"#,
      #"{"A@odata.type":"Edm.Decimal","A":1.50}"#, #"{"A@odata.type":"Edm.Guid","A":"no"}"#,
      #"{"A@odata.type":"Edm.Boolean","A":"true"}"#, #"{"A@odata.type":"Edm.Boolean","A":1}"#,
      #"{"A@odata.type":"My.Color","A":"Red"}"#, #"{"odata.etag":5,"A":1}"#, #"{"odata.etag":null,"A":1}"#,
      #"{"@odata.id":"T(1)","A":1}"#,
      #"{"@odata.context":"x#T/$deletedEntity","id":"T(1)","reason":"deleted"}"#,
      #"{"@removed":{"reason":"deleted"},"@id":"T(1)"}"#, #"{"A@odata.navigationLink":"T(1)/A","B":2}"#,
      #"{"A@odata.mediaReadLink":"T(1)/A","B":2}"#, #"{"a\u0062":1}"#, #"{"A":1,}"#, #"{"A":1 "B":2}"#,
      #"{"A" 1}"#,
      "{\"A\":\"\u{1}\"}", #"5"#, #"null"#, #"[1]"#,
    ])
  func different(_ odd: String) {
    expectAlike(feed([Self.row(1), Self.row(2), odd, Self.row(3), Self.row(4)]))
    expectAlike(feed([odd, odd, odd]))
    expectAlike(feed((0..<40).map { $0 % 2 == 0 ? Self.row($0) : odd }))
    expectAlike(Array("[\(odd),\(odd)]".utf8))
    expectAlike(Array(#"{"d":[\#(odd),\#(odd)]}"#.utf8))
    expectAlike(Array((Self.head + odd + "," + odd).utf8))
  }

  @Test("any byte that is broken, doubled or gone is found in the same place")
  func broken() {
    let bytes = feed((0..<3).map(Self.row))
    let first = Self.head.utf8.count + Self.row(0).utf8.count
    var random = SeededGenerator(state: 7)
    for index in stride(from: first, to: bytes.count, by: 5) {
      var changed = bytes
      changed[index] = Array("\"\\,:{}[]0-.eE +n\u{0}\u{80}\u{FF}".utf8).randomElement(using: &random) ?? 0
      expectAlike(changed, "byte \(index) is \(changed[index])")
      changed = bytes
      changed.remove(at: index)
      expectAlike(changed, "byte \(index) is gone")
      changed = bytes
      changed.insert(bytes[index], at: index)
      expectAlike(changed, "byte \(index) is doubled")
      if index % 7 == 0 { expectAlike(Array(bytes[..<index]), "it ends at \(index)") }
    }
  }

  private func expectAlike(_ bytes: [UInt8], _ comment: Comment) {
    expectAlike(bytes, PayloadLimits(), PayloadTypes(), comment)
  }

  @Test("limits hold")
  func limits() {
    var limits = PayloadLimits()
    limits.textLength = 40
    expectAlike(
      feed([#"{"A":"x"}"#, #"{"A":"x"}"#, #"{"A":"\#(String(repeating: "x", count: 41))"}"#]), limits)
    limits = PayloadLimits()
    limits.depth = 2
    expectAlike(feed([#"{"A":1}"#, #"{"A":1}"#]), limits)
    limits.depth = 3
    expectAlike(feed([#"{"A":1}"#, #"{"A":1}"#]), limits)
    expectAlike(feed([#"{"A":1}"#, #"{"A":\#(String(repeating: "1", count: 1025))}"#]))
  }

  @Test("what the metadata says of a column counts in all rows")
  func metadata() {
    let types = PayloadTypes(byName: ["A": .dateTime, "B": .double, "C": .int64, "D": .string])
    for odd in [#""B":5"#, #""B":"x""#, #""B":true"#, #""B":null"#, #""B":5.5"#] {
      let row = #"{"A":"2000-01-01T00:00:00Z",\#(odd),"C":7,"D":"x"}"#
      let usual = #"{"A":"2000-01-01T00:00:00Z","B":1.5,"C":7,"D":"x"}"#
      expectAlike(feed([usual, usual, row, usual, row, row]), PayloadLimits(), types)
    }
  }
}
