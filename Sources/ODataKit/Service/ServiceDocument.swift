/// What a service says of itself at its root: the names and addresses of what can be asked for.
///
/// ```swift
/// let document = try await service.serviceDocument()
/// document.entitySets.map(\.name)      // ["Books", "Orders"]
/// ```
public struct ServiceDocument: Sendable, Hashable {
  /// Something that can be asked for.
  public struct Resource: Sendable, Hashable {
    /// What it is.
    public var kind: Kind
    /// The name that stands behind the root in URLs.
    public var name: String
    /// The name for people, where the service gives one beside the name.
    public var title: String?
    /// The absolute URL.
    public var url: String

    /// Makes a resource.
    public init(_ kind: Kind, _ name: String, title: String? = nil, url: String) {
      self.kind = kind
      self.name = name
      self.title = title
      self.url = url
    }
  }

  /// What a resource is; an open set.
  public struct Kind: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The word of the protocol (OData 4 JSON Format § 5).
    public let rawValue: String
    /// Makes a kind of the protocol's word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word of the protocol.
    public var description: String { rawValue }

    /// A set of entities.
    public static let entitySet = Kind(rawValue: "EntitySet")
    /// A single entity (OData 4).
    public static let singleton = Kind(rawValue: "Singleton")
    /// A function (OData 4).
    public static let functionImport = Kind(rawValue: "FunctionImport")
    /// Another service (OData 4).
    public static let serviceDocument = Kind(rawValue: "ServiceDocument")
  }

  /// Everything the service lists, in its order.
  public var resources: [Resource]

  /// Makes a document.
  public init(_ resources: [Resource]) { self.resources = resources }

  /// The sets of entities.
  public var entitySets: [Resource] { resources.filter { $0.kind == .entitySet } }
  /// The single entities.
  public var singletons: [Resource] { resources.filter { $0.kind == .singleton } }
  /// The functions.
  public var functionImports: [Resource] { resources.filter { $0.kind == .functionImport } }
}

extension ODataService {
  /// The most bytes of a service document, where ``payloadLimits`` allow as many: it is kept whole in memory.
  private static let serviceDocumentLength = 16 << 20

  /// Fetches and reads the service document, which stands at the root of the service, in the service's format.
  ///
  /// Throws ``ODataError`` with the service's refusal or for what went wrong on the way,
  /// ``ODataError/Code/malformedPayload`` where the answer is no service document, and
  /// ``ODataError/Code/payloadTooLarge`` where it exceeds ``payloadLimits`` or 16 MiB.
  public func serviceDocument() async throws -> ServiceDocument {
    let (response, _) = try await exchange { $0.serviceDocument() }
    var limits = payloadLimits
    limits.totalLength = min(limits.totalLength, Self.serviceDocumentLength)
    do {
      let body = try await response.body.collect(upTo: limits.totalLength)
      return try ServiceDocument(
        reading: body, at: root.appending(segment: "").description, limits: limits)
    } catch var error as ODataError {
      error.httpStatus = error.httpStatus ?? response.status
      error.requestID = error.requestID ?? ServiceError.requestID(response.headers)
      throw error
    }
  }
}

extension RequestBuilder {
  /// A GET of the service document.
  func serviceDocument() -> HTTPRequest {
    var request = get(service.root.appending(segment: ""))
    // The media type of RFC 5023 § 8; services that name theirs otherwise take the other one.
    if format == .atom { request.headers[.accept] = "application/atomsvc+xml,application/xml;q=0.9" }
    return request
  }
}
