/// Base64 (RFC 4648) over bytes, both alphabets.
package enum Base64 {
  /// Which 64 characters, and whether the end is padded.
  package enum Alphabet: Sendable {
    /// `+` and `/`, padded with `=`: payloads of OData 1 to 3, and Atom.
    case standard
    /// `-` and `_`, not padded: OData 4 in URLs and JSON.
    case urlSafe
  }

  /// Appends the text of `data`.
  package static func append(_ data: some Sequence<UInt8>, alphabet: Alphabet, to bytes: inout [UInt8]) {
    let characters = (alphabet == .standard ? standardCharacters : urlSafeCharacters).utf8Start
    var group: UInt32 = 0
    var count = 0
    for byte in data {
      group = group << 8 | UInt32(byte)
      count += 1
      if count == 3 {
        for shift: UInt32 in [18, 12, 6, 0] { bytes.append(characters[Int(group >> shift & 63)]) }
        (group, count) = (0, 0)
      }
    }
    guard count > 0 else { return }
    group <<= count == 1 ? 16 : 8
    bytes.append(characters[Int(group >> 18 & 63)])
    bytes.append(characters[Int(group >> 12 & 63)])
    if count == 2 { bytes.append(characters[Int(group >> 6 & 63)]) }
    if alphabet == .standard { for _ in count..<3 { bytes.append(UInt8(ascii: "=")) } }
  }

  /// Reads either alphabet, with or without padding, skipping white space, which XML breaks long values with.
  /// `nil` for any other character, and for an end that cannot be a whole byte.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text {
      let value = values[Int(byte)]
      if value < 64, padding == 0 {
        group = group << 6 | UInt32(value)
        count += 1
        if count == 4 {
          result.append(UInt8(truncatingIfNeeded: group >> 16))
          result.append(UInt8(truncatingIfNeeded: group >> 8))
          result.append(UInt8(truncatingIfNeeded: group))
          (group, count) = (0, 0)
        }
      } else if byte == UInt8(ascii: "=") {
        padding += 1
      } else if !byte.isBlank {
        return nil
      }
    }
    guard count != 1, padding == 0 || (count >= 2 && padding == 4 - count) else { return nil }
    if count >= 2 {
      group <<= count == 2 ? 12 : 6
      result.append(UInt8(truncatingIfNeeded: group >> 16))
      if count == 3 { result.append(UInt8(truncatingIfNeeded: group >> 8)) }
    }
    return result
  }

  private static let standardCharacters: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  private static let urlSafeCharacters: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  /// The value of each byte in either alphabet, 255 for none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for characters in [standardCharacters, urlSafeCharacters] {
      for index in 0..<64 { values[Int(characters.utf8Start[index])] = UInt8(index) }
    }
    return values
  }()
}
