extension [UInt8] {
  /// Appends a JSON string with its quotes. Control characters and, with `isASCII`, everything above 0x7F are
  /// escaped in the way of Azure's table service (`\u00f4`, lower case); without it the text stays UTF-8,
  /// which is shorter.
  mutating func appendJSON(_ text: String, isASCII: Bool) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      var index = 0
      while index < bytes.count {
        if !isASCII {
          index = bytes.endOfPlainJSON(from: index)
          guard index < bytes.count else { break }
        }
        let byte = bytes[index]
        if byte >= 0x20, byte < 0x80 || !isASCII, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          index += 1
          continue
        }
        // A run of bytes that need no escape goes over in one piece.
        if start < index { append(contentsOf: bytes[start..<index]) }
        if byte < 0x80 {
          appendEscape(of: byte)
          index += 1
        } else {
          index += appendUnits(of: bytes[index...])
        }
        start = index
      }
      if start < index { append(contentsOf: bytes[start...]) }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    default:
      append(contentsOf: "u00".utf8)
      appendHexadecimal(byte, digits: HexadecimalDigits.lower)
    }
  }

  /// Appends the one or two code units of the character at the front, and gives the number of its bytes.
  private mutating func appendUnits(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 1 }
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      append(contentsOf: "\\u".utf8)
      appendHexadecimal(UInt8(unit >> 8), digits: HexadecimalDigits.lower)
      appendHexadecimal(UInt8(truncatingIfNeeded: unit), digits: HexadecimalDigits.lower)
    }
    return UTF8.width(scalar)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first place from `start` on where something stands that a JSON string cannot hold as it is: a quote, a backslash
  /// or a control character. The end where there is none.
  @inline(__always)
  func endOfPlainJSON(from start: Int) -> Int {
    var index = start
    guard let baseAddress else { return count }
    // Eight bytes at once; the tests are those of Mycroft, in which the lowest byte that is marked is right.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones &* 0x80
    while index + 8 <= count {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(baseAddress + index).loadUnaligned(as: UInt64.self))
      let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      let marked =
        ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)
      if marked & tops != 0 { return index + (marked & tops).trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      let byte = self[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
      index += 1
    }
    return count
  }
}
