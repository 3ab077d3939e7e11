/// Which operation of a change set failed, as Azure's table service tells it: digits and a colon in front of
/// the message, `3:The specified entity already exists.`
package enum FailedOperation {
  /// The zero-based index and the message without it.
  ///
  /// Without a prefix it is the first operation: the service leaves `0:` out. An index beyond the change set
  /// is part of some other text, and the operation unknown. `Content-ID` is no help, since the service puts
  /// other numbers there in a failure.
  package static func split(_ message: String, operationCount: Int) -> (index: Int?, message: String) {
    let digits = message.utf8.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    let rest = message.utf8[digits.endIndex...]
    guard !digits.isEmpty, rest.first == UInt8(ascii: ":") else { return (0, message) }
    guard let index = Int(Substring(digits)), index < operationCount else { return (nil, message) }
    return (index, String(Substring(rest.dropFirst())))
  }
}
