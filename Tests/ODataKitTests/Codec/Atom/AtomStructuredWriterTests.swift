import ODataKit
import Testing

/// The exact text of values with a structure, of related entities, and of what is mapped outside of the content.
struct AtomStructuredWriterTests {
  private static let updated = EdmDateTime("2024-05-06T07:08:09Z") ?? .minimum

  private func request(
    _ record: EntityRecord, _ dialect: Dialect, mapping: [FeedMapping.Rule] = []
  ) throws -> String {
    var writer = AtomWriter(dialect: dialect)
    try writer.requestEntry(record, updated: Self.updated, mapping: mapping)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  /// What stands behind the namespaces of the entry.
  private func children(
    _ record: EntityRecord, _ dialect: Dialect, mapping: [FeedMapping.Rule] = []
  ) throws -> String {
    let text = try request(record, dialect, mapping: mapping)
    let start = try #require(text.firstRange(of: "xmlns=\"http://www.w3.org/2005/Atom\">"))
    return String(text[start.upperBound...])
  }

  private func properties(_ record: EntityRecord, _ dialect: Dialect) throws -> String {
    let text = try request(record, dialect)
    let start = try #require(text.firstRange(of: "<m:properties>")).upperBound
    return String(text[start..<(try #require(text.firstRange(of: "</m:properties>")).lowerBound)])
  }

  private func failure(_ value: EdmValue, _ dialect: Dialect) throws -> String {
    var writer = AtomWriter(dialect: dialect)
    let error = #expect(throws: ODataError.self) {
      try writer.requestEntry(EntityRecord(["P": value]), updated: Self.updated)
    }
    #expect(writer.bytes.isEmpty)
    #expect(error?.code == .invalidValue)
    return error?.message ?? ""
  }

  private static let structured = EntityRecord([
    "Home": .complex(
      EntityRecord(
        [
          "City": .string(" Ō "), "Zip": .int32(5), "Gone": .null,
          "Geo": .complex(EntityRecord(["X": .double(1)])),
        ], control: ControlInformation(typeName: "M.Home"))),
    "Tags": .collection(EdmCollection(elementType: .string, [.string("a&b"), .string(""), .null])),
    "Homes": .collection(
      EdmCollection(
        elementType: EdmType(rawValue: "M.Home"),
        [
          .complex(EntityRecord(["City": .string("A")])),
          .complex(EntityRecord(["City": .string("B")], control: ControlInformation(typeName: "M.Villa"))),
        ])),
  ])

  @Test func complexValuesAndCollectionsOfVersion3() throws {
    #expect(
      try properties(Self.structured, .v3) == """
        <d:Home m:type="M.Home"><d:City xml:space="preserve"> Ō </d:City><d:Zip m:type="Edm.Int32">5</d:Zip>\
        <d:Gone m:null="true" /><d:Geo><d:X m:type="Edm.Double">1.0</d:X></d:Geo></d:Home>\
        <d:Tags m:type="Collection(Edm.String)"><d:element>a&amp;b</d:element><d:element></d:element>\
        <d:element m:null="true" /></d:Tags>\
        <d:Homes m:type="Collection(M.Home)"><d:element><d:City>A</d:City></d:element>\
        <d:element m:type="M.Villa"><d:City>B</d:City></d:element></d:Homes>
        """)
  }

  @Test func complexValuesAndCollectionsOfVersion4() throws {
    #expect(
      try properties(Self.structured, .v4) == """
        <d:Home m:type="#M.Home"><d:City xml:space="preserve"> Ō </d:City><d:Zip m:type="Int32">5</d:Zip>\
        <d:Gone m:null="true" /><d:Geo><d:X m:type="Double">1.0</d:X></d:Geo></d:Home>\
        <d:Tags m:type="#Collection(String)"><m:element>a&amp;b</m:element><m:element></m:element>\
        <m:element m:null="true" /></d:Tags>\
        <d:Homes m:type="#Collection(M.Home)"><m:element><d:City>A</d:City></m:element>\
        <m:element m:type="#M.Villa"><d:City>B</d:City></m:element></d:Homes>
        """)
  }

  @Test func enumerationsAndNumbersInCollections() throws {
    let color = EdmType(rawValue: "M.Color")
    let red = EdmValue.enumeration(EdmEnumeration(type: color, member: "Red"))
    #expect(
      try properties(
        EntityRecord([
          "Color": red, "Colors": .collection(EdmCollection(elementType: color, [red])),
          "Sizes": .collection(EdmCollection([.int32(1), .double(2)])),
        ]), .v4) == """
          <d:Color m:type="#M.Color">Red</d:Color>\
          <d:Colors m:type="#Collection(M.Color)"><m:element>Red</m:element></d:Colors>\
          <d:Sizes><m:element m:type="Int32">1</m:element><m:element m:type="Double">2.0</m:element></d:Sizes>
          """)
  }

  @Test func spatialValuesGoOutWithLatitudeFirst() throws {
    let point = EdmValue.spatial(EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(-122.1 47.6)"))
    let polygon = EdmValue.spatial(
      EdmSpatial(
        type: EdmType(rawValue: "Edm.GeometryPolygon"), text: "srid=7;POLYGON ((0 0, 9 0,0 0), (1 1,2 1,1 1))"
      ))
    #expect(
      try properties(EntityRecord(["P": point, "Q": polygon]), .v3) == """
        <d:P m:type="Edm.GeographyPoint"><gml:Point xmlns:gml="http://www.opengis.net/gml" \
        gml:srsName="http://www.opengis.net/def/crs/EPSG/0/4326"><gml:pos>47.6 -122.1</gml:pos></gml:Point></d:P>\
        <d:Q m:type="Edm.GeometryPolygon"><gml:Polygon xmlns:gml="http://www.opengis.net/gml" \
        gml:srsName="http://www.opengis.net/def/crs/EPSG/0/7"><gml:exterior><gml:LinearRing><gml:pos>0 0</gml:pos>\
        <gml:pos>9 0</gml:pos><gml:pos>0 0</gml:pos></gml:LinearRing></gml:exterior><gml:interior><gml:LinearRing>\
        <gml:pos>1 1</gml:pos><gml:pos>2 1</gml:pos><gml:pos>1 1</gml:pos></gml:LinearRing></gml:interior>\
        </gml:Polygon></d:Q>
        """)
    #expect(try properties(EntityRecord(["P": point]), .v4).hasPrefix("<d:P m:type=\"GeographyPoint\">"))
    for text in [
      "", "Point", "Point(1)", "Point(1 2", "Point(1 2)x", "Circle(1 2)", "SRID=;Point(1 2)", "Point(a b)",
      "Point(1 2,3 4)",
    ] {
      let message = try failure(.spatial(EdmSpatial(type: .geometryPoint, text: text)), .v3)
      #expect(message.hasPrefix("The spatial value of property 'P' is no literal"))
    }
    let deep =
      String(repeating: "Collection(", count: 10_000) + "Point(1 2)" + String(repeating: ")", count: 10_000)
    _ = try failure(.spatial(EdmSpatial(type: .geometryPoint, text: deep)), .v3)
  }

  @Test func whatAGenerationLacksIsRefusedBeforeSending() throws {
    let tags = EdmValue.collection(EdmCollection(elementType: .string, [.string("a")]))
    #expect(
      try failure(tags, .v2) == "property 'P' is a collection, which OData 1 and 2 do not have; leave it out."
    )
    let red = EdmValue.enumeration(EdmEnumeration(type: EdmType(rawValue: "M.Color"), member: "Red"))
    for dialect in [Dialect.v2, .v3] {
      #expect(
        try failure(red, dialect)
          == "Property 'P' is of type M.Color, which OData 1 to 3 does not have; give it another type.")
    }
    let point = EdmValue.spatial(EdmSpatial(type: .geographyPoint, text: "Point(1 2)"))
    #expect(
      try failure(point, .v2)
        == "Property 'P' is of type Edm.GeographyPoint, which OData 1 and 2 do not have; give it another type."
    )
    let inside = EdmValue.complex(EntityRecord(["A": .complex(EntityRecord(["At": .dateTime(.minimum)]))]))
    #expect(
      try failure(inside, .v4)
        == "Property 'P/A/At' is of type Edm.DateTime, which OData 4 does not have; give it another type.")
  }

  @Test("G20 · inside of values too, a character XML cannot carry is refused with the path to it")
  func controlCharacters() throws {
    let bad = "ok\u{8}bad"
    let inside = EdmValue.complex(EntityRecord(["Home": .complex(EntityRecord(["Note": .string(bad)]))]))
    let message =
      "holds the character U+0008, which XML and so Atom cannot carry; JSON can: choose the format json."
    #expect(try failure(inside, .v3) == "The value of property 'P/Home/Note' " + message)
    #expect(
      try failure(.collection(EdmCollection(elementType: .string, [.string(bad)])), .v4)
        == "The value of property 'P' " + message)
    #expect(
      try failure(.complex(EntityRecord(["a b": .int32(1)])), .v3)
        == "The property name 'P/a b' cannot be written in Atom, since it is no XML name; rename the property."
    )
  }

  @Test func streamsAreNeverWritten() throws {
    let record = EntityRecord(["A": .int32(1), "Photo": .stream(EdmStream(readLink: "x"))])
    #expect(try properties(record, .v3) == "<d:A m:type=\"Edm.Int32\">1</d:A>")
  }

  // MARK: Related entities

  @Test func relatedEntitiesAreInsertedAlong() throws {
    let line = EntityRecord(["N": .int32(1)], control: ControlInformation(typeName: "M.Line"))
    var record = EntityRecord([
      "Lines": .collection(EdmCollection([.complex(line)])),
      "Customer": .complex(EntityRecord(["Name": .string("X")])),
      "Note": .string("n"), "Nobody": .null,
    ])
    record.control.links = [
      NavigationLink("Lines"), NavigationLink("Customer"), NavigationLink("Nobody"),
      NavigationLink("Shop", navigationLink: "http://svc/Shops(1)"), NavigationLink("Unread"),
    ]
    let head = "<title /><updated>2024-05-06T07:08:09Z</updated><author><name /></author><id />"
    let rel = "http://schemas.microsoft.com/ado/2007/08/dataservices/related/"
    #expect(
      try children(record, .v3) == """
        \(head)<link rel="\(rel)Lines" type="application/atom+xml;type=feed" title="Lines"><m:inline><feed><entry>\
        <category term="M.Line" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />\(head)\
        <content type="application/xml"><m:properties><d:N m:type="Edm.Int32">1</d:N></m:properties></content></entry>\
        </feed></m:inline></link>\
        <link rel="\(rel)Customer" type="application/atom+xml;type=entry" title="Customer"><m:inline><entry>\(head)\
        <content type="application/xml"><m:properties><d:Name>X</d:Name></m:properties></content></entry></m:inline></link>\
        <link rel="\(rel)Nobody" type="application/atom+xml;type=entry" title="Nobody"><m:inline /></link>\
        <link rel="\(rel)Shop" title="Shop" href="http://svc/Shops(1)" />\
        <content type="application/xml"><m:properties><d:Note>n</d:Note></m:properties></content></entry>
        """)
    #expect(
      try children(record, .v4).contains("<link rel=\"http://docs.oasis-open.org/odata/ns/related/Shop\""))
  }

  @Test func errorsInRelatedEntitiesNameThem() throws {
    var record = EntityRecord(["Line": .complex(EntityRecord(["Note": .string("\u{0}")]))])
    record.control.links = [NavigationLink("Line")]
    let error = #expect(throws: ODataError.self) { _ = try request(record, .v3) }
    #expect(error?.message.hasPrefix("The value of property 'Line/Note' holds the character U+0000") == true)
    record["Line"] = .int32(1)
    #expect(throws: ODataError.self) { _ = try request(record, .v3) }
  }

  @Test func thePropertiesOfAMediaEntityStandBesideItsContent() throws {
    var record = EntityRecord(["Name": .string("sea")])
    record.control.media = EdmStream(readLink: "P(1)/$value", contentType: "image/png")
    #expect(
      try children(record, .v3).hasSuffix(
        """
        <id /><content type="image/png" src="P(1)/$value" /><m:properties><d:Name>sea</d:Name></m:properties></entry>
        """))
  }
}
