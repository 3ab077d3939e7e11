import Testing

@testable import CurlTransport

@Suite struct ResponseHeadTests {
  /// The steps for each line of `text`, blank ones left out.
  private func read(_ text: String, limit: Int = 1000) -> [ResponseHeadReader.Step] {
    var reader = ResponseHeadReader(limit: limit)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map {
      reader.read(Array(($0 + "\r\n").utf8))
    }
    .filter { $0 != .more }
  }

  @Test func fieldsKeepOrderSpellingAndRepetition() {
    #expect(
      read("HTTP/1.1 200 OK\nB: 1\na:2\nB:  3 \t\nEmpty:\nColon: a:b\n")
        == [
          .complete(
            ResponseHead(
              status: 200,
              headers: [
                CurlHeader("B", "1"), CurlHeader("a", "2"), CurlHeader("B", "3"), CurlHeader("Empty", ""),
                CurlHeader("Colon", "a:b"),
              ]))
        ])
  }

  @Test(arguments: ["HTTP/1.1 204 No Content", "HTTP/1.0 204", "HTTP/2 204 ", "HTTP/1.1 204  odd  reason"])
  func statusLines(_ line: String) {
    #expect(read(line + "\n") == [.complete(ResponseHead(status: 204, headers: []))])
  }

  @Test func interimResponsesAreDropped() {
    #expect(
      read("HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 201 Created\nA: 1\n")
        == [.complete(ResponseHead(status: 201, headers: [CurlHeader("A", "1")]))])
  }

  @Test func trailersAreNotPartOfTheHead() {
    #expect(
      read("HTTP/1.1 200 OK\nA: 1\n\nTrailer: 1\nnonsense\n")
        == [.complete(ResponseHead(status: 200, headers: [CurlHeader("A", "1")]))])
  }

  @Test func foldedLineContinuesTheValue() {
    #expect(
      read("HTTP/1.1 200 OK\nA: one\n  two\n\tthree\n")
        == [.complete(ResponseHead(status: 200, headers: [CurlHeader("A", "one two three")]))])
  }

  @Test func bytesThatAreNotUTF8AreReadAsLatin1() {
    var reader = ResponseHeadReader(limit: 1000)
    _ = reader.read(Array("HTTP/1.1 200 OK\r\n".utf8))
    _ = reader.read(Array("A: é ".utf8) + [0xE9, 0x0D, 0x0A])
    #expect(
      reader.read([0x0D, 0x0A]) == .complete(ResponseHead(status: 200, headers: [CurlHeader("A", "Ã© é")])))
  }

  @Test(arguments: [
    "HTTP/1.1 abc", "HTTP/1.1", "HTTP/1.1 99 x", "HTTP/1.1 600 x", "A: 1", "", "HTTP/1.1 200 OK\nnonsense",
  ])
  func malformed(_ text: String) {
    #expect(read(text).last == .malformed)
  }

  @Test func limitCountsAllBlocks() {
    let text = "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\n"
    let size = text.utf8.count + 1 + text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(read(text, limit: size) == [.complete(ResponseHead(status: 200, headers: []))])
    #expect(read(text, limit: size - 1) == [.tooLarge])
  }
}
