import ODataKit
import ODataTestSupport
import Testing

/// A record read from Atom, written as a service would and read again, is the same record.
struct AtomRoundTripTests {
  private func again(_ records: [EntityRecord], _ summary: PayloadSummary, _ dialect: Dialect) throws {
    var writer = AtomWriter(dialect: dialect)
    if summary.isFeed {
      try writer.serviceFeed(records, summary: summary)
    } else {
      try writer.serviceEntry(records[0])
    }
    let bytes = writer.take()
    let result = try readAtom([bytes])
    #expect(result.records == records, "\(String(decoding: bytes, as: UTF8.self))")
    #expect(result.summary == summary)
  }

  @Test("Documents of each kind", arguments: AtomFixture.allCases)
  func fixtures(_ fixture: AtomFixture) throws {
    let (records, summary) = try readAtom(fixture.rawValue)
    try again(records, summary, fixture.dialect)
  }

  @Test(
    "Recorded documents",
    .enabled(if: SharedFolder.url != nil, "The folder of recordings is not beside this checkout."),
    arguments: [
      "odata/olingo2-ProductsFeed.xml", "odata/olingo2-expandedBuilding.xml",
      "odata/olingo2-feed_employees_full.xml",
      "atom/raw/entry-datatypes-201.xml", "atom/raw/feed-gb18030-values.xml",
    ])
  func recordings(_ path: String) throws {
    let (records, summary) = try readAtom([SharedFolder.bytes("recordings/" + path)])
    try again(records, summary, .v3)
  }

  @Test func anEntityWithEverything() throws {
    var inner = EntityRecord(
      ["Name": .string("a\r\nb"), "Deep": .complex(EntityRecord(["X": .binary([1, 2])]))],
      control: ControlInformation(
        id: "i", entityTag: EntityTag(rawValue: "W/\"<&>\""), editLink: "E(1)", typeName: "M.I"))
    inner.control.base = "http://host/a/"
    var related = EntityRecord(["N": .int64(7)])
    related.control.base = "http://host/b/"
    var record = EntityRecord([
      "Self": .complex(inner),
      "Many": .collection(EdmCollection([.complex(related)], count: 3, nextLink: "http://host/n")),
      "None": .null,
      "Color": .enumeration(EdmEnumeration(type: EdmType(rawValue: "M.Color"), member: "Red")),
      "Where": .spatial(EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(1.50 -2)")),
      "Words": .collection(EdmCollection(elementType: .string, [.string(" "), .null])),
      "Photo": .stream(
        EdmStream(readLink: "r", editLink: "e", contentType: "t/t", entityTag: EntityTag(rawValue: "\"p\""))),
    ])
    record.control = ControlInformation(id: "o", editLink: "O(1)", typeName: "M.O")
    record.control.base = "http://host/a/"
    record.control.readLink = "O(1)/r"
    record.control.links = [
      NavigationLink("Self", navigationLink: "O(1)/Self"),
      NavigationLink("Deferred", navigationLink: "d", associationLink: "l"),
      NavigationLink("Many"), NavigationLink("None"),
    ]
    record.control.media = EdmStream(
      readLink: "m", editLink: "em", contentType: "image/png", entityTag: EntityTag(rawValue: "\"m\""))
    try again([record], PayloadSummary(isFeed: false), .v4)
    try again([record, record], PayloadSummary(isFeed: true, count: 2, nextLink: "n"), .v4)
  }

  @Test("Records by chance", arguments: [Dialect.v2, .v3, .v4])
  func byChance(_ dialect: Dialect) throws {
    var generator = RecordGenerator(dialect: dialect, seed: 0xA70_5EED)
    for number in 0..<300 {
      let (records, summary) = generator.feed()
      var writer = AtomWriter(dialect: dialect)
      try writer.serviceFeed(records, summary: summary)
      let bytes = writer.take()
      let result = try readAtom(number % 2 == 0 ? [bytes] : bytes.map { [$0] })
      guard result.records == records, result.summary == summary else {
        Issue.record(
          "Feed \(number) of \(dialect) reads differently:\n\(String(decoding: bytes, as: UTF8.self))")
        return
      }
      // What was read once is written the same way again.
      try writer.serviceFeed(result.records, summary: result.summary)
      #expect(writer.take() == bytes)
      // Names and exact types come out of every cut alike.
      if number % 60 == 0, bytes.count < 6000 { try expectSameWhereverCut(bytes) }
    }
  }

  @Test func changes() throws {
    let changes: [DeltaChange] = [
      .removed(.deleted), .removed(.changed), .addedLink(source: "s", relationship: "r", target: "t&"),
      .deletedLink(source: "s", relationship: "r", target: "t"),
    ]
    let records = changes.enumerated().map { index, change in
      var record = EntityRecord(control: ControlInformation(id: index < 2 ? "id\(index)" : nil))
      record.control.change = change
      return record
    }
    try again(records, PayloadSummary(isFeed: true, deltaLink: "later"), .v4)
  }
}
