public import ODataKit

/// Where a table account is and how to sign in, read from a connection string as the portal, the command lines and
/// the emulators give it.
///
/// ```
/// DefaultEndpointsProtocol=https;AccountName=books;AccountKey=…;EndpointSuffix=core.windows.net
/// ```
///
/// Names are taken in any case. Parts for other services (`BlobEndpoint`, `QueueEndpoint`, …) are passed over, an
/// explicit `TableEndpoint` wins over what the other parts say, and a trailing `;` or `/` does no harm.
public struct TableConnectionString: Sendable, Hashable {
  /// How to sign in.
  public enum Credential: Sendable, Hashable {
    /// With one of the account's keys.
    case sharedKey(SharedKeyCredential)
    /// With a shared access signature.
    case sharedAccessSignature(SharedAccessSignature)
  }

  /// The root of the Table service, without a `/` behind a path: `https://books.table.core.windows.net/`.
  public let endpoint: RequestURL
  /// The readable copy in another region, where the account may have one.
  public let secondaryEndpoint: RequestURL?
  /// The account, given or told from the endpoint; `nil` for an endpoint that does not show it.
  public let accountName: String?
  /// How to sign in.
  public let credential: Credential

  /// Reads a connection string.
  ///
  /// Throws ``ODataKit/ODataError/Code/invalidArgument``, naming the part that is missing or wrong. The text of a
  /// part that may hold a key is never repeated.
  public init(_ text: String) throws(ODataError) {
    let parts = try ConnectionStringParts(text)
    if try parts.developmentStorage() {
      self = try Self(development: parts)
      return
    }
    if parts[.developmentStorageProxyUri] != nil {
      throw .connectionString(
        "has DevelopmentStorageProxyUri, which belongs to UseDevelopmentStorage=true; add that")
    }
    var (primary, secondary) = try parts.endpoints()
    if primary == nil {
      primary = try parts.derivedEndpoint(secondary: false)
      secondary = try parts.derivedEndpoint(secondary: true)
    }
    guard let primary else {
      throw .connectionString(
        parts[.accountKey] != nil
          ? "has AccountKey but no AccountName; add AccountName"
          : "names no account; add AccountName or TableEndpoint")
    }
    endpoint = primary
    secondaryEndpoint = secondary
    accountName = parts[.accountName] ?? Self.account(of: primary)
    credential = try parts.credential()
  }

  private init(development parts: ConnectionStringParts) throws(ODataError) {
    for name in [ConnectionStringParts.Name.accountName, .accountKey, .sharedAccessSignature]
    where parts[name] != nil {
      throw .connectionString(
        "has both UseDevelopmentStorage=true, which is the emulator, and \(name.rawValue); keep one of them")
    }
    let account = SharedKeyCredential.development.accountName
    let (primary, secondary) = try parts.endpoints()
    let host = try parts.developmentHost()
    endpoint = primary ?? RequestURL(scheme: host.scheme, authority: host.authority, path: "/\(account)")
    secondaryEndpoint =
      parts[.tableEndpoint] == nil
      ? RequestURL(scheme: host.scheme, authority: host.authority, path: "/\(account)-secondary") : secondary
    accountName = account
    credential = .sharedKey(.development)
  }

  /// The account an endpoint belongs to: the first label of a host name, the first segment of the path behind an
  /// address or `localhost`.
  private static func account(of endpoint: RequestURL) -> String? {
    let host = endpoint.host
    let isAddress =
      host.utf8.first == UInt8(ascii: "[") || host.lowercased() == "localhost"
      || host.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
      }
    let name = isAddress ? endpoint.path.split(separator: "/").first : host.split(separator: ".").first
    return name.map(String.init)
  }
}

extension TableConnectionString: CustomStringConvertible {
  /// The endpoint and the account; no key, no signature.
  public var description: String {
    let kind =
      switch credential {
      case .sharedKey: "account key"
      case .sharedAccessSignature: "shared access signature"
      }
    return "\(endpoint) (account \(accountName ?? "unknown"), \(kind))"
  }
}

extension ODataError {
  static func connectionString(_ problem: String) -> ODataError {
    ODataError(.invalidArgument, "The connection string \(problem).")
  }
}
