import ODataTestSupport
import Testing

@testable import ODataKit

/// Numbers, and the types that stand beside them: the type that is told beats the looks of the value, and it does
/// not matter on which side of the value it is told.
struct JSONNumberTests {
  @Test(
    "An annotation means the same in front of its value and behind it",
    arguments: [
      ("Edm.Int64", #""9333111000""#, .int64(9_333_111_000)), ("Edm.Int64", #""5""#, .int64(5)),
      ("Edm.Int64", "5", .int64(5)), ("Edm.Int64", #""-9223372036854775808""#, .int64(.min)),
      ("Edm.Int32", "4", .int32(4)), ("Edm.Int16", "4", .int16(4)), ("Edm.Byte", "255", .byte(255)),
      ("Edm.Double", "4", .double(4)), ("Edm.Double", "1E3", .double(1000)),
      ("Edm.Double", "0.30000000000000004", .double(0.1 + 0.2)),
      ("Edm.Double", "12345678901234567890123", .double(1.2345678901234568e22)),
      ("Edm.Double", #""NaN""#, .double(.nan)), ("Edm.Double", #""Infinity""#, .double(.infinity)),
      ("Edm.Double", #""-Infinity""#, .double(-.infinity)), ("Edm.Double", #""INF""#, .double(.infinity)),
      ("Edm.Double", #""-INF""#, .double(-.infinity)), ("Edm.String", #""NaN""#, .string("NaN")),
      ("Edm.Single", "1.5", .single(1.5)),
    ] as [(String, String, EdmValue)])
  func order(type: String, text: String, value: EdmValue) throws {
    let annotation = "\"A@odata.type\":\"\(type)\""
    for members in ["\(annotation),\"A\":\(text)", "\"A\":\(text),\(annotation)"] {
      for chunks in cuts(of: Array("{\(members),\"B\":1}".utf8)) {
        let record = try read(chunks).records.first
        #expect(record == EntityRecord(["A": value, "B": .int32(1)]))
      }
    }
  }

  @Test("The sign of zero does not depend on the order either")
  func negativeZero() throws {
    for members in [
      #""A":-0,"A@odata.type":"Edm.Double""#, #""A@odata.type":"Edm.Double","A":-0"#, #""A":-0.0"#,
    ] {
      guard case .double(let zero)? = try read([Array("{\(members)}".utf8)]).records.first?["A"] else {
        Issue.record("a double was expected in \(members)")
        continue
      }
      #expect(zero.sign == .minus && zero == 0)
    }
    #expect(try read([Array(#"{"A":-0}"#.utf8)]).records.first?["A"] == .int32(0))
  }

  @Test("A declared type takes no digit away from the type told behind the value")
  func declaredAndTold() throws {
    let text = "0.1000000000000000055511151231257827"
    let decimal = try #require(EdmDecimal(text))
    let payload = "{\"value\":[{\"A\":\(text),\"A@odata.type\":\"#Decimal\"},{\"A\":\(text)}]}"
    let records = try read([Array(payload.utf8)], types: PayloadTypes(byName: ["A": .double])).records
    #expect(records.map { $0["A"] } == [.decimal(decimal), .double(0.1)])
  }

  @Test("The spelling of one row is not taken for that of the next")
  func rows() throws {
    let payload =
      ##"{"value":[{"A":0.12345678901234567},{"A":-0},{"A":2.5,"A@odata.type":"#Decimal"},{"A":1,"A@odata.type":"Edm.Int64"}]}"##
    let records = try read([Array(payload.utf8)]).records
    let decimal = try #require(EdmDecimal("2.5"))
    #expect(
      records.map { $0["A"] } == [.double(0.12345678901234567), .int32(0), .decimal(decimal), .int64(1)])
  }

  @Test(
    "Numbers without a type: the spelling decides",
    arguments: [
      ("4", .int32(4)), ("4.0", .double(4)), ("4e0", .double(4)), ("2147483647", .int32(.max)),
      ("2147483648", .int64(2_147_483_648)), ("-2147483649", .int64(-2_147_483_649)),
      ("9223372036854775807", .int64(.max)), ("1e-400", .double(0)), ("1E+2", .double(100)),
      ("0e0", .double(0)),
    ] as [(String, EdmValue)])
  func spelling(text: String, value: EdmValue) throws {
    #expect(try read([Array("{\"A\":\(text)}".utf8)]).records.first?["A"] == value)
  }

  @Test(
    "Numbers that no type can hold are refused, not rounded",
    arguments: [
      #"{"A":1e309}"#, #"{"A@odata.type":"Edm.Double","A":1e309}"#, #"{"A@odata.type":"Edm.Int32","A":4.0}"#,
      #"{"A":4.0,"A@odata.type":"Edm.Int32"}"#, #"{"A@odata.type":"Edm.Int64","A":"9223372036854775808"}"#,
      #"{"A":9223372036854775808,"A@odata.type":"Edm.Int64"}"#, #"{"A@odata.type":"Edm.Byte","A":256}"#,
      #"{"A@odata.type":"Edm.Double","A":"nan"}"#,
    ])
  func refused(text: String) {
    for chunks in cuts(of: Array(text.utf8)) { expectError(.malformedPayload) { try read(chunks) } }
  }
}
