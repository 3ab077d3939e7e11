/// Hides credentials in what is shown to people: in traces, errors and descriptions.
package enum SecretMask {
  private static let mask = "***"

  /// `text` with the value of each `sig` option hidden, which is the secret part of a shared access signature.
  package static func url(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let option = Array("sig=".utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let isOption =
        (index == 0 || !isNameCharacter(bytes[index - 1]))
        && bytes[index...].prefix(option.count).elementsEqual(option) { $0 | 0x20 == $1 | 0x20 }
      guard isOption else {
        out.append(bytes[index])
        index += 1
        continue
      }
      out += bytes[index..<(index + option.count)] + Array(mask.utf8)
      index = bytes[(index + option.count)...].firstIndex(where: isEnd) ?? bytes.count
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// What a service says, with the credentials hidden that it may repeat: the words behind `SharedKey`,
  /// `SharedKeyLite`, `Bearer` and `Basic`, whatever is in quotes behind `signature`, and the values of `sig` options.
  package static func sentence(_ text: String) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let schemes: Set = ["SharedKey", "SharedKeyLite", "Bearer", "Basic"]
    var isBehindSignature = false
    for index in words.indices {
      let word = words[index].trimmingPrefix { "'\"(".contains($0) }
      if index > 0, schemes.contains(String(words[index - 1].trimmingPrefix { "'\"(".contains($0) })),
        looksSecret(word)
      {
        words[index] = mask
      } else if isBehindSignature, words[index].hasPrefix("'") || words[index].hasPrefix("\"") {
        words[index] = "'\(mask)'"
        isBehindSignature = false
      }
      if word.lowercased().hasPrefix("signature") { isBehindSignature = true }
    }
    return url(words.joined(separator: " "))
  }

  /// Whether a word is more likely a signature or a token than the next word of a sentence: those are long, or hold
  /// what words of a sentence do not.
  private static func looksSecret(_ word: some StringProtocol) -> Bool {
    word.utf8.count > 20 || word.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }
  }

  /// The value of a header field, hidden where the field carries credentials.
  package static func value(of field: HeaderFields.Field) -> String {
    switch field.name {
    case .authorization, "Proxy-Authorization":
      // Scheme and account tell who signs in; what stands behind them is the secret.
      let words = field.value.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { return mask }
      let account = words[0].hasPrefix("SharedKey") ? words[1].prefix { $0 != ":" } + ":" : ""
      return "\(words[0]) \(account)\(mask)"
    case "Cookie", "Set-Cookie", "X-CSRF-Token": return mask
    default: return url(field.value)
    }
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte)
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: ","), UInt8(ascii: ";"), 0...0x20:
      true
    default: false
    }
  }
}
