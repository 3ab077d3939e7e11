/// The tags of an entry that a parser has taken before, one by one, with their places in the bytes. It looks for no mistakes,
/// since there are none, and knows nothing but tags and texts.
struct AtomRowMarkup {
  enum Kind { case start, end, empty }

  struct Attribute {
    var name: Range<Int>
    /// What stands between the quotes.
    var value: Range<Int>
    var isDoubleQuoted: Bool
  }

  struct Tag {
    var kind: Kind
    var name: Range<Int>
    var attributes: [Attribute] = []
    /// The text between the tag before and this one.
    var text: Range<Int>
    /// The place behind the tag.
    var end = 0
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// What stands at a range.
  func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// The part of a name behind its prefix.
  func localPart(_ name: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let colon = bytes[name].firstIndex(of: UInt8(ascii: ":"))
    return text((colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound)
  }

  private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func skip(while condition: (UInt8) -> Bool) -> Range<Int> {
    let start = index
    while index < bytes.count, condition(bytes[index]) { index += 1 }
    return start..<index
  }

  /// The next tag; `nil` at the end, and where there is a comment, a section or an instruction.
  mutating func nextTag() -> Tag? {
    let text = skip { $0 != UInt8(ascii: "<") }
    index += 1
    let isEnd = next == UInt8(ascii: "/")
    if isEnd { index += 1 }
    guard next != UInt8(ascii: "!"), next != UInt8(ascii: "?") else { return nil }
    let name = skip { !$0.isBlank && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    var tag = Tag(kind: isEnd ? .end : .start, name: name, text: text)
    while true {
      _ = skip { $0.isBlank }
      guard index < bytes.count else { return nil }
      if next == UInt8(ascii: ">") { break }
      if next == UInt8(ascii: "/") {
        tag.kind = .empty
        index += 1
        continue
      }
      let name = skip { !$0.isBlank && $0 != UInt8(ascii: "=") }
      _ = skip { $0.isBlank || $0 == UInt8(ascii: "=") }
      let quote = next
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
      index += 1
      let value = skip { $0 != quote }
      index += 1
      tag.attributes.append(
        Attribute(name: name, value: value, isDoubleQuoted: quote == UInt8(ascii: "\"")))
    }
    index += 1
    tag.end = index
    return tag
  }
}
