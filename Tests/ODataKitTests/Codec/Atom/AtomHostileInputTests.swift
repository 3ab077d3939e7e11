import Foundation
import ODataKit
import Testing

/// Input that is broken, cut short, or meant to harm.
struct AtomHostileInputTests {
  private func failure(_ text: String, limits: PayloadLimits = PayloadLimits()) -> ODataError? {
    failure(bytes: Array(text.utf8), limits: limits)
  }

  private func failure(bytes: [UInt8], limits: PayloadLimits = PayloadLimits()) -> ODataError? {
    do throws(ODataError) {
      _ = try readAtom([bytes], limits: limits)
      return nil
    } catch { return error }
  }

  @Test("A document cut short is an error at every length", arguments: AtomFixture.allCases)
  func truncated(_ fixture: AtomFixture) throws {
    let bytes = Array(fixture.rawValue.utf8)
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
    for length in 0...end {
      guard failure(bytes: Array(bytes[..<length]))?.code == .malformedPayload else {
        Issue.record("Cut short after \(length) bytes, the document was taken.")
        return
      }
    }
    _ = try readAtom([Array(bytes[...end])])
  }

  @Test(
    "What is cut within a tag is said to end too early",
    arguments: ["<d:S", "<d:S m:type='", "</m:prop", "</"])
  func cutTag(_ place: String) throws {
    let text = atomEntry("<d:S m:type='Edm.String'>x</d:S>")
    let cut = try #require(text.range(of: place)?.upperBound)
    #expect(
      failure(String(text[..<cut]))?.message
        == "The body is not well-formed XML (line 1): it ends too early, or text follows its root element.")
  }

  @Test("One entity with all that is expanded in it is held against its own limit, a feed of many is not")
  func entityLength() throws {
    var limits = PayloadLimits()
    limits.entityLength = 1000
    let entry = atomEntry("<d:S>\(String(repeating: "x", count: 300))</d:S>")
    let feed = #"<feed xmlns="http://www.w3.org/2005/Atom">\#(String(repeating: entry, count: 20))</feed>"#
    #expect(try readAtom([Array(feed.utf8)], limits: limits).records.count == 20)
    let inline =
      #"<entry xmlns="http://www.w3.org/2005/Atom"><link href="x" "#
      + #"rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/N"><m:inline "#
      + #"xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">\#(feed)</m:inline></link></entry>"#
    let empty = (0..<100).map { "<d:S\($0)/>" }.joined()
    for text in [
      inline, atomEntry("<d:S>\(String(repeating: "x", count: 1000))</d:S>"),
      atomEntry("<d:C>\(empty)</d:C>"),
    ] {
      #expect(
        failure(text, limits: limits)?.message == "An entity is larger than the limit of 1000 bytes (line 1)."
      )
    }
  }

  @Test("What libxml2 does not take in one piece is told as a limit")
  func limitsOfTheParser() {
    let text = String(repeating: "x", count: 11 << 20)
    for document in [
      atomEntry("<d:S><![CDATA[\(text)]]></d:S>"), atomEntry("<d:S><!--\(text)--></d:S>"),
      #"<entry xmlns="http://www.w3.org/2005/Atom"><link rel="edit" href="\#(text)"/></entry>"#,
    ] {
      let error = failure(document)
      #expect(error?.code == .payloadTooLarge, "\(String(describing: error))")
    }
    #expect(failure(atomEntry("<d:S>\(text)</d:S>")) == nil)
  }

  @Test(
    "A document type is refused, whatever it declares",
    arguments: [
      "<!DOCTYPE entry>",
      "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://127.0.0.1:1/xhtml1-strict.dtd'>",
      "<!DOCTYPE entry SYSTEM 'file:///etc/passwd'>",
      "<!DOCTYPE entry [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>",
      "<!DOCTYPE entry [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;'>]>",
      "<!DOCTYPE entry [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'> %p;]>",
      "<!DOCTYPE entry [<!ATTLIST entry x CDATA 'y'>]>",
    ])
  func documentType(_ declaration: String) throws {
    let text = declaration + atomEntry("<d:S>&x;&c;</d:S>")
    for chunks in [[Array(text.utf8)], text.utf8.map { [$0] }] {
      let error = #expect(throws: ODataError.self) { try readAtom(chunks) }
      #expect(error?.code == .malformedPayload)
      #expect(error?.message.contains("declares a document type (line 1)") == true)
    }
  }

  @Test func depthIsLimited() throws {
    func nested(_ levels: Int) -> String {
      let rest = levels - 3
      return atomEntry(
        String(repeating: "<d:A>", count: rest) + "x" + String(repeating: "</d:A>", count: rest))
    }
    // entry, content and m:properties are three levels.
    #expect(failure(nested(128)) == nil)
    let refused = try #require(failure(nested(129)))
    #expect(refused.code == .payloadTooLarge)
    #expect(refused.message == "The XML document nests elements deeper than the limit of 128 (line 1).")
    #expect(failure(nested(100_000))?.code == .payloadTooLarge)
  }

  @Test func lengthsAreLimited() throws {
    var limits = PayloadLimits()
    limits.textLength = 1000
    let fits = String(repeating: "x", count: 1000)
    #expect(failure(atomEntry("<d:S>\(fits)</d:S>"), limits: limits) == nil)
    let text = try #require(failure(atomEntry("<d:S>\(fits)x</d:S>"), limits: limits))
    #expect(text.code == .payloadTooLarge)
    #expect(text.message == "A text is longer than the limit of 1000 bytes (line 1).")
    #expect(failure(atomEntry("<d:S>\(fits)<![CDATA[x]]></d:S>"), limits: limits)?.code == .payloadTooLarge)
    #expect(failure(atomEntry("<d:S>x</d:S>\(fits)x"), limits: limits)?.code == .payloadTooLarge)
    let attribute = try #require(failure(atomEntry("<d:S x='\(fits)x'/>"), limits: limits))
    #expect(attribute.code == .payloadTooLarge)
    #expect(attribute.message == "An attribute is longer than the limit of 1000 bytes (line 1).")
    limits = PayloadLimits()
    limits.totalLength = 100
    let refused = try #require(failure(atomEntry(""), limits: limits))
    #expect(refused.code == .payloadTooLarge)
    #expect(refused.message == "The body is larger than the limit of 100 bytes.")
  }

  @Test func aTextBeyondLibxml2sOwnBoundIsRead() throws {
    let text = String(repeating: "0123456789abcdef", count: (12 << 20) / 16)
    #expect(try readAtom(atomEntry("<d:S>\(text)</d:S>")).records.first?["S"] == .string(text))
  }

  @Test(
    "What is broken is named with its line, and nothing of the content",
    arguments: [
      ("", "The body is empty where an XML document was expected."),
      ("plain text", "The body is not well-formed XML (line 1): it does not begin with an element."),
      ("{\"value\":[]}", "The body is not well-formed XML (line 1): it does not begin with an element."),
      (
        "<entry>\n\n<secret></other></entry>",
        "The body is XML, but no Atom entry or feed: its root element is <entry>."
      ),
      (
        "<entry xmlns='http://www.w3.org/2005/Atom'>\n\n<secret></other></entry>",
        "The body is not well-formed XML (line 3): an end tag does not match its start tag."
      ),
      (
        "<entry xmlns='http://www.w3.org/2005/Atom'>\n&secret;</entry>",
        "The body is not well-formed XML (line 2): it refers to an entity that XML does not define."
      ),
      (
        "<entry xmlns='http://www.w3.org/2005/Atom'>\n<secret:x/></entry>",
        "The body is not well-formed XML (line 2): it uses a prefix without a namespace."
      ),
      (
        "<entry xmlns='http://www.w3.org/2005/Atom'>&#8;</entry>",
        "The body is not well-formed XML (line 1): it holds a character that XML does not allow."
      ),
      (
        "<html><body>Bad gateway</body></html>",
        "The body is XML, but no Atom entry or feed: its root element is <html>."
      ),
    ])
  func broken(_ text: String, _ message: String) throws {
    let error = try #require(failure(text))
    #expect(error.code == .malformedPayload)
    #expect(error.message == message)
  }

  @Test func aValueThatDoesNotFitItsTypeIsNamedWithoutItsText() throws {
    let error = try #require(failure(atomEntry("\n<d:Rate m:type=\"Edm.Int32\">secret</d:Rate>")))
    #expect(error.code == .malformedPayload)
    #expect(error.message == "The value of property 'Rate' is no Edm.Int32 (line 2).")
    #expect(!"\(error)".contains("secret"))
  }

  @Test func aPropertyTwiceIsRefused() throws {
    let error = try #require(failure(atomEntry("<d:A>1</d:A><d:B/><d:A>2</d:A>")))
    #expect(error.code == .malformedPayload)
    #expect(error.message == "An entity has the property 'A' twice (line 1).")
    let many = (0..<200).map { "<d:P\($0)/>" }.joined()
    #expect(failure(atomEntry(many)) == nil)
    #expect(failure(atomEntry(many + "<d:P150/>"))?.message.contains("'P150' twice") == true)
  }

  @Test func anErrorInTheMiddleOfAFeedFailsTheWholeAnswer() throws {
    let error = try #require(
      failure(
        """
        <feed xmlns="http://www.w3.org/2005/Atom">\(atomEntry("<d:A>1</d:A>"))\
        <m:error xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">\
        <m:code>Busy</m:code><m:message xml:lang="en">Try later.</m:message></m:error></feed>
        """))
    #expect(error.code == .service)
    #expect(error.serviceCode == "Busy")
    #expect(error.message == "The service broke off its answer with an error: Try later.")
  }

  @Test func onceFailedItStaysFailed() throws {
    let reader = AtomReader()
    let first = #expect(throws: ODataError.self) { try reader.read(Array("<html></html>".utf8)) }
    let again = #expect(throws: ODataError.self) { try reader.read(Array(atomEntry("").utf8)) }
    #expect(again?.message == first?.message)
    let atEnd = #expect(throws: ODataError.self) { try reader.finish() }
    #expect(atEnd?.message == first?.message)
  }

  @Test func bytesThatAreNoUTF8AreRefused() throws {
    let document = Array(atomEntry("<d:S>x</d:S>").utf8)
    for bad: [UInt8] in [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE3, 0x81],
    ] {
      let at = try #require(
        document.firstIndex(of: UInt8(ascii: "x")).map { _ in
          document.indices.first { document[$0...].starts(with: "x</d:S>".utf8) } ?? 0
        })
      let bytes = Array(document[..<at]) + bad + Array(document[at...])
      #expect(throws: ODataError.self) { try readAtom([bytes]) }
    }
  }

  @Test func floodsOfNamesAndAttributesStayBounded() throws {
    let attributes = (0..<2000).map { "a\($0)='x'" }.joined(separator: " ")
    #expect(failure(atomEntry("<d:S \(attributes)>x</d:S>")) == nil)
    let names = (0..<20000).map { "<d:N\($0)/>" }.joined()
    #expect(failure(atomEntry(names)) == nil)
  }
}
