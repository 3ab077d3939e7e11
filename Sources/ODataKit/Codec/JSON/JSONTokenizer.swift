/// Cuts JSON (RFC 8259) into tokens while it arrives, over bytes: names and values stay bytes until somebody
/// needs them, and a number keeps its spelling, since `4` and `4.0` are different types to a service.
///
/// The grammar is checked in full. A byte order mark in front is skipped; raw control characters in strings
/// are refused, as the grammar has it. Bytes of strings are passed on as they are: whoever makes a `String`
/// of them checks that they are UTF-8.
struct JSONTokenizer {
  enum Token: Equatable {
    case beginObject, endObject, beginArray, endArray
    /// A member's name; its value is the next token.
    case name
    case string
    case number
    case boolean(Bool)
    case null
  }

  private enum Expected: UInt8 { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing }

  private let limits: PayloadLimits
  private var expected = Expected.value
  /// The open containers, innermost last; `true` for an object.
  private var containers: [Bool] = []
  /// The bytes that were dropped from the front of the buffer, for positions in messages.
  private var dropped = 0
  /// How far into an unfinished string the search for its end has got, and whether it met an escape.
  private var scanned = 0
  private var hasEscape = false
  private let scratch = Scratch()

  /// Where in the buffer the next token begins.
  private(set) var position = 0
  /// The bytes of the last token, if it is a name, a string (without quotes and escapes) or a number; none for others.
  /// Valid until the next call of ``next(in:isFinal:)``, and no longer than the buffer that was given to it.
  private(set) var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Whether the last number has neither point nor exponent.
  private(set) var isInteger = false

  init(limits: PayloadLimits) { self.limits = limits }

  /// Whether the one value of the payload is complete.
  var isComplete: Bool { expected == .nothing }

  /// How many containers are open.
  var depth: Int { containers.count }

  /// Forgets bytes at the front of the buffer that have become tokens.
  mutating func drop(_ count: Int) {
    position -= count
    dropped += count
  }

  /// The next token in `bytes`, or `nil` where more input is needed. With `isFinal` the input ends there,
  /// which also ends a number.
  mutating func next(
    in bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool = false
  ) throws(ODataError) -> Token? {
    // That of the last token may be gone by now.
    text = UnsafeBufferPointer(start: nil, count: 0)
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      case UInt8(ascii: ","):
        guard expected == .commaOrEnd, let isObject = containers.last else { throw unexpected(byte) }
        expected = isObject ? .name : .value
        position += 1
      case UInt8(ascii: ":"):
        guard expected == .colon else { throw unexpected(byte) }
        expected = .value
        position += 1
      case UInt8(ascii: "\""):
        let isName = expected == .name || expected == .nameOrEnd
        guard isName || expectsValue else { throw unexpected(byte) }
        guard try readString(in: bytes) else { return nil }
        expected = isName ? .colon : afterValue
        return isName ? .name : .string
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        guard expectsValue else { throw unexpected(byte) }
        guard try readNumber(in: bytes, isFinal) else { return nil }
        expected = afterValue
        return .number
      case UInt8(ascii: "{"):
        try open(isObject: true)
        return .beginObject
      case UInt8(ascii: "["):
        try open(isObject: false)
        return .beginArray
      case UInt8(ascii: "}"):
        guard containers.last == true, expected == .nameOrEnd || expected == .commaOrEnd else {
          throw unexpected(byte)
        }
        close()
        return .endObject
      case UInt8(ascii: "]"):
        guard containers.last == false, expected == .valueOrEnd || expected == .commaOrEnd else {
          throw unexpected(byte)
        }
        close()
        return .endArray
      case UInt8(ascii: "t"): return try word("true", in: bytes) ? .boolean(true) : nil
      case UInt8(ascii: "f"): return try word("false", in: bytes) ? .boolean(false) : nil
      case UInt8(ascii: "n"): return try word("null", in: bytes) ? .null : nil
      case 0xEF where dropped + position == 0:
        guard bytes.count >= 3 else { return nil }
        guard bytes[1] == 0xBB, bytes[2] == 0xBF else { throw unexpected(byte) }
        position = 3
      default: throw unexpected(byte)
      }
    }
    return nil
  }

  /// Where the next element of the innermost array begins, behind blanks and a comma, if that is an object which may stand
  /// there.
  func nextObject(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard containers.last == false, containers.count < limits.depth else { return nil }
    var cursor = JSONRowCursor(bytes, at: position)
    if expected == .commaOrEnd {
      guard cursor.take(UInt8(ascii: ",")) else { return nil }
    } else {
      cursor.skipBlanks()
    }
    return cursor.next == UInt8(ascii: "{") ? cursor.index : nil
  }

  /// Goes on behind an object that was read by other means.
  mutating func skipObject(to end: Int) {
    text = UnsafeBufferPointer(start: nil, count: 0)
    position = end
    expected = .commaOrEnd
  }

  /// How many bytes of the payload have become tokens.
  var offset: Int { dropped + position }

  /// An error at the current position.
  func malformed(_ what: String) -> ODataError { Self.malformed(what, at: offset) }

  /// An error at a position that was passed.
  static func malformed(_ what: String, at offset: Int) -> ODataError {
    ODataError(.malformedPayload, "The JSON payload cannot be read at byte \(offset): \(what).")
  }
}

extension JSONTokenizer {
  private var expectsValue: Bool { expected == .value || expected == .valueOrEnd }

  private var afterValue: Expected { containers.isEmpty ? .nothing : .commaOrEnd }

  private func unexpected(_ byte: UInt8) -> ODataError {
    if dropped + position == 0 {
      if byte == UInt8(ascii: "<") { return malformed("it is XML or HTML, not JSON") }
      if byte == 0xFE || byte == 0xFF || byte == 0 {
        return malformed("it is not UTF-8, the only encoding of JSON")
      }
    }
    if expected == .nothing { return malformed("there is something behind its end") }
    let isPrintable = byte > 0x20 && byte < 0x7F
    let shown = isPrintable ? "“\(Character(UnicodeScalar(byte)))”" : "the byte \(byte)"
    return malformed("\(shown) does not belong there")
  }

  private mutating func open(isObject: Bool) throws(ODataError) {
    guard expectsValue else { throw unexpected(isObject ? UInt8(ascii: "{") : UInt8(ascii: "[")) }
    guard containers.count < limits.depth else {
      throw ODataError(
        .payloadTooLarge, "The JSON payload is nested deeper than the limit of \(limits.depth).")
    }
    containers.append(isObject)
    expected = isObject ? .nameOrEnd : .valueOrEnd
    position += 1
  }

  private mutating func close() {
    containers.removeLast()
    expected = afterValue
    position += 1
  }

  private mutating func word(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>) throws(ODataError)
    -> Bool
  {
    guard expectsValue else { throw unexpected(bytes[position]) }
    for offset in 0..<word.utf8CodeUnitCount {
      guard position + offset < bytes.count else { return false }
      guard bytes[position + offset] == word.utf8Start[offset] else {
        throw malformed("a value is neither a string, a number, true, false nor null")
      }
    }
    position += word.utf8CodeUnitCount
    expected = afterValue
    return true
  }
}

// MARK: - Numbers

extension JSONTokenizer {
  /// No service writes longer ones, and a longer one could be made to be searched for its end again and
  /// again.
  static let maximumNumberLength = 1024

  private mutating func readNumber(
    in bytes: UnsafeBufferPointer<UInt8>, _ isFinal: Bool
  ) throws(ODataError) -> Bool {
    var end = position
    while end < bytes.count, Self.belongsToNumber(bytes[end]) { end += 1 }
    guard end - position <= Self.maximumNumberLength else { throw malformed("a number is too long") }
    guard end < bytes.count || isFinal else { return false }
    let number = UnsafeBufferPointer(rebasing: bytes[position..<end])
    guard let isInteger = Self.isInteger(number) else { throw malformed("a number is misspelt") }
    self.isInteger = isInteger
    text = number
    position = end
    return true
  }

  static func belongsToNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Whether a number has neither point nor exponent; `nil` for what is no number of JSON.
  static func isInteger(_ number: UnsafeBufferPointer<UInt8>) -> Bool? {
    var index = number.first == UInt8(ascii: "-") ? 1 : 0
    func digits() -> Int {
      let start = index
      while index < number.count, number[index].isDecimalDigit { index += 1 }
      return index - start
    }
    let first = index
    let whole = digits()
    guard whole == 1 || (whole > 1 && number[first] != UInt8(ascii: "0")) else { return nil }
    let isInteger = index == number.count
    if index < number.count, number[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() > 0 else { return nil }
    }
    if index < number.count, number[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < number.count, number[index] == UInt8(ascii: "+") || number[index] == UInt8(ascii: "-") {
        index += 1
      }
      guard digits() > 0 else { return nil }
    }
    return index == number.count ? isInteger : nil
  }
}

// MARK: - Strings

extension JSONTokenizer {
  /// Bytes in which escapes are undone; its address stays the same from one token to the next call.
  private final class Scratch {
    var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    func reserve(_ count: Int) {
      guard bytes.count < count else { return }
      bytes.deallocate()
      bytes = .allocate(capacity: max(count, 256))
    }

    deinit { bytes.deallocate() }
  }

  private mutating func readString(in bytes: UnsafeBufferPointer<UInt8>) throws(ODataError) -> Bool {
    let start = position + 1
    var index = start + scanned
    while true {
      index = index < bytes.count ? bytes.endOfPlainJSON(from: index) : index
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        guard index - start <= limits.textLength else { throw textTooLong() }
        text = UnsafeBufferPointer(rebasing: bytes[start..<index])
        if hasEscape { try undoEscapes() }
        position = index + 1
        scanned = 0
        hasEscape = false
        return true
      }
      guard byte == UInt8(ascii: "\\") else {
        throw malformed("a string holds a control character that is not escaped")
      }
      hasEscape = true
      guard index + 1 < bytes.count else { break }
      index += 2
    }
    scanned = index - start
    guard scanned <= limits.textLength else { throw textTooLong() }
    return false
  }

  private func textTooLong() -> ODataError {
    ODataError(
      .payloadTooLarge, "A text in the JSON payload is longer than the limit of \(limits.textLength) bytes.")
  }

  /// A copy of the text of a string in which escapes are undone; valid until the next one is made.
  mutating func unescaped(_ string: UnsafeBufferPointer<UInt8>) throws(ODataError) -> UnsafeBufferPointer<
    UInt8
  > {
    text = string
    try undoEscapes()
    return text
  }

  /// Points `text` to a copy without escapes.
  ///
  /// Half of a surrogate pair becomes U+FFFD: services keep UTF-16 and can hold such halves, a Swift string
  /// cannot, and one such row must not make a page unreadable.
  private mutating func undoEscapes() throws(ODataError) {
    let source = text
    // No escape is shorter than what it stands for, except for a lone surrogate: six bytes for three.
    scratch.reserve(source.count)
    let target = scratch.bytes
    var count = 0
    var index = 0
    while index < source.count {
      let run = source.endOfPlainJSON(from: index)
      for place in index..<run { target[count + place - index] = source[place] }
      count += run - index
      index = run
      guard index + 1 < source.count else { break }
      var value: UInt32
      switch source[index + 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value = UInt32(source[index + 1])
      case UInt8(ascii: "b"): value = 0x08
      case UInt8(ascii: "f"): value = 0x0C
      case UInt8(ascii: "n"): value = 0x0A
      case UInt8(ascii: "r"): value = 0x0D
      case UInt8(ascii: "t"): value = 0x09
      case UInt8(ascii: "u"):
        guard let unit = Self.unit(source, at: index + 2) else { throw malformed("a \\u is misspelt") }
        value = unit
        index += 4
        if unit & 0xFC00 == 0xD800, index + 3 < source.count, source[index + 2] == UInt8(ascii: "\\"),
          source[index + 3] == UInt8(ascii: "u"), let low = Self.unit(source, at: index + 4),
          low & 0xFC00 == 0xDC00
        {
          value = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
          index += 6
        }
      default: throw malformed("a string holds an unknown escape")
      }
      index += 2
      for byte in UTF8.encode(UnicodeScalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
        target[count] = byte
        count += 1
      }
    }
    text = UnsafeBufferPointer(rebasing: target[..<count])
  }

  /// The code unit that four hexadecimal digits spell.
  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[index..<(index + 4)] {
      guard let digit = byte.hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
