/// The order of strings in the table service: by UTF-16 code units, ordinally, as .NET's ordinal comparison does.
///
/// It differs from the order of UTF-8 bytes (and of `String`'s own `<`) in one place: characters beyond U+FFFF are
/// surrogates in UTF-16 and come before U+E000 to U+FFFF.
package enum KeyOrder {
  /// Less than zero where `a` comes first, zero for the same code units, more than zero where `b` comes first.
  package static func compare(_ a: String, _ b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        for index in 0..<min(a.count, b.count) where a[index] != b[index] {
          // The first difference is in a leading byte, or in a trailing byte of characters of equal length.
          return rank(a[index]) - rank(b[index])
        }
        return a.count - b.count
      }
    }
  }

  /// Leading bytes in the order of UTF-16: F0 to F4 (surrogates) right behind ED (up to U+D7FF), EE and EF last.
  private static func rank(_ byte: UInt8) -> Int {
    switch byte {
    case 0xEE, 0xEF: 0x100 + Int(byte)
    default: Int(byte)
    }
  }

  /// The least string above all that begin with `prefix`, or `nil` where there is none (the empty prefix, and U+FFFF
  /// only). `x ge prefix and x lt successor` holds for exactly the strings that begin with `prefix`.
  ///
  /// It is the prefix with its last code unit raised by one. Where that would be half a surrogate pair, the least
  /// whole character above it is taken instead; between the two lie only strings that no UTF-8 text can hold. A final
  /// U+FFFF cannot be raised and is dropped, and the one before it raised.
  package static func successor(ofPrefix prefix: String) -> String? {
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      let next: UInt32
      switch last.value {
      case 0xFFFF: continue
      case 0xD7FF: next = 0x10000
      case 0x10FFFF: next = 0xE000
      default: next = last.value + 1
      }
      guard let raised = Unicode.Scalar(next) else { continue }
      scalars.append(raised)
      return String(scalars)
    }
    return nil
  }
}
