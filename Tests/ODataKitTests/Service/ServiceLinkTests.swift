import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Links that a service sends")
struct ServiceLinkTests {
  private let page = RequestURL("http://b.test:81/svc/Books?$top=5&sig=abc123")!

  @Test(
    "are followed as they stand, and what no URL may hold is encoded",
    arguments: [
      ("Books?$skiptoken=%E5%A4%8F%2f+1", "http://b.test:81/svc/Books?$skiptoken=%E5%A4%8F%2f+1"),
      (
        "Books?$skiptoken=夏目 漱石",
        "http://b.test:81/svc/Books?$skiptoken=%E5%A4%8F%E7%9B%AE%20%E6%BC%B1%E7%9F%B3"
      ),
      ("Books('cafe\u{301}')", "http://b.test:81/svc/Books('cafe%CC%81')"),
      (" \n Books?$skip=2\r\n", "http://b.test:81/svc/Books?$skip=2"),
      (#"?a="<b>\^`{|}"&c=50%"#, "http://b.test:81/svc/Books?a=%22%3Cb%3E%5C%5E%60%7B%7C%7D%22&c=50%"),
      ("https://other.test/ä?ö", "https://other.test/%C3%A4?%C3%B6"),
      ("//other.test?q=a b", "http://other.test/?q=a%20b"),
    ])
  func followed(link: String, url: String) throws {
    #expect(try Array(page.resolving(link).description.utf8) == Array(url.utf8))
  }

  @Test(
    "are refused by their name, without the secrets in them",
    arguments: [
      ("ftp://b.test/Books", "“ftp://b.test/Books”"), ("http://bücher.test/", "“http://bücher.test/”"),
      ("http:///Books", "“http:///Books”"), ("Books\u{0}", "“http://b.test:81/svc/Books\u{0}”"),
      ("ftp://x/?sig=s3cret", "“ftp://x/?sig="),
    ])
  func refused(link: String, named: String) {
    let error = #expect(throws: ODataError.self) { try page.resolving(link) }
    let message = error?.message ?? ""
    #expect(error?.code == .malformedPayload)
    #expect(message.contains(named) && message.contains("behind http://b.test:81/svc/Books?$top=5"))
    #expect(!message.contains("abc123") && !message.contains("s3cret"))
  }
}
