import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Credentials go to the server of the service only")
struct OriginTests {
  @Test(
    "which is the same in any case, with its default port or without",
    arguments: [
      ("https://Books.test/svc", "HTTPS://bOOKS.tEST/x"), ("https://b.test/", "https://b.test:443/"),
      ("https://b.test:/", "https://b.test:443/"), ("http://b.test:80/", "http://b.test"),
      ("http://b.test:8080/", "http://B.TEST:8080/?a"), ("http://[::1]/", "http://[::1]:80/"),
      ("http://[FE80::1]:1/", "http://[fe80::1]:1/"),
    ])
  func same(_ a: String, _ b: String) throws {
    let (a, b) = (try #require(RequestURL(a)), try #require(RequestURL(b)))
    #expect(a.hasOrigin(of: b) && b.hasOrigin(of: a))
  }

  @Test(
    "and nothing that only looks like it",
    arguments: [
      ("https://b.test/", "http://b.test/"), ("https://b.test/", "https://b.test.:443/"),
      ("https://b.test/", "https://b.test:80/"), ("https://b.test/", "https://b.test.evil/"),
      ("https://b.test/", "https://ab.test/"), ("http://[::1]/", "http://[::2]/"),
      ("http://[::1]/", "http://[0:0::1]/"),
      ("http://[::1]:1/", "http://[::1]:2/"), ("https://b.test/", "https://b.test:443x/"),
      ("https://b.test/", "https://b.test:99999999999999999999443/"),
      ("https://b.test/", "https://b.test:443:443/"),
      ("http://[::1]/", "http://[::1]x/"), ("http://[::1/", "http://[::1]/"),
      ("https://b.test/", "https://b%2Etest/"),
    ])
  func other(_ a: String, _ b: String) throws {
    let (a, b) = (try #require(RequestURL(a)), try #require(RequestURL(b)))
    #expect(!a.hasOrigin(of: b) && !b.hasOrigin(of: a))
  }

  @Test("nor anything with user information, which is no URL that a request can have")
  func userInformation() throws {
    #expect(RequestURL("https://b.test@evil.test/") == nil)
    let made = RequestURL(scheme: "https", authority: "b.test@evil.test", path: "/")
    #expect(!made.hasOrigin(of: made))
    let root = try #require(RequestURL("https://evil.test/"))
    #expect(!made.hasOrigin(of: root))
  }

  private struct Signing: RequestAuthorizer {
    func authorize(_ request: inout HTTPRequest) async throws {
      request.headers[.authorization] = "Bearer secret"
    }
  }

  @Test(
    "so they go along with a link to the next page that spells it otherwise",
    arguments: [
      ("https://BOOKS.test:443/svc/Books?p=1", true), ("//books.test/svc/Books?p=1", true),
      ("https://books.test.:443/svc/Books?p=1", false), ("https://books.test:444/svc/Books?p=1", false),
    ])
  func nextPage(_ link: String, isSigned: Bool) async throws {
    let transport = ScriptedTransport([
      .respond(.text(200, #"{"value":[{"ID":1}],"@odata.nextLink":"\#(link)"}"#, type: "application/json")),
      .respond(.text(200, #"{"value":[]}"#, type: "application/json")),
    ])
    let service = try ODataService(
      root: "https://Books.test/svc", dialect: .v4, format: .json, authorizer: Signing(), transport: transport
    )
    let pages = RecordPages(
      service, set: "Books", url: try #require(RequestURL("https://Books.test/svc/Books")))
    while try await pages.next() != nil {}
    #expect(transport.requests.map { $0.headers[.authorization] != nil } == [true, isSigned])
  }
}
