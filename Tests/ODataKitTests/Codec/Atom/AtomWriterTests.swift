import Foundation
import ODataKit
import Testing

/// The exact text of the documents that go out.
struct AtomWriterTests {
  private static let updated = EdmDateTime("2024-05-06T07:08:09.1234567Z") ?? .minimum

  private func requestEntry(_ record: EntityRecord, dialect: Dialect = .azureTable) throws -> String {
    var writer = AtomWriter(dialect: dialect)
    try writer.requestEntry(record, updated: Self.updated)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  /// What stands between the tags of `m:properties` in a request.
  private func properties(_ record: EntityRecord, dialect: Dialect = .azureTable) throws -> String {
    let text = try requestEntry(record, dialect: dialect)
    let start = try #require(text.range(of: "<m:properties>")).upperBound
    return String(text[start..<(try #require(text.range(of: "</m:properties>")).lowerBound)])
  }

  @Test func anInsertHasAnEmptyID() throws {
    let record = EntityRecord([
      "PartitionKey": .string("shelf-1"), "RowKey": .string("botchan"), "Title": .string("坊っちゃん"),
      "Rate": .int32(4), "Note": .null,
    ])
    #expect(
      try requestEntry(record) == """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?><entry \
        xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
        xmlns="http://www.w3.org/2005/Atom"><title /><updated>2024-05-06T07:08:09.1234567Z</updated>\
        <author><name /></author><id /><content type="application/xml"><m:properties>\
        <d:PartitionKey>shelf-1</d:PartitionKey><d:RowKey>botchan</d:RowKey><d:Title>坊っちゃん</d:Title>\
        <d:Rate m:type="Edm.Int32">4</d:Rate><d:Note m:null="true" />\
        </m:properties></content></entry>
        """)
  }

  @Test func anUpdateNamesTheEntityAndWhereWantedItsType() throws {
    let record = EntityRecord(
      ["Rate": .int32(5)],
      control: ControlInformation(id: "https://svc.example/Books('a&b')", typeName: "Library.Book"))
    var writer = AtomWriter(dialect: .v3)
    try writer.requestEntry(record, updated: Self.updated, includesType: true)
    #expect(
      String(decoding: writer.take(), as: UTF8.self) == """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?><entry \
        xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
        xmlns="http://www.w3.org/2005/Atom"><category term="Library.Book" \
        scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />\
        <title /><updated>2024-05-06T07:08:09.1234567Z</updated>\
        <author><name /></author><id>https://svc.example/Books('a&amp;b')</id>\
        <content type="application/xml"><m:properties><d:Rate m:type="Edm.Int32">5</d:Rate>\
        </m:properties></content></entry>
        """)
    #expect(writer.bytes.isEmpty)
  }

  @Test(
    "Strings are escaped so that any reader gets them back",
    arguments: [
      ("  a\n\n b\t ", "<d:S xml:space=\"preserve\">  a\n\n b\t </d:S>"),
      (" ", "<d:S xml:space=\"preserve\"> </d:S>"),
      ("", "<d:S></d:S>"),
      ("x\r\ny", "<d:S>x&#xD;\ny</d:S>"),
      ("x\r", "<d:S xml:space=\"preserve\">x&#xD;</d:S>"),
      ("]]> & <b>", "<d:S>]]&gt; &amp; &lt;b&gt;</d:S>"),
      ("'\"", "<d:S>'\"</d:S>"),
      ("\u{7F}\u{85}\u{FFFD}\u{1FFFF}ﾟ", "<d:S>\u{7F}\u{85}\u{FFFD}\u{1FFFF}ﾟ</d:S>"),
    ])
  func strings(_ value: String, _ text: String) throws {
    let written = try properties(EntityRecord(["S": .string(value)]))
    #expect(written.utf8.elementsEqual(text.utf8), "\(written)")
    #expect(try readAtom(requestEntry(EntityRecord(["S": .string(value)]))).records[0]["S"] == .string(value))
  }

  private static let samples: [(EdmValue?, String)] = [
    (.boolean(true), "Edm.Boolean"),
    (.byte(255), "Edm.Byte"),
    (.sbyte(-128), "Edm.SByte"),
    (.int16(-1), "Edm.Int16"),
    (.int32(.min), "Edm.Int32"),
    (.int64(.max), "Edm.Int64"),
    (.single(1.5), "Edm.Single"),
    (.double(.nan), "Edm.Double"),
    (.double(4), "Edm.Double"),
    (.double(-.infinity), "Edm.Double"),
    (.binary([0xFB, 0xFF]), "Edm.Binary"),
    (UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10").map(EdmValue.guid), "Edm.Guid"),
    (.dateTime(.maximum), "Edm.DateTime"),
    (EdmDecimal("12.50").map(EdmValue.decimal), "Edm.Decimal"),
    (EdmDuration("PT1M").map(EdmValue.duration), "Edm.Time"),
    (EdmDateTimeOffset("2024-05-06T07:08:09.1+09:00").map(EdmValue.dateTimeOffset), "Edm.DateTimeOffset"),
  ]

  @Test("Each type goes out with its name and comes back equal", arguments: samples)
  func types(_ value: EdmValue?, _ name: String) throws {
    let record = EntityRecord(["P": try #require(value)])
    #expect(try properties(record).hasPrefix("<d:P m:type=\"\(name)\">"))
    #expect(try readAtom(requestEntry(record)).records[0]["P"] == value)
  }

  @Test func version4HasNamesOfItsOwn() throws {
    let record = EntityRecord([
      "On": EdmDate("1906-04-01").map { .date($0) } ?? .null, "N": .int32(1),
      "Long": EdmDuration("PT1M").map { .duration($0) } ?? .null,
    ])
    #expect(
      try properties(record, dialect: .v4) == """
        <d:On m:type="Date">1906-04-01</d:On><d:N m:type="Int32">1</d:N><d:Long m:type="Duration">PT1M</d:Long>
        """)
    #expect(
      try requestEntry(record, dialect: .v4).contains("xmlns:d=\"http://docs.oasis-open.org/odata/ns/data\""))
    #expect(try readAtom(requestEntry(record, dialect: .v4)).records.map(\.values) == [record.values])
  }

  @Test func aTypeTheGenerationLacksIsRefused() throws {
    let date = EntityRecord(["On": EdmDate("1906-04-01").map { .date($0) } ?? .null])
    let error = #expect(throws: ODataError.self) { try requestEntry(date, dialect: .v2) }
    #expect(error?.code == .invalidValue)
    #expect(
      error?.message
        == "Property 'On' is of type Edm.Date, which OData 1 to 3 does not have; give it another type.")
    #expect(throws: ODataError.self) {
      try requestEntry(EntityRecord(["At": .dateTime(.minimum)]), dialect: .v4)
    }
  }

  @Test(
    "Characters XML cannot carry are refused by name, and nothing is left in the buffer",
    arguments: [
      ("ok\u{8}bad", "U+0008"), ("\u{0}", "U+0000"), ("\u{1F}", "U+001F"), ("\u{B}", "U+000B"),
      ("a\u{FFFE}", "U+FFFE"), ("\u{FFFF}", "U+FFFF"),
    ])
  func controlCharacters(_ value: String, _ name: String) throws {
    var writer = AtomWriter()
    let error = #expect(throws: ODataError.self) {
      try writer.requestEntry(EntityRecord(["A": .int32(1), "Trace": .string(value)]), updated: Self.updated)
    }
    #expect(error?.code == .invalidValue)
    #expect(
      error?.message == """
        The value of property 'Trace' holds the character \(name), which XML and so Atom cannot carry; \
        JSON can: choose the format json.
        """)
    #expect(writer.bytes.isEmpty)
  }

  @Test(
    "Names that are no XML names are refused by name",
    arguments: ["Distinguished Name", "", "1st", "-a", "a:b", "a<b", "\u{300}a", "a\u{0}", "×"])
  func badNames(_ name: String) throws {
    let error = #expect(throws: ODataError.self) { try requestEntry(EntityRecord([name: .int32(1)])) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("'\(name)'") == true)
  }

  @Test(
    "Names that look like control data, and names of any script, are ordinary",
    arguments: [
      "ETag", "etag", "id", "self", "default", "Type", "content", "_x", "a-b", "a.b", "作者", "é1", "a\u{301}",
    ])
  func goodNames(_ name: String) throws {
    let record = EntityRecord([name: .string("mine")])
    let (records, _) = try readAtom(requestEntry(record))
    #expect(records[0].shape == record.shape)
    #expect(records[0].values == record.values)
    #expect(records[0].control.entityTag == nil)
  }

  @Test func propertiesWhoseNamesDifferInCaseOrNormalFormStayApart() throws {
    let record = EntityRecord([
      "ETag": .string("mine"), "etag": .string("other"), "é": .int32(1), "e\u{301}": .int32(2),
    ])
    #expect(record.count == 4)
    let (records, _) = try readAtom(requestEntry(record))
    #expect(records[0].values == record.values)
    #expect(records[0].shape == record.shape)
  }
}
