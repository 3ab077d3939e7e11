/// Hides credentials in what is shown to people: in traces, errors and descriptions.
///
/// What a service says is not under our control, so the marks of a secret are looked for in whatever spelling they have
/// there: in any case, behind any separator, in JSON, in a URL and in a URL inside of one. Words that only speak of
/// credentials stay, so that an error can still be understood.
package enum SecretMask {
  static let mask = "***"

  /// `text` without the secrets of URLs: the value of `sig`, which is the secret part of a shared access signature, of
  /// tokens and passwords, and whoever stands in front of the host.
  package static func url(_ text: String) -> String { masked(text, hidesSchemes: false) }

  /// What a service says, without the credentials that it may repeat.
  package static func sentence(_ text: String) -> String { masked(text, hidesSchemes: true) }

  /// The same for bytes, those that are no text among them.
  package static func sentence(_ bytes: [UInt8]) -> [UInt8] {
    var scanner = SecretScanner(bytes, hidesSchemes: true)
    return scanner.masked()
  }

  private static func masked(_ text: String, hidesSchemes: Bool) -> String {
    var scanner = SecretScanner(Array(text.utf8), hidesSchemes: hidesSchemes)
    return String(decoding: scanner.masked(), as: UTF8.self)
  }

  /// The value of a header field, hidden where the field carries credentials.
  package static func value(of field: HeaderFields.Field) -> String {
    switch (field.name, SecretName(field.name.rawName)) {
    case (_, .authorization):
      // Scheme and account tell who signs in; what stands behind them is the secret.
      let words = field.value.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { return mask }
      let account = words[0].lowercased().hasPrefix("sharedkey") ? words[1].prefix { $0 != ":" } + ":" : ""
      return "\(words[0]) \(account)\(mask)"
    case (_, .some): return mask
    // What these name behind a scheme tells how to sign in.
    case ("WWW-Authenticate", nil), ("Proxy-Authenticate", nil): return url(field.value)
    case (_, nil): return sentence(field.value)
    }
  }
}

/// What stands behind a name that is known to carry secrets.
enum SecretName {
  /// A scheme, and credentials behind it.
  case authorization
  /// Pairs up to the end of the line.
  case cookies
  /// One value, however it looks.
  case secret
  /// One value, where it looks like one: parsers speak of tokens too.
  case token

  /// The kind of a name, whatever its case and the dashes in it.
  init?(_ name: String) {
    let key = name.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let kind = Self.kinds[key] else { return nil }
    self = kind
  }

  private static let kinds: [String: SecretName] = {
    var kinds: [String: SecretName] = [:]
    for name in ["authorization", "proxyauthorization", "xauthorization"] { kinds[name] = .authorization }
    for name in ["cookie", "setcookie", "cookies"] { kinds[name] = .cookies }
    for name in ["token", "signature", "secret", "csrf", "xsrf"] { kinds[name] = .token }
    for name in [
      "sig", "accountkey", "sharedaccesssignature", "sharedaccesskey", "primarykey", "password", "passwd",
      "pwd",
      "passphrase", "clientsecret", "apikey", "xapikey", "xfunctionskey", "subscriptionkey",
      "ocpapimsubscriptionkey", "accesskey", "secretkey", "accesstoken", "idtoken", "refreshtoken",
      "authtoken",
      "xauthtoken", "bearertoken", "sastoken", "sessiontoken", "securitytoken", "csrftoken", "xcsrftoken",
      "xsrftoken", "xxsrftoken", "csrfmiddlewaretoken", "requestverificationtoken", "clientassertion",
      "mysapsso2",
    ] { kinds[name] = .secret }
    return kinds
  }()
}
