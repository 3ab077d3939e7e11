/// Why a text is no value of a type; the caller knows the type and puts it into words.
enum LexicalFault: Error {
  case malformed
  case outOfRange
}

extension LexicalScanner {
  /// Takes the rest as an integer: an optional sign and digits.
  mutating func integer<Value: FixedWidthInteger>(_: Value.Type) throws(LexicalFault) -> Value {
    let isNegative = take(UInt8(ascii: "-"))
    if !isNegative { _ = take(UInt8(ascii: "+")) }
    let digits = rest
    guard !digits.isEmpty else { throw .malformed }
    var value: Value = 0
    var fits = true
    for byte in digits {
      guard byte.isDecimalDigit else { throw .malformed }
      // Going down from zero reaches the most negative value too.
      let digit = Value(truncatingIfNeeded: byte &- UInt8(ascii: "0"))
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      value = sum
      fits = fits && !tooLarge && !carried
    }
    guard fits else { throw .outOfRange }
    return value
  }

  /// Takes the rest as a floating point number, in the grammar of `xs:double` with `Infinity` besides `INF`.
  ///
  /// The C library's reader is not asked: it follows the locale and takes hexadecimal.
  mutating func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _: Value.Type
  ) throws(LexicalFault) -> Value {
    let text = rest
    if let special = Self.special(text) { return Value(special) }
    var isNegative = false
    var significand: UInt64 = 0
    var digitCount = 0
    var scale = 0
    var index = 0
    if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    var hasPoint = false
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if byte.isDecimalDigit {
        if digitCount < 19 { significand = significand &* 10 &+ UInt64(byte &- UInt8(ascii: "0")) }
        digitCount += 1
        if hasPoint { scale -= 1 }
      } else {
        break
      }
      index += 1
    }
    guard digitCount > 0 else { throw .malformed }
    if index < text.count {
      guard text[index] | 0x20 == UInt8(ascii: "e") else { throw .malformed }
      var exponent = LexicalScanner(UnsafeBufferPointer(rebasing: text[(index + 1)...]))
      do {
        scale += Int(try exponent.integer(Int32.self))
      } catch .outOfRange {
        scale = .max  // The exact way below decides whether that is zero or too large.
      }
    }
    // Up to 15 digits and 10²² are exact in a Double, and so is one operation on them: most numbers end here.
    if digitCount <= 15, scale >= -22, scale <= 22, Value.self == Double.self {
      let exact = Double(significand)
      let value = scale < 0 ? exact / Self.powersOfTen[-scale] : exact * Self.powersOfTen[scale]
      return Value(isNegative ? -value : value)
    }
    guard let value = Value(String(decoding: text, as: UTF8.self)) else { throw .malformed }
    guard value.isFinite else { throw .outOfRange }
    return value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]

  private static func special(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let last = text.last, !last.isDecimalDigit, last != UInt8(ascii: ".") else { return nil }
    if text.elementsEqual("NaN".utf8) { return .nan }
    let isNegative = text.first == UInt8(ascii: "-")
    let unsigned = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
    guard unsigned.elementsEqual("INF".utf8) || unsigned.elementsEqual("Infinity".utf8) else { return nil }
    return isNegative ? -.infinity : .infinity
  }
}

extension [UInt8] {
  /// Appends the shortest text that reads back as the same number, in the canonical form of `xs:double`: always a
  /// point, the exponent as `E` without a plus sign (`1.0E20`), and `NaN`, `INF`, `-INF`.
  ///
  /// The point tells a double from an integer where a service goes by the looks of it; and a plus sign is not left to
  /// the mercy of a server that reads it as a blank.
  mutating func appendFloatingPoint(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
    guard value.isFinite else {
      return append(contentsOf: (value.isNaN ? "NaN" : value < 0 ? "-INF" : "INF").utf8)
    }
    var text = value.description
    text.withUTF8 { text in
      let exponent = text.firstIndex(of: UInt8(ascii: "e")) ?? text.endIndex
      let mantissa = text[..<exponent]
      append(contentsOf: mantissa)
      if !mantissa.contains(UInt8(ascii: ".")) { append(contentsOf: ".0".utf8) }
      guard exponent < text.endIndex else { return }
      append(UInt8(ascii: "E"))
      var digits = text[(exponent + 1)...]
      if digits.first == UInt8(ascii: "-") { append(UInt8(ascii: "-")) }
      digits = digits.drop { !$0.isDecimalDigit || $0 == UInt8(ascii: "0") }
      append(contentsOf: digits)
    }
  }
}

extension [UInt8] {
  /// Appends a Double as ``appendFloatingPoint(_:)`` does, and faster where it has few digits.
  mutating func appendDouble(_ value: Double) {
    guard let short = ShortDecimal(value) else { return appendFloatingPoint(value) }
    let (integer, fraction) = short.digits.quotientAndRemainder(dividingBy: short.scale)
    if value < 0 { append(UInt8(ascii: "-")) }
    appendInteger(integer)
    append(atMost: 8) { room in
      room.append(UInt8(ascii: "."))
      // A whole number has a zero behind the point.
      room.appendPadded(Int(fraction), width: Swift.max(short.places, 1))
    }
  }
}

/// A number of few digits as decimal digits and the place of the point in them.
///
/// Most numbers are such, and are found faster than by the method for all. A decimal number of up to fifteen digits is the
/// only one of its length that reads as its Double, so the first that does is the shortest.
struct ShortDecimal {
  /// The digits, without the sign.
  let digits: UInt64
  /// How many of them stand behind the point, five at most.
  let places: Int
  /// Ten to the power of ``places``.
  let scale: UInt64

  /// Finds the digits of a finite number; `nil` for one that has more of them, or is written with an exponent.
  init?(_ value: Double) {
    let magnitude = value.magnitude
    guard magnitude >= 1e-3, magnitude < 1e9 || (magnitude < 1e15 && magnitude == magnitude.rounded(.down))
    else { return nil }
    var scale: UInt64 = 1
    for places in 0...5 {
      let whole = (magnitude * Double(scale)).rounded()
      if whole / Double(scale) == magnitude, whole < 1e15 {
        (digits, self.places, self.scale) = (UInt64(whole), places, scale)
        return
      }
      scale *= 10
    }
    return nil
  }
}
