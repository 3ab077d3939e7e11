import Testing

@testable import ODataKit

/// Payloads with far more of something than any service sends, which would take the square of it where what is read is
/// looked for among all that came before. Then these tests would take minutes; the time limit only tells which one it was.
@Suite(.timeLimit(.minutes(2)))
struct CrowdedPayloadTests {
  private static let many = 20_000

  @Test("JSON with a type beside each of twenty thousand properties")
  func types() throws {
    let members = (0..<Self.many).map { #""P\#($0)":"1","P\#($0)@odata.type":"Edm.Int64""# }
    let record = try #require(try read([Array("{\(members.joined(separator: ","))}".utf8)]).records.first)
    #expect(record.count == Self.many)
    #expect(record.values.allSatisfy { $0 == .int64(1) })
  }

  @Test("JSON with twenty thousand links, in the order of the payload")
  func links() throws {
    let members = (0..<Self.many).map {
      #""P\#($0)@odata.navigationLink":"n\#($0)","P\#($0)@odata.associationLink":"a\#($0)""#
    }
    let record = try #require(try read([Array("{\(members.joined(separator: ","))}".utf8)]).records.first)
    #expect(
      record.control.links
        == (0..<Self.many).map {
          NavigationLink("P\($0)", navigationLink: "n\($0)", associationLink: "a\($0)")
        })
  }

  @Test("JSON with twenty thousand streams")
  func streams() throws {
    let members = (0..<Self.many).map {
      #""P\#($0)@odata.mediaReadLink":"http://h/r\#($0)","P\#($0)@odata.mediaContentType":"c""#
    }
    let record = try #require(try read([Array("{\(members.joined(separator: ","))}".utf8)]).records.first)
    #expect(record["P19999"] == .stream(EdmStream(readLink: "http://h/r19999", contentType: "c")))
  }

  @Test("Verbose JSON with twenty thousand addresses of links in its metadata")
  func verboseLinks() throws {
    let members = (0..<Self.many).map { #""P\#($0)":{"associationuri":"a\#($0)"}"# }
    let text = #"{"d":{"__metadata":{"uri":"u","properties":{\#(members.joined(separator: ","))}},"A":1}}"#
    let record = try #require(try read([Array(text.utf8)]).records.first)
    #expect(record.control.links.count == Self.many)
  }

  @Test("Atom with twenty thousand links")
  func atomLinks() throws {
    let related = "http://schemas.microsoft.com/ado/2007/08/dataservices/related"
    let links = (0..<Self.many).map { #"<link rel="\#(related)/P\#($0)" href="n\#($0)"/>"# }
    let record = try #require(
      try readAtom(#"<entry xmlns="http://www.w3.org/2005/Atom">\#(links.joined())</entry>"#).records.first)
    #expect(record.control.links.count == Self.many)
    #expect(record.control.links.last?.navigationLink == "n19999")
  }

  @Test("Atom with twenty thousand streams")
  func atomStreams() throws {
    let related = "http://schemas.microsoft.com/ado/2007/08/dataservices/mediaresource"
    let links = (0..<Self.many).map { #"<link rel="\#(related)/P\#($0)" href="n\#($0)"/>"# }
    let record = try #require(
      try readAtom(#"<entry xmlns="http://www.w3.org/2005/Atom">\#(links.joined())</entry>"#).records.first)
    #expect(record["P19999"] == .stream(EdmStream(readLink: "n19999")))
  }

  @Test("Atom with a complex value of forty thousand members, none of them twice")
  func atomMembers() throws {
    let members = (0..<2 * Self.many).map { "<d:P\($0)>1</d:P\($0)>" }.joined()
    let record = try #require(
      try readAtom(atomEntry("<d:C m:type=\"N.C\">\(members)</d:C>")).records.first)
    guard case .complex(let value)? = record["C"] else {
      Issue.record("no complex value")
      return
    }
    #expect(value.count == 2 * Self.many)
    #expect(throws: ODataError.self) {
      try readAtom(atomEntry("<d:C m:type=\"N.C\">\(members)<d:P7>2</d:P7></d:C>"))
    }
  }

  @Test("Metadata with ten thousand types whose bases are in none of ten thousand referenced namespaces")
  func metadata() throws {
    let includes = (0..<Self.many / 2).map { "<edmx:Include Namespace=\"Other.Namespace\($0)\"/>" }.joined()
    let types = (0..<Self.many / 2).map {
      "<ComplexType Name=\"T\($0)\" BaseType=\"Missing.Namespace.X\"/>"
    }
    let text =
      "<edmx:Edmx Version=\"4.0\" xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\">"
      + "<edmx:Reference Uri=\"x\">\(includes)</edmx:Reference><edmx:DataServices>"
      + "<Schema Namespace=\"N\" xmlns=\"http://docs.oasis-open.org/odata/ns/edm\">\(types.joined())</Schema>"
      + "</edmx:DataServices></edmx:Edmx>"
    let metadata = try ServiceMetadata(reading: Array(text.utf8), limits: PayloadLimits())
    #expect(metadata.remarks.count == Self.many / 2)
  }
}
