/// What the entries of a feed look like, learnt from one of them: the bytes that are the same in all, and what stands
/// between them.
///
/// An entry that looks the same is read in one go, past the parser of XML. The parser has taken the one that was learnt
/// from, in the same place of the same document; where another differs in nothing but plain text between the same bytes, it
/// is as well-formed, and its names mean the same. Whatever differs more (another element, an attribute, a comment, a
/// reference that is no plain character, the end of the bytes) says nothing about the entry but that the parser has to read
/// it.
struct AtomRowTemplate {
  /// What becomes of the text between two pieces of markup.
  enum Slot {
    /// A property of a type.
    case property(EdmPrimitive)
    /// A property without a text: it is what it was in the entry before.
    case constant(EdmValue)
    case id, entityTag, editLink, readLink
    /// The link of the navigation property at an index, and the one to its links.
    case navigation(Int)
    case association(Int)
    case ignored
    /// The end of the entry.
    case end
  }

  struct Part {
    /// The end of the bytes in front of the slot in ``literals``; they begin where those of the part before end.
    let end: Int
    let slot: Slot
    /// Whether the text is the value of an attribute, with other rules.
    let isAttribute: Bool
  }

  var literals: [UInt8] = []
  var parts: [Part] = []
  let shape: RecordShape
  /// What is the same in all entries.
  let control: ControlInformation
  let links: [NavigationLink]
  let textLength: Int
  /// The line ends among the bytes that are the same in all.
  var lines = 0

  init(of record: EntityRecord, textLength: Int) {
    shape = record.shape
    var control = ControlInformation(typeName: record.control.typeName)
    control.base = record.control.base
    self.control = control
    links = record.control.links
    // What is longer is left to the parser, which has limits of its own.
    self.textLength = min(textLength, 1 << 20)
  }

  /// Reads the entry that begins at `start`; `nil` for one that looks different.
  func entry(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ scratch: AtomRowScratch
  ) -> (record: EntityRecord, end: Int, lines: Int)? {
    var cursor = AtomRowCursor(bytes, at: start)
    var control = control
    var links = links
    var readLink: String?
    var values: [EdmValue] = []
    values.reserveCapacity(shape.names.count)
    let isWhole = literals.withUnsafeBufferPointer { literals in
      var literal = 0
      for part in parts {
        guard cursor.take(literals, literal..<part.end) else { return false }
        literal = part.end
        switch part.slot {
        case .constant(let value):
          values.append(value)
          continue
        case .end: return true
        default: break
        }
        let found = part.isAttribute ? cursor.attribute(scratch) : cursor.text(scratch)
        guard let text = found, text.count <= textLength else { return false }
        if case .property(let type) = part.slot {
          guard let value = try? EdmValue(lexical: text, type) else { return false }
          values.append(value)
          continue
        }
        guard let string = String(utf8: text) else { return false }
        // Blanks around an id do not belong to it.
        if case .id = part.slot, string.utf8.first?.isBlank == true || string.utf8.last?.isBlank == true {
          return false
        }
        switch part.slot {
        case .id: control.id = string
        case .entityTag: control.entityTag = EntityTag(rawValue: string)
        case .editLink: control.editLink = string
        case .readLink: readLink = string
        case .navigation(let index): links[index].navigationLink = string
        case .association(let index): links[index].associationLink = string
        case .property, .constant, .ignored, .end: break
        }
      }
      return false
    }
    guard isWhole else { return nil }
    if !links.isEmpty { control.links = links }
    if let readLink, !(control.editLink?.utf8.elementsEqual(readLink.utf8) ?? false) {
      control.readLink = readLink
    }
    return (EntityRecord(shape: shape, values: values, control: control), cursor.index, cursor.lines + lines)
  }
}

/// A place in the bytes of an entry. Nothing is read beyond their end.
struct AtomRowCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var index: Int
  /// How many line ends were passed.
  private(set) var lines = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// Takes just the bytes that stand at `range` of others.
  mutating func take(_ literals: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard bytes.count - index >= range.count,
      UnsafeBufferPointer(rebasing: literals[range]).equals(
        UnsafeBufferPointer(rebasing: bytes[index..<(index + range.count)]))
    else { return false }
    index += range.count
    return true
  }

  /// Takes character data up to the next tag; `nil` for what the parser has to look at.
  mutating func text(_ scratch: AtomRowScratch) -> UnsafeBufferPointer<UInt8>? {
    let start = index
    var hasReference = false
    while true {
      index = bytes.endOfPlainXML(from: index)
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "<"):
        let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
        return hasReference ? scratch.resolved(text) : text
      case UInt8(ascii: "&"): hasReference = true
      case UInt8(ascii: "\n"): lines += 1
      case UInt8(ascii: "\t"), UInt8(ascii: "\""): break
      case UInt8(ascii: ">"):
        // The end of a section of character data may not stand outside of one.
        if index >= start + 2, bytes[index - 1] == UInt8(ascii: "]"), bytes[index - 2] == UInt8(ascii: "]") {
          return nil
        }
      case 0xEF:
        // U+FFFE and U+FFFF are no characters of XML.
        guard index + 2 < bytes.count, bytes[index + 1] != 0xBF || bytes[index + 2] < 0xBE else { return nil }
      default: return nil
      }
      index += 1
    }
  }

  /// Takes the value of an attribute up to its closing quote, which is a double one.
  mutating func attribute(_ scratch: AtomRowScratch) -> UnsafeBufferPointer<UInt8>? {
    let start = index
    var hasReference = false
    while true {
      index = bytes.endOfPlainXML(from: index)
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
        return hasReference ? scratch.resolved(text) : text
      case UInt8(ascii: "&"): hasReference = true
      case UInt8(ascii: ">"): break
      case 0xEF:
        guard index + 2 < bytes.count, bytes[index + 1] != 0xBF || bytes[index + 2] < 0xBE else { return nil }
      default: return nil
      }
      index += 1
    }
  }
}

/// Room for texts in which references are resolved; each is valid until the next.
final class AtomRowScratch {
  private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)

  deinit { memory.deallocate() }

  /// The text with its references resolved; `nil` where one is none of the five that XML itself has.
  func resolved(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    if memory.count < text.count {
      memory.deallocate()
      memory = .allocate(capacity: 2 * text.count)
    }
    var count = 0
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "&") else {
        memory[count] = text[index]
        count += 1
        index += 1
        continue
      }
      let rest = UnsafeBufferPointer(rebasing: text[index...])
      guard let known = Self.references.first(where: { rest.dropping($0.0) != nil }) else { return nil }
      memory[count] = known.1
      count += 1
      index += known.0.utf8CodeUnitCount
    }
    return UnsafeBufferPointer(rebasing: memory[..<count])
  }

  private static let references: [(StaticString, UInt8)] = [
    ("&quot;", UInt8(ascii: "\"")), ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")),
    ("&gt;", UInt8(ascii: ">")), ("&apos;", UInt8(ascii: "'")),
  ]
}

extension UnsafeBufferPointer<UInt8> {
  /// The first place from `start` on where something stands that means something in XML: a mark, a quote, a control
  /// character, or the first byte of what may be no character. The end where there is none.
  fileprivate func endOfPlainXML(from start: Int) -> Int {
    var index = start
    guard let baseAddress else { return count }
    // Eight bytes at once; see `endOfPlainJSON(from:)`.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones &* 0x80
    while index + 8 <= count {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(baseAddress + index).loadUnaligned(as: UInt64.self))
      let reference = word ^ (ones &* UInt64(UInt8(ascii: "&")))
      let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      // `<` and `>` differ in one bit only.
      let bracket = (word | (ones &* 2)) ^ (ones &* UInt64(UInt8(ascii: ">")))
      let special = word ^ (ones &* 0xEF)
      let marked =
        ((reference &- ones) & ~reference) | ((quote &- ones) & ~quote) | ((bracket &- ones) & ~bracket)
        | ((special &- ones) & ~special) | ((word &- ones &* 0x20) & ~word)
      if marked & tops != 0 { return index + (marked & tops).trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      switch self[index] {
      case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), 0xEF:
        return index
      default: index += 1
      }
    }
    return count
  }
}
