import CurlTransport
import ODataTestSupport
import Testing

/// The exact bytes of requests. The encodings that libcurl can decode depend on how it was built, so that one line is
/// checked for what it must hold.
@Suite struct WireTextTests {
  private func text(
    _ method: String, _ target: String = "/t", headers: [CurlHeader] = [], body: CurlRequest.Body = .none
  ) async throws -> String {
    let server = try LoopbackServer { _ in [.serve { _ in LoopbackServer.response("204 No Content") }] }
    let response = try await CurlEngine().send(
      CurlRequest(method, server.url(target), headers: headers, body: body))
    #expect(response.head.status == 204)
    let request = try #require(server.requests.first)
    let encodings = try #require(request.values(of: "Accept-Encoding").first)
    #expect(encodings.contains("gzip"))
    return request.text
      .replacing("Accept-Encoding: \(encodings)\r\n", with: "")
      .replacing("127.0.0.1:\(server.port)", with: "HOST")
      .replacing("\r\n", with: "\n")
  }

  @Test func getSendsOnlyWhatWasGiven() async throws {
    let text = try await text(
      "GET", headers: [CurlHeader("Accept", "application/atom+xml"), CurlHeader("x-Ms-B", "ü")])
    #expect(text == "GET /t HTTP/1.1\nHost: HOST\nAccept: application/atom+xml\nx-Ms-B: ü\n\n")
  }

  @Test(arguments: ["GET", "DELETE", "HEAD", "OPTIONS"])
  func withoutBody(_ method: String) async throws {
    #expect(try await text(method) == "\(method) /t HTTP/1.1\nHost: HOST\n\n")
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "MERGE"])
  func emptyBodyIsAnnounced(_ method: String) async throws {
    #expect(try await text(method) == "\(method) /t HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n")
    #expect(
      try await text(method, body: .bytes([])) == "\(method) /t HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n")
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "MERGE", "DELETE", "GET"])
  func bytes(_ method: String) async throws {
    let text = try await text(
      method, headers: [CurlHeader("Content-Type", "application/json")], body: .bytes(Array("{}".utf8)))
    #expect(
      text == "\(method) /t HTTP/1.1\nHost: HOST\nContent-Type: application/json\nContent-Length: 2\n\n{}")
  }

  @Test func bodyWithoutTypeStaysWithoutType() async throws {
    #expect(
      try await text("POST", body: .bytes(Array("a=b".utf8)))
        == "POST /t HTTP/1.1\nHost: HOST\nContent-Length: 3\n\na=b")
  }

  @Test func bodyMayHoldZeroBytes() async throws {
    let server = try LoopbackServer { _ in [.receive, .sendBytes(LoopbackServer.response())] }
    _ = try await CurlEngine().send(CurlRequest("POST", server.url(), body: .bytes([1, 0, 2, 0])))
    #expect(server.requests.first?.body == [1, 0, 2, 0])
  }

  /// A body over 1 MiB makes libcurl ask for `100-continue` unless it is told not to.
  @Test func largeBodyIsSentWithoutAsking() async throws {
    let server = try LoopbackServer { _ in [.receive, .sendBytes(LoopbackServer.response())] }
    let body = [UInt8](repeating: 0x61, count: 3 << 20)
    _ = try await CurlEngine().send(CurlRequest("PUT", server.url(), body: .bytes(body)))
    let request = try #require(server.requests.first)
    #expect(request.values(of: "Expect") == [])
    #expect(request.body == body)
  }

  @Test func emptyValueStays() async throws {
    #expect(
      try await text("GET", headers: [CurlHeader("X-Empty", ""), CurlHeader("Accept", "")])
        == "GET /t HTTP/1.1\nHost: HOST\nX-Empty:\nAccept:\n\n")
  }

  @Test func repeatedFieldsKeepTheirOrder() async throws {
    #expect(
      try await text("GET", headers: [CurlHeader("B", "1"), CurlHeader("A", "2"), CurlHeader("B", "3")])
        == "GET /t HTTP/1.1\nHost: HOST\nB: 1\nA: 2\nB: 3\n\n")
  }

  @Test(arguments: [
    "/a/../b/./c", "//double//slash/", "/%2f%2F%e5%9d%8a%2e%2E/",
    "/People('O''Neil')?$filter=a%20eq%20'x'&$top=1",
    "/t?a=b+c%2Bd", "/t?", "/?x", "/t?a?b", "/t?next=http://other/..", "/!$&'()*+,;=:@-._~|^`{}[]\"<>\\",
    "/%00%zz%",
  ])
  func targetIsSentAsItIs(_ target: String) async throws {
    let text = try await text("GET", target)
    #expect(text == "GET \(target) HTTP/1.1\nHost: HOST\n\n")
  }

  @Test func contentLengthOfTheCallerIsCheckedNotDoubled() async throws {
    let text = try await text(
      "POST", headers: [CurlHeader("content-length", "2")], body: .bytes(Array("ab".utf8)))
    #expect(text == "POST /t HTTP/1.1\nHost: HOST\nContent-Length: 2\n\nab")
  }
}
