internal import Foundation
package import ODataKit

/// Signs requests with an account key, and says for a server what a signature has to be.
///
/// What is signed is the path exactly as it goes over the wire, escapes and their case included; decoding it first
/// breaks every key with `=` or a blank in it. Of the query only `comp` counts.
/// See "Authorize with Shared Key" of the storage services' REST reference.
package struct SharedKeySigner: Sendable {
  /// The two schemes that the Table service knows.
  package enum Scheme: String, Sendable, CaseIterable {
    /// Method, MD5, content type, date and resource.
    case sharedKey = "SharedKey"
    /// Date and resource.
    case sharedKeyLite = "SharedKeyLite"
  }

  package let credential: SharedKeyCredential
  package let scheme: Scheme

  package init(_ credential: SharedKeyCredential, scheme: Scheme = .sharedKey) {
    self.credential = credential
    self.scheme = scheme
  }

  /// Dates and signs a request. The last thing that happens to it: a header changed behind it breaks the signature.
  package func sign(_ request: inout HTTPRequest, at instant: EdmDateTime) {
    request.headers[.storageDate] = HTTPDate.text(instant)
    request.headers[.authorization] = authorization(
      method: request.method, url: request.url, headers: request.headers)
  }

  /// The value of the `Authorization` field.
  package func authorization(method: HTTPMethod, url: RequestURL, headers: HeaderFields) -> String {
    let signature = Data(signature(method: method, url: url, headers: headers)).base64EncodedString()
    return "\(scheme.rawValue) \(credential.accountName):\(signature)"
  }

  /// Whether `authorization`, as a client sent it, is the one this account has to give; the comparison takes the
  /// same time wherever the signatures differ.
  package func accepts(
    _ authorization: SharedKeyAuthorization, method: HTTPMethod, url: RequestURL, headers: HeaderFields
  )
    -> Bool
  {
    authorization.scheme == scheme
      && authorization.accountName.utf8.elementsEqual(credential.accountName.utf8)
      && HMACSHA256.isEqual(authorization.signature, signature(method: method, url: url, headers: headers))
  }

  private func signature(method: HTTPMethod, url: RequestURL, headers: HeaderFields) -> [UInt8] {
    let text = Self.stringToSign(
      scheme, accountName: credential.accountName, method: method, url: url, headers: headers)
    return HMACSHA256.authenticationCode(for: Array(text.utf8), key: credential.key)
  }

  /// The text that both sides compute the signature of.
  ///
  /// The date line is never empty for tables, unlike for blobs: it is `x-ms-date` or else `Date`.
  package static func stringToSign(
    _ scheme: Scheme, accountName: String, method: HTTPMethod, url: RequestURL, headers: HeaderFields
  ) -> String {
    let date = headers[.storageDate] ?? headers[.date] ?? ""
    // With a path-style address (emulators) the path begins with the account, which then stands there twice.
    var resource = "/\(accountName)\(url.path)"
    if let comp = comp(in: url.query) { resource += "?comp=\(comp)" }
    return switch scheme {
    case .sharedKey:
      """
      \(method.rawValue)
      \(headers[.contentMD5] ?? "")
      \(headers[.contentType] ?? "")
      \(date)
      \(resource)
      """
    case .sharedKeyLite: "\(date)\n\(resource)"
    }
  }

  private static func comp(in query: String?) -> String? {
    for option in query?.split(separator: "&") ?? [] where option.utf8.starts(with: "comp=".utf8) {
      let value = option.dropFirst("comp=".count)
      return PercentEncoding.decode(value, plusIsSpace: true) ?? String(value)
    }
    return nil
  }
}

/// What an `Authorization` field of one of the Shared Key schemes says.
package struct SharedKeyAuthorization: Sendable {
  package let scheme: SharedKeySigner.Scheme
  package let accountName: String
  /// The 32 bytes of the signature; another count where a client sent something else.
  package let signature: [UInt8]

  /// Reads `SharedKey account:signature`; `nil` for another scheme or a signature that is not Base64.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, let scheme = SharedKeySigner.Scheme(rawValue: String(words[0])),
      let colon = words[1].firstIndex(of: ":"), colon != words[1].startIndex,
      let signature = Data(base64Encoded: String(words[1][words[1].index(after: colon)...]))
    else { return nil }
    self.scheme = scheme
    accountName = String(words[1][..<colon])
    self.signature = [UInt8](signature)
  }
}

extension HeaderFields.Name {
  /// `x-ms-date`, which stands in for `Date` where an HTTP stack does not let that one be set.
  package static let storageDate: Self = "x-ms-date"
  /// `Content-MD5`
  package static let contentMD5: Self = "Content-MD5"
}
