import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Pages whose links run in a circle")
struct PageTrailTests {
  @Test(
    "end in an error, however long the circle is and the way to it",
    arguments: [1, 2, 3, 7, 16, 17], [0, 1, 2, 5, 31])
  func circles(length: Int, lead: Int) async throws {
    let transport = ScriptedTransport(
      Array(
        repeating: .answer { request in
          let page = request.url.query.flatMap { Int($0.dropFirst("p=".count)) } ?? 0
          let next = page + 1 == lead + length ? lead : page + 1
          return .text(
            200, #"{"value":[{"ID":\#(page)}],"@odata.nextLink":"Books?p=\#(next)"}"#,
            type: "application/json")
        }, count: 1000))
    let service = try ODataService(
      root: "http://b.test/svc", dialect: .v4, format: .json, transport: transport)
    let url = try #require(RequestURL("http://b.test/svc/Books?p=0"))
    let pages = RecordPages(service, set: "Books", url: url)
    var count = 0
    let error = await #expect(throws: ODataError.self) {
      while try await pages.next() != nil { count += 1 }
    }
    #expect(error?.code == .malformedPayload)
    #expect(count >= lead + length)
    if length == 1 { #expect(count == lead + length) }
    #expect(count <= 3 * (lead + length) && count == transport.requests.count)
  }

  @Test("which those that only go on do not")
  func straight() throws {
    var trail = PageTrail()
    for page in 0..<2000 {
      let url = try #require(RequestURL("http://b.test/svc/Books?p=\(page)"))
      #expect(!trail.leadsBack(to: url))
      trail.append(url)
    }
  }
}
