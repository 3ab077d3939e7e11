import ODataKit
import ODataTestSupport
import Testing

/// Documents that hold one value, or references to entities.
struct AtomValueDocumentTests {
  private static let data = "xmlns:d=\"http://schemas.microsoft.com/ado/2007/08/dataservices\""
  private static let metadata = "xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\""
  private static let version4 = "xmlns:m=\"http://docs.oasis-open.org/odata/ns/metadata\""

  private func read(_ text: String, root: EdmType? = nil) throws -> EdmValue {
    try AtomValueDocument.read(Array(text.utf8), types: PayloadTypes(root: root))
  }

  private static let documents: [(String, EdmType?, EdmValue)] = [
    ("<d:Name \(data)> Kokoro </d:Name>", nil, .string(" Kokoro ")),
    ("<d:Rate \(data) \(metadata) m:type=\"Edm.Int32\">4</d:Rate>", nil, .int32(4)),
    ("<d:Rate \(data)>4</d:Rate>", .int32, .int32(4)),
    ("<d:Rate \(data) \(metadata) m:null=\"true\"/>", .int32, .null),
    ("<m:value \(version4) m:type=\"Int32\">4</m:value>", nil, .int32(4)),
    ("<m:value \(version4) m:null=\"true\"/>", nil, .null),
    (
      "<d:Home \(data) \(metadata) m:type=\"M.Home\"><d:City>A</d:City></d:Home>", nil,
      .complex(EntityRecord(["City": .string("A")], control: ControlInformation(typeName: "M.Home")))
    ),
    (
      "<d:Names \(data)><d:element>a</d:element><d:element>b</d:element></d:Names>", nil,
      .collection(EdmCollection([.string("a"), .string("b")]))
    ),
    (
      "<d:Ids \(data)><d:element>1</d:element></d:Ids>", EdmType(rawValue: "Collection(Edm.Int32)"),
      .collection(EdmCollection(elementType: .int32, [.int32(1)]))
    ),
    (
      "<m:value \(version4) m:type=\"#Collection(String)\"><m:element>a</m:element></m:value>", nil,
      .collection(EdmCollection(elementType: .string, [.string("a")]))
    ),
  ]

  @Test("Documents of one value", arguments: documents)
  func values(_ text: String, _ root: EdmType?, _ expected: EdmValue) throws {
    #expect(try read(text, root: root) == expected)
    let bytes = Array(text.utf8)
    for chunks in cuts(of: bytes) {
      let reader = AtomValueReader(types: PayloadTypes(root: root))
      for chunk in chunks { try reader.read(chunk) }
      #expect(try reader.finish() == expected)
    }
    for length in 0..<bytes.count {
      #expect(throws: ODataError.self) { _ = try AtomValueDocument.read(Array(bytes[..<length])) }
    }
  }

  @Test func whatIsNoValueIsNamed() throws {
    let error = #expect(throws: ODataError.self) { _ = try read("<html></html>") }
    #expect(error?.code == .malformedPayload)
    #expect(error?.message == "The body is XML, but no value of OData: its root element is <html>.")
    #expect(throws: ODataError.self) { _ = try read("<d:N \(Self.data)>x") }
    #expect(throws: ODataError.self) { _ = try read("<d:N \(Self.data)>x</d:N>", root: .int32) }
    let service = #expect(throws: ODataError.self) {
      _ = try read("<m:error \(Self.metadata)><m:code>C</m:code><m:message>M</m:message></m:error>")
    }
    #expect(service?.code == .service)
    #expect(service?.serviceCode == "C")
  }

  private static let referenceDocuments: [(String, [String], Int64?, String?)] = [
    (
      "<uri xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices\">http://h/A(1)</uri>",
      ["http://h/A(1)"], nil, nil
    ),
    (
      "<links xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices\" \(metadata)><m:count>9</m:count>"
        + "<uri>A(1)</uri><uri>A&amp;2</uri><next>more</next></links>", ["A(1)", "A&2"], 9, "more"
    ),
    ("<links xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices\"/>", [], nil, nil),
    ("<m:ref \(version4) xml:base=\"http://h/svc/\" id=\"A(1)\"/>", ["http://h/svc/A(1)"], nil, nil),
    (
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" \(version4)><m:count>2</m:count><m:ref id=\"A\"/><m:ref id=\"B\"/>"
        + "<link rel=\"next\" href=\"n\"/></feed>", ["A", "B"], 2, "n"
    ),
  ]

  @Test("References to entities", arguments: referenceDocuments)
  func references(_ text: String, _ expected: [String], _ count: Int64?, _ next: String?) throws {
    let bytes = Array(text.utf8)
    let document = try EntityReferenceDocument(bytes)
    #expect(document.references == expected)
    #expect(document.count == count)
    #expect(document.nextLink == next)
    for chunks in cuts(of: bytes) {
      let reader = EntityReferenceReader()
      for chunk in chunks { try reader.read(chunk) }
      #expect(try reader.finish() == document)
    }
    for length in 0..<bytes.count {
      #expect(throws: ODataError.self) { _ = try EntityReferenceDocument(Array(bytes[..<length])) }
    }
  }

  @Test func whatHoldsNoReferencesIsNamed() {
    let error = #expect(throws: ODataError.self) { _ = try EntityReferenceDocument(Array("<html/>".utf8)) }
    #expect(
      error?.message == "The body is XML, but holds no references to entities: its root element is <html>.")
  }
}
