internal import Foundation

/// The text of `NextPartitionKey`, `NextRowKey` and `NextTableName`: `1!<length>!<Base64>`, with `-` for the `=` at
/// the end, as the service writes it. To clients it is opaque.
///
/// It names the first row that has not been looked at; going on means going on from that (PartitionKey, RowKey)
/// pair, compared as a pair. The empty key has a text, `1!0!`, so that it is not taken for no token.
enum ContinuationToken {
  static func text(_ value: String) -> String {
    // The characters of Base64 that mean something else in a URL are replaced by those of its URL-safe form;
    // since that one uses "-", which is taken, "+" becomes "*".
    let encoded = Data(value.utf8).base64EncodedString().map { character -> Character in
      switch character {
      case "=": "-"
      case "/": "_"
      case "+": "*"
      default: character
      }
    }
    return "1!\(encoded.count)!" + String(encoded)
  }

  /// The value of a token; refuses what this service has not written.
  static func value(_ text: String) throws(ServiceFault) -> String {
    let parts = text.split(separator: "!", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "1", Int(parts[1]) == parts[2].utf8.count else {
      throw .invalidQueryParameterValue
    }
    let encoded = String(
      parts[2].map { character -> Character in
        switch character {
        case "-": "="
        case "_": "/"
        case "*": "+"
        default: character
        }
      })
    guard let data = Data(base64Encoded: encoded), let value = String(validating: data, as: UTF8.self) else {
      throw .invalidQueryParameterValue
    }
    return value
  }
}
