/// One request as it came over the wire.
package struct RecordedRequest: Sendable, Hashable {
  /// The zero-based number of the connection it came on.
  package var connection: Int
  /// Every byte, head and body, chunk sizes included.
  package var bytes: [UInt8]
  /// The body, out of its chunks.
  package var body: [UInt8]
  /// Request line and header lines with their line ends.
  package var head: String

  /// The whole request as text, bytes that are not UTF-8 repaired.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The lines of the head without the empty one.
  package var lines: [String] { head.split(separator: "\r\n").map(String.init) }

  /// `METHOD target HTTP/1.1`
  package var requestLine: String { lines.first ?? "" }

  /// The path and query of the request line.
  package var target: String {
    let words = requestLine.split(separator: " ")
    return words.count > 1 ? String(words[1]) : ""
  }

  /// The values of a header field, in order.
  package func values(of name: String) -> [String] {
    lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
        return nil
      }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
  }
}

/// Cuts requests out of the bytes of a connection, each byte looked at once.
struct RequestCutter {
  private var buffer: [UInt8] = []
  /// A request whose head is complete and whose body is not.
  private var partial: RecordedRequest?

  mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

  /// The head alone, if it is complete; what follows stays.
  mutating func cutHead(connection: Int) -> RecordedRequest? {
    guard let end = buffer.end(of: "\r\n\r\n", from: 0) else { return nil }
    let bytes = take(end)
    return RecordedRequest(
      connection: connection, bytes: bytes, body: [], head: String(decoding: bytes, as: UTF8.self))
  }

  /// The whole request, if it is complete.
  mutating func cut(connection: Int) -> RecordedRequest? {
    guard var request = partial.take() ?? cutHead(connection: connection) else { return nil }
    let isComplete =
      request.values(of: "Transfer-Encoding") == ["chunked"]
      ? takeChunks(into: &request) : takeBody(into: &request)
    if !isComplete { partial = request }
    return isComplete ? request : nil
  }

  private mutating func takeBody(into request: inout RecordedRequest) -> Bool {
    let length = request.values(of: "Content-Length").first.flatMap { Int($0) } ?? 0
    guard buffer.count >= length else { return false }
    request.body = take(length)
    request.bytes += request.body
    return true
  }

  /// Takes the chunks that are complete; `true` once the last one is among them. Trailers are not expected.
  private mutating func takeChunks(into request: inout RecordedRequest) -> Bool {
    while let lineEnd = buffer.end(of: "\r\n", from: 0) {
      guard let size = Int(String(decoding: buffer[..<(lineEnd - 2)], as: UTF8.self), radix: 16),
        lineEnd + size + 2 <= buffer.count
      else { return false }
      let chunk = take(lineEnd + size + 2)
      request.bytes += chunk
      request.body += chunk[lineEnd..<lineEnd + size]
      if size == 0 { return true }
    }
    return false
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }
}

extension [UInt8] {
  /// The index behind the first occurrence of `text`.
  fileprivate func end(of text: String, from start: Int) -> Int? {
    let needle = Array(text.utf8)
    guard count >= start + needle.count else { return nil }
    for index in start...count - needle.count where self[index] == needle[0] {
      if self[index..<index + needle.count].elementsEqual(needle) { return index + needle.count }
    }
    return nil
  }
}
