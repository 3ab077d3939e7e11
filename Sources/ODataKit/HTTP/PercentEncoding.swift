/// The one percent-encoder: URLs, request lines inside batches and signatures all go through it, once.
///
/// Only the unreserved characters of RFC 3986 § 2.3 stay bare; everything else is written as the `%XX` of its UTF-8
/// bytes. A blank is `%20` and a plus `%2B`, in paths and queries alike, since `+` means different things to
/// different servers.
public enum PercentEncoding {
  /// `text`, encoded; nothing is normalised.
  public static func encode(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      if bytes.allSatisfy(isUnreserved) { return String(decoding: bytes, as: UTF8.self) }
      var out: [UInt8] = []
      out.reserveCapacity(bytes.count * 3)
      for byte in bytes {
        if isUnreserved(byte) {
          out.append(byte)
        } else {
          out.appendPercentEncoded(byte)
        }
      }
      return String(decoding: out, as: UTF8.self)
    }
  }

  /// `text` with every `%XX` replaced by its byte; `nil` for a broken escape or bytes that are not UTF-8.
  ///
  /// With `plusIsSpace` a bare `+` is read as a blank, as services read query strings.
  public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count)
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = bytes.next().flatMap(hexValue), let low = bytes.next().flatMap(hexValue)
        else { return nil }
        out.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace:
        out.append(UInt8(ascii: " "))
      default:
        out.append(byte)
      }
    }
    return String(validating: out, as: UTF8.self)
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  fileprivate static let hexDigits = Array("0123456789ABCDEF".utf8)

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension [UInt8] {
  /// Appends `%XX`.
  mutating func appendPercentEncoded(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    append(PercentEncoding.hexDigits[Int(byte >> 4)])
    append(PercentEncoding.hexDigits[Int(byte & 15)])
  }
}
