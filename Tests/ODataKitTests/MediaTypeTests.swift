import Testing

@testable import ODataKit

/// Media types as proxies and services write them.
struct MediaTypeTests {
  @Test func parameters() throws {
    let recorded = try #require(
      MediaType("application/json;odata=minimalmetadata;streaming=true;charset=utf-8"))
    #expect(recorded.name == "application/json")
    #expect(recorded["odata"] == "minimalmetadata")
    #expect(recorded == MediaType("Application/JSON ; odata=minimalmetadata; streaming=true ;Charset= utf-8"))
    #expect(recorded != MediaType("application/json;odata=nometadata"))
  }

  @Test(arguments: [
    (#"multipart/mixed; boundary="a;b \"c\"""#, #"a;b "c""#), ("multipart/mixed;boundary=a=b", "a=b"),
    (#"multipart/mixed; x; boundary="a" ; y=z"#, "a"), ("multipart/mixed; boundary=", ""),
  ])
  func boundaries(text: String, boundary: String) throws {
    #expect(try #require(MediaType(text))["boundary"] == boundary)
  }

  @Test(arguments: ["", "json", ";", "boundary=a"])
  func noType(text: String) { #expect(MediaType(text) == nil) }
}
