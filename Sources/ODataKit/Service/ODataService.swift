/// A service and the way it is spoken to: root, protocol generation, format, credentials, transport.
///
/// A `Sendable` value; copies share the transport and what was learned about the service's format.
///
/// ```swift
/// let service = try ODataService(root: "https://services.example.org/Books.svc", dialect: .v3)
/// let context = ObjectContext(service)
/// ```
public struct ODataService: Sendable {
  /// The root of the service; entity sets stand one segment below.
  public let root: RequestURL
  /// The limit for each exchange; `nil` for none.
  public var timeout: Duration?
  /// The latest version that answers may be in (`OData-MaxVersion`), and the one a batch in JSON says it is in, which came
  /// with 4.01. Of OData 4 only; the earlier generations have one version each.
  ///
  /// Answers in 4.01 are read whatever stands here. Services that know 4.0 only refuse to be asked for more than that, or
  /// to be sent it, although many of them take batches in JSON.
  public var maximumVersion = ProtocolVersion.v4_0
  /// What is sent again where the service was too busy, and when.
  public var retryPolicy = RetryPolicy()
  /// The bounds on what is read from the service.
  public var payloadLimits = PayloadLimits()
  /// How batches are written, by ``SaveOptions/batch`` and by ``execute(_:)``. JSON is for services of OData 4 that
  /// take it; elsewhere the batch is refused before it is sent, with ``ODataError/Code/unsupported``.
  public var batchFormat = BatchFormat.multipart
  /// How the operations within a batch name their targets.
  public var batchTargets = BatchTargetForm.absolute
  /// Whether `Edm.Int64` and `Edm.Decimal` go as strings in the JSON of OData 4, in both directions, for services that keep
  /// every number in a Double and would lose digits (`IEEE754Compatible=true`, OData 4 JSON Format § 3.2).
  public var isIEEE754Compatible = false
  /// What the service says of itself, where it was read; see ``loadMetadata()``.
  ///
  /// With it, values have their declared types whatever a payload leaves open, and entity sets know their key. Without,
  /// everything works by what payloads say and callers name.
  public var metadata: ServiceMetadata?

  package let conventions: any ServiceConventions
  package let authorizer: (any RequestAuthorizer)?
  package let transport: any Transport
  package let negotiation: FormatNegotiation
  let session: CSRFSession?

  /// Makes a service of OData 1 to 4. With ``CSRFTokens/fetch``, token and cookies are kept for the life of the value and
  /// its copies; make one for each user.
  ///
  /// Throws ``ODataError/Code/invalidArgument`` for a root that is not an absolute http(s) URL or has a query, and
  /// ``ODataError/Code/unsupported`` for a format the protocol generation does not have.
  public init(
    root: String, dialect: Dialect, format: PayloadFormat = .automatic,
    authorizer: (any RequestAuthorizer)? = nil, csrf: CSRFTokens = .none,
    transport: any Transport = LibcurlTransport.shared, timeout: Duration? = .seconds(100)
  ) throws(ODataError) {
    guard let url = RequestURL(root), url.query == nil else {
      throw ODataError(
        .invalidArgument, "The root of a service is an absolute http or https URL without a query.")
    }
    guard dialect != .azureTable else {
      throw ODataError(
        .invalidArgument, "Azure tables are reached through TableService of the AzureTable module.")
    }
    try self.init(
      root: url, conventions: ODataConventions(dialect), format: format, authorizer: authorizer,
      csrf: csrf, transport: transport, timeout: timeout)
  }

  package init(
    root: RequestURL, conventions: any ServiceConventions, format: PayloadFormat,
    authorizer: (any RequestAuthorizer)?, csrf: CSRFTokens = .none, transport: any Transport,
    timeout: Duration?
  ) throws(ODataError) {
    self.root = root
    self.conventions = conventions
    self.authorizer = authorizer
    session = csrf == .fetch ? CSRFSession() : nil
    self.transport = transport
    self.timeout = timeout
    negotiation = FormatNegotiation(try conventions.format(for: format), mayChange: format == .automatic)
  }

  /// Where an entity of these properties is found: by its key, else by the link the service gave.
  func address(of record: EntityRecord, set: String, keyNames: [String]) -> EntityAddress? {
    if let key = conventions.key(of: record, keyNames: keyNames) { return .key(set: set, key) }
    return (record.control.editLink ?? record.control.id).map {
      .link(set: set, link($0, from: record.control.base))
    }
  }

  /// A link as seen from the root of the service, where what lies below it is named as in ids of entities without a
  /// base, so that an entity is the same however a payload spells its links.
  private func link(_ link: String, from base: String?) -> String {
    guard base != nil else { return link }
    let resolved = URLReference.resolve(link, against: base)
    let below = root.appending(segment: "").description
    guard resolved.utf8.count > below.utf8.count, resolved.utf8.starts(with: below.utf8) else {
      return resolved
    }
    return String(Substring(resolved.utf8.dropFirst(below.utf8.count)))
  }

  /// The protocol generation.
  public var dialect: Dialect { conventions.dialect }
}
