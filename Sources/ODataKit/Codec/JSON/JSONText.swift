extension [UInt8] {
  /// Appends a JSON string with its quotes. Control characters and, with `isASCII`, everything above 0x7F are
  /// escaped in the way of Azure's table service (`\u00f4`, lower case); without it the text stays UTF-8,
  /// which is shorter.
  mutating func appendJSON(_ text: String, isASCII: Bool) {
    var text = text
    text.withUTF8 { appendJSON($0, isASCII: isASCII) }
  }

  /// Appends a JSON string of UTF-8 with its quotes.
  mutating func appendJSON(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    append(UInt8(ascii: "\""))
    var start = 0
    while true {
      // A run of bytes that need no escape goes over in one piece.
      let end = isASCII ? bytes.endOfPlainASCII(from: start) : bytes.endOfPlainJSON(from: start)
      append(contentsOf: bytes[start..<end])
      guard end < bytes.count else { break }
      if bytes[end] < 0x80 {
        appendEscape(of: bytes[end])
        start = end + 1
      } else {
        start = end + appendUnits(of: bytes[end...])
      }
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
  func endOfPlainJSON(from start: Int) -> Int { endOfPlain(from: start, above: 0) }

  /// The same where bytes above 0x7F have to be escaped, too.
  func endOfPlainASCII(from start: Int) -> Int { endOfPlain(from: start, above: 0x8080_8080_8080_8080) }

  @inline(__always)
  private func endOfPlain(from start: Int, above mask: UInt64) -> Int {
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
        | (word & mask)
      if marked & tops != 0 { return index + (marked & tops).trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      let byte = self[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
      if byte >= 0x80, mask != 0 { return index }
      index += 1
    }
    return count
  }
}
