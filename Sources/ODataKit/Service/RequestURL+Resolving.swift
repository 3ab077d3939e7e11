extension RequestURL {
  /// The absolute URL of a link that a service gave, seen from this URL (RFC 3986 § 5.2).
  ///
  /// Links of Atom may be IRIs (RFC 4287 § 2), and services leave blanks bare in the links of either format: what no
  /// URL may hold is percent-encoded (RFC 3987 § 3.1), blanks around the link fall away, and nothing else is touched.
  ///
  /// A link to another host is followed only as far as the transport goes; credentials are never sent along, see
  /// ``ODataService``.
  ///
  /// - Throws: ``ODataError/Code-swift.struct/malformedPayload`` when the link leads to no `http` or `https` URL.
  package func resolving(_ link: String) throws(ODataError) -> RequestURL {
    let resolved = Self.encoding(URLReference.resolve(Self.trimmed(link), against: description))
    guard let url = RequestURL(resolved) else {
      // A link may carry a signature; and it may be of any length.
      let shown = SecretMask.url(String(resolved.prefix(200)))
      throw ODataError(
        .malformedPayload,
        "The service sent the link “\(shown)” behind \(SecretMask.url(description)), which is not a URL of http or https; it cannot be followed."
      )
    }
    return url
  }

  private static func trimmed(_ link: String) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let kept = link.utf8.drop(while: isBlank)
    let end = kept.lastIndex { !isBlank($0) }.map { kept.index(after: $0) } ?? kept.startIndex
    return String(Substring(kept[..<end]))
  }

  /// The bytes that stand in no URL as their `%XX`; a percent sign stays, whatever follows it. Of the control characters
  /// no service means one, so they stay too, and make it no URL.
  private static func encoding(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ !isForeign($0) }) else { return text }
    // A host with other than ASCII characters would have to be converted, not encoded (RFC 5890).
    let start =
      text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text.utf8[$0...].dropFirst(3) } ?? text.utf8[...]
    let path = start.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.utf8.endIndex
    var out = Array(text.utf8[..<path])
    for byte in text.utf8[path...] {
      if isForeign(byte) { out.appendPercentEncoded(byte) } else { out.append(byte) }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func isForeign(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x80...0xFF: true
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }
}
