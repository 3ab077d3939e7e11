/// Everything of a batch part that stands in front of the body: boundary, part headers, start line, headers.
struct BatchHead {
  private var bytes: [UInt8] = []

  init(boundary: String) {
    bytes.reserveCapacity(512)
    bytes += "--\(boundary)\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n".utf8
  }

  /// Writes the start line, which holds exactly `blanks` blanks where a target must not add any.
  mutating func beginMessage(_ startLine: String, blanks: Int? = nil) throws(ODataError) {
    let found = startLine.utf8.count { $0 == UInt8(ascii: " ") }
    guard !startLine.utf8.contains(where: Self.isControl), blanks == nil || blanks == found else {
      throw ODataError(
        .invalidArgument,
        "The target of a batch operation holds a blank or a control character; percent-encode it.")
    }
    bytes += "\r\n".utf8
    bytes += startLine.utf8
    bytes += "\r\n".utf8
  }

  /// Adds a header field; nothing for `nil`.
  mutating func append(_ name: HeaderFields.Name, _ value: String?) throws(ODataError) {
    guard let value else { return }
    guard !value.utf8.contains(where: Self.isControl), !name.rawName.utf8.contains(where: Self.isControl)
    else {
      throw ODataError(
        .invalidArgument,
        "The header field \(name.rawName.filter { $0.isLetter || $0 == "-" }) of a batch operation holds a control "
          + "character; remove it.")
    }
    bytes += name.rawName.utf8
    bytes += ": ".utf8
    bytes += value.utf8
    bytes += "\r\n".utf8
  }

  /// Writes the blank line and gives the bytes.
  consuming func finish() -> [UInt8] {
    bytes += "\r\n".utf8
    return bytes
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F
  }
}
