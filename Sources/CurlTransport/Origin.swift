/// Scheme, host and port of a URL: what a connection can be shared for.
struct Origin: Hashable {
  /// `scheme://host:port` in lower case.
  let key: String
  /// The host in lower case; an IPv6 address without its brackets.
  let host: String

  /// Reads an absolute URL; `nil` unless it is `http` or `https` with a host.
  init?(url: String) {
    let lower = url.lowercased()
    let scheme = ["http://", "https://"].first { lower.hasPrefix($0) }
    guard let scheme, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let authority = lower.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host =
      authority.first == "["
      ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    guard !host.isEmpty, !authority.contains("@") else { return nil }
    self.key = scheme + authority
    self.host = String(host)
  }

  /// Whether the host is this machine, which no proxy could reach in our place.
  var isLoopback: Bool {
    let name = host.last == "." ? host.dropLast() : host[...]
    if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
    let octets = name.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
  }
}
