public import Foundation

/// An `Edm.Decimal` with every digit it was written with.
///
/// The text is kept, so money read as `1.50` is written as `1.50`; values compare as numbers, so it equals `1.5`.
public struct EdmDecimal: Sendable {
  /// `-?` digits, and `.` with more digits where there is a fraction; never an exponent, never a plus sign.
  let digits: String
  /// Longest text that an exponent is written out to: far beyond the 29 digits .NET can hold or the 38 of a database,
  /// and far below what `1E999999999` would take.
  private static let maximumLength = 1024

  /// Makes a decimal of an integer.
  public init(_ value: some BinaryInteger) { digits = String(value) }

  /// Makes a decimal of Foundation's type; `nil` when it is not a number.
  public init?(_ value: Decimal) {
    guard value.isFinite else { return nil }
    self.init(value.description)
  }

  /// The value as Foundation's type; `nil` when it has more than the 38 digits that type can hold exactly.
  public var decimal: Decimal? {
    guard let value = Decimal(string: digits, locale: nil), EdmDecimal(value) == self else { return nil }
    return value
  }

  /// Whether the value is below zero.
  private var isNegative: Bool { digits.utf8.first == UInt8(ascii: "-") }

  /// The digits before and behind the point without those that do not count; both are empty for zero.
  private var parts: (whole: Substring.UTF8View.SubSequence, fraction: Substring.UTF8View.SubSequence) {
    let unsigned = digits.utf8.dropFirst(isNegative ? 1 : 0)
    let point = unsigned.firstIndex(of: UInt8(ascii: ".")) ?? unsigned.endIndex
    let whole = unsigned[..<point].drop { $0 == UInt8(ascii: "0") }
    var fraction = unsigned[point...].dropFirst()
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    return (whole, fraction)
  }
}

extension EdmDecimal: LosslessStringConvertible {
  /// Reads `-1234.50`: digits with at most one point, an optional sign, and an optional exponent, which is written
  /// out. `nil` for anything else, and for more than 1024 digits.
  public init?(_ text: String) {
    guard let value = text.scanned({ EdmDecimal(scanning: &$0) }) else { return nil }
    self = value
  }

  init?(scanning scanner: inout LexicalScanner) {
    let isNegative = scanner.take(UInt8(ascii: "-"))
    if !isNegative { _ = scanner.take(UInt8(ascii: "+")) }
    var digits: [UInt8] = []
    var fractionLength = 0
    var hasPoint = false
    while let byte = scanner.next, byte.isDecimalDigit || (byte == UInt8(ascii: ".") && !hasPoint) {
      _ = scanner.take(byte)
      if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else {
        digits.append(byte)
        if hasPoint { fractionLength += 1 }
      }
    }
    guard !digits.isEmpty, digits.count <= Self.maximumLength else { return nil }
    if scanner.take(letter: UInt8(ascii: "e")) {
      let exponentIsNegative = scanner.take(UInt8(ascii: "-"))
      if !exponentIsNegative { _ = scanner.take(UInt8(ascii: "+")) }
      guard let exponent = scanner.number(), exponent <= Self.maximumLength else { return nil }
      fractionLength += exponentIsNegative ? Int(exponent) : -Int(exponent)
    }
    if fractionLength < 0 {
      digits.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -fractionLength))
      fractionLength = 0
    } else if fractionLength >= digits.count {
      let zeros = repeatElement(UInt8(ascii: "0"), count: fractionLength - digits.count + 1)
      digits.insert(contentsOf: zeros, at: 0)
    }
    let whole = digits.dropLast(fractionLength)
    let leading = min(whole.prefix { $0 == UInt8(ascii: "0") }.count, whole.count - 1)
    var text = isNegative ? [UInt8(ascii: "-")] : []
    text += whole.dropFirst(leading)
    if fractionLength > 0 {
      text.append(UInt8(ascii: "."))
      text += digits.suffix(fractionLength)
    }
    guard text.count <= Self.maximumLength else { return nil }
    self.digits = String(decoding: text, as: UTF8.self)
  }

  /// The digits as they were written, without plus sign and exponent.
  public var description: String { digits }

  /// Appends ``description`` as UTF-8.
  package func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: digits.utf8) }
}

extension EdmDecimal: Hashable, Comparable {
  /// Equal as numbers: `1.50` equals `1.5`.
  public static func == (a: EdmDecimal, b: EdmDecimal) -> Bool { compare(a, b) == 0 }

  /// Less as numbers.
  public static func < (a: EdmDecimal, b: EdmDecimal) -> Bool { compare(a, b) < 0 }

  /// Hashes the number, not the spelling.
  public func hash(into hasher: inout Hasher) {
    let (whole, fraction) = parts
    guard !whole.isEmpty || !fraction.isEmpty else { return hasher.combine(0) }
    hasher.combine(isNegative)
    hasher.combine(whole.count)
    for digit in whole { hasher.combine(digit) }
    for digit in fraction { hasher.combine(digit) }
  }

  private static func compare(_ a: EdmDecimal, _ b: EdmDecimal) -> Int {
    let (first, second) = (a.parts, b.parts)
    let signA = first.whole.isEmpty && first.fraction.isEmpty ? 0 : a.isNegative ? -1 : 1
    let signB = second.whole.isEmpty && second.fraction.isEmpty ? 0 : b.isNegative ? -1 : 1
    guard signA == signB else { return signA < signB ? -1 : 1 }
    if first.whole.count != second.whole.count {
      return first.whole.count < second.whole.count ? -signA : signA
    }
    if first.whole.elementsEqual(second.whole), first.fraction.elementsEqual(second.fraction) { return 0 }
    let isLess =
      first.whole.elementsEqual(second.whole)
      ? first.fraction.lexicographicallyPrecedes(second.fraction)
      : first.whole.lexicographicallyPrecedes(second.whole)
    return isLess ? -signA : signA
  }
}
