/// Walks over the text of a filter or of a key predicate: blanks, words and what to say where the text is wrong.
///
/// Works on UTF-8 bytes, since every character of the grammar is ASCII and words are compared by code units.
struct FilterScanner {
  let bytes: [UInt8]
  let dialect: Dialect
  /// What the text is called in errors.
  let subject: String
  var position = 0

  init(_ text: String, dialect: Dialect, subject: String) {
    bytes = Array(text.utf8)
    self.dialect = dialect
    self.subject = subject
  }

  /// The byte `offset` behind the position, or `nil` behind the end.
  func peek(_ offset: Int = 0) -> UInt8? { byte(at: position + offset) }

  func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Takes `byte` if it is next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  /// Skips blanks, tabs and line ends.
  mutating func skipBlanks() {
    while let byte = peek(), Self.isBlank(byte) { position += 1 }
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// The text of a range of bytes; ranges end where a character ends.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Where the identifier that begins at `start` ends; `start` itself if none begins there.
  ///
  /// Letters and digits are those of Unicode, as in the grammar of OData 4 (rule `odataIdentifier`). Only OData 4
  /// has the words that begin with `$` (`$it`, `$count`) or `@` (annotations).
  func endOfIdentifier(from start: Int) -> Int {
    var index = start
    if dialect == .v4, let first = byte(at: index), first == UInt8(ascii: "$") || first == UInt8(ascii: "@") {
      index += 1
    }
    guard let first = scalar(at: index), first.startsIdentifier else { return start }
    index += UTF8.width(first)
    while let next = scalar(at: index), next.continuesIdentifier {
      index += UTF8.width(next)
    }
    return index
  }

  /// Where the name that begins at `start` ends: identifiers joined by dots, as in `geo.distance` and in the names
  /// of types. Azure tables have no dotted names.
  func endOfName(from start: Int) -> Int {
    var index = endOfIdentifier(from: start)
    guard index > start, dialect != .azureTable else { return index }
    while byte(at: index) == UInt8(ascii: ".") {
      let next = endOfIdentifier(from: index + 1)
      if next == index + 1 { break }
      index = next
    }
    return index
  }

  /// Whether a word would go on at `index`, so that what ends there is not a whole literal.
  func continuesWord(at index: Int) -> Bool {
    scalar(at: index)?.continuesIdentifier ?? false
  }

  private func scalar(at index: Int) -> Unicode.Scalar? {
    guard let first = byte(at: index) else { return nil }
    if first < 0x80 { return Unicode.Scalar(first) }
    let width = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    return String(decoding: bytes[index..<min(index + width, bytes.count)], as: UTF8.self).unicodeScalars
      .first
  }
}

// MARK: - Errors

extension FilterScanner {
  /// An error that says where, what was found and what would have been right.
  func failure(at index: Int, expected: String) -> ODataError {
    failure(at: index, found: lexeme(at: index), expected: expected)
  }

  /// An error in one sentence. `found` must not hold a value, since values may be private.
  func failure(at index: Int, found: String, expected: String) -> ODataError {
    ODataError(
      .invalidQuery,
      "The \(subject) cannot be read at character \(characterNumber(at: index)): found \(found), "
        + "expected \(expected).")
  }

  /// The position for people: characters as they are seen, counted from 1.
  private func characterNumber(at index: Int) -> Int {
    String(decoding: bytes[..<min(index, bytes.count)], as: UTF8.self).count + 1
  }

  /// What stands at `index`; names and operators in full, values by their kind only.
  private func lexeme(at index: Int) -> String {
    guard let byte = byte(at: index) else { return "its end" }
    if byte == UInt8(ascii: "'") { return "a string" }
    if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { return "a number" }
    let end = endOfName(from: index)
    if end > index { return "the word '\(text(index..<end).prefix(40))'" }
    guard let scalar = scalar(at: index), scalar.value > 0x20, scalar.value != 0x7F else {
      return "a control character"
    }
    return "the character '\(scalar)'"
  }
}
