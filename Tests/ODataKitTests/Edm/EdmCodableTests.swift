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

  @Test("records and what is nested in them come back equal, control information included")
  func records() throws {
    var control = ControlInformation(
      id: "http://a.test/T(1)", entityTag: EntityTag(rawValue: "W/\"1\""), editLink: "T(1)", typeName: "S.T")
    control.base = "http://a.test/"
    control.readLink = "T(1)/read"
    control.media = EdmStream(readLink: "T(1)/$value", contentType: "image/png")
    control.links = [
      NavigationLink("Orders", navigationLink: "T(1)/Orders", associationLink: "T(1)/Orders/$ref")
    ]
    var removed = ControlInformation(id: "x")
    removed.change = .removed(.deleted)
    var linked = ControlInformation()
    linked.change = .addedLink(source: "a", relationship: "r", target: "b")
    let color = EdmType(rawValue: "S.Color")
    let record = EntityRecord(
      [
        "Z": .int32(1), "A": .null, "Color": .enumeration(EdmEnumeration(type: color, member: "Red")),
        "Untyped": .enumeration(EdmEnumeration(type: nil, member: "3")),
        "Place": .spatial(EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(1 2)")),
        "Photo": .stream(EdmStream(editLink: "e", entityTag: EntityTag(rawValue: "\"2\""))),
        "Inner": .complex(EntityRecord(["X": .double(.nan)], control: removed)),
        "List": .collection(
          EdmCollection(
            elementType: .string, [.string(""), .null, .complex(EntityRecord(control: linked))], count: 5,
            nextLink: "next")),
      ], control: control)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try encoder.encode(record)
    #expect(try JSONDecoder().decode(EntityRecord.self, from: json) == record)
    let small = EntityRecord(["B": .int32(1), "A": .complex(EntityRecord(["C": .null]))])
    #expect(
      String(decoding: try encoder.encode(small), as: UTF8.self) == """
        {"names":["B","A"],"values":[{"type":"Edm.Int32","value":"1"},{"complex":{"names":["C"],"values":[null]}}]}
        """)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(EntityRecord.self, from: Data(#"{"names":["A"],"values":[]}"#.utf8))
    }
  }
}
