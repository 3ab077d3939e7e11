import ODataTestSupport
import Testing

@testable import ODataKit

/// Faults that users of other clients met with Atom, on documents made by hand.
@Suite("Field cases of Atom")
struct AtomTextCases {
  /// The properties of an entry, the same however its bytes arrive.
  private func properties(_ elements: String) throws -> EntityRecord {
    let bytes = Array(atomEntry(elements).utf8)
    let whole = try #require(try readAtom([bytes]).records.first)
    for cut in bytes.indices.dropFirst() {
      let halves = [Array(bytes[..<cut]), Array(bytes[cut...])]
      #expect(try readAtom(halves).records == [whole], "cut at \(cut)")
    }
    return whole
  }

  @Test("G06 · NaN and the infinities are numbers where the type says so, and text where not")
  func specialNumbers() throws {
    let record = try properties(
      """
      <d:D1 m:type="Edm.Double">NaN</d:D1><d:D2 m:type="Edm.Double">INF</d:D2><d:D m:type="Edm.Double">-INF</d:D>\
      <d:D4 m:type="Edm.Double">Infinity</d:D4><d:D5 m:type="Edm.Double">-Infinity</d:D5><d:S>NaN</d:S><d:T>-INF</d:T>
      """)
    guard case .double(let number)? = record["D1"] else { throw CancellationError() }
    #expect(number.isNaN)
    #expect(record["D2"] == .double(.infinity) && record["D"] == .double(-.infinity))
    #expect(record["D4"] == .double(.infinity) && record["D5"] == .double(-.infinity))
    #expect(record["S"] == .string("NaN") && record["T"] == .string("-INF"))
  }

  @Test("G19 · sections of characters, entities and pieces make one text, and only m:null is none")
  func texts() throws {
    let record = try properties(
      """
      <d:S>one<![CDATA[ <two> ]]>&amp;three</d:S><d:S1>  a\n\n b\t </d:S1><d:S2> </d:S2><d:S3/>\
      <d:S4 m:null="true"/><d:S5>x&#xD;\ny</d:S5><d:S6>]]&gt; &amp; &lt;b&gt;</d:S6>
      """)
    #expect(record["S"] == .string("one <two> &three"))
    #expect(record["S1"] == .string("  a\n\n b\t "))
    #expect(record["S2"] == .string(" ") && record["S3"] == .string(""))
    #expect(record["S4"] == .null)
    #expect(record["S5"] == .string("x\r\ny") && record["S6"] == .string("]]> & <b>"))
  }

  @Test(
    "G19 · they are written so that a reader gets the same, and none as m:null",
    arguments: [Dialect.v2, .v3, .v4])
  func writtenTexts(_ dialect: Dialect) throws {
    var writer = AtomWriter(dialect: dialect)
    let record = EntityRecord([
      "S1": .string("  a\n\n b\t "), "S2": .string(" "), "S3": .string(""), "S4": .null,
      "S5": .string("x\r\ny"),
      "S6": .string("]]> & <b>"),
    ])
    try writer.requestEntry(
      record, updated: EdmDateTime("2026-01-01T00:00:00Z")!, includesType: false, mapping: [])
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.contains("<d:S4 m:null=\"true\" />"))
    #expect(text.contains("x&#xD;\ny"))
    let read = try #require(try readAtom([writer.bytes]).records.first)
    for name in record.shape.names { #expect(read[name] == record[name], "\(name)") }
  }

  @Test(
    "G20 · a character XML cannot carry is refused by name, and nothing is sent",
    arguments: ["ok\u{8}bad", "\u{0}", "\u{1F}", "\u{FFFE}"], [Dialect.v2, .v3, .v4])
  func controlCharacters(_ text: String, _ dialect: Dialect) async throws {
    let transport = ScriptedTransport()
    let service = try ODataService(
      root: "http://books.test/svc", dialect: dialect, format: .atom, transport: transport)
    let context = ObjectContext(service)
    let books = try context.entitySet("Books", of: ServiceBook.self, key: \.id)
    try books.add(ServiceBook(id: 1, title: "t"))
    try books.add(ServiceBook(id: 2, title: text))
    for options in [SaveOptions(), .batch] {
      let error = await #expect(throws: SaveError.self) { try await context.saveChanges(options) }
      #expect(error?.cause.code == .invalidValue)
      #expect(error?.cause.message.contains("property 'Title'") == true)
      #expect(error?.cause.message.contains("U+") == true)
    }
    #expect(transport.requests.isEmpty)
  }
}
