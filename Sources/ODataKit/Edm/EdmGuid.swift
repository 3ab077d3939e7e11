package import Foundation

extension UUID {
  /// Reads 32 hexadecimal digits in the groups 8-4-4-4-12; `nil` for anything else.
  package init?(guid bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 36 else { return nil }
    var index = 0
    var isValid = true
    func next() -> UInt8 {
      // Hyphens stand before the bytes 4, 6, 8 and 10.
      if index == 8 || index == 13 || index == 18 || index == 23 {
        isValid = isValid && bytes[index] == UInt8(ascii: "-")
        index += 1
      }
      guard let high = bytes[index].hexadecimalValue, let low = bytes[index + 1].hexadecimalValue else {
        isValid = false
        index += 2
        return 0
      }
      index += 2
      return high << 4 | low
    }
    let uuid = (
      next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(),
      next(),
      next(), next()
    )
    guard isValid else { return nil }
    self.init(uuid: uuid)
  }

  /// Appends the lower-case form services write.
  package func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: uuid) { uuid in
      for (index, byte) in uuid.enumerated() {
        if index == 4 || index == 6 || index == 8 || index == 10 { bytes.append(UInt8(ascii: "-")) }
        bytes.appendHexadecimal(byte, digits: HexadecimalDigits.lower)
      }
    }
  }
}

/// The sixteen digits in either case.
enum HexadecimalDigits {
  static let lower: StaticString = "0123456789abcdef"
  static let upper: StaticString = "0123456789ABCDEF"
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension [UInt8] {
  /// Appends two hexadecimal digits.
  mutating func appendHexadecimal(_ byte: UInt8, digits: StaticString) {
    append(digits.utf8Start[Int(byte >> 4)])
    append(digits.utf8Start[Int(byte & 15)])
  }
}
