/// The status and the header fields of a response.
package struct ResponseHead: Sendable, Hashable {
  package var status: Int
  /// In wire order, with repeated fields as they came.
  package var headers: [CurlHeader]

  package init(status: Int, headers: [CurlHeader]) {
    self.status = status
    self.headers = headers
  }
}

/// Builds the head of the final response from the lines of all header blocks.
///
/// Interim responses (1xx) come as blocks of their own and are dropped; what follows the final head are trailers,
/// which nobody here reads.
struct ResponseHeadReader {
  enum Step: Equatable {
    /// More is to come, or a line that does not matter.
    case more
    case complete(ResponseHead)
    /// The lines of all blocks together exceed the limit.
    case tooLarge
    case malformed
  }

  private let limit: Int
  private var size = 0
  private var head: ResponseHead?
  private(set) var isComplete = false
  /// Whether a status line was seen, even of an interim response.
  private(set) var hasBegun = false

  init(limit: Int) { self.limit = limit }

  /// Takes one line with its line end.
  mutating func read(_ line: some Collection<UInt8>) -> Step {
    size += line.count
    guard size <= limit else { return .tooLarge }
    guard !isComplete else { return .more }
    let line = line.trimmingLineEnd()
    if line.starts(with: "HTTP/".utf8) {
      guard let status = Self.status(line) else { return .malformed }
      head = ResponseHead(status: status, headers: [])
      hasBegun = true
      return .more
    }
    guard var head else { return .malformed }
    if line.isEmpty {
      // 101 ends HTTP on this connection; nobody asked for that, so it is a final response like any other.
      guard head.status >= 200 || head.status == 101 else {
        self.head = nil
        return .more
      }
      isComplete = true
      self.head = nil
      return .complete(head)
    }
    self.head = nil  // So that appending below does not copy the list.
    if line.first == 0x20 || line.first == 0x09 {
      // A folded line continues the value before it (RFC 9112 § 5.2).
      guard !head.headers.isEmpty else { return .malformed }
      head.headers[head.headers.count - 1].value += " " + Self.text(line.trimmingBlanks())
    } else {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
        return .malformed
      }
      let value = line[line.index(after: colon)...]
      head.headers.append(CurlHeader(Self.text(line[..<colon]), Self.text(value.trimmingBlanks())))
    }
    self.head = head
    return .more
  }

  private static func status(_ line: some Collection<UInt8>) -> Int? {
    let words = line.split(separator: 0x20, maxSplits: 2)
    guard words.count >= 2, words[1].count == 3, let status = Int(String(decoding: words[1], as: UTF8.self)),
      (100...599).contains(status)
    else { return nil }
    return status
  }

  /// UTF-8 where it is, otherwise Latin-1, the encoding of old (RFC 9110 § 5.5): no byte is lost.
  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

extension Collection<UInt8> {
  fileprivate func trimmingLineEnd() -> SubSequence {
    self[..<(firstIndex { $0 == 0x0D || $0 == 0x0A } ?? endIndex)]
  }

  fileprivate func trimmingBlanks() -> SubSequence {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    var end = startIndex
    var index = startIndex
    while index != endIndex {
      let byte = self[index]
      formIndex(after: &index)
      if !isBlank(byte) { end = index }
    }
    return self[..<end].drop(while: isBlank)
  }
}
