import Foundation
import ODataKit
import Testing

@Suite("Edm types in other coders")
struct EdmCodableTests {
  private struct All: Codable, Equatable {
    var values: [EdmValue]
    var time: EdmDateTime
    var offset: EdmDateTimeOffset
    var decimal: EdmDecimal
    var duration: EdmDuration
    var date: EdmDate
    var clock: EdmTimeOfDay
    var type: EdmType
    var tag: EntityTag
  }

  @Test("they are the text of the protocol, and come back exactly")
  func json() throws {
    let all = All(
      values: [.null, .int64(5), .double(.nan), .string("e\u{301}"), .binary([0xFF])],
      time: try #require(EdmDateTime("2014-09-02T21:09:14.8848547Z")),
      offset: try #require(EdmDateTimeOffset("2014-09-02T21:09:14+01:00")),
      decimal: try #require(EdmDecimal("1.50")),
      duration: try #require(EdmDuration("-PT1H")), date: try #require(EdmDate("2024-02-29")),
      clock: try #require(EdmTimeOfDay("11:22:33.5")), type: .int64, tag: EntityTag(rawValue: "W/\"1\""))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try encoder.encode(all)
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"clock":"11:22:33.5","date":"2024-02-29","decimal":"1.50","duration":"-PT1H",\
        "offset":"2014-09-02T21:09:14+01:00","tag":"W/\\"1\\"","time":"2014-09-02T21:09:14.8848547Z","type":"Edm.Int64",\
        "values":[null,{"type":"Edm.Int64","value":"5"},{"type":"Edm.Double","value":"NaN"},\
        {"type":"Edm.String","value":"e\u{301}"},{"type":"Edm.Binary","value":"/w=="}]}
        """)
    #expect(try JSONDecoder().decode(All.self, from: json) == all)
  }

  @Test("text of another kind is refused")
  func refusal() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([EdmDateTime].self, from: Data(#"["2014-02-30T00:00:00Z"]"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([EdmValue].self, from: Data(#"[{"type":"Edm.Int32","value":"x"}]"#.utf8))
    }
  }
}
