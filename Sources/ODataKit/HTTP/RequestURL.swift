/// An absolute `http` or `https` URL, kept exactly as it goes over the wire.
///
/// Signatures are computed over the encoded path, so nothing here is normalised, decoded or encoded again;
/// what was put in is what is sent. Text that still needs encoding goes through ``PercentEncoding`` first.
public struct RequestURL: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`, lower case.
  public let scheme: String
  /// Host and, where given, `:port`.
  public let authority: String
  /// The percent-encoded path; begins with `/`.
  public var path: String
  /// The percent-encoded query without its `?`, or `nil`.
  public var query: String?

  /// Makes a URL of parts that are encoded already.
  public init(scheme: String, authority: String, path: String, query: String? = nil) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.query = query
  }

  /// Reads an absolute URL; `nil` unless it is `http(s)`, has a host, and consists of printable ASCII without blanks.
  ///
  /// User information (`user:password@`) and fragments are refused: neither belongs into a request line.
  public init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].starts(with: "//".utf8) else { return nil }
    let scheme = String(decoding: parts[0], as: UTF8.self).lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = parts[1].dropFirst(2)
    let hostEnd = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let authority = rest[..<hostEnd]
    guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")), authority.first != UInt8(ascii: ":")
    else { return nil }
    let target = rest[hostEnd...]
    guard !target.contains(UInt8(ascii: "#")) else { return nil }
    let pathEnd = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    let path = String(decoding: target[..<pathEnd], as: UTF8.self)
    let query =
      pathEnd == target.endIndex ? nil : String(decoding: target[pathEnd...].dropFirst(), as: UTF8.self)
    self.init(
      scheme: scheme, authority: String(decoding: authority, as: UTF8.self), path: path.isEmpty ? "/" : path,
      query: query)
  }

  /// Host without the port; an IPv6 host keeps its brackets.
  public var host: String {
    if authority.utf8.first == UInt8(ascii: "["), let end = authority.utf8.firstIndex(of: UInt8(ascii: "]")) {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }

  /// Whether it leads to the same server as another: scheme and host are the same in any case (RFC 3986 § 6.2.2.1), and a
  /// port that is not given is the one of the scheme.
  ///
  /// Credentials depend on it, so nothing else is taken for the same: no other spelling of an address, no dot at the end
  /// of a host, nothing with user information.
  func hasOrigin(of other: RequestURL) -> Bool {
    guard let own = origin, let origin = other.origin else { return false }
    return own == origin
  }

  private struct Origin: Equatable {
    var scheme: [UInt8]
    var host: [UInt8]
    var port: Int
  }

  private var origin: Origin? {
    func lowercase(_ text: String) -> [UInt8] {
      text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
    let scheme = lowercase(scheme)
    let host = lowercase(host)
    let rest = authority.utf8.dropFirst(host.count)
    guard !host.isEmpty, !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
    var port = scheme == Array("https".utf8) ? 443 : 80
    if !rest.isEmpty {
      let digits = rest.dropFirst()
      guard rest.first == UInt8(ascii: ":"),
        digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      if !digits.isEmpty {
        guard let number = Int(String(Substring(digits))) else { return nil }
        port = number
      }
    }
    return Origin(scheme: scheme, host: host, port: port)
  }

  /// Path and query, as they stand in a request line.
  public var target: String { query.map { path + "?" + $0 } ?? path }

  /// The whole URL as it goes over the wire.
  public var description: String { scheme + "://" + authority + target }

  /// The URL with an encoded segment behind the path, exactly one `/` between them.
  public func appending(segment: String) -> RequestURL {
    var copy = self
    copy.path = (path.utf8.last == UInt8(ascii: "/") ? path : path + "/") + segment
    return copy
  }

  /// The URL with an encoded `name=value` behind the query; nothing is encoded here.
  public func appending(option: String) -> RequestURL {
    var copy = self
    copy.query = query.map { $0.isEmpty ? option : $0 + "&" + option } ?? option
    return copy
  }

  /// Compares code units, never canonical equivalence; the text is ASCII in every URL that was read.
  public static func == (a: RequestURL, b: RequestURL) -> Bool {
    a.description.utf8.elementsEqual(b.description.utf8)
  }

  /// Hashes the wire text.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
