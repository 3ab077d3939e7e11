import ODataKit
import ODataTestSupport
import Testing

struct XMLElementTests {
  @Test func aDocumentIsReadWithNamespacesAttributesAndText() throws {
    let text = """
      \u{FEFF}<?xml version="1.0"?><a xmlns="urn:1" x="1" p:y="a&amp;b" xmlns:p="urn:2"> t<b/>u<p:c>&lt;é<![CDATA[ ]]></p:c></a>
      """
    let root = try XMLElement.read(Array(text.utf8))
    #expect(root.name == "a" && root.namespace == "urn:1")
    #expect(root.attribute("x") == "1")
    #expect(root.attribute("y") == nil)
    #expect(root.attribute("y", namespace: "urn:2") == "a&b")
    #expect(root.text == " tu" && root.trimmedText == "tu")
    #expect(root.children.map(\.name) == ["b", "c"])
    #expect(root.child("c")?.text == "<é " && root.child("c")?.namespace == "urn:2")
  }

  @Test func whatIsWrittenIsReadTheSame() throws {
    var root = XMLElement("r", namespace: "urn:1", children: [XMLElement("e", namespace: "urn:1")])
    root.children.append(XMLElement("t", namespace: "urn:2", text: " a<&>\r\n\"' "))
    root.attributes.append(XMLElement.Attribute("v", value: "\"<\n"))
    let bytes = try root.document()
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="utf-8"?><r xmlns="urn:1" v="&quot;&lt;&#xA;"><e /><t xmlns="urn:2"> a&lt;&amp;&gt;&#xD;
        "' </t></r>
        """)
    #expect(try XMLElement.read(bytes) == root)
  }

  @Test(
    "Broken, hostile and oversized documents are errors",
    arguments: [
      ("<a>", ODataError.Code.malformedPayload), ("", .malformedPayload),
      ("<!DOCTYPE a><a/>", .malformedPayload), (String(repeating: "<a>", count: 200), .payloadTooLarge),
    ])
  func refuses(_ text: String, _ code: ODataError.Code) {
    let error = #expect(throws: ODataError.self) { _ = try XMLElement.read(Array(text.utf8)) }
    #expect(error?.code == code)
  }

  @Test func aCharacterThatXMLCannotCarryIsNamed() {
    let error = #expect(throws: ODataError.self) { _ = try XMLElement("a", text: "\u{1}").document() }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("U+1") == true)
  }
}
