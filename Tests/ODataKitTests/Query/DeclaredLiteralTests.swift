import Foundation
import ODataKit
import Testing

/// A constant in a filter, and what it is read as.
struct FilterConstant: Sendable, CustomTestStringConvertible {
  var text: String
  var value: EdmValue?
  var dialects: [Dialect]

  init(_ text: String, _ value: EdmValue?, _ dialects: [Dialect]) {
    self.text = text
    self.value = value
    self.dialects = dialects
  }

  var testDescription: String { text }
}

private let named: [Dialect] = [.v3, .v4]
private let old: [Dialect] = [.v2, .v3, .azureTable]
private let unnamed: [Dialect] = [.v2, .azureTable]

private func member(_ member: String, _ type: String = "Sample.Color") -> EdmValue {
  .enumeration(EdmEnumeration(type: EdmType(rawValue: type), member: member))
}

private func place(_ text: String, _ type: String) -> EdmValue {
  .spatial(EdmSpatial(type: EdmType(rawValue: "Edm." + type), text: text))
}

private let constants: [FilterConstant] = [
  // Enumerations: qualified name and members, by name or number.
  FilterConstant("Sample.Color'Red'", member("Red"), named),
  FilterConstant("Sample.Color'Red,Green'", member("Red,Green"), named),
  FilterConstant("Sample.Color'-7,+42'", member("-7,+42"), named),
  FilterConstant("Org.Bücher.Größe'Groß,3'", member("Groß,3", "Org.Bücher.Größe"), named),
  FilterConstant("Sample.Color'Red'", nil, unnamed),
  FilterConstant("Sample.Color''", nil, named),
  FilterConstant("Sample.Color'Red,'", nil, named),
  FilterConstant("Sample.Color'Red, Green'", nil, named),
  FilterConstant("Sample.Color'9223372036854775808'", nil, named),
  FilterConstant("Sample.Color'Red", nil, named),
  FilterConstant("Color'Red'", nil, named),
  // Spatial values: every shape of the grammar.
  FilterConstant(
    "geography'SRID=4326;Point(-122.1 47.6)'", place("SRID=4326;Point(-122.1 47.6)", "GeographyPoint"), named),
  FilterConstant(
    "geometry'SRID=0;Point(1 2 3 -4.5E1)'", place("SRID=0;Point(1 2 3 -4.5E1)", "GeometryPoint"), named),
  FilterConstant(
    "geography'SRID=0;LineString(1 2,3 4)'", place("SRID=0;LineString(1 2,3 4)", "GeographyLineString"), named
  ),
  FilterConstant(
    "geometry'SRID=0;Polygon((1 1,2 2,1 1),(0 0,1 0,0 0))'",
    place("SRID=0;Polygon((1 1,2 2,1 1),(0 0,1 0,0 0))", "GeometryPolygon"), named),
  FilterConstant("geometry'SRID=0;MultiPoint()'", place("SRID=0;MultiPoint()", "GeometryMultiPoint"), named),
  FilterConstant(
    "geometry'SRID=0;MultiLineString((1 2,3 4))'",
    place("SRID=0;MultiLineString((1 2,3 4))", "GeometryMultiLineString"), named),
  FilterConstant(
    "geometry'SRID=0;MultiPolygon(((1 1,2 2,1 1)))'",
    place("SRID=0;MultiPolygon(((1 1,2 2,1 1)))", "GeometryMultiPolygon"), named),
  FilterConstant(
    "geography'SRID=0;Collection(Point(1 2),LineString(1 2,3 4))'",
    place("SRID=0;Collection(Point(1 2),LineString(1 2,3 4))", "GeographyCollection"), named),
  FilterConstant("geography'SRID=4326;Point(1 2)'", nil, unnamed),
  FilterConstant("geography'SRID=4326;Point(1)'", nil, named),
  FilterConstant("geography'SRID=4326;Point(1,2)'", nil, named),
  FilterConstant("geography'SRID=x;Point(1 2)'", nil, named),
  FilterConstant("geography'SRID=4326;Circle(1 2)'", nil, named),
  FilterConstant("geography'SRID=4326;Point(1 2))'", nil, named),
  FilterConstant("geography'SRID=4326;Point()'", nil, named),
  // Bytes: hexadecimal before OData 4, base64url in it.
  FilterConstant("X'0001A0FF'", .binary([0, 1, 0xA0, 0xFF]), old),
  FilterConstant("binary'0001a0ff'", .binary([0, 1, 0xA0, 0xFF]), old),
  FilterConstant("binary''", .binary([]), Dialect.allCases),
  FilterConstant("binary'AAGg_w'", .binary([0, 1, 0xA0, 0xFF]), [.v4]),
  FilterConstant("X'0001A0FF'", nil, [.v4]),
  FilterConstant("X'0'", nil, old),
  // Time: durations, dates and times of day.
  FilterConstant("duration'-PT1H'", .duration(EdmDuration("-PT1H")!), [.v4]),
  FilterConstant("time'-PT1H'", .duration(EdmDuration("-PT1H")!), [.v2, .v3]),
  FilterConstant("time'PT1H'", nil, [.v4]),
  FilterConstant("2012-09-03", .date(EdmDate("2012-09-03")!), [.v4]),
  FilterConstant("11:22:33.4444444", .timeOfDay(EdmTimeOfDay("11:22:33.4444444")!), [.v4]),
  FilterConstant(
    "2012-09-03T14:53:00+02:00", .dateTimeOffset(EdmDateTimeOffset("2012-09-03T14:53:00+02:00")!), [.v4]),
]

@Suite("Constants of declared types in filters")
struct DeclaredLiteralTests {
  @Test("are read as the value they are, and written equal", arguments: constants)
  func constant(_ constant: FilterConstant) throws {
    for dialect in constant.dialects {
      guard let value = constant.value else {
        expectError(.invalidQuery, "\(dialect)") {
          try FilterParser.parse("A eq \(constant.text)", dialect: dialect)
        }
        continue
      }
      let tree = try FilterParser.parse("A eq \(constant.text)", dialect: dialect)
      #expect(tree == .binary(.equal, .property(["A"]), .literal(value)), "\(dialect)")
      let text = try value.literal(for: dialect)
      #expect(try FilterParser.parse("A eq \(text)", dialect: dialect) == tree, "\(dialect)")
      guard value.type?.rawValue.hasPrefix("Edm.Binary") == false else { continue }
      #expect(text == constant.text, "\(dialect)")
    }
  }

  @Test("errors say what stands in the quotes instead, and never the value")
  func errors() {
    let place = expectError(.invalidQuery) {
      try FilterParser.parse("geo.distance(A,geography'SECRET') lt 5", dialect: .v4)
    }
    #expect(
      place?.message
        == "The filter cannot be read at character 25: found something else than a geography value between the quotes, "
        + "expected a geography literal such as geography'SRID=4326;Point(-122.1 47.6)'.")
    let member = expectError(.invalidQuery) {
      try FilterParser.parse("A eq Sample.Color'SECRET SECRET'", dialect: .v4)
    }
    #expect(
      member?.message
        == "The filter cannot be read at character 18: found something else than members between the quotes, expected names "
        + "or numbers of members, with commas between them and no blanks.")
    let table = expectError(.invalidQuery) {
      try FilterParser.parse("A eq Sample.Color'Red'", dialect: .v2)
    }
    #expect(
      table?.message
        == "The filter cannot be read at character 6: found a member of an enumeration, expected a literal of a primitive "
        + "type, since OData 2 has no enumerations.")
  }

  @Test("a typed condition takes them as well, and a path that has a quote in a name takes none")
  func typed() throws {
    struct House: Codable {
      var color: EdmEnumeration
      var place: EdmSpatial
    }
    let red = EdmEnumeration(type: EdmType(rawValue: "Sample.Color"), member: "Red")
    let filter = try filterExpression(for: House.self, naming: .upperCamelCase) { $0.color == red }
    #expect(try filter.rendered(for: .v4) == "Color eq Sample.Color'Red'")
    expectError(.unsupported) { try filter.rendered(for: .v2) }
    expectError(.unsupported) { try filter.rendered(for: .azureTable) }
    let unknown = QueryExpression.literal(.enumeration(EdmEnumeration(type: nil, member: "Red")))
    expectError(.unsupported) { try unknown.rendered(for: .v4) }
  }

  @Test("keys of enumerations and bytes stand in addresses as literals, percent-encoded once")
  func keys() throws {
    let key = EntityKey(["Color": member("Red,Green"), "Hash": .binary([0xFF])])
    #expect(try key.predicate(for: .v4) == "(Color=Sample.Color'Red%2CGreen',Hash=binary'_w')")
    #expect(try EntityKey.parse(key.predicate(for: .v4), dialect: .v4) == key)
  }

  @Test("collections are constants of OData 4, and lists for in")
  func collections() throws {
    let names = QueryExpression.literal(
      .collection(EdmCollection(elementType: .string, [.string("Fred"), .string("a\"b")])))
    let text = #"hassubset(Names,["Fred","a\"b"])"#
    let tree = QueryExpression.call("hassubset", [.property(["Names"]), names])
    #expect(try tree.rendered(for: .v4) == text)
    #expect(try FilterParser.parse(text, dialect: .v4) == tree)
    #expect(try FilterParser.parse(#"hassubset(Names, [ 'Fred' ,"\u0061\"b" ] )"#, dialect: .v4) == tree)
    // What JSON has no value for would come back as a string.
    for element in [
      "-INF", "NaN", "2012-09-03", "12:30:00", "01234567-89ab-cdef-0123-456789abcdef", "binary'AA'",
    ] {
      let error = #expect(throws: ODataError.self) {
        try FilterParser.parse("hassubset(Values,[1,\(element)])", dialect: .v4)
      }
      #expect(error?.message.contains("at character 21") == true, "\(String(describing: error))")
    }
    let mixed = EdmCollection([.int32(42), .boolean(true), .null, .string("x"), .double(-1.5)])
    #expect(
      try FilterParser.parse("A eq [42,true,null,'x',-1.5]", dialect: .v4)
        == .binary(.equal, .property(["A"]), .literal(.collection(mixed))))
    #expect(
      try FilterParser.parse("A eq []", dialect: .v4)
        == .binary(.equal, .property(["A"]), .literal(.collection(EdmCollection()))))
    #expect(
      try FilterParser.parse(#"A in ["x",'y']"#, dialect: .v4)
        == FilterParser.parse("A eq 'x' or A eq 'y'", dialect: .v4))
    // What JSON has no values for goes as a string.
    let others = EdmCollection([
      .date(EdmDate("2012-09-03")!), .binary([0xFB, 0xFF]), .double(.infinity), member("Red"), .int64(.max),
      .decimal(EdmDecimal("1.50")!),
    ])
    #expect(
      try QueryExpression.binary(.equal, .property(["A"]), .literal(.collection(others))).rendered(for: .v4)
        == #"A eq ["2012-09-03","-_8","INF","Red",9223372036854775807,1.50]"#)
    for text in [
      "A eq [", "A eq [1", "A eq [1,", "A eq [1,]", "A eq [[1]]", "A eq [B]", #"A eq ["x]"#, #"A eq ["\q"]"#,
      "A eq [1 2]", #"A eq ["x" "y"]"#, "A in [B]", "A eq [{}]",
    ] {
      expectError(.invalidQuery, "\(text)") { try FilterParser.parse(text, dialect: .v4) }
    }
    expectError(.invalidQuery) { try FilterParser.parse("A eq [1]", dialect: .v3) }
    for dialect in [Dialect.v2, .v3, .azureTable] {
      expectError(.unsupported) { try tree.rendered(for: dialect) }
    }
    expectError(.invalidQuery) { try EntityKey.parse("([1])", dialect: .v4) }
  }

  /// Bytes, a guid, a date, an Int64 and a Decimal, as each version of the protocol writes them.
  private static let byVersion: [(EdmValue, String, String, String?)] = [
    (.binary([0x00, 0x01, 0xA0, 0xFF]), "X'0001A0FF'", "binary'AAGg_w'", "X'0001A0FF'"),
    (
      .guid(UUID(uuidString: "DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833")!),
      "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'", "debc44d5-04a9-42ea-ab2f-4e2cb49ff833",
      "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'"
    ),
    (
      .dateTime(EdmDateTime("2014-09-02T21:09:14.8848547Z")!), "datetime'2014-09-02T21:09:14.8848547'",
      "2014-09-02T21:09:14.8848547Z", "datetime'2014-09-02T21:09:14.8848547Z'"
    ),
    (.int64(5), "5L", "5", "5L"), (.decimal(EdmDecimal("1.5")!), "1.5M", "1.5", nil),
    (.double(1234567.5), "1234567.5", "1234567.5", "1234567.5"),
  ]

  @Test("G07 · literals fit the protocol version")
  func fieldCase() throws { try Self.checkVersions() }

  #if canImport(Glibc)
    /// In a process of its own, since where locales are found is told by its environment.
    @Test(
      "G07 · and no locale's comma gets into a number",
      .enabled(if: CommaLocale.canBeHad, "There is no locale with a decimal comma here, nor what makes one."))
    func commas() async {
      await #expect(processExitsWith: .success) {
        let locale = try #require(CommaLocale())
        defer { locale.end() }
        #expect(locale.sample == "1,5")
        try DeclaredLiteralTests.checkVersions()
      }
    }
  #endif

  fileprivate static func checkVersions() throws {
    for (value, old, four, table) in byVersion {
      #expect(try value.literal(for: .v2) == old)
      #expect(try value.literal(for: .v3) == old)
      #expect(try value.literal(for: .v4) == four)
      if let table {
        #expect(try value.literal(for: .azureTable) == table)
      } else {
        expectError(.unsupported) { try value.literal(for: .azureTable) }
      }
      for dialect in [Dialect.v2, .v3] {
        let tree = try FilterParser.parse("A eq \(value.literal(for: dialect))", dialect: dialect)
        #expect(tree == .binary(.equal, .property(["A"]), .literal(value)))
      }
    }
  }
}
