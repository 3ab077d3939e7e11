import ODataTestSupport
import Testing

@testable import ODataKit

/// Entries that look like the one before them go past the parser, which must not be told by the results. Byte by byte no
/// entry is whole when it begins, so that the parser takes each of them.
struct AtomRowPredictionTests {
  private enum Outcome: Equatable {
    case records([EntityRecord], PayloadSummary)
    case error(String)
  }

  private func outcome(
    _ chunks: [[UInt8]], _ limits: PayloadLimits = PayloadLimits(), _ types: PayloadTypes = PayloadTypes()
  ) -> Outcome {
    do {
      let reader = AtomReader(limits: limits, types: types)
      var records: [EntityRecord] = []
      for chunk in chunks { records += try reader.read(chunk) }
      return .records(records, try reader.finish())
    } catch {
      return .error(error.message)
    }
  }

  private func expectAlike(
    _ bytes: [UInt8], _ limits: PayloadLimits = PayloadLimits(), _ types: PayloadTypes = PayloadTypes(),
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let long = outcome(bytes.map { [$0] }, limits, types)
    #expect(outcome([bytes], limits, types) == long, comment, sourceLocation: sourceLocation)
  }

  private static let head =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed \(AtomLinkTests.namespaces) xml:base=\"http://h.invalid/\"><id>x</id>"

  private static func entry(_ number: Int, _ more: String = "") -> String {
    """
    <entry m:etag="W/&quot;datetime'\(number)'&quot;"><id>http://h.invalid/T(\(number))</id>
    <category term="h.T" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />\
    <link rel="edit" title="T" href="T(\(number))" /><link rel="self" href="T(\(number))/self" />\
    <link rel="\(AtomLinkTests.related)/Author" type="application/atom+xml;type=entry" href="T(\(number))/Author" />\
    <link rel="\(AtomLinkTests.related)links/Author" href="T(\(number))/$links/Author" />
    <title type="text">t\(number)</title><updated>2026-01-0\(1 + number % 9)T00:00:00Z</updated>\
    <author><name /></author><content type="application/xml"><m:properties>
    <d:PartitionKey>p</d:PartitionKey><d:title>雪国 &amp; \(number)</d:title>\
    <d:rate m:type="Edm.Int32">\(number)</d:rate><d:price m:type="Edm.Double">\(number).25</d:price>\
    <d:published m:type="Edm.DateTime">1906-01-01T00:00:00.5Z</d:published><d:none m:null="true" />\
    <d:empty></d:empty><d:inStock m:type="Edm.Boolean">true</d:inStock>\(more)</m:properties></content></entry>
    """
  }

  private func feed(_ entries: [String]) -> [UInt8] {
    Array((Self.head + entries.joined(separator: "\n ") + "<link rel=\"next\" href=\"n\" /></feed>").utf8)
  }

  @Test("entries that look alike are read as each of them alone")
  func alike() throws {
    let bytes = feed((0..<20).map { Self.entry($0) })
    expectAlike(bytes)
    let reader = AtomReader()
    let records = try reader.read(bytes)
    #expect(records.count == 20)
    #expect(Set(records.map { ObjectIdentifier($0.shape) }).count == 1)
    #expect(records[7].control.entityTag?.rawValue == "W/\"datetime'7'\"")
    #expect(records[7].control.base == "http://h.invalid/")
    #expect(records[7].control.readLink == "T(7)/self")
    #expect(
      records[7].control.links == [
        NavigationLink("Author", navigationLink: "T(7)/Author", associationLink: "T(7)/$links/Author")
      ])
    #expect(records[7]["title"] == .string("雪国 & 7"))
    #expect(try reader.finish().nextLink == "http://h.invalid/n")
  }

  @Test("a template is made of such an entry, and takes the next one")
  func template() throws {
    let scratch = AtomRowScratch()
    let first = Array(Self.entry(1).utf8)
    let record = try #require(try AtomReader().read(feed([Self.entry(1)])).first)
    let template = try #require(
      first.withUnsafeBufferPointer { AtomRowTemplate(learning: $0, record, textLength: 1000, scratch) })
    let second = Array(Self.entry(2).utf8)
    let taken = second.withUnsafeBufferPointer { template.entry(in: $0, from: 0, scratch) }
    #expect(taken?.record["rate"] == .int32(2))
    #expect(taken?.end == second.count)
    #expect(taken?.lines == Self.entry(2).utf8.count { $0 == UInt8(ascii: "\n") })
  }

  @Test(
    "an entry that differs is read as it stands, and so are those behind it",
    arguments: [
      "<entry/>", "<entry></entry>", "x", "<!-- </entry> -->", "<![CDATA[</entry>]]>", "<m:count>5</m:count>",
      "<entry><content><m:properties><d:A>1</d:A></m:properties></content></entry>",
      "<entry><content><m:properties><d:A>1</d:A><d:A>2</d:A></m:properties></content></entry>",
      "<entry><content><m:properties><d:A m:type=\"Edm.Int32\">x</d:A></m:properties></content></entry>",
      "<entry><content><m:properties><d:A m:type=\"M.Home\"><d:B>1</d:B></d:A></m:properties></content></entry>",
      "<entry><link rel=\"\(AtomLinkTests.related)/A\"><m:inline><entry><id>i</id></entry></m:inline></link></entry>",
      "<entry><content type=\"image/png\" src=\"T(1)/$value\"/><m:properties><d:A>1</d:A></m:properties></entry>",
      "<entry><link rel=\"edit-media\" href=\"T(1)/$value\"/><content><m:properties><d:A>1</d:A></m:properties></content></entry>",
      "<entry xml:base=\"b/\"><link rel=\"edit\" href=\"T(1)\"/><content><m:properties/></content></entry>",
      "<entry xmlns:d=\"urn:x\"><content><m:properties><d:A>1</d:A></m:properties></content></entry>",
      "<entry><id> i\n</id><content><m:properties><d:A>1</d:A></m:properties></content></entry>",
      "<m:ref id=\"T(1)\"/>", "<m:error><m:code>c</m:code><m:message>m</m:message></m:error>",
    ])
  func different(_ odd: String) {
    expectAlike(feed([Self.entry(1), Self.entry(2), odd, Self.entry(3), Self.entry(4)]))
    expectAlike(feed([odd, odd, odd]))
    expectAlike(feed((0..<40).map { $0 % 2 == 0 ? Self.entry($0) : odd }))
    expectAlike(Array((Self.head + Self.entry(1) + odd + Self.entry(2)).utf8))
    expectAlike(Array("<feed>\(odd)\(odd)</feed>".utf8))
  }

  @Test(
    "a text that is more than plain characters is told by the parser",
    arguments: [
      "&lt;&gt;&quot;&apos;&amp;", "&#65;", "&#x41;", "&unknown;", "&", "&amp", "a]]>b", "a]b>", "\t\n",
      "\r\n", "\r",
      "\u{1}", "\u{7F}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{FEFF}", "<![CDATA[<]]>", "<!-- c -->",
      "<d:x/>",
      "\"'", " ",
    ])
  func texts(_ text: String) {
    let property = "<d:more>\(text)</d:more>"
    expectAlike(
      feed([
        Self.entry(1, "<d:more>x</d:more>"), Self.entry(2, "<d:more>x</d:more>"), Self.entry(3, property),
        Self.entry(4, "<d:more m:type=\"Edm.Int32\">x</d:more>"), Self.entry(5, property),
      ]))
    let links = [1, 2, 3].map { number in
      "<entry><link rel=\"edit\" href=\"\(number == 3 ? text : "x")\"/><content><m:properties><d:A>1</d:A></m:properties></content></entry>"
    }
    expectAlike(feed(links))
    let titles = [1, 2, 3].map { number in
      "<entry><title>\(number == 3 ? text : "x")</title><content><m:properties><d:A>1</d:A></m:properties></content></entry>"
    }
    expectAlike(feed(titles))
  }

  @Test("bytes that are not UTF-8 are found, whatever they stand in")
  func notUTF8() {
    for place in [
      "<d:PartitionKey>p", "<title type=\"text\">t", "href=\"T(", "<updated>", "<id>",
      "<d:rate m:type=\"Edm.Int32\">",
    ] {
      var bytes = feed([Self.entry(1), Self.entry(2), Self.entry(3)])
      let pattern = Array(place.utf8)
      guard let last = bytes.indices.last(where: { bytes[$0...].starts(with: pattern) }) else { continue }
      bytes[last + pattern.count] = 0xC3
      let isError = if case .error = outcome([bytes]) { true } else { false }
      #expect(isError, "\(place)")
    }
  }

  @Test("any byte that is broken, doubled or gone gives the same")
  func broken() {
    let bytes = feed((0..<3).map { Self.entry($0) })
    let first = Self.head.utf8.count + Self.entry(0).utf8.count
    var random = SeededGenerator(state: 7)
    for index in stride(from: first, to: bytes.count, by: 13) {
      var changed = bytes
      changed[index] = Array("\"'<>/&;=: x0\n".utf8).randomElement(using: &random) ?? 0
      expectAlike(changed, "byte \(index) is \(changed[index])")
      changed = bytes
      changed.remove(at: index)
      expectAlike(changed, "byte \(index) is gone")
      if index % 3 == 0 { expectAlike(Array(bytes[..<index]), "it ends at \(index)") }
    }
  }

  private func expectAlike(_ bytes: [UInt8], _ comment: Comment) {
    expectAlike(bytes, PayloadLimits(), PayloadTypes(), comment)
  }

  @Test("limits hold, and lines are counted")
  func limits() {
    var limits = PayloadLimits()
    limits.textLength = 90
    let long = Self.entry(3, "<d:more>\(String(repeating: "x", count: 91))</d:more>")
    expectAlike(
      feed([Self.entry(1, "<d:more>x</d:more>"), Self.entry(2, "<d:more>x</d:more>"), long]), limits)
    limits = PayloadLimits()
    limits.totalLength = 3000
    #expect(
      outcome([feed((0..<9).map { Self.entry($0) })], limits)
        == .error("The body is larger than the limit of 3000 bytes."))
    expectAlike(feed((0..<5).map { Self.entry($0) } + [Self.entry(6, "<d:no m:type=\"Edm.Int32\">x</d:no>")]))
    expectAlike(feed((0..<5).map { Self.entry($0) } + ["<entry"]))
  }

  @Test("other encodings go through the parser")
  func encodings() {
    let text =
      Self.head.replacing("utf-8", with: "ISO-8859-1") + Self.entry(1).replacing("雪国", with: "x")
      + Self.entry(2).replacing("雪国", with: "\u{E9}") + "</feed>"
    expectAlike(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    let wide =
      Self.head.replacing("utf-8", with: "utf-16") + (1...4).map { Self.entry($0) }.joined() + "</feed>"
    expectAlike([0xFF, 0xFE] + wide.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
  }
}
