public import ODataKit

/// A shared access signature: the query string that lets its bearer do what it lists until it expires.
///
/// It is a password: `description`, `debugDescription` and `dump` hide it.
public struct SharedAccessSignature: Sendable, Hashable {
  /// The query text as it goes behind a URL, without a leading `?`, encoded as it was given.
  package let query: String

  /// Takes the text as it was issued, with or without a leading `?`.
  ///
  /// Throws ``ODataKit/ODataError/Code/invalidArgument`` unless it has a `sig` and can stand in a URL.
  public init(_ text: String) throws(ODataError) {
    let query = text.utf8.first == UInt8(ascii: "?") ? text.dropFirst() : text[...]
    guard
      query.split(separator: "&").contains(where: { $0.utf8.starts(with: "sig=".utf8) && $0.utf8.count > 4 })
    else {
      throw ODataError(
        .invalidArgument,
        "The shared access signature has no sig= part; copy the whole text that was issued.")
    }
    guard query.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw ODataError(
        .invalidArgument,
        "The shared access signature holds a blank or a character that a URL cannot carry; copy it as it was issued."
      )
    }
    self.query = String(query)
  }
}

extension SharedAccessSignature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says what it is, not what it says.
  public var description: String { "SharedAccessSignature(hidden)" }
  /// Says what it is, not what it says.
  public var debugDescription: String { description }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
