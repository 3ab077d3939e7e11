import ODataKit
import Testing

/// Values of properties that are more than a text.
struct AtomValueTests {
  private func value(_ property: String, types: PayloadTypes = PayloadTypes()) throws -> EdmValue? {
    let reader = AtomReader(types: types)
    let records = try reader.read(Array(atomEntry(property).utf8))
    _ = try reader.finish()
    return records.first?["P"]
  }

  private func failure(_ property: String) throws -> ODataError {
    try #require(throws: ODataError.self) { _ = try value(property) }
  }

  private static func complex(_ properties: KeyValuePairs<String, EdmValue>, _ type: String? = nil)
    -> EdmValue
  {
    .complex(EntityRecord(properties, control: ControlInformation(typeName: type)))
  }

  @Test func complexValuesNest() throws {
    let read = try value(
      """
      <d:P m:type="M.Location">
        <d:City m:type="M.City"><d:PostalCode>69124</d:PostalCode><d:Size m:type="Edm.Int32">7</d:Size></d:City>
        <d:Country> Germany </d:Country><d:Note m:null="true" /><d:Empty m:type="M.City" />
      </d:P>
      """)
    let city = Self.complex(["PostalCode": .string("69124"), "Size": .int32(7)], "M.City")
    #expect(
      read
        == Self.complex(
          [
            "City": city, "Country": .string(" Germany "), "Note": .null,
            "Empty": Self.complex([:], "M.City"),
          ],
          "M.Location"))
  }

  @Test func aComplexValueMayLeaveItsTypeOut() throws {
    #expect(try value("<d:P><d:City>X</d:City></d:P>") == Self.complex(["City": .string("X")]))
  }

  @Test func complexValuesWithTheSameNamesShareOneShape() throws {
    let property = "<d:P><d:A>1</d:A><d:B>2</d:B></d:P>"
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'>\(atomEntry(property))\(atomEntry(property))</feed>"
    let shapes = try readAtom(feed).records.compactMap { record -> RecordShape? in
      guard case .complex(let inner)? = record["P"] else { return nil }
      return inner.shape
    }
    #expect(shapes.count == 2)
    #expect(shapes.first === shapes.last)
  }

  private static let collectionTexts: [(String, EdmValue)] = [
    (
      "<d:P m:type=\"Collection(Edm.Int32)\"><d:element>1</d:element> <d:element>-2</d:element></d:P>",
      .collection(EdmCollection(elementType: .int32, [.int32(1), .int32(-2)]))
    ),
    (
      "<d:P m:type=\"Bag(Edm.String)\"><d:element/></d:P>",
      .collection(EdmCollection(elementType: .string, [.string("")]))
    ),
    ("<d:P m:type=\"Collection(Edm.String)\"/>", .collection(EdmCollection(elementType: .string))),
    (
      "<d:P m:type=\"#Collection(Int64)\"><m:element>9</m:element><m:element m:null=\"true\"/></d:P>",
      .collection(EdmCollection(elementType: .int64, [.int64(9), .null]))
    ),
    ("<d:P><d:element>a</d:element></d:P>", .collection(EdmCollection([.string("a")]))),
    ("<d:P m:type=\"Collection(Edm.String)\" m:null=\"true\"/>", .null),
    (
      "<d:P m:type=\"Collection(M.City)\"><d:element><d:Name>A</d:Name></d:element>"
        + "<d:element m:type=\"M.Capital\"><d:Name>B</d:Name></d:element></d:P>",
      .collection(
        EdmCollection(
          elementType: EdmType(rawValue: "M.City"),
          [complex(["Name": .string("A")], "M.City"), complex(["Name": .string("B")], "M.Capital")]))
    ),
    (
      "<d:P m:type=\"#Collection(M.Color)\"><m:element>Red</m:element></d:P>",
      .collection(
        EdmCollection(
          elementType: EdmType(rawValue: "M.Color"),
          [.enumeration(EdmEnumeration(type: EdmType(rawValue: "M.Color"), member: "Red"))]))
    ),
  ]

  @Test("Collections of either vocabulary", arguments: collectionTexts)
  func collections(_ property: String, _ expected: EdmValue) throws {
    #expect(try value(property) == expected)
  }

  @Test func enumerationsAreKeptByTheirMembers() throws {
    #expect(
      try value("<d:P m:type=\"#M.Color\"> Red,Green\n</d:P>")
        == .enumeration(EdmEnumeration(type: EdmType(rawValue: "M.Color"), member: "Red,Green")))
    #expect(
      try value("<d:P m:type=\"http://host/svc/$metadata#M.Color\">4</d:P>")
        == .enumeration(EdmEnumeration(type: EdmType(rawValue: "M.Color"), member: "4")))
  }

  private static let shapes: [(String, String, String)] = [
    (
      "GeographyPoint",
      "<gml:Point gml:srsName=\"http://www.opengis.net/def/crs/EPSG/0/4326\"><gml:pos>47.6 -122.10</gml:pos></gml:Point>",
      "SRID=4326;Point(-122.10 47.6)"
    ),
    ("GeometryPoint", "<gml:Point><gml:pos>1 2</gml:pos></gml:Point>", "SRID=0;Point(1 2)"),
    ("GeographyPoint", "<gml:Point><gml:pos>1 2 3</gml:pos></gml:Point>", "SRID=4326;Point(2 1 3)"),
    (
      "GeometryLineString",
      "<gml:LineString srsName=\"EPSG:25832\"><gml:pos>1 2</gml:pos> <gml:pos>3 4</gml:pos></gml:LineString>",
      "SRID=25832;LineString(1 2,3 4)"
    ),
    (
      "GeographyLineString", "<gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString>",
      "SRID=4326;LineString(2 1,4 3)"
    ),
    (
      "GeometryPolygon",
      "<gml:Polygon><gml:exterior><gml:LinearRing><gml:pos>0 0</gml:pos><gml:pos>9 0</gml:pos><gml:pos>0 0</gml:pos></gml:LinearRing></gml:exterior>"
        + "<gml:interior><gml:LinearRing><gml:posList>1 1 2 1 1 1</gml:posList></gml:LinearRing></gml:interior></gml:Polygon>",
      "SRID=0;Polygon((0 0,9 0,0 0),(1 1,2 1,1 1))"
    ),
    (
      "GeometryMultiPoint",
      "<gml:MultiPoint><gml:pointMembers><gml:Point><gml:pos>1 2</gml:pos></gml:Point><gml:Point><gml:pos>3 4</gml:pos></gml:Point></gml:pointMembers></gml:MultiPoint>",
      "SRID=0;MultiPoint((1 2),(3 4))"
    ),
    (
      "GeometryMultiLineString",
      "<gml:MultiCurve><gml:curveMember><gml:LineString><gml:pos>1 2</gml:pos><gml:pos>3 4</gml:pos></gml:LineString></gml:curveMember></gml:MultiCurve>",
      "SRID=0;MultiLineString((1 2,3 4))"
    ),
    (
      "GeometryMultiPolygon",
      "<gml:MultiSurface><gml:surfaceMembers><gml:Polygon><gml:exterior><gml:LinearRing><gml:pos>0 0</gml:pos><gml:pos>1 1</gml:pos></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMembers></gml:MultiSurface>",
      "SRID=0;MultiPolygon(((0 0,1 1)))"
    ),
    (
      "GeographyCollection",
      "<gml:MultiGeometry><gml:geometryMembers><gml:Point><gml:pos>1 2</gml:pos></gml:Point><gml:LineString><gml:pos>1 2</gml:pos><gml:pos>3 4</gml:pos></gml:LineString></gml:geometryMembers></gml:MultiGeometry>",
      "SRID=4326;Collection(Point(2 1),LineString(2 1,4 3))"
    ),
    ("GeometryPoint", "<gml:Point/>", "SRID=0;Point EMPTY"),
    ("GeometryMultiPoint", "<gml:MultiPoint><gml:pointMembers/></gml:MultiPoint>", "SRID=0;MultiPoint()"),
    (
      "GeographyCollection",
      "<gml:MultiGeometry><gml:geometryMembers><gml:Polygon/><gml:MultiGeometry/></gml:geometryMembers></gml:MultiGeometry>",
      "SRID=4326;Collection(Polygon EMPTY,Collection())"
    ),
  ]

  @Test("Spatial values become the text of their literals", arguments: shapes)
  func spatial(_ type: String, _ gml: String, _ text: String) throws {
    let expected = EdmValue.spatial(EdmSpatial(type: EdmType(rawValue: "Edm." + type), text: text))
    for namespace in ["http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"] {
      for name in ["Edm." + type, type] {
        #expect(try value("<d:P m:type=\"\(name)\" xmlns:gml=\"\(namespace)\">\n \(gml) </d:P>") == expected)
      }
    }
    var writer = AtomWriter(dialect: .v3)
    try writer.requestEntry(EntityRecord(["P": expected]), updated: .unixEpoch)
    #expect(try readAtom([writer.take()]).records[0]["P"] == expected)
  }

  @Test func aShapeTellsTheTypeWhereNothingElseDoes() throws {
    let gml = "xmlns:gml=\"http://www.opengis.net/gml\""
    #expect(
      try value("<d:P><gml:Point \(gml)><gml:pos>1 2</gml:pos></gml:Point></d:P>")
        == .spatial(EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(2 1)")))
    for broken in ["1", "1 x", "", "1 2 3 4 5", "secret 2"] {
      let error = try failure(
        "<d:P m:type=\"Edm.GeographyPoint\"><gml:Point \(gml)><gml:pos>\(broken)</gml:pos></gml:Point></d:P>")
      #expect(error.message == "The value of property 'P' is no Edm.GeographyPoint (line 1).")
    }
  }

  @Test func errorsNameThePathAndNotTheValue() throws {
    let number = try failure("<d:P><d:Home>\n<d:Size m:type=\"Edm.Int32\">secret</d:Size></d:Home></d:P>")
    #expect(number.code == .malformedPayload)
    #expect(number.message == "The value of property 'P/Home/Size' is no Edm.Int32 (line 2).")
    #expect(!"\(number)".contains("secret"))
    let twice = try failure("<d:P><d:A/><d:B/><d:A/></d:P>")
    #expect(twice.message == "An entity has the property 'P/A' twice (line 1).")
    let nested = try failure("<d:P m:type=\"Edm.Int32\"><d:A/></d:P>")
    #expect(nested.message == "The value of property 'P' is no Edm.Int32 but has elements in it (line 1).")
  }

  @Test func elementsNobodyKnowsAreIgnoredInValuesToo() throws {
    #expect(try value("<d:P>a<x xmlns='urn:x'>b</x>c</d:P>") == .string("ac"))
    #expect(
      try value("<d:P><x xmlns='urn:x'><d:Leak/></x><d:A>1</d:A>leak<m:annotation>leak</m:annotation></d:P>")
        == Self.complex(["A": .string("1")]))
  }

  // MARK: Types that the metadata declares

  private struct Catalog: TypeCatalog {
    func property(_ name: String, of type: EdmType) -> DeclaredProperty? {
      switch (type.rawValue, name) {
      case ("M.Book", "Price"), ("M.City", "Size"): DeclaredProperty(type: .decimal, kind: .primitive)
      case ("M.Book", "P"): DeclaredProperty(type: EdmType(rawValue: "M.City"), kind: .complex)
      case ("M.Book", "Color"): DeclaredProperty(type: EdmType(rawValue: "M.Color"), kind: .enumeration)
      case ("M.Book", "Tags"): DeclaredProperty(type: .int32, kind: .primitive, isCollection: true)
      case ("M.Book", "Weight"): DeclaredProperty(type: .double, kind: .primitive)
      case ("M.Book", "Author"): DeclaredProperty(type: EdmType(rawValue: "M.Author"), kind: .entity)
      case ("M.Author", "Born"): DeclaredProperty(type: .int16, kind: .primitive)
      default: nil
      }
    }
  }

  private static let untyped = """
    <d:Price>1.50</d:Price><d:Tags><d:element>7</d:element></d:Tags><d:Color>Red</d:Color>\
    <d:P><d:Size>2</d:Size><d:Name>X</d:Name></d:P><d:Weight m:type="M.Grams">2.5</d:Weight><d:Other>x</d:Other>
    """

  @Test func whatThePayloadLeavesOpenIsReadAsDeclared() throws {
    let types = PayloadTypes(root: EdmType(rawValue: "M.Book"), catalog: Catalog())
    let expected = EntityRecord([
      "Price": try #require(EdmDecimal("1.50").map(EdmValue.decimal)),
      "Tags": .collection(EdmCollection(elementType: .int32, [.int32(7)])),
      "Color": .enumeration(EdmEnumeration(type: EdmType(rawValue: "M.Color"), member: "Red")),
      "P": Self.complex(
        ["Size": try #require(EdmDecimal("2").map(EdmValue.decimal)), "Name": .string("X")], "M.City"),
      "Weight": .double(2.5), "Other": .string("x"),
    ])
    let feed =
      "<feed xmlns='http://www.w3.org/2005/Atom'>\(atomEntry(Self.untyped))\(atomEntry("<d:Other>y</d:Other><d:Price>2</d:Price>"))\(atomEntry(Self.untyped))</feed>"
    let reader = AtomReader(types: types)
    let records = try reader.read(Array(feed.utf8))
    #expect(records.count == 3)
    #expect(records.first == expected && records.last == expected)
    #expect(records[1]["Price"] == EdmDecimal("2").map(EdmValue.decimal))
    // What the payload says counts more.
    #expect(try value("<d:P m:type=\"Edm.Int32\">3</d:P>", types: types) == .int32(3))
    #expect(try value("<d:P></d:P>", types: types) == Self.complex([:], "M.City"))
  }

  @Test func conventionsDeclareTypesByName() throws {
    let types = PayloadTypes(byName: ["P": .int64])
    #expect(try value("<d:P>3</d:P>", types: types) == .int64(3))
    #expect(try value("<d:P m:type=\"Edm.String\">3</d:P>", types: types) == .string("3"))
  }

  @Test func theTypeOfAnEntryCountsBeforeTheOneOfItsSet() throws {
    let entry = """
      <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
      xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">\
      <category term="M.Book" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>\
      <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Author"><m:inline><entry><content>\
      <m:properties><d:Born>1867</d:Born></m:properties></content></entry></m:inline></link>\
      <content><m:properties><d:Weight>3</d:Weight></m:properties></content></entry>
      """
    let reader = AtomReader(types: PayloadTypes(root: EdmType(rawValue: "M.Item"), catalog: Catalog()))
    let record = try #require(try reader.read(Array(entry.utf8)).first)
    #expect(record["Weight"] == .double(3))
    #expect(record["Author"] == .complex(EntityRecord(["Born": .int16(1867)])))
  }

  @Test("Values that do not fit what is declared are errors, too", arguments: ["<d:P>x</d:P>", "<d:P/>"])
  func wrong(_ property: String) {
    #expect(throws: ODataError.self) { _ = try value(property, types: PayloadTypes(byName: ["P": .int32])) }
  }

  @Test func depthIsBounded() throws {
    let deep = String(repeating: "<d:P>", count: 60) + "x" + String(repeating: "</d:P>", count: 60)
    var limits = PayloadLimits()
    limits.depth = 63
    #expect(try readAtom([Array(atomEntry(deep).utf8)], limits: limits).records.count == 1)
    limits.depth = 62
    let error = #expect(throws: ODataError.self) {
      _ = try readAtom([Array(atomEntry(deep).utf8)], limits: limits)
    }
    #expect(error?.code == .payloadTooLarge)
    #expect(error?.message == "The XML document nests elements deeper than the limit of 62 (line 1).")
  }
}
