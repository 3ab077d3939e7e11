import Testing

@testable import ODataKit

/// Properties that stand in other elements of an entry than its content.
struct FeedMappingTests {
  private static func rule(
    _ property: String, _ target: String, type: EdmType = .string, keeps: Bool = false,
    namespace: String? = nil, prefix: String? = nil, kind: String? = nil
  ) throws -> FeedMapping.Rule {
    FeedMapping.Rule(
      property: property.split(separator: "/").map(String.init), type: type,
      target: try #require(FeedMapping.Target(path: target, namespace: namespace, prefix: prefix)),
      contentKind: kind, keepsInContent: keeps)
  }

  private static func rules() throws -> [FeedMapping.Rule] {
    [
      try rule("Title", "SyndicationTitle", kind: "text"),
      try rule("Blurb", "SyndicationSummary", keeps: true),
      try rule("Writer", "SyndicationAuthorName"), try rule("Mail", "SyndicationAuthorEmail"),
      try rule("Helper", "SyndicationContributorName"),
      try rule("Printed", "SyndicationPublished", type: .dateTime),
      try rule("Changed", "SyndicationUpdated", type: .dateTimeOffset),
      try rule("Owner", "SyndicationRights", kind: "html"),
      try rule("Home/City", "shelf/town", namespace: "urn:shelf", prefix: "s"),
      try rule("Place", "shelf/@place", type: .int32, namespace: "urn:shelf", prefix: "s"),
    ]
  }

  private static let entry = """
    <entry \(AtomLinkTests.namespaces)>
    <title type="text">Kokoro &amp; more</title><summary>of the element</summary><updated>2024-05-06T07:08:09+09:00</updated>
    <author><name>Sōseki</name><email>s@example.org</email></author><author><name>Second</name></author>
    <contributor><uri>leak</uri><name>H</name></contributor><published>1914-04-20T00:00:00</published>
    <rights type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">all <b>rights</b></div></rights>
    <shelf xmlns="urn:shelf" place="7"><town>Tokyo</town><other>leak</other></shelf><shelf xmlns="urn:other"><town>leak</town></shelf>
    <category term="M.Book" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>
    <content type="application/xml"><m:properties><d:Id m:type="Edm.Int32">1</d:Id><d:Blurb>of the content</d:Blurb>
    <d:Home><d:Zip>1</d:Zip></d:Home></m:properties></content></entry>
    """

  private func read(_ text: String, _ mapping: FeedMapping) throws -> EntityRecord {
    let reader = AtomReader(mapping: mapping)
    let records = try reader.read(Array(text.utf8))
    _ = try reader.finish()
    return try #require(records.first)
  }

  @Test func mappedPropertiesAreReadFromTheirElements() throws {
    let mapping = FeedMapping([EdmType(rawValue: "M.Book"): try Self.rules()])
    let record = try read(Self.entry, mapping)
    #expect(
      record
        == EntityRecord(
          [
            "Id": .int32(1), "Blurb": .string("of the content"),
            "Home": .complex(EntityRecord(["Zip": .string("1"), "City": .string("Tokyo")])),
            "Title": .string("Kokoro & more"), "Writer": .string("Sōseki"), "Mail": .string("s@example.org"),
            "Helper": .string("H"),
            "Printed": .dateTime(try #require(EdmDateTime("1914-04-20T00:00:00"))),
            "Changed": .dateTimeOffset(try #require(EdmDateTimeOffset("2024-05-06T07:08:09+09:00"))),
            "Owner": .string("all rights"), "Place": .int32(7),
          ], control: ControlInformation(typeName: "M.Book")))
    // The rules are those of a type; of another one, Atom's own elements mean nothing.
    let other = FeedMapping([EdmType(rawValue: "M.Other"): try Self.rules()])
    #expect(try read(Self.entry, other) == readAtom(Self.entry).records[0])
  }

  @Test func cutAnywhereTheMappingHolds() throws {
    let mapping = FeedMapping([EdmType(rawValue: "M.Book"): try Self.rules()])
    let expected = try read(Self.entry, mapping)
    let bytes = Array(Self.entry.utf8)
    for offset in bytes.indices {
      let reader = AtomReader(mapping: mapping)
      let records = try reader.read(Array(bytes[..<offset])) + reader.read(Array(bytes[offset...]))
      guard records == [expected] else {
        Issue.record("Cut at \(offset), the entry reads differently.")
        return
      }
    }
  }

  @Test("What the metadata maps is read, for derived types too", arguments: ["Shop.Order", "Shop.RushOrder"])
  func metadata(_ type: String) throws {
    let types = PayloadTypes(
      root: EdmType(rawValue: "Shop.Order"),
      catalog: try ServiceMetadata(reading: Array(MetadataFixtures.shop2.utf8)))
    let entry = """
      <entry \(AtomLinkTests.namespaces)><category term="\(type)" \
      scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/><title>for you</title>
      <updated>2024-05-06T07:08:09Z</updated><g:geo xmlns:g="urn:geo" city="京都"><g:street>三条</g:street></g:geo>
      <content><m:properties><d:Id>7</d:Id><d:Placed>2024-01-01T00:00:00</d:Placed></m:properties></content></entry>
      """
    let reader = AtomReader(types: types)
    let records = try reader.read(Array(entry.utf8))
    #expect(
      records == [
        EntityRecord(
          [
            "Id": .int32(7), "Placed": .dateTime(try #require(EdmDateTime("2024-01-01T00:00:00"))),
            "Note": .string("for you"),
            "ShipTo": .complex(EntityRecord(["City": .string("京都"), "Street": .string("三条")])),
          ], control: ControlInformation(typeName: type))
      ])
    // What stands in the content as well is written there alone.
    var writer = AtomWriter(dialect: .v2)
    try writer.requestEntry(records[0], updated: .unixEpoch, mapping: types.feedMapping.rules(of: type))
    let text = String(decoding: writer.take(), as: UTF8.self)
    #expect(text.contains("<title type=\"text\">for you</title><updated>1970-01-01T00:00:00Z</updated>"))
    #expect(text.contains("<g:geo xmlns:g=\"urn:geo\" city=\"京都\"></g:geo>"))
    #expect(text.contains("<d:ShipTo><d:Street>三条</d:Street></d:ShipTo>"))
    #expect(!text.contains("d:Note"))
  }

  @Test func emptyAndNullElements() throws {
    let mapping = FeedMapping([
      EdmType(rawValue: "M.Book"): [
        try Self.rule("Title", "SyndicationTitle"),
        try Self.rule("Printed", "SyndicationPublished", type: .dateTime),
        try Self.rule("Blurb", "SyndicationSummary"), try Self.rule("Owner", "SyndicationRights"),
      ]
    ])
    let reader = AtomReader(types: PayloadTypes(root: EdmType(rawValue: "M.Book")), mapping: mapping)
    let records = try reader.read(
      Array("<entry \(AtomLinkTests.namespaces)><title/><published/><summary m:null=\"true\"/></entry>".utf8))
    #expect(records == [EntityRecord(["Title": .string(""), "Printed": .null, "Blurb": .null])])
  }

  @Test func aTextThatDoesNotFitIsNamedWithoutItself() throws {
    let rules = [try Self.rule("Printed", "SyndicationPublished", type: .dateTime)]
    let text = Self.entry.replacing("1914-04-20T00:00:00", with: "secret")
    let error = #expect(throws: ODataError.self) {
      _ = try read(text, FeedMapping([EdmType(rawValue: "M.Book"): rules]))
    }
    #expect(error?.code == .malformedPayload)
    #expect(error?.message.hasPrefix("The value of property 'Printed' is no Edm.DateTime") == true)
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func whatIsNotKeptInTheContentGoesOutInItsElement() throws {
    let record = EntityRecord([
      "Id": .int32(1), "Title": .string("Kokoro & more"), "Blurb": .string("kept"), "Mail": .string("m"),
      "Printed": .dateTime(.unixEpoch), "Owner": .null,
      "Home": .complex(EntityRecord(["Zip": .string("1"), "City": .string("Tokyo")])),
      "Place": .int32(7),
    ])
    var writer = AtomWriter(dialect: .v3)
    try writer.requestEntry(record, updated: .unixEpoch, mapping: Self.rules())
    let text = String(decoding: writer.take(), as: UTF8.self)
    let start = try #require(text.firstRange(of: "xmlns=\"http://www.w3.org/2005/Atom\">"))
    #expect(
      text[start.upperBound...] == """
        <title type="text">Kokoro &amp; more</title><updated>1970-01-01T00:00:00Z</updated>\
        <author><name></name><email>m</email></author><id /><published>1970-01-01T00:00:00Z</published>\
        <rights type="html" m:null="true"></rights><s:shelf xmlns:s="urn:shelf" place="7"><s:town>Tokyo</s:town></s:shelf>\
        <content type="application/xml"><m:properties><d:Id m:type="Edm.Int32">1</d:Id><d:Blurb>kept</d:Blurb>\
        <d:Home><d:Zip>1</d:Zip></d:Home></m:properties></content></entry>
        """)
    var older = AtomWriter(dialect: .v2)
    try older.requestEntry(record, updated: .unixEpoch, mapping: Self.rules())
    #expect(String(decoding: older.take(), as: UTF8.self).contains("<rights type=\"html\"></rights>"))
  }

  @Test(
    "Targets that are none",
    arguments: [("SyndicationLinkHref", nil), ("", nil), ("a b", "urn:x"), ("@a", "urn:x"), ("", "urn:x")]
      as [(String, String?)])
  func targets(_ path: String, _ namespace: String?) {
    #expect(FeedMapping.Target(path: path, namespace: namespace) == nil)
  }
}
