import Foundation
import ODataKit
import ODataTestSupport
import Testing

/// Documents recorded from live services: all are read, and those of the table service come out of the writer again.
@Suite(.enabled(if: SharedFolder.url != nil, "The folder of recordings is not beside this checkout."))
struct AtomRecordingTests {
  private static let entries = [
    "atom/raw/entry-create-table-201.xml", "atom/raw/entry-datatypes-201.xml",
    "atom/raw/entry-multiline-space-preserve.xml", "atom/raw/entry-null-and-int0.xml",
    "atom/raw/entry-unicode-keys.xml", "atom/docs-derived/insert_entity_response_entry.xml",
  ]
  private static let feeds = [
    "atom/raw/feed-entities-mixed-types.xml", "atom/raw/feed-gb18030-values.xml",
    "atom/raw/feed-select-one-property.xml", "atom/raw/feed-tables-empty.xml",
    "atom/raw/feed-tables-many.xml",
    "atom/docs-derived/query_entities_empty_response.xml", "atom/docs-derived/query_entities_response.xml",
  ]
  private static let services = [
    "odata/olingo2-ProductsFeed.xml", "odata/olingo2-expandedBuilding.xml",
    "odata/olingo2-feed_employees_full.xml",
  ]

  private func bytes(_ path: String) throws -> [UInt8] { try SharedFolder.bytes("recordings/" + path) }

  @Test("Cut anywhere, a recorded document means the same", arguments: entries + feeds + services)
  func cutAnywhere(_ path: String) throws {
    let bytes = try bytes(path)
    // A cut at each byte of a long document takes minutes; there, the first and last entities do.
    if bytes.count < 5000 {
      try expectSameWhereverCut(bytes)
    } else {
      let expected = try readAtom([bytes])
      for offset in stride(from: 1, to: bytes.count, by: 37) {
        #expect(try readAtom([Array(bytes[..<offset]), Array(bytes[offset...])]) == expected)
      }
      #expect(try readAtom(bytes.map { [$0] }) == expected)
    }
  }

  @Test func typesOfAnEntry() throws {
    let (records, summary) = try readAtom([bytes("atom/raw/entry-datatypes-201.xml")])
    var expected = EntityRecord(
      [
        "PartitionKey": .string("1"), "RowKey": .string("2"),
        "Timestamp": .dateTime(try #require(EdmDateTime("2013-03-27T11:01:38.9940362Z"))),
        "IntNumberValue": .int32(200), "DoubleNumberValue": .double(2.5),
        "FalseBooleanValue": .boolean(false),
        "TrueBooleanValue": .boolean(true), "StringValue": .string("hi there"),
        "DateValue": .dateTime(try #require(EdmDateTime("2012-11-10T03:04:05.2Z"))),
      ],
      control: ControlInformation(
        id: "https://ciserversdk.table.core.windows.net/tabledatatype1(PartitionKey='1',RowKey='2')",
        entityTag: EntityTag(rawValue: "W/\"datetime'2013-03-27T11%3A01%3A38.9940362Z'\""),
        editLink: "tabledatatype1(PartitionKey='1',RowKey='2')", typeName: "ciserversdk.tabledatatype1"))
    expected.control.base = "https://ciserversdk.table.core.windows.net/"
    #expect(records == [expected])
    #expect(summary == PayloadSummary(isFeed: false))
  }

  @Test func textThatBlanksSurround() throws {
    let entry = try readAtom([bytes("atom/raw/entry-multiline-space-preserve.xml")])
    #expect(entry.records[0]["content"] == .string("\n\nhi\n\nthere\n\n"))
    let feed = try readAtom([bytes("atom/raw/feed-gb18030-values.xml")])
    guard case .string(let text)? = feed.records[0]["gb18030"] else {
      Issue.record("The property is no string.")
      return
    }
    #expect(text.hasPrefix("𡬁𠻝𩂻耨鬲, "))
    #expect(text.hasSuffix(" "))
  }

  @Test func anEntityWithoutItsKeysKeepsItsIdentity() throws {
    let (records, _) = try readAtom([bytes("atom/raw/feed-select-one-property.xml")])
    #expect(records[0].shape.names == ["field1"])
    #expect(records[0].control.editLink == "tablequery1(PartitionKey='partition1',RowKey='row1')")
    #expect(records[0].control.entityTag != nil)
  }

  /// The samples of the documentation are left out: they were typed by hand, with a type that is not the table's.
  @Test(
    "The writer gives the very bytes of the live service",
    arguments: (entries + feeds).filter { $0.hasPrefix("atom/raw") })
  func writesTheSameBytes(_ path: String) throws {
    let bytes = try bytes(path)
    let (records, summary) = try readAtom([bytes])
    let text = String(decoding: bytes, as: UTF8.self)
    func value(after start: String, upTo end: Character) throws -> String {
      let start = try #require(text.range(of: start)).upperBound
      return String(text[start...].prefix { $0 != end })
    }
    let base = try value(after: "xml:base=\"", upTo: "\"")
    let account = try #require(base.split(separator: "/").last?.split(separator: ".").first)
    let context = AtomResponseContext(
      base: base, accountName: String(account),
      tableName: try value(after: "<link rel=", upTo: "/")
        .split(separator: "\"")[2].description,
      updated: try #require(EdmDateTime(value(after: "<updated>", upTo: "<"))))
    var writer = AtomWriter()
    if summary.isFeed {
      try writer.beginFeed(in: context)
      for record in records { try writer.feedEntry(record) }
      try writer.endFeed()
    } else {
      try writer.entryDocument(records[0], in: context)
    }
    #expect(String(decoding: writer.take(), as: UTF8.self).utf8.elementsEqual(text.utf8))
  }

  @Test(
    "Every Atom body of the recorded conversations is read, and comes back from the writer equal",
    arguments: [
      "batch-2011-08-18", "datatypes-2011-08-18", "select-2011-08-18", "tableservice-2011-08-18",
      "unicode-2011-08-18",
    ])
  func conversations(_ name: String) throws {
    struct Conversation: Decodable {
      struct Group: Decodable { let exchanges: [Exchange] }
      struct Exchange: Decodable { let response: Response }
      struct Response: Decodable { let body: String? }
      let groups: [Group]
    }
    let recording = try JSONDecoder().decode(Conversation.self, from: Data(bytes("atom/\(name).json")))
    var documents: [String] = []
    for body in recording.groups.flatMap(\.exchanges).compactMap(\.response.body) {
      // A batch answers with several documents between the lines of its parts.
      for part in body.components(separatedBy: "<?xml").dropFirst() {
        for end in ["</entry>", "</feed>"] {
          if let range = part.range(of: end, options: .backwards) {
            documents.append("<?xml" + part[..<range.upperBound])
          }
        }
      }
    }
    // Parts of a feed end in </entry> as well; only whole documents count.
    documents.removeAll { $0.contains("<feed") && !$0.contains("</feed>") }
    #expect(documents.count > 4)
    for document in documents {
      let (records, summary) = try readAtom(document)
      #expect(document.contains("<feed") == summary.isFeed)
      #expect(records.count == document.components(separatedBy: "</entry>").count - 1)
      for record in records {
        var writer = AtomWriter()
        try writer.requestEntry(record, updated: .unixEpoch)
        let again = try readAtom([writer.take()]).records[0]
        #expect(again.shape == record.shape)
        #expect(again.values == record.values)
      }
    }
  }

  @Test func otherDocumentsAreNamed() throws {
    let error = #expect(throws: ODataError.self) {
      try readAtom([bytes("atom/raw/service-properties-2011-08-18.xml")])
    }
    #expect(error?.code == .malformedPayload)
    #expect(
      error?.message
        == "The body is XML, but no Atom entry or feed: its root element is <StorageServiceProperties>.")
  }
}
