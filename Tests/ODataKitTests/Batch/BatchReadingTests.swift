import ODataTestSupport
import Testing

@testable import ODataKit

/// Batches in the framings that services and clients really use.
struct BatchReadingTests {
  private func readResponse(
    _ chunks: [[UInt8]], _ boundary: String, limits: PayloadLimits = PayloadLimits()
  ) throws -> (parts: [BatchResponsePart], isComplete: Bool) {
    var reader = try BatchResponseReader(contentType: "multipart/mixed; boundary=\(boundary)", limits: limits)
    var parts: [BatchResponsePart] = []
    for chunk in chunks { parts += try reader.read(chunk) }
    parts += try reader.finish()
    return (parts, reader.isComplete)
  }

  private func readResponse(_ text: String, _ boundary: String = "b") throws -> [BatchResponsePart] {
    let whole = try readResponse([Array(text.utf8)], boundary)
    #expect(whole.isComplete)
    for chunks in cuts(of: Array(text.utf8)) {
      let again = try readResponse(chunks, boundary)
      #expect(again.parts == whole.parts && again.isComplete)
    }
    return whole.parts
  }

  private func crlf(_ text: String) -> String { text.replacing("\n", with: "\r\n") }

  @Test("CRLF, bare LF and a mixture of both read alike")
  func lineEnds() throws {
    let text = """
      --b
      Content-Type: multipart/mixed; boundary=c

      --c
      Content-Type: application/http
      Content-Transfer-Encoding: binary

      HTTP/1.1 409 Conflict
      Content-Type: application/json

      {"a":1}
      --c--
      --b--

      """
    let expected: [BatchResponsePart] = [
      .changeSet([
        BatchOperationResponse(
          status: 409, headers: [.contentType: "application/json"], body: Array(#"{"a":1}"#.utf8))
      ])
    ]
    #expect(try readResponse(text) == expected)
    #expect(try readResponse(crlf(text)) == expected)
    let mixed = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      $0.element + ($0.offset % 2 == 0 ? "\r" : "")
    }.joined(separator: "\n")
    #expect(try readResponse(mixed) == expected)
  }

  @Test("Preamble, epilogue, quoted boundary, blanks behind boundaries, blank lines in front of payloads")
  func tolerance() throws {
    let text = """
      This is a multipart message.
      --b c 2
      --b c \t
      Content-Type:application/http\t

      \u{20}
      HTTP/1.1 200 OK \r
      ETag:W/"1"

      \r
      <entry/>
      --b c--\u{20}
      the rest
      --b c
      """
    let whole = try readResponse([Array(text.utf8)], #""b c""#)
    #expect(whole.isComplete)
    #expect(
      whole.parts == [
        .operation(
          BatchOperationResponse(status: 200, headers: [.entityTag: #"W/"1""#], body: Array("<entry/>".utf8)))
      ])
    for chunks in cuts(of: Array(text.utf8)) {
      #expect(try readResponse(chunks, #""b c""#).parts == whole.parts)
    }
  }

  @Test("A body may hold the text of every boundary where its Content-Length says so")
  func declaredLength() throws {
    let body = "a\r\n--c\r\n--c--\r\n--b--\r\n"
    let text =
      "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: application/http\r\n\r\n"
      + "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)\r\n--c--\r\n--b--\r\n"
    let parts = try readResponse(text)
    #expect(
      parts == [
        .changeSet([
          BatchOperationResponse(
            status: 200, headers: [.contentLength: "\(body.utf8.count)"], body: Array(body.utf8))
        ])
      ])
  }

  @Test(
    "A Content-Length that leads to no boundary is ignored, in answers",
    arguments: ["3", "9", "900000000", "9223372036854775807", "-1", "###", ""])
  func wrongLength(declared: String) throws {
    let text =
      "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\nContent-Length: \(declared)\n\nna\u{EF}ve\n--b--"
    let parts = try readResponse(text)
    #expect(
      parts == [
        .operation(
          BatchOperationResponse(
            status: 200, headers: [.contentLength: declared], body: Array("na\u{EF}ve".utf8)))
      ])
  }

  @Test("A part that is shorter than its Content-Length is cut short where its own multipart does not go on")
  func shortPart() throws {
    let start =
      "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: application/http\n\n"
      + "HTTP/1.1 200 OK\nContent-Length: 9\n\nna\u{EF}ve"
    let ends: [(String, Bool)] = [
      ("\n--c\n\nHTTP/1.1 204 N\n\n--c--\n--b--\n", false), ("\n--c--\n--b--\n", false), ("\n--b--\n", true),
    ]
    for (end, isTruncated) in ends {
      guard case .changeSet(let answers)? = try readResponse(start + end).first else {
        throw CancellationError()
      }
      #expect(answers[0].isTruncated == isTruncated)
      #expect(answers[0].body == Array("na\u{EF}ve".utf8))
    }
    let cut = try readResponse([Array(start.utf8)], "b")
    #expect(cut.parts.count == 1 && !cut.isComplete)
    // A server believes the client: what is missing may be half of the entity.
    let request = "--b\n\nPUT /T(1) HTTP/1.1\nContent-Length: 9\n\nna\u{EF}ve\n--b--\n"
    expectError(.malformedPayload) {
      try BatchRequestReader.read(Array(request.utf8), contentType: "multipart/mixed; boundary=b")
    }
  }

  /// Many bytes of one kind behind the beginning of a message.
  private struct Filling {
    var head: String
    var filler: Character
    var count: Int
    var chunk: Int
    var headerLength = 2 << 20
  }

  private static let fillings = [
    Filling(
      head: "Content-Length: 0\r\n\r\n", filler: "\n", count: 1 << 20, chunk: 2048, headerLength: 65536),
    Filling(head: "Content-Length: 0\r\n\r\n", filler: "\n", count: 1 << 20, chunk: 2048),
    Filling(head: "Content-Length: 0\r\n\r\n", filler: " ", count: 100_000, chunk: 1),
    Filling(head: "\r\n", filler: "x", count: 100_000, chunk: 1),
    Filling(head: "A: ", filler: "x", count: 100_000, chunk: 1),
  ]

  /// With the whole looked at again for every chunk, each of these would take minutes.
  @Test("Line ends and long lines are looked at once, however small the chunks", arguments: fillings.indices)
  func linear(index: Int) throws {
    let filling = Self.fillings[index]
    var limits = PayloadLimits()
    limits.headerLength = filling.headerLength
    var reader = MultipartReader(boundary: "b", limits: limits)
    let start = "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n" + filling.head
    _ = try reader.read(Array(start.utf8))
    let bytes = [UInt8](repeating: filling.filler.asciiValue ?? 0, count: filling.chunk)
    for _ in 0..<(filling.count / filling.chunk) { _ = try reader.read(bytes) }
    let events = try reader.read(Array("\r\n\r\n--b--\r\n".utf8)) + reader.finish()
    #expect(events.count == 1 && reader.isClosed)
    if case .message(let message)? = events.first, filling.filler == "\n" { #expect(message.body.isEmpty) }
  }

  @Test("Only bytes count in a Content-Length")
  func bytesNotCharacters() throws {
    let body = #"{"N":"é🍖"}"#
    let text = "--b\n\nHTTP/1.1 200 OK\nContent-Length: 14\n\n\(body)\n--b--\n"
    guard case .operation(let response) = try readResponse(text).first else { throw CancellationError() }
    #expect(response.body == Array(body.utf8))
    #expect(!response.isTruncated)
  }

  @Test("Without the last boundary, whole responses are whole and the rest is said to be missing")
  func missingEnd() throws {
    let text =
      "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
      + "--c\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\nETag: 1\r\n\r\n\r\n"
      + "--c\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}"
    let first = BatchOperationResponse(status: 204, headers: [.entityTag: "1"])
    let second = BatchOperationResponse(
      status: 201, headers: [.contentLength: "2"], body: Array("{}".utf8))
    for chunks in cuts(of: Array(text.utf8)) {
      let read = try readResponse(chunks, "b")
      #expect(!read.isComplete)
      #expect(read.parts == [.changeSet([first, second])])
    }
  }

  @Test("However short the input, what is read is a beginning of the truth")
  func truncation() throws {
    let text = crlf(
      """
      --b
      Content-Type: multipart/mixed; boundary=c

      --c
      Content-Type: application/http

      HTTP/1.1 204 No Content
      Content-ID: 1


      --c
      Content-Type: application/http

      HTTP/1.1 409 Conflict
      Content-Type: application/json

      {"odata.error":{}}
      --c--
      --b--
      """)
    let bytes = Array(text.utf8)
    for end in 0..<bytes.count {
      var reader = try BatchResponseReader(contentType: "multipart/mixed; boundary=b")
      do {
        let parts = try reader.read(Array(bytes[..<end])) + reader.finish()
        let closes = end >= bytes.count
        #expect(reader.isComplete == closes)
        guard case .changeSet(let responses)? = parts.first else { continue }
        for (response, status) in zip(responses, [204, 409]) { #expect(response.status == status) }
        if let failure = responses.dropFirst().first, !failure.isTruncated {
          #expect(failure.body.isEmpty || failure.body == Array(#"{"odata.error":{}}"#.utf8))
        }
      } catch {
        #expect(error.code == .malformedPayload)
        #expect(end < 3, "only an input without any boundary is refused")
      }
    }
  }

  @Test(
    "What is no batch is refused",
    arguments: [
      "", "<html>Bad gateway</html>\n", "--b\nContent-Type: text/html\n\n<html/>\n--b--",
      "--b\nContent-Type: application/http\n\nnothing\n\n--b--", "--b\nno header\n\nHTTP/1.1 200 OK\n\n--b--",
      "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n : no name\n\n--b--",
      "--b\nContent-Type: multipart/mixed\n\n--c--\n--b--", "--b\n--b--",
      "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: multipart/mixed; boundary=d\n\n--b--",
    ])
  func refused(text: String) throws {
    expectError(.malformedPayload) { try readResponse([Array(text.utf8)], "b") }
  }

  @Test("A content type that is not a multipart with a boundary is refused at once")
  func contentTypes() throws {
    for type in [nil, "text/html", "multipart/mixed", "multipart/mixed; boundary=\"\"", "application/json"] {
      expectError(.malformedPayload) { try BatchResponseReader(contentType: type) }
    }
    _ = try BatchResponseReader(contentType: #"Multipart/Mixed ; charset=utf-8; Boundary="a;b""#)
  }

  @Test("Header blocks and bodies are bounded")
  func limits() throws {
    var limits = PayloadLimits()
    limits.headerLength = 100
    let long = String(repeating: "x", count: 200)
    for text in [
      long, "--b\nA: \(long)\n\n", "--b\nA: \(long)",
      "--b\n\nHTTP/1.1 200 OK\n" + String(repeating: "A: b\n", count: 50),
    ] {
      expectError(.payloadTooLarge) { try readResponse([Array(text.utf8)], "b", limits: limits) }
    }
    limits = PayloadLimits()
    limits.totalLength = 1000
    expectError(.payloadTooLarge) {
      try readResponse(
        [Array("--b\n\nHTTP/1.1 200 OK\n\n".utf8), Array(repeating: 0x20, count: 1000)], "b", limits: limits)
    }
  }

  @Test(
    "A request is read as it was written", arguments: [BatchRequestWriter.ContentIDPlacement.request, .part])
  func requestRoundTrip(placement: BatchRequestWriter.ContentIDPlacement) throws {
    let parts: [BatchRequestPart] = [
      .query(BatchOperation(method: .get, url: "https://a.b/T(PartitionKey='p',RowKey='%20')")),
      .changeSet([
        BatchOperation(
          contentID: "1", method: .post, url: "/T", headers: [.contentType: "application/json"],
          body: Array("{\"a\":\"\n--c--\n--b--\n\"}".utf8)),
        BatchOperation(contentID: "2", method: .merge, url: "/T(1)", headers: [.ifMatch: "W/\"1\""]),
        BatchOperation(method: .delete, url: "/T(2)"),
      ]),
      .changeSet([]),
    ]
    var writer = BatchRequestWriter(boundary: "b", contentIDPlacement: placement)
    for part in parts { try writer.add(part, changeSetBoundary: "c") }
    let type = writer.contentType
    let bytes = writer.finish()
    #expect(try BatchRequestReader.read(bytes, contentType: type) == parts)
    for end in 0..<(bytes.count - 2) {
      // Up to the two hyphens of the last boundary; a server must not run half of a batch.
      expectError(.malformedPayload) {
        try BatchRequestReader.read(Array(bytes[..<end]), contentType: type)
      }
    }
  }

  @Test("Responses are read as they were written")
  func responseRoundTrip() throws {
    let parts: [BatchResponsePart] = [
      .changeSet([
        BatchOperationResponse(contentID: "1", status: 204, headers: [.entityTag: "W/\"1\""]),
        BatchOperationResponse(
          contentID: "2", status: 201, headers: [.contentType: "application/json"], body: Array("{}".utf8)),
      ]),
      .operation(BatchOperationResponse(status: 404, body: Array("{}".utf8))),
    ]
    var writer = BatchResponseWriter(boundary: "b")
    for part in parts { try writer.add(part, changeSetBoundary: "c") }
    #expect(try readResponse(String(decoding: writer.finish(), as: UTF8.self)) == parts)
  }

  @Test("A part without end is refused at the limit, and so are more answers than operations")
  func bounds() throws {
    var limits = PayloadLimits()
    limits.partLength = 1000
    var reader = try BatchResponseReader(contentType: "multipart/mixed; boundary=b", limits: limits)
    let head = "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
    #expect(try reader.read(Array(head.utf8) + [UInt8](repeating: 0x61, count: 900)).isEmpty)
    expectError(.payloadTooLarge) { try reader.read([UInt8](repeating: 0x61, count: 200)) }

    let answer = "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
    let interim = "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    var counting = try BatchResponseReader(contentType: "multipart/mixed; boundary=b", operationCount: 2)
    #expect(try counting.read(Array((interim + answer + interim + answer).utf8)).count == 1)
    expectError(.malformedPayload) { try counting.read(Array((answer + "--b--\r\n").utf8)) }

    let set = "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c--\r\n"
    var sets = try BatchResponseReader(
      contentType: "multipart/mixed; boundary=b", operationCount: 9, itemCount: 2)
    #expect(try sets.read(Array((set + set).utf8)) == [.changeSet([]), .changeSet([])])
    expectError(.malformedPayload) { try sets.read(Array(set.utf8)) }
  }
}
