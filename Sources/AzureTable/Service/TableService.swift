public import ODataKit

/// A table account: creates, lists and deletes tables, and is the way to their entities.
///
/// ```swift
/// let service = try TableService(connectionString: text)
/// try await service.createTableIfNotExists("Books")
/// let books = try service.table("Books")
/// ```
///
/// A `Sendable` value; copies share connections and what was learned about the service's format.
public struct TableService: Sendable {
  /// The root of the service.
  public var endpoint: RequestURL { service.root }
  /// The account, where it is known.
  public let accountName: String?
  /// The bounds on what is read from the service.
  public var payloadLimits: PayloadLimits {
    get { service.payloadLimits }
    set { service.payloadLimits = newValue }
  }
  /// What is sent again where the service was too busy, and when.
  public var retryPolicy: RetryPolicy {
    get { service.retryPolicy }
    set { service.retryPolicy = newValue }
  }
  package private(set) var service: ODataService

  /// Makes a service of a connection string as the portal, command lines and emulators give it: account and key,
  /// shared access signature, `UseDevelopmentStorage=true`, explicit `TableEndpoint`.
  ///
  /// `.automatic` is Atom with an account key and JSON with a newer shared access signature or a Cosmos DB host.
  /// Throws ``ODataKit/ODataError/Code/invalidArgument``, naming the part of the text that is missing or wrong, and
  /// ``ODataKit/ODataError/Code/unsupported`` for Atom where credential or host forbid it. Secrets are never repeated.
  public init(
    connectionString: String, format: PayloadFormat = .automatic,
    transport: any Transport = LibcurlTransport.shared, timeout: Duration? = .seconds(100)
  ) throws(ODataError) {
    let parsed = try TableConnectionString(connectionString)
    try self.init(
      endpoint: parsed.endpoint, accountName: parsed.accountName, credential: .init(parsed.credential),
      format: format, transport: transport, timeout: timeout)
  }

  /// Makes a service of an endpoint and an account key; `lite` chooses the SharedKeyLite scheme.
  ///
  /// Throws ``ODataKit/ODataError/Code/unsupported`` for Atom where the host forbids it.
  public init(
    endpoint: RequestURL, credential: SharedKeyCredential, lite: Bool = false,
    format: PayloadFormat = .automatic,
    transport: any Transport = LibcurlTransport.shared, timeout: Duration? = .seconds(100)
  ) throws(ODataError) {
    try self.init(
      endpoint: endpoint, accountName: credential.accountName,
      credential: .key(SharedKeySigner(credential, scheme: lite ? .sharedKeyLite : .sharedKey)),
      format: format,
      transport: transport, timeout: timeout)
  }

  /// How requests are authorized.
  package enum Credential: Sendable {
    case key(SharedKeySigner)
    case signature(SharedAccessSignature)
    /// Nothing is added: the door is open, as inside one process.
    case none

    init(_ credential: TableConnectionString.Credential) {
      self =
        switch credential {
        case .sharedKey(let key): .key(SharedKeySigner(key))
        case .sharedAccessSignature(let signature): .signature(signature)
        }
    }
  }

  package init(
    endpoint: RequestURL, accountName: String?, credential: Credential, format: PayloadFormat,
    transport: any Transport, timeout: Duration? = nil,
    now: @escaping @Sendable () -> EdmDateTime = EdmDateTime.now
  ) throws(ODataError) {
    let authorizer: (any RequestAuthorizer)? =
      switch credential {
      case .key(let signer): SharedKeyAuthorizer(signer: signer, now: now)
      case .signature(let signature): SharedAccessSignatureAuthorizer(signature: signature)
      case .none: nil
      }
    self.accountName = accountName
    service = try ODataService(
      root: endpoint, conventions: TableConventions(kind: Self.kind(of: endpoint, credential)),
      format: format,
      authorizer: authorizer, transport: transport, timeout: timeout)
  }

  /// Which formats there are to choose from.
  private static func kind(of endpoint: RequestURL, _ credential: Credential) -> TableConventions.Kind {
    let host = endpoint.host.lowercased()
    if host.contains(".table.cosmos.") || host.contains(".table.cosmosdb.") {
      return .jsonOnly(reason: "Cosmos DB speaks JSON only")
    }
    // A signature fixes the version of the service; versions sort as text.
    if case .signature(let signature) = credential, let version = signature.version, version >= "2015-12-11" {
      return .jsonOnly(
        reason: "the shared access signature is of version \(version), and Atom ended with 2015-07-08")
    }
    return .bothFormats
  }

  /// The client of one table; nothing is sent.
  ///
  /// Throws ``ODataKit/ODataError/Code/invalidArgument`` for a name that no table can have.
  public func table(_ name: String) throws(ODataError) -> TableClient {
    try TableRules.check(table: name)
    return TableClient(service: service, name: name)
  }
}

extension SharedAccessSignature {
  /// The version of the service that the signature was made for (`sv`).
  var version: String? {
    query.split(separator: "&").first { $0.utf8.starts(with: "sv=".utf8) }.map { String($0.dropFirst(3)) }
  }
}
