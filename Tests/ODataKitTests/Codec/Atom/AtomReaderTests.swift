import ODataKit
import Testing

/// What an Atom document means, entity by entity.
struct AtomReaderTests {
  @Test func readsAnEntryOfATable() throws {
    let (records, summary) = try readAtom(AtomFixture.tableEntry.rawValue)
    var control = ControlInformation(
      id: "https://books.example/Books(PartitionKey='%E6%A3%9A',RowKey='1')",
      entityTag: EntityTag(rawValue: "W/\"datetime'2024-05-06T07%3A08%3A09.1234567Z'\""),
      editLink: "Books(PartitionKey='%E6%A3%9A',RowKey='1')", typeName: "books.Books")
    control.base = "https://books.example/"
    let expected = EntityRecord(
      [
        "PartitionKey": .string("棚"), "RowKey": .string("1"),
        "Timestamp": .dateTime(try #require(EdmDateTime("2024-05-06T07:08:09.1234567Z"))),
        "Title": .string(" 坊っちゃん & <吾輩> "), "Rate": .int32(4), "Sold": .int64(9_007_199_254_740_993),
        "Price": .double(.infinity), "InPrint": .boolean(true), "Cover": .binary([0, 1, 2]), "Note": .null,
        "Empty": .string(""), "Blank": .string(" "),
      ], control: control)
    #expect(records == [expected])
    #expect(summary == PayloadSummary(isFeed: false))
  }

  @Test func readsAFeedWithItsCountAndNextLink() throws {
    let (records, summary) = try readAtom(AtomFixture.tableFeed.rawValue)
    #expect(records.map(\.control.entityTag?.rawValue) == (1...5).map { "W/\"\($0)\"" })
    #expect(records.map(\.control.id) == (1...5).map { "https://books.example/Books(\($0))" })
    #expect(records.map { $0["Title"] } == ["One", "Two", "Three", "Four", "Five"].map { .string($0) })
    #expect(records.map { $0["Rate"] } == [.int32(1), .int32(2), nil, .int32(4), nil])
    #expect(records[2]["Author"] == .string("夏目漱石"))
    #expect(
      summary
        == PayloadSummary(
          isFeed: true, count: 12, nextLink: "https://books.example/Books?$skiptoken=a&x=%26b"))
  }

  @Test func rowsWithTheSameNamesShareOneShape() throws {
    let (records, _) = try readAtom(AtomFixture.tableFeed.rawValue)
    #expect(records[0].shape === records[1].shape)
    #expect(records[0].shape === records[3].shape)
    #expect(records[2].shape.names == ["Title", "Author"])
    #expect(records[4].shape.names == ["Title"])
  }

  @Test func shapesAreSharedBetweenRowsThatTakeTurns() throws {
    let rows = [["A", "B", "C"], ["A", "C"], ["A", "B"], ["B"], [], ["A", "B", "C", "D"]]
    let feed =
      "<feed xmlns='http://www.w3.org/2005/Atom'>"
      + (0..<4).flatMap { _ in
        rows.map { atomEntry($0.map { "<d:\($0)>x</d:\($0)>" }.joined()) }
      }.joined() + "</feed>"
    let (records, _) = try readAtom(feed)
    #expect(records.map(\.shape.names) == (0..<4).flatMap { _ in rows })
    #expect(Set(records.map { ObjectIdentifier($0.shape) }).count == rows.count)
  }

  @Test func rowsOfManyShapesStayRight() throws {
    // More shapes than are remembered, and more properties than are looked through one by one.
    let rows = (1...40).map { width in (0..<width * 3).map { "P\($0 * width)" } }
    let feed =
      "<feed xmlns='http://www.w3.org/2005/Atom'>"
      + (rows + rows).map { atomEntry($0.map { "<d:\($0)>\($0)</d:\($0)>" }.joined()) }.joined() + "</feed>"
    let (records, _) = try readAtom(feed)
    #expect(records.map(\.shape.names) == rows + rows)
    #expect(records.map(\.values) == (rows + rows).map { $0.map { .string($0) } })
  }

  @Test func everyKindOfValueAndLinkOfAnEntry() throws {
    let (records, summary) = try readAtom(AtomFixture.service.rawValue)
    let record = try #require(records.first)
    #expect(records.count == 1)
    #expect(summary == PayloadSummary(isFeed: true))
    var control = ControlInformation(
      id: "http://svc.example/Staff('1')", entityTag: EntityTag(rawValue: "W/\"a&#38;b\""),
      editLink: "Staff('1')", typeName: "Model.Employee")
    control.media = EdmStream(
      readLink: "Staff('1')/$value", editLink: "Staff('1')/$value", contentType: "image/png")
    control.links = [NavigationLink("Room"), NavigationLink("Tasks")]
    let room = EntityRecord(
      ["Name": .string("leak")],
      control: ControlInformation(
        id: "http://svc.example/Rooms(1)", entityTag: EntityTag(rawValue: "W/\"inner\"")))
    let task = EntityRecord(control: ControlInformation(id: "leak"))
    #expect(
      record
        == EntityRecord(
          [
            "Room": .complex(room),
            "Tasks": .collection(EdmCollection([.complex(task)], count: 7, nextLink: "leak")),
            "Name": .string("WalterWinter"),
            "Home": .complex(
              EntityRecord(
                ["City": .string("Heidelberg")], control: ControlInformation(typeName: "Model.Address"))),
            "Phones": .collection(EdmCollection(elementType: .string, [.string("1")])),
            "Nothing": .complex(EntityRecord(control: ControlInformation(typeName: "Model.Address"))),
            "Colour": .enumeration(
              EdmEnumeration(type: EdmType(rawValue: "Model.Colour"), member: "Red")),
            "Gone": .null, "Kept": .int32(7),
            "Length": .duration(try #require(EdmDuration("PT1H30M"))),
          ], control: control))
  }

  @Test func readsVersion4() throws {
    let (records, summary) = try readAtom(AtomFixture.version4.rawValue)
    #expect(
      records == [
        EntityRecord(
          [
            "ID": .int32(7), "Published": .date(try #require(EdmDate("1906-04-01"))),
            "Seen": .dateTimeOffset(try #require(EdmDateTimeOffset("2024-05-06T07:08:09+09:00"))),
            "Colour": .enumeration(
              EdmEnumeration(type: EdmType(rawValue: "Library.Colour"), member: "Red")),
            "Tags": .collection(EdmCollection(elementType: .string, [.string("a")])),
            "Title": .string("坊っちゃん"),
          ],
          control: ControlInformation(
            id: "http://v4.example/Books(7)", entityTag: EntityTag(rawValue: "W/\"7\""), editLink: "Books(7)",
            typeName: "Library.Book"))
      ])
    #expect(summary == PayloadSummary(isFeed: true, count: 1))
  }

  private static let texts: [(String, EdmValue)] = [
    ("<d:S>  a\n\n b\t </d:S>", .string("  a\n\n b\t ")),
    ("<d:S> </d:S>", .string(" ")),
    ("<d:S>\n\t\n</d:S>", .string("\n\t\n")),
    ("<d:S xml:space=\"default\">\n</d:S>", .string("\n")),
    ("<d:S></d:S>", .string("")),
    ("<d:S/>", .string("")),
    ("<d:S m:null=\"true\"/>", .null),
    ("<d:S m:null=\"false\"/>", .string("")),
    ("<d:S>x&#xD;\ny</d:S>", .string("x\r\ny")),
    ("<d:S>]]&gt; &amp; &lt;b&gt; &quot;&apos;</d:S>", .string("]]> & <b> \"'")),
    ("<d:S>one<![CDATA[ <two> ]]>&amp;three</d:S>", .string("one <two> &three")),
    ("<d:S><![CDATA[ ]]></d:S>", .string(" ")),
    ("<d:S>&amp;amp;#38;&#38;amp;</d:S>", .string("&amp;#38;&amp;")),
    ("<d:S>&#x1F600;&#128512;😀</d:S>", .string("😀😀😀")),
    ("<d:S>a<?x y?>b<!-- c -->d</d:S>", .string("abd")),
    ("<d:S m:type=\"Edm.String\">7</d:S>", .string("7")),
    ("<d:S>NaN</d:S>", .string("NaN")),
    ("<d:S m:type=\"Edm.Double\">-INF</d:S>", .double(-.infinity)),
    ("<d:S m:type=\"Edm.Double\">NaN</d:S>", .double(.nan)),
    ("<d:S m:type=\"Edm.Double\"> 4 </d:S>", .double(4)),
    ("<d:S m:type=\"Edm.Untyped\">x</d:S>", .string("x")),
  ]

  @Test("Blanks around an id do not belong to it")
  func blanksAroundID() throws {
    let text = "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>\n  http://h/B(1)\n</id></entry>"
    #expect(try readAtom(text).records[0].control.id == "http://h/B(1)")
  }

  @Test("Text is kept to the letter", arguments: texts)
  func text(_ property: String, _ value: EdmValue) throws {
    let (records, _) = try readAtom(atomEntry(property))
    #expect(records.map { $0["S"] } == [value])
  }

  @Test func longTextArrivesInPiecesAndComesOutWhole() throws {
    let text = String(repeating: "夏目漱石 & <坊っちゃん>\r\n", count: 5000)
    let escaped = text.utf8.reduce(into: [UInt8]()) { bytes, byte in
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case 0x0D: bytes += "&#13;".utf8
      default: bytes.append(byte)
      }
    }
    let document = Array(atomEntry("<d:S>\(String(decoding: escaped, as: UTF8.self))</d:S>").utf8)
    for size in [1021, 4096, document.count] {
      let chunks = stride(from: 0, to: document.count, by: size).map {
        Array(document[$0..<min($0 + size, document.count)])
      }
      let (records, _) = try readAtom(chunks)
      #expect(records.map { $0["S"] } == [.string(text)])
    }
  }

  @Test func entitiesComeOutAsSoonAsTheyEnd() throws {
    let bytes = Array(AtomFixture.tableFeed.rawValue.utf8)
    let end = Array("</entry>".utf8)
    let cuts = bytes.indices.filter { bytes[$0...].starts(with: end) }.map { $0 + end.count }
    let reader = AtomReader()
    var start = 0
    for cut in cuts {
      #expect(try reader.read(Array(bytes[start..<cut])).count == 1)
      start = cut
    }
    #expect(try reader.read(Array(bytes[start...])).isEmpty)
    #expect(try reader.finish().isFeed)
  }

  @Test("Cut anywhere, a document means the same", arguments: AtomFixture.allCases)
  func cutAnywhere(_ fixture: AtomFixture) throws {
    try expectSameWhereverCut(Array(fixture.rawValue.utf8))
  }

  @Test(
    "Encodings that libxml2 tells by the first bytes",
    arguments: [true, false], [AtomFixture.tableEntry, .service])
  func encodings(bigEndian: Bool, _ fixture: AtomFixture) throws {
    let expected = try readAtom(fixture.rawValue)
    let text = fixture.rawValue.split(separator: "encoding=\"utf-8\"", omittingEmptySubsequences: false)
      .joined()
    let utf16 = (["\u{FEFF}"] + [text]).joined().utf16.flatMap { unit in
      bigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    #expect(try readAtom([utf16]) == expected)
    #expect(try readAtom(utf16.map { [$0] }) == expected)
    let withMark = [0xEF, 0xBB, 0xBF] + Array(fixture.rawValue.utf8)
    #expect(try readAtom([withMark]) == expected)
    #expect(try readAtom(withMark.map { [$0] }) == expected)
  }
}

/// Feeds `bytes` cut at every offset, and byte by byte.
func expectSameWhereverCut(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
  let expected = try readAtom([bytes])
  for offset in 0...bytes.count {
    let cut = try readAtom([Array(bytes[..<offset]), Array(bytes[offset...])])
    guard cut == expected else {
      Issue.record("Cut at \(offset), the document reads differently.", sourceLocation: sourceLocation)
      return
    }
  }
  #expect(try readAtom(bytes.map { [$0] }) == expected, sourceLocation: sourceLocation)
}
