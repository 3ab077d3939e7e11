/// References to resources as they stand in payloads, resolved as RFC 3986 § 5.2 says: on the text as it came, with
/// nothing decoded, encoded or normalised but the dot segments that have to go.
package enum URLReference {
  /// `reference` as seen from `base`. A reference with a scheme is given back untouched, and so is one without a base;
  /// from a base that is relative itself comes a reference that still is.
  package static func resolve(_ reference: String, against base: String?) -> String {
    guard let base, !base.isEmpty else { return reference }
    let target = Parts(reference)
    guard target.scheme == nil else { return reference }
    var result = Parts(base)
    result.fragment = target.fragment
    if target.authority != nil {
      result.authority = target.authority
      (result.path, result.query) = (target.path, target.query)
    } else if target.path.isEmpty {
      result.query = target.query ?? result.query
    } else {
      result.query = target.query
      if target.path.utf8.first == slash {
        result.path = withoutDots(target.path)
      } else if result.authority != nil, result.path.isEmpty {
        result.path = withoutDots("/" + target.path)
      } else {
        let folder = result.path.utf8.lastIndex(of: slash).map { result.path[...$0] } ?? ""
        result.path = withoutDots(folder + target.path)
      }
    }
    return result.text
  }

  /// Whether a reference has a scheme, and so is no relative one (RFC 3986 § 3.1).
  static func hasScheme(_ reference: String) -> Bool {
    guard let first = reference.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20),
      let end = reference.utf8.first(where: { !Parts.isSchemeCharacter($0) })
    else { return false }
    return end == UInt8(ascii: ":")
  }

  private static var slash: UInt8 { UInt8(ascii: "/") }

  /// RFC 3986 § 5.2.4. A path that does not begin with a slash still waits for its base, and so do its dots.
  private static func withoutDots(_ path: String) -> String {
    guard path.utf8.first == slash, path.contains("/.") else { return path }
    var kept: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }

  /// The five components of RFC 3986 § 3, without their delimiters.
  private struct Parts {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    init(_ text: String) {
      var rest = text.utf8[...]
      func cut(at index: Substring.UTF8View.Index) -> String {
        defer { rest = rest[index...].dropFirst() }
        return String(Substring(rest[..<index]))
      }
      if let colon = rest.firstIndex(where: { !Self.isSchemeCharacter($0) }), colon > rest.startIndex,
        rest[colon] == UInt8(ascii: ":"),
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(rest[rest.startIndex] | 0x20)
      {
        scheme = cut(at: colon)
      }
      if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
        fragment = String(Substring(rest[hash...].dropFirst()))
        rest = rest[..<hash]
      }
      if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
        query = String(Substring(rest[mark...].dropFirst()))
        rest = rest[..<mark]
      }
      if rest.starts(with: "//".utf8) {
        rest = rest.dropFirst(2)
        let end = rest.firstIndex(of: slash) ?? rest.endIndex
        authority = String(Substring(rest[..<end]))
        rest = rest[end...]
      }
      path = String(Substring(rest))
    }

    static func isSchemeCharacter(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }

    var text: String {
      (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
        + (query.map { "?" + $0 } ?? "")
        + (fragment.map { "#" + $0 } ?? "")
    }
  }
}
