/// Walks over the bytes of one primitive value. Everything Edm writes is ASCII, so bytes are all it looks at.
struct LexicalScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private let end: Int

  /// Starts behind leading blanks and stops before trailing ones: XML Schema collapses white space around every
  /// type but strings.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    var position = 0
    var end = bytes.count
    while position < end, bytes[position].isBlank { position += 1 }
    while end > position, bytes[end - 1].isBlank { end -= 1 }
    self.position = position
    self.end = end
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { position == end }

  /// The bytes that are left.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[position..<end]) }

  /// The next byte, if there is one.
  var next: UInt8? { position < end ? bytes[position] : nil }

  /// Takes the next byte if it is `byte`.
  mutating func take(_ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Takes the next byte if it is the ASCII letter `letter`, in either case; `letter` is given in lower case.
  mutating func take(letter: UInt8) -> Bool {
    guard position < end, bytes[position] | 0x20 == letter else { return false }
    position += 1
    return true
  }

  /// Takes exactly `count` decimal digits.
  mutating func number(digits count: Int) -> Int? {
    guard end - position >= count else { return nil }
    var value = 0
    for offset in 0..<count {
      let digit = bytes[position + offset] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    position += count
    return value
  }

  /// Takes all decimal digits that follow, at least one; `nil` also when the value exceeds 64 bits.
  mutating func number() -> UInt64? {
    let start = position
    var value: UInt64 = 0
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
      guard !tooLarge, !carried else { return nil }
      value = sum
      position += 1
    }
    return position > start ? value : nil
  }

  /// Takes the digits of a fraction, at least one, as ticks of 100 ns. Digits beyond the seventh are cut off rather
  /// than rounded, so that reading never moves an instant into the future.
  mutating func fraction() -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if position - start < 7 { value = value &* 10 &+ Int64(digit) }
      position += 1
    }
    guard position > start else { return nil }
    for _ in min(position - start, 7)..<7 { value &*= 10 }
    return value
  }
}

extension UInt8 {
  /// Whether this is white space as XML knows it.
  var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// Whether this is an ASCII digit.
  var isDecimalDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}

extension String {
  /// Runs a scanner over the text and gives its result, if nothing was left behind.
  func scanned<Value>(_ scan: (inout LexicalScanner) -> Value?) -> Value? {
    var copy = self
    return copy.withUTF8 { bytes in
      var scanner = LexicalScanner(bytes)
      guard let value = scan(&scanner), scanner.isAtEnd else { return nil }
      return value
    }
  }

  /// The text that `append` writes.
  init(appending append: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    append(&bytes)
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number with leading zeros; `value` has at most `width` digits and no sign.
  mutating func appendPadded(_ value: Int, width: Int) {
    append(atMost: width) { $0.appendPadded(value, width: width) }
  }

  /// Appends the decimal digits of an integer, with a minus sign where it is negative.
  mutating func appendInteger(_ value: some FixedWidthInteger) {
    append(atMost: 21) { room in
      var rest = UInt64(value.magnitude)
      var start = 21
      repeat {
        start -= 1
        room.bytes[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        start -= 1
        room.bytes[start] = UInt8(ascii: "-")
      }
      room.use(from: start, to: 21)
    }
  }

  /// Appends `.` and the fraction of a second without its trailing zeros; nothing for a whole second.
  mutating func appendFraction(ticks: Int64) { append(atMost: 8) { $0.appendFraction(ticks: ticks) } }

  /// Appends what `body` writes into room for so many bytes: an array checks on each byte whether it is shared and has
  /// room, which for numbers costs more than their digits.
  @inline(__always)
  mutating func append(atMost capacity: Int, _ body: (inout ByteRoom) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { bytes in
      var room = ByteRoom(bytes: bytes)
      body(&room)
      append(contentsOf: room.used)
    }
  }
}

/// Room for a few bytes.
struct ByteRoom {
  let bytes: UnsafeMutableBufferPointer<UInt8>
  private var start = 0
  private var end = 0

  init(bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  /// What was written.
  var used: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[start..<end]) }

  /// Says which bytes were written, where that was done by hand.
  mutating func use(from start: Int, to end: Int) { (self.start, self.end) = (start, end) }

  mutating func append(_ byte: UInt8) {
    bytes[end] = byte
    end += 1
  }

  /// Appends a number with leading zeros; `value` has at most `width` digits and no sign.
  mutating func appendPadded(_ value: Int, width: Int) {
    var rest = value
    var index = end + width
    while index > end {
      index -= 1
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    end += width
  }

  /// Appends `.` and the fraction of a second without its trailing zeros; nothing for a whole second.
  ///
  /// Azure tables trim in the same way (`…04:05.2Z`), so that what is written equals what comes back.
  mutating func appendFraction(ticks: Int64) {
    guard ticks != 0 else { return }
    append(UInt8(ascii: "."))
    appendPadded(Int(ticks), width: 7)
    while bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
  }
}
