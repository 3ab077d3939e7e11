import ODataKit

/// The `name=value` parts of a connection string that matter to tables.
struct ConnectionStringParts {
  enum Name: String, CaseIterable {
    case defaultEndpointsProtocol = "DefaultEndpointsProtocol"
    case accountName = "AccountName"
    case accountKey = "AccountKey"
    case endpointSuffix = "EndpointSuffix"
    case tableEndpoint = "TableEndpoint"
    case tableSecondaryEndpoint = "TableSecondaryEndpoint"
    case sharedAccessSignature = "SharedAccessSignature"
    case useDevelopmentStorage = "UseDevelopmentStorage"
    case developmentStorageProxyUri = "DevelopmentStorageProxyUri"
  }

  private var values: [Name: String] = [:]

  /// Splits at every `;`, and each part at its first `=`: keys and signatures have more of them behind it.
  init(_ text: String) throws(ODataError) {
    var number = 0
    for part in text.split(separator: ";") {
      let part = part.trimmed
      guard !part.isEmpty else { continue }
      number += 1
      guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
        throw .connectionString("cannot be read: its part \(number) is not name=value")
      }
      let spelled = part[..<equals].trimmed.lowercased()
      guard let name = Name.allCases.first(where: { $0.rawValue.lowercased() == spelled }) else { continue }
      let value = part[part.index(after: equals)...].trimmed
      guard !value.isEmpty else { throw .connectionString("has an empty \(name.rawValue)") }
      guard values.updateValue(String(value), forKey: name) == nil else {
        throw .connectionString("gives \(name.rawValue) twice; keep one")
      }
    }
    guard number > 0 else {
      throw .connectionString(
        "is empty; it needs AccountName and AccountKey, or UseDevelopmentStorage=true for the emulator")
    }
  }

  subscript(name: Name) -> String? { values[name] }

  func developmentStorage() throws(ODataError) -> Bool {
    guard let value = self[.useDevelopmentStorage] else { return false }
    guard value.lowercased() == "true" else {
      throw .connectionString("has a UseDevelopmentStorage that is not true; leave it out for a real account")
    }
    return true
  }

  /// The endpoints that are given outright.
  func endpoints() throws(ODataError) -> (primary: RequestURL?, secondary: RequestURL?) {
    let primary = try endpoint(.tableEndpoint)
    let secondary = try endpoint(.tableSecondaryEndpoint)
    if secondary != nil, primary == nil {
      throw .connectionString("has TableSecondaryEndpoint but no TableEndpoint; add TableEndpoint")
    }
    return (primary, secondary)
  }

  private func endpoint(_ name: Name) throws(ODataError) -> RequestURL? {
    guard let text = self[name] else { return nil }
    guard var url = RequestURL(text) else {
      throw .connectionString("has a \(name.rawValue) that is not an http or https URL")
    }
    guard url.query == nil else {
      throw .connectionString(
        "has a \(name.rawValue) with a query; give a shared access signature in SharedAccessSignature")
    }
    while url.path.utf8.count > 1, url.path.utf8.last == UInt8(ascii: "/") { url.path.removeLast() }
    return url
  }

  /// The endpoint that account, suffix and protocol stand for; `nil` without an account.
  func derivedEndpoint(secondary: Bool) throws(ODataError) -> RequestURL? {
    guard let account = self[.accountName] else { return nil }
    let scheme = (self[.defaultEndpointsProtocol] ?? "https").lowercased()
    guard scheme == "https" || scheme == "http" else {
      throw .connectionString("has a DefaultEndpointsProtocol that is neither https nor http")
    }
    let suffix = (self[.endpointSuffix] ?? "core.windows.net").split(separator: ".").joined(separator: ".")
    let host = "\(account)\(secondary ? "-secondary" : "").table.\(suffix)"
    guard let url = RequestURL("\(scheme)://\(host)/"), url.authority == host, !suffix.isEmpty else {
      throw .connectionString("has an AccountName or EndpointSuffix that cannot be part of a host name")
    }
    return url
  }

  func credential() throws(ODataError) -> TableConnectionString.Credential {
    switch (self[.accountKey], self[.sharedAccessSignature]) {
    case (_?, _?):
      throw .connectionString("has both AccountKey and SharedAccessSignature; keep one of them")
    case (nil, nil):
      throw .connectionString("has no way to sign in; add AccountKey or SharedAccessSignature")
    case (let key?, nil):
      guard let account = self[.accountName] else {
        throw .connectionString("has AccountKey but no AccountName; add AccountName")
      }
      return .sharedKey(try SharedKeyCredential(accountName: account, accountKey: key))
    case (nil, let text?):
      return .sharedAccessSignature(try SharedAccessSignature(text))
    }
  }

  /// Where the emulator is: on this machine, or on the host of the proxy, whose port and path do not count.
  func developmentHost() throws(ODataError) -> (scheme: String, authority: String) {
    guard let text = self[.developmentStorageProxyUri] else { return ("http", "127.0.0.1:10002") }
    guard let url = RequestURL(text) else {
      throw .connectionString(
        "has a DevelopmentStorageProxyUri that is not an http or https URL, such as http://192.168.1.5")
    }
    return (url.scheme, "\(url.host):10002")
  }
}

extension StringProtocol {
  /// Without the blanks and line ends that pasting leaves at the ends.
  fileprivate var trimmed: SubSequence {
    let isBlank = { (character: Character) in character.isWhitespace }
    guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else {
      return self[endIndex...]
    }
    return self[start...end]
  }
}
