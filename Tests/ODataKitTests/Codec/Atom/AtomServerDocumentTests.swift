import ODataKit
import Testing

/// The documents a table service answers with, in the shape of the live one.
struct AtomServerDocumentTests {
  private static let context = AtomResponseContext(
    base: "https://books.example/", accountName: "books", tableName: "Books",
    updated: EdmDateTime("2024-05-06T07:08:10.9Z") ?? .minimum)

  private static func record(_ key: String) -> EntityRecord {
    EntityRecord(
      ["PartitionKey": .string("p"), "RowKey": .string(key), "Rate": .int32(4)],
      control: ControlInformation(
        id: "https://books.example/Books(PartitionKey='p',RowKey='\(key)')",
        entityTag: EntityTag(rawValue: "W/\"datetime'2024'\""),
        editLink: "Books(PartitionKey='p',RowKey='\(key)')"))
  }

  private func text(_ write: (inout AtomWriter) throws -> Void) throws -> String {
    var writer = AtomWriter()
    try write(&writer)
    let text = String(decoding: writer.take(), as: UTF8.self)
    // Lines end in CRLF, which the recorded documents prove; the expected texts are easier to read without.
    return String(decoding: text.utf8.filter { $0 != 0x0D }, as: UTF8.self)
  }

  @Test func anEntry() throws {
    #expect(
      try text { try $0.entryDocument(Self.record("1"), in: Self.context) } == """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <entry xml:base="https://books.example/" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
        m:etag="W/&quot;datetime'2024'&quot;" xmlns="http://www.w3.org/2005/Atom">
          <id>https://books.example/Books(PartitionKey='p',RowKey='1')</id>
          <title type="text"></title>
          <updated>2024-05-06T07:08:10Z</updated>
          <author>
            <name />
          </author>
          <link rel="edit" title="Books" href="Books(PartitionKey='p',RowKey='1')" />
          <category term="books.Books" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />
          <content type="application/xml">
            <m:properties>
              <d:PartitionKey>p</d:PartitionKey>
              <d:RowKey>1</d:RowKey>
              <d:Rate m:type="Edm.Int32">4</d:Rate>
            </m:properties>
          </content>
        </entry>
        """)
  }

  @Test func anEmptyFeedOfTablesNamesAnAuthor() throws {
    var context = Self.context
    context.tableName = "Tables"
    #expect(
      try text {
        try $0.beginFeed(in: context)
        try $0.endFeed()
      } == """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <feed xml:base="https://books.example/" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">
          <title type="text">Tables</title>
          <id>https://books.example/Tables</id>
          <updated>2024-05-06T07:08:10Z</updated>
          <author>
            <name />
          </author>
          <link rel="self" title="Tables" href="Tables" />
        </feed>
        """)
  }

  @Test func aFeedReadsBackAsItsEntities() throws {
    let records = (1...3).map { Self.record(String($0)) }
    let feed = try text { writer in
      try writer.beginFeed(in: Self.context)
      for record in records { try writer.feedEntry(record) }
      try writer.endFeed()
    }
    #expect(
      feed.hasPrefix(
        """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <feed xml:base="https://books.example/" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">
          <title type="text">Books</title>
          <id>https://books.example/Books</id>
          <updated>2024-05-06T07:08:10Z</updated>
          <link rel="self" title="Books" href="Books" />
          <entry m:etag="W/&quot;datetime'2024'&quot;">
            <id>https://books.example/Books(PartitionKey='p',RowKey='1')</id>
            <title type="text"></title>
        """))
    let expected = records.map { record in
      var record = record
      record.control.typeName = "books.Books"
      record.control.base = "https://books.example/"
      return record
    }
    #expect(try readAtom(feed).records == expected)
  }

  @Test func anEntryThatCannotBeWrittenLeavesTheFeedIntact() throws {
    var writer = AtomWriter()
    try writer.beginFeed(in: Self.context)
    let head = writer.bytes
    #expect(throws: ODataError.self) { try writer.feedEntry(EntityRecord(["T": .string("\u{1}")])) }
    #expect(writer.bytes == head)
    try writer.feedEntry(Self.record("1"))
    try writer.endFeed()
    #expect(try readAtom([writer.take()]).records.count == 1)
  }

  @Test func entriesOutsideOfAFeedAreRefused() throws {
    var writer = AtomWriter()
    #expect(throws: ODataError.self) { try writer.feedEntry(Self.record("1")) }
    #expect(throws: ODataError.self) { try writer.endFeed() }
    #expect(writer.bytes.isEmpty)
  }

  @Test func anErrorRepairsWhatXMLCannotCarry() throws {
    #expect(
      try text { $0.errorDocument(code: "InvalidInput", message: "0:Bad <key> \u{1}\nRequestId:1") } == """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
          <code>InvalidInput</code>
          <message xml:lang="en-US">0:Bad &lt;key&gt; \u{FFFD}
        RequestId:1</message>
        </error>
        """)
  }
}
