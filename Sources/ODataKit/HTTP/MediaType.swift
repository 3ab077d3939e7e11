/// A media type as it stands in `Content-Type` or in one member of `Accept`: a type and its parameters.
///
/// Types and parameter names compare without regard to case, so they are kept in lower case; values are kept
/// as they came. Proxies add blanks behind the semicolons, which is why texts are never compared whole.
package struct MediaType: Sendable, Hashable {
  /// `type/subtype` in lower case.
  package let name: String
  /// The parameters in their order: names in lower case, values without their quotes.
  package let parameters: [(name: String, value: String)]

  /// Reads `multipart/mixed; boundary="a b"`; `nil` where there is no type in front.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    let name = Self.take(from: &rest) { $0 != UInt8(ascii: ";") }
    guard name.utf8.contains(UInt8(ascii: "/")) else { return nil }
    self.name = name.lowercased()
    var parameters: [(name: String, value: String)] = []
    while rest.popFirst() != nil {
      let name = Self.take(from: &rest) { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if rest.first == UInt8(ascii: "\"") {
        rest.removeFirst()
        parameters.append((name.lowercased(), Self.takeQuoted(from: &rest)))
        rest = rest.drop { $0 != UInt8(ascii: ";") }
      } else {
        parameters.append((name.lowercased(), Self.take(from: &rest) { $0 != UInt8(ascii: ";") }))
      }
    }
    self.parameters = parameters
  }

  /// The value of a parameter, the first one where it occurs twice; `name` in lower case.
  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  package static func == (a: MediaType, b: MediaType) -> Bool {
    a.name == b.name && a.parameters.elementsEqual(b.parameters, by: ==)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  private static func take(from rest: inout Substring.UTF8View, while belongs: (UInt8) -> Bool) -> String {
    let end = rest.firstIndex { !belongs($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    var taken = rest[..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    while let last = taken.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      taken.removeLast()
    }
    return String(decoding: taken, as: UTF8.self)
  }

  /// The text up to the closing quote; a backslash takes the next byte as it is (RFC 9110 § 5.6.4).
  private static func takeQuoted(from rest: inout Substring.UTF8View) -> String {
    var value: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(byte)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }
}
