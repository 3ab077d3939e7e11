/// What the rows of a feed look like, learnt from one of them: the members in order, each with its name as it is spelled and
/// what becomes of its value.
///
/// A row that looks the same is read in one go, straight from the bytes: no token, no look-up, no tape. Whatever differs
/// (another member, an object or array, a value that does not fit, the end of the bytes) says nothing about the row but
/// that it has to be read the long way, from its beginning; that also finds the words for what is wrong with it.
struct JSONRowTemplate {
  enum Step {
    /// A value that has to be spelled as in the row before, and means what it meant there.
    case constant
    /// A property, of the type that is known for it.
    case property(EdmPrimitive?)
    case entityTag, id, editLink
  }

  struct Member {
    /// The end of the name in ``literals``, with its quotes, a comma in front and a colon behind; it begins where the member
    /// before ends.
    let nameEnd: Int
    /// The end of the value of a ``Step/constant``.
    let end: Int
    let step: Step
  }

  private var literals: [UInt8] = []
  private var members: [Member] = []
  let shape: RecordShape
  private let control: ControlInformation
  /// What relative links are relative to.
  private let base: String?
  private let textLength: Int

  /// Makes a template without members for rows of a shape; `control` has what is the same in all of them.
  init(_ shape: RecordShape, control: ControlInformation, base: String?, textLength: Int) {
    self.shape = shape
    self.control = control
    self.base = base
    self.textLength = textLength
  }

  /// Adds a member; `false` where its name or value may be spelled in several ways.
  mutating func append(
    _ name: [UInt8], _ step: Step, constant: UnsafeBufferPointer<UInt8>? = nil
  ) -> Bool {
    literals.append(UInt8(ascii: ","))
    guard name.withUnsafeBufferPointer({ quote($0) }) else { return false }
    literals.append(UInt8(ascii: ":"))
    let nameEnd = literals.count
    if let constant, !quote(constant) { return false }
    members.append(Member(nameEnd: nameEnd, end: literals.count, step: step))
    return true
  }

  private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.endOfPlainJSON(from: 0) == text.count else { return false }
    literals.append(UInt8(ascii: "\""))
    literals.append(contentsOf: text)
    literals.append(UInt8(ascii: "\""))
    return true
  }

  /// Reads the object that begins at `start` into a record at the end of `records`, and gives the place behind the object;
  /// `nil`, and no record, for one that looks different.
  func takeRow(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ tokenizer: inout JSONTokenizer,
    into records: inout [EntityRecord]
  ) -> Int? {
    var cursor = JSONRowCursor(bytes, at: start)
    var control = control
    var values: [EdmValue] = []
    values.reserveCapacity(shape.names.count)
    let isWhole = literals.withUnsafeBufferPointer { literals in
      guard cursor.take(UInt8(ascii: "{")) else { return false }
      // In front of each name stands a comma in ``literals``, but for the first.
      var literal = 1
      for member in members {
        if !cursor.take(literals, literal..<member.nameEnd) {
          // Not so close together: there may be blanks around the marks.
          let nameStart = literal + (literal == 1 ? 0 : 1)
          guard literal == 1 || cursor.take(UInt8(ascii: ",")),
            cursor.take(literals, nameStart..<(member.nameEnd - 1)), cursor.take(UInt8(ascii: ":"))
          else { return false }
        } else if cursor.next <= 0x20 {
          cursor.skipBlanks()
        }
        switch member.step {
        case .constant:
          guard cursor.take(literals, member.nameEnd..<member.end) else { return false }
        case .property(let type):
          guard let value = value(&cursor, type, &tokenizer) else { return false }
          values.append(value)
        case .entityTag:
          guard let text = string(&cursor, &tokenizer) else { return false }
          control.entityTag = EntityTag(rawValue: text)
        case .id:
          guard let text = string(&cursor, &tokenizer) else { return false }
          control.id = text
        case .editLink:
          guard let text = string(&cursor, &tokenizer) else { return false }
          control.editLink = text
        }
        literal = member.end
      }
      return cursor.take(UInt8(ascii: "}"))
    }
    guard isWhole else { return nil }
    if let base, isRelative(control.editLink) || isRelative(control.id) { control.base = base }
    records.append(EntityRecord(shape: shape, values: values, control: control))
    return cursor.index
  }

  private func isRelative(_ link: String?) -> Bool { link.map { !URLReference.hasScheme($0) } ?? false }

  /// The bytes of a string.
  @inline(__always)
  private func text(
    _ cursor: inout JSONRowCursor, _ tokenizer: inout JSONTokenizer
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let (text, hasEscape) = cursor.string(), text.count <= textLength else { return nil }
    return hasEscape ? try? tokenizer.unescaped(text) : text
  }

  private func string(_ cursor: inout JSONRowCursor, _ tokenizer: inout JSONTokenizer) -> String? {
    text(&cursor, &tokenizer).flatMap(String.init(utf8:))
  }

  /// The next value as one of a type, or as what it is spelled like where no type is known; see
  /// ``JSONRecordBuilder/scalar(_:_:_:)``.
  @inline(__always)
  private func value(
    _ cursor: inout JSONRowCursor, _ type: EdmPrimitive?, _ tokenizer: inout JSONTokenizer
  ) -> EdmValue? {
    switch cursor.next {
    case UInt8(ascii: "\""):
      guard let text = text(&cursor, &tokenizer) else { return nil }
      guard let type, type != .string else { return String(utf8: text).map(EdmValue.string) }
      return try? EdmValue(lexical: text, type)
    case UInt8(ascii: "t"):
      guard type == nil || type == .boolean, cursor.take("true") else { return nil }
      return .boolean(true)
    case UInt8(ascii: "f"):
      guard type == nil || type == .boolean, cursor.take("false") else { return nil }
      return .boolean(false)
    case UInt8(ascii: "n"): return cursor.take("null") ? .null : nil
    default: return number(&cursor, type)
    }
  }

  /// Most numbers have few digits, of which they are made while they are looked at.
  private func number(_ cursor: inout JSONRowCursor, _ type: EdmPrimitive?) -> EdmValue? {
    guard let number = cursor.number() else {
      guard let (text, isInteger) = cursor.anyNumber() else { return nil }
      guard let type = type ?? (isInteger ? nil : .double), type.isNumeric else { return nil }
      return try? EdmValue(lexical: text, type)
    }
    if number.decimals == 0 {
      switch type {
      case nil: return Int32(exactly: number.value).map(EdmValue.int32) ?? .int64(number.value)
      case .int32: return Int32(exactly: number.value).map(EdmValue.int32)
      case .int64: return .int64(number.value)
      default: break
      }
    }
    guard type == nil || type == .double else {
      // Exact decimals and the small types come seldom.
      guard type?.isNumeric == true, let type else { return nil }
      return try? EdmValue(lexical: number.text, type)
    }
    return .double(number.double)
  }
}

/// A place in the bytes of a row. Nothing is read beyond their end.
struct JSONRowCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var index: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// The next byte; 0, which stands nowhere in JSON, at the end.
  @inline(__always)
  var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// Takes a punctuation mark with the blanks before and behind it; `false`, and nothing of use, where there is another byte.
  @inline(__always)
  mutating func take(_ mark: UInt8) -> Bool {
    if next <= 0x20 { skipBlanks() }
    guard next == mark, index < bytes.count else { return false }
    index += 1
    if next <= 0x20 { skipBlanks() }
    return true
  }

  mutating func skipBlanks() {
    while index < bytes.count, bytes[index].isBlank { index += 1 }
  }

  /// Takes just the bytes that stand at `range` of others.
  @inline(__always)
  mutating func take(_ literals: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard bytes.count - index >= range.count, range.lowerBound >= 0, range.upperBound <= literals.count,
      let base = bytes.baseAddress, let literalBase = literals.baseAddress
    else { return false }
    let here = UnsafeRawPointer(base + index)
    let there = UnsafeRawPointer(literalBase + range.lowerBound)
    let count = range.count
    var offset = 0
    // Names are short, so that a call of memcmp would cost more than the comparison.
    while offset + 8 <= count {
      guard
        here.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == there.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard
        here.load(fromByteOffset: offset, as: UInt8.self)
          == there.load(fromByteOffset: offset, as: UInt8.self)
      else { return false }
      offset += 1
    }
    index += count
    return true
  }

  @inline(__always)
  mutating func take(_ word: StaticString) -> Bool {
    let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    return take(word, 0..<word.count)
  }

  /// Takes a string, and gives what stands between its quotes.
  @inline(__always)
  mutating func string() -> (text: UnsafeBufferPointer<UInt8>, hasEscape: Bool)? {
    guard next == UInt8(ascii: "\"") else { return nil }
    let start = index + 1
    var end = start
    var hasEscape = false
    while end < bytes.count {
      end = bytes.endOfPlainJSON(from: end)
      guard end < bytes.count else { return nil }
      if bytes[end] == UInt8(ascii: "\"") {
        index = end + 1
        return (UnsafeBufferPointer(rebasing: bytes[start..<end]), hasEscape)
      }
      guard bytes[end] == UInt8(ascii: "\\") else { return nil }
      hasEscape = true
      end += 2
    }
    return nil
  }

  /// A number of up to fifteen digits without an exponent: an integer of so many `decimals`, both exact in a Double.
  struct Number {
    let value: Int64
    let decimals: Int
    let isNegative: Bool
    let text: UnsafeBufferPointer<UInt8>

    /// The one nearest to it, since a division of two exact numbers is rounded once; zero keeps its sign.
    var double: Double {
      let magnitude = Double(value.magnitude) / Self.powersOfTen[decimals]
      return isNegative ? -magnitude : magnitude
    }

    private static let powersOfTen: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
  }

  /// Takes a number. Nothing is taken of one that has more digits or an exponent, or may go on behind the end of the bytes.
  mutating func number() -> Number? {
    let start = index
    var place = index
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { place += 1 }
    let first = place
    var value: Int64 = 0
    func digits() -> Int {
      let start = place
      while place < bytes.count, bytes[place].isDecimalDigit, place - start <= 15 {
        value = value &* 10 &+ Int64(bytes[place] &- UInt8(ascii: "0"))
        place += 1
      }
      return place - start
    }
    let whole = digits()
    guard whole == 1 || (whole > 1 && bytes[first] != UInt8(ascii: "0")) else { return nil }
    var decimals = 0
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      decimals = digits()
      guard decimals > 0 else { return nil }
    }
    guard whole + decimals <= 15, place < bytes.count else { return nil }
    switch bytes[place] {
    case UInt8(ascii: ","), UInt8(ascii: "}"), 0x20, 0x0A, 0x0D, 0x09: break
    default: return nil
    }
    index = place
    return Number(
      value: isNegative ? -value : value, decimals: decimals, isNegative: isNegative,
      text: UnsafeBufferPointer(rebasing: bytes[start..<place]))
  }

  /// Takes a number of any spelling that ends before the bytes do.
  mutating func anyNumber() -> (text: UnsafeBufferPointer<UInt8>, isInteger: Bool)? {
    var end = index
    while end < bytes.count, JSONTokenizer.belongsToNumber(bytes[end]) { end += 1 }
    guard end < bytes.count, end - index <= JSONTokenizer.maximumNumberLength else { return nil }
    let text = UnsafeBufferPointer(rebasing: bytes[index..<end])
    guard let isInteger = JSONTokenizer.isInteger(text) else { return nil }
    index = end
    return (text, isInteger)
  }
}
