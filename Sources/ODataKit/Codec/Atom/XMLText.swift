/// Writing text into XML 1.0 by the rules that let any reader get the same text back.
extension [UInt8] {
  /// Appends ASCII markup.
  mutating func append(markup: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
  }

  /// Appends a text as it is; much faster than through its `utf8`, of which an array knows nothing but a sequence.
  mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  /// Appends character data. A carriage return goes out as a reference, since readers turn a bare one into a line feed
  /// (XML 1.0 § 2.11). Gives the first character XML cannot carry, with nothing appended, or `nil`.
  mutating func append(xmlText text: String) -> Unicode.Scalar? {
    append(escaped: text) { byte in
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case 0x0D: "&#xD;"
      default: nil
      }
    }
  }

  /// Appends what stands between the quotes of an attribute. Line ends and tabs go out as references, since readers
  /// turn bare ones into spaces (XML 1.0 § 3.3.3). Gives the first character XML cannot carry, with nothing appended, or
  /// `nil`.
  mutating func append(xmlAttribute text: String) -> Unicode.Scalar? {
    append(escaped: text) { byte in
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      case 0x09: "&#x9;"
      case 0x0A: "&#xA;"
      case 0x0D: "&#xD;"
      default: nil
      }
    }
  }

  @inline(__always)
  private mutating func append(escaped text: String, by escape: (UInt8) -> StaticString?) -> Unicode.Scalar? {
    let start = count
    var text = text
    let offender = text.withUTF8 { bytes -> Unicode.Scalar? in
      // Plain runs are appended as a whole.
      var run = 0
      for (index, byte) in bytes.enumerated() {
        if byte < 0x40 {
          if let reference = escape(byte) {
            append(contentsOf: bytes[run..<index])
            append(markup: reference)
            run = index + 1
          } else if byte < 0x20, byte != 0x09, byte != 0x0A {
            return Unicode.Scalar(byte)
          }
        } else if byte == 0xEF, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE {
          // EF BF BE and EF BF BF: the two code points of the basic plane that XML leaves out besides surrogates, which
          // no String holds. A String is valid UTF-8, so two bytes follow EF.
          return bytes[index + 2] == 0xBE ? "\u{FFFE}" : "\u{FFFF}"
        }
      }
      append(contentsOf: bytes[run...])
      return nil
    }
    if offender != nil { removeLast(count - start) }
    return offender
  }
}

/// Names of XML elements.
enum XMLNameRules {
  /// Whether `name` can be the local part of an element's name: an `NCName` of Namespaces in XML 1.0.
  static func isLocalName(_ name: String) -> Bool {
    // Every property of every entity is asked for, and nearly all are letters of ASCII.
    var text = name
    let isPlain = text.withUTF8 { bytes in
      guard let first = bytes.first, !first.isDecimalDigit else { return false }
      for byte in bytes where !isLetter(byte) && !byte.isDecimalDigit && byte != UInt8(ascii: "_") {
        return false
      }
      return true
    }
    if isPlain { return true }
    var scalars = name.unicodeScalars.makeIterator()
    guard let first = scalars.next(), starts(first) else { return false }
    while let scalar = scalars.next() {
      guard starts(scalar) || continues(scalar) else { return false }
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// `NameStartChar` of XML 1.0 § 2.3 without the colon, which separates the prefix.
  private static func starts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0x5F: true
    case 0..<0xC0: false
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F,
      0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x1_0000...0xE_FFFF:
      true
    default: false
    }
  }

  /// What `NameChar` of XML 1.0 § 2.3 adds to `NameStartChar`.
  private static func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: false
    }
  }
}
