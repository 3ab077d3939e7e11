import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Metadata that is broken, hostile or something else")
struct MetadataHostileInputTests {
  /// A document of OData 4 around the children of one schema `N`.
  private func document(_ schema: String, extra: String = "") -> String {
    """
    <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
    <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
    \(schema)
    </Schema>\(extra)</edmx:DataServices></edmx:Edmx>
    """
  }

  private func failure(
    _ text: String, _ code: ODataError.Code = .malformedPayload, limits: PayloadLimits = PayloadLimits()
  ) -> String? {
    expectError(code) { try ServiceMetadata(reading: Array(text.utf8), limits: limits) }?.message
  }

  private func entity(_ name: String, _ base: String? = nil, _ inside: String = "") -> String {
    #"<EntityType Name="\#(name)"\#(base.map { #" BaseType="\#($0)""# } ?? "")>\#(inside)</EntityType>"#
  }

  @Test(
    "what is no metadata says what it is",
    arguments: [
      ("", "The body is empty where a metadata document was expected."),
      ("  \r\n", "The body is empty where a metadata document was expected."),
      ("hello", "The body is neither XML nor JSON, so it is no metadata; check the address of the service."),
      (
        "<html><body/></html>",
        "The body is an HTML page, not its metadata; check the address of the service."
      ),
      (
        "<Error><Code>x</Code></Error>",
        "The body is an error message of the service, not its metadata; check the address of the service."
      ),
      (
        #"<service xmlns="http://www.w3.org/2007/app"/>"#,
        "The body is a service document, which stands at the root of a service, not its metadata; check the address of the service."
      ),
      (
        #"<feed xmlns="http://www.w3.org/2005/Atom"/>"#,
        "The body holds entities, not its metadata; check the address of the service."
      ),
      (
        "<edmx:Edmx xmlns:edmx='e'><edmx:DataServices/></edmx:Edmx>",
        "The metadata has no schema, so it says nothing of the service."
      ),
      (
        #"{"error":{"code":"x"}}"#,
        "The body is an error message of the service, not its metadata; check the address of the service."
      ),
      (
        #"{"@odata.context":"x","value":[]}"#,
        "The body is a service document or holds entities; it is not the metadata of a service."
      ),
      (
        #"{"N":{}}"#,
        "The JSON document has no $Version, so it is no metadata; check the address of the service."
      ),
      (#"{"$Version":"4.01"}"#, "The metadata has no schema, so it says nothing of the service."),
      (#"[{"$Version":"4.01"}]"#, "The JSON payload cannot be read at byte 1: metadata is an object."),
      (#"{"$Version":"4.01","N":3}"#, "The metadata cannot be read (N): a schema is an object."),
    ])
  func foreign(_ text: String, _ message: String) { #expect(failure(text) == message) }

  @Test("a document type is refused")
  func documentType() {
    #expect(failure("<!DOCTYPE html><html/>")?.contains("declares a document type") == true)
  }

  @Test("an error names line and element, or the path in JSON")
  func places() {
    #expect(
      failure(document("<EntityType/>"))
        == "The metadata cannot be read (line 3, EntityType): it has no Name.")
    #expect(
      failure(document("\n" + entity("A", nil, #"<Property Name="P"/>"#)))
        == "The metadata cannot be read (line 4, Property P): it has no Type.")
    #expect(
      failure(document(#"<EnumType Name="E"><Member Name="M" Value="x"/></EnumType>"#))
        == "The metadata cannot be read (line 3, Member M): its Value is no 64-bit integer.")
    #expect(
      failure(
        document(
          #"<EnumType Name="E"><Member Name="M" Value="9223372036854775807"/><Member Name="N"/></EnumType>"#))
        == "The metadata cannot be read (line 3, Member N): its value would exceed 64 bits.")
    #expect(
      failure(#"{"$Version":"4.01","N":{"E":{"$Kind":"EntityType","$Key":[3]}}}"#)
        == "The metadata cannot be read (N.E/$Key): an item is neither a name nor an alias with its path.")
    #expect(
      failure(#"{"$Version":"4.01","N":{"E":{"$Kind":"EntityType","P":"Edm.String"}}}"#)
        == "The metadata cannot be read (N.E/P): a property is an object.")
    #expect(
      failure(#"{"$Version":"4.01","N":{"C":{"$Kind":"EntityContainer","S":{}}}}"#)
        == "The metadata cannot be read (N.C/S): it has neither $Type, $Action nor $Function.")
  }

  @Test("base types that lead back to themselves are refused, at once", arguments: [1, 2, 3, 100])
  func cycles(_ count: Int) {
    let types = (0..<count).map { entity("T\($0)", "N.T\(($0 + 1) % count)") }.joined()
    #expect(failure(document(entity("Start", "N.T0") + types))?.contains("lead back to itself") == true)
    let json = (0..<count).map {
      #","T\#($0)":{"$Kind":"ComplexType","$BaseType":"N.T\#(($0 + 1) % count)"}"#
    }.joined()
    #expect(
      failure(#"{"$Version":"4.01","N":{"@A":1\#(json)}}"#)?.contains("ComplexType N.T") == true)
  }

  @Test("containers that extend each other are refused")
  func containerCycle() {
    let text = document(
      #"<EntityContainer Name="A" Extends="N.B"/><EntityContainer Name="B" Extends="N.A"/>"#)
    #expect(failure(text)?.contains("the containers it extends lead back to itself") == true)
  }

  @Test("inheritance is as deep as nesting may be, no deeper")
  func deepInheritance() throws {
    func chain(_ count: Int) -> String {
      let rest = (1..<count).map {
        entity("T\($0)", "N.T\($0 - 1)", #"<Property Name="P\#($0)" Type="Edm.Byte"/>"#)
      }
      return document(rest.reversed().joined() + entity("T0", nil, #"<Property Name="P0" Type="Edm.Byte"/>"#))
    }
    let metadata = try MetadataFixtures.read(chain(128))
    #expect(metadata.entityType("N.T127")?.properties.map(\.name) == (0..<128).map { "P\($0)" })
    #expect(
      failure(chain(129), .payloadTooLarge) == "N.T128 inherits deeper than the limit of 128.")
  }

  @Test("what is missing or doubled is read with a remark")
  func remarks() throws {
    let metadata = try MetadataFixtures.read(
      document(
        """
        \(entity("A", "N.Missing", #"<Property Name="P" Type="Edm.Int32" Nullable="maybe" Precision="-1" Scale="x"/>"#))
        \(entity("B", nil, #"<Property Name="P" Type="Edm.Int32"/><Property Name="P" Type="Edm.Byte"/>"#))
        \(entity("B"))
        <EntityContainer Name="C" Extends="Other.C"><EntitySet Name="S" EntityType="N.A"/><EntitySet Name="S" EntityType="N.B"/></EntityContainer>
        """))
    #expect(
      metadata.remarks == [
        "Nullable is neither true nor false and was passed over (line 3, Property P).",
        "Precision is no number and was passed over (line 3, Property P).",
        "Scale is no number and was passed over (line 3, Property P).",
        "N.B is declared twice; the first declaration was read.",
        "P of N.B is declared twice; the first declaration was read.",
        "S of N.C is declared twice; the first declaration was read.",
        "N.A inherits from N.Missing, which this document does not declare; what it inherits is not known.",
        "N.C extends Other.C, which this document does not declare.",
      ])
    #expect(metadata.entityType("N.A")?.properties.map(\.name) == ["P"])
    #expect(metadata.entityType("N.A")?.base == nil)
    #expect(metadata.entityType("N.B")?.properties.map(\.type.name) == [.int32])
    #expect(metadata.entitySet("S")?.entityType.rawValue == "N.A")
  }

  @Test("associations that are not declared leave their navigation properties open")
  func missingAssociation() throws {
    let text = """
      <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2006/04/edm">
      <EntityType Name="A"><NavigationProperty Name="B" Relationship="N.AB" FromRole="A" ToRole="B"/></EntityType>
      </Schema>
      """
    let metadata = try MetadataFixtures.read(text)
    #expect(metadata.version == "2.0")
    #expect(metadata.entityType("N.A")?.navigationProperty("B")?.type.rawValue == "Edm.EntityType")
    #expect(
      metadata.remarks == [
        "B of N.A belongs to the association N.AB, whose role B this document does not declare."
      ])
  }

  @Test("a document cut short anywhere is an error", arguments: MetadataFixtures.all.map(\.name))
  func cutShort(_ name: String) throws {
    let bytes = Array(try #require(MetadataFixtures.all.first { $0.name == name }).text.utf8)
    for count in stride(from: 0, to: bytes.count - 1, by: 41) { expectCut(bytes, at: count) }
  }

  @Test("a short one is cut at every byte")
  func cutEverywhere() {
    let xml = document(
      #"<EnumType Name="E"><Member Name="é"/></EnumType><!-- c -->"#
        + entity("A", nil, #"<Key><PropertyRef Name="P"/></Key><Property Name="P" Type="N.E"/>"#))
    let json =
      #"{"$Version":"4.01","N":{"@A":[true,null,-1.5e3,"\u00e9"],"E":{"$Kind":"EnumType","é":0}}}"#
    for text in [xml, json] {
      let bytes = Array(text.utf8)
      for count in bytes.indices { expectCut(bytes, at: count) }
    }
  }

  private func expectCut(_ bytes: [UInt8], at count: Int) {
    expectError(.malformedPayload, "\(count) bytes") { try ServiceMetadata(reading: Array(bytes[..<count])) }
  }

  @Test("the limits of payloads hold")
  func limits() {
    var limits = PayloadLimits()
    limits.totalLength = 300
    #expect(failure(MetadataFixtures.shop4, .payloadTooLarge, limits: limits) != nil)
    #expect(failure(MetadataFixtures.shop4JSON, .payloadTooLarge, limits: limits) != nil)
    limits = PayloadLimits()
    limits.depth = 5
    #expect(failure(MetadataFixtures.shop4, .payloadTooLarge, limits: limits) != nil)
    limits.depth = 3
    #expect(failure(MetadataFixtures.shop4JSON, .payloadTooLarge, limits: limits) != nil)
    limits = PayloadLimits()
    limits.textLength = 20
    #expect(failure(MetadataFixtures.shop4, .payloadTooLarge, limits: limits) != nil)
    #expect(failure(MetadataFixtures.shop4JSON, .payloadTooLarge, limits: limits) != nil)
  }

  @Test("UTF-16 and byte order marks")
  func encodings() throws {
    let whole = try MetadataFixtures.read(MetadataFixtures.shop4)
    let text = MetadataFixtures.shop4.replacing(#" encoding="utf-8""#, with: "")
    var utf16: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { utf16 += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    #expect(try ServiceMetadata(reading: utf16) == whole)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(try ServiceMetadata(reading: mark + Array(MetadataFixtures.shop4JSON.utf8)) == whole)
    #expect(try ServiceMetadata(reading: mark + Array(MetadataFixtures.shop4.utf8)) == whole)
  }

  @Test("a vendor's elements are passed over with all that is in them")
  func vendorElements() throws {
    let metadata = try MetadataFixtures.read(
      document(
        """
        <v:Info xmlns:v="urn:v"><EntityType/></v:Info>
        \(entity("A", nil, #"<v:X xmlns:v="urn:v"><Property/></v:X><Property Name="P" Type="Edm.Byte"/>"#))
        """, extra: #"<v:Extra xmlns:v="urn:v"/>"#))
    #expect(metadata.entityType("N.A")?.properties.map(\.name) == ["P"])
    #expect(metadata.remarks == [])
  }

  @Test("names are bytes: two spellings of a letter are two properties")
  func spellings() throws {
    let metadata = try MetadataFixtures.read(
      document(
        entity(
          "A", nil,
          "<Property Name=\"caf\u{E9}\" Type=\"Edm.Byte\"/><Property Name=\"cafe\u{301}\" Type=\"Edm.Int32\"/>"
        )))
    #expect(metadata.remarks == [])
    let type = try #require(metadata.entityType("N.A"))
    #expect(type.property("caf\u{E9}")?.type.name == .byte)
    #expect(type.property("cafe\u{301}")?.type.name == .int32)
    #expect(metadata.property("cafe\u{301}", of: type.type)?.type == .int32)
  }

  @Test("a derived type may narrow a property, which keeps its place")
  func narrowed() throws {
    let metadata = try MetadataFixtures.read(
      document(
        entity(
          "A", nil, #"<Property Name="P" Type="Edm.PrimitiveType"/><Property Name="Q" Type="Edm.Byte"/>"#)
          + entity("B", "N.A", #"<Property Name="R" Type="Edm.Byte"/><Property Name="P" Type="Edm.Int32"/>"#))
    )
    let type = try #require(metadata.entityType("N.B"))
    #expect(type.properties.map { "\($0.name) \($0.type)" } == ["P Edm.Int32", "Q Edm.Byte", "R Edm.Byte"])
    #expect(metadata.property("P", of: type.type)?.type == .int32)
    #expect(metadata.remarks == [])
  }
}
