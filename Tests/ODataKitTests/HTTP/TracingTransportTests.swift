import CurlTransport
import ODataKit
import Testing

@Suite struct TracingTransportTests {
  @Test func `shows request and response with their bodies, and no credentials`() async throws {
    let (traced, shown) = tracing { _ in
      HTTPResponse(
        status: 201, headers: ["ETag": "W/\"1\"", "Location": "https://h/Books?sv=1&sig=abc%3D&x=1"],
        body: HTTPResponseBody(Array("<entry/>".utf8)))
    }
    let url = try #require(RequestURL("https://h/Books?$filter=a%20eq%201&sig=secret%2B"))
    let response = try await traced.send(
      HTTPRequest(
        .post, url,
        headers: ["Authorization": "SharedKey acct:c2VjcmV0", "Content-Type": "application/atom+xml"],
        body: .bytes(Array("<a>坊</a>\n".utf8))))
    #expect(try await response.body.collect(upTo: 100) == Array("<entry/>".utf8))
    #expect(
      shown() == """
        POST /Books?$filter=a%20eq%201&sig=*** HTTP/1.1
        Host: h
        Authorization: SharedKey acct:***
        Content-Type: application/atom+xml
        Content-Length: 11

        <a>坊</a>

        HTTP/1.1 201
        ETag: W/"1"
        Location: https://h/Books?sv=1&sig=***&x=1

        <entry/>


        """)
  }

  @Test func `passes each chunk on as it comes, in both directions`() async throws {
    let (traced, shown) = tracing { request in
      guard case .stream(let length, _, let makeChunks) = request.body else {
        throw ODataError(.transport, "")
      }
      #expect(length == 4)
      var sent: [[UInt8]] = []
      for try await chunk in makeChunks() { sent.append(chunk) }
      let chunks = Locked(sent)
      return HTTPResponse(
        status: 200,
        body: HTTPResponseBody { chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    }
    let url = try #require(RequestURL("http://h/"))
    let body = HTTPBody.stream(length: 4, isReplayable: false) {
      AsyncThrowingStream { stream in
        stream.yield(Array("ab".utf8))
        stream.yield(Array("cd".utf8))
        stream.finish()
      }
    }
    let response = try await traced.send(HTTPRequest(.put, url, body: body))
    var chunks = response.body.makeAsyncIterator()
    #expect(try await chunks.next() == Array("ab".utf8))
    #expect(shown().hasSuffix("HTTP/1.1 200\n\nab"))
    #expect(try await chunks.next() == Array("cd".utf8))
    #expect(try await chunks.next() == nil)
    #expect(
      shown() == """
        PUT / HTTP/1.1
        Host: h
        Content-Length: 4

        abcd

        HTTP/1.1 200

        abcd


        """)
  }

  @Test func `hides what the body of an error repeats of the request, though it comes in pieces`()
    async throws
  {
    let (traced, shown) = tracing { _ in
      let chunks = Locked([Array("Authorization: Bearer SEC".utf8), Array("RET12345 refused".utf8)])
      return HTTPResponse(
        status: 401, body: HTTPResponseBody { chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    }
    let url = try #require(RequestURL("http://h/"))
    let response = try await traced.send(HTTPRequest(.get, url))
    let body = try await response.body.collect(upTo: 100)
    #expect(body == Array("Authorization: Bearer SECRET12345 refused".utf8))
    #expect(shown() == "GET / HTTP/1.1\nHost: h\n\nHTTP/1.1 401\n\nAuthorization: Bearer *** refused\n\n")
    let (long, shownOfLong) = tracing { _ in
      HTTPResponse(status: 500, body: HTTPResponseBody([UInt8](repeating: 0x61, count: 70_000)))
    }
    var chunks = try await long.send(HTTPRequest(.get, url)).body.makeAsyncIterator()
    _ = try await chunks.next()
    #expect(shownOfLong().utf8.count > 70_000)
  }

  @Test func `shows that there was no response`() async throws {
    let (traced, shown) = tracing { _ in throw ODataError(.transport, "The connection was refused.") }
    let url = try #require(RequestURL("http://h/"))
    await #expect(throws: ODataError.self) { try await traced.send(HTTPRequest(.get, url)) }
    #expect(shown() == "GET / HTTP/1.1\nHost: h\n\n(no response: The connection was refused.)\n\n")
  }

  @Test(arguments: [
    ("", ""), ("sig=abc", "sig=***"), ("https://h/?sig=a%2Fb==&se=1", "https://h/?sig=***&se=1"),
    ("/?SIG=abc", "/?SIG=***"), ("/?design=abc", "/?design=abc"), ("sig=a sig=b", "sig=*** sig=***"),
    ("<link href=\"?sv=1&sig=a\"/>", "<link href=\"?sv=1&sig=***\"/>"), ("/坊?sig=", "/坊?sig=***"),
  ])
  func `hides signatures in URLs`(text: String, shown: String) {
    #expect(SecretMask.url(text) == shown)
  }

  @Test(arguments: [
    ("Authorization", "SharedKeyLite acct:abc=", "SharedKeyLite acct:***"),
    ("authorization", "Bearer abc", "Bearer ***"),
    ("Authorization", "abc", "***"), ("Proxy-Authorization", "Basic abc", "Basic ***"),
    ("Cookie", "a=b", "***"),
    ("authorization", "sharedkey acct:abc", "sharedkey acct:***"), ("X-API-Key", "abc", "***"),
    (
      "WWW-Authenticate", "Bearer authorization_uri=\"https://h/a?b=c\"",
      "Bearer authorization_uri=\"https://h/a?b=c\""
    ),
    ("Set-Cookie", "a=b", "***"), ("X-CSRF-Token", "abc", "***"), ("ETag", "W/\"1\"", "W/\"1\""),
  ])
  func `hides credentials in header fields`(name: String, value: String, shown: String) {
    #expect(SecretMask.value(of: HeaderFields.Field(HeaderFields.Name(name), value)) == shown)
  }

  private struct Answering: Transport {
    var answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await answer(request) }
  }

  private func tracing(
    _ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> (TracingTransport, () -> String) {
    let shown = Locked<[UInt8]>([])
    let transport = TracingTransport(Answering(answer: answer)) { piece in shown.withLock { $0 += piece } }
    return (transport, { String(decoding: shown.withLock { $0 }, as: UTF8.self) })
  }
}
