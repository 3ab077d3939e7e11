extension ODataService {
  /// The most bytes of a metadata document, where ``payloadLimits`` allow as many: it is kept whole in memory.
  private static let metadataLength = 64 << 20

  /// Fetches and reads the service's metadata (`$metadata`), in XML or, from services of OData 4.01 that prefer it, in
  /// JSON. Documents that it refers to are not fetched.
  ///
  /// Nothing is kept; see ``withMetadata()`` and ``metadata`` for a service that uses it.
  ///
  /// Throws ``ODataError`` with the service's refusal or for what went wrong on the way,
  /// ``ODataError/Code/malformedPayload`` where the answer is no metadata, and ``ODataError/Code/payloadTooLarge`` where
  /// it exceeds ``payloadLimits`` or 64 MiB.
  public func loadMetadata() async throws -> ServiceMetadata {
    let (response, _) = try await exchange { $0.metadata() }
    var limits = payloadLimits
    limits.totalLength = min(limits.totalLength, Self.metadataLength)
    do {
      let reader = MetadataReader(limits: limits)
      for try await chunk in response.body { try reader.read(chunk) }
      return try reader.finish()
    } catch var error as ODataError {
      error.httpStatus = error.httpStatus ?? response.status
      error.requestID = error.requestID ?? ServiceError.requestID(response.headers)
      throw error
    }
  }

  /// This service with its metadata, which is fetched and read now. Throws as ``loadMetadata()`` does.
  ///
  /// ```swift
  /// let service = try await ODataService(root: root, dialect: .v4).withMetadata()
  /// let books = try ObjectContext(service).entitySet("Books", of: Book.self)    // knows its key
  /// ```
  public func withMetadata() async throws -> ODataService {
    var service = self
    service.metadata = try await loadMetadata()
    return service
  }

  /// What readers are told beforehand about the entities of a set.
  package func payloadTypes(of set: String) -> PayloadTypes {
    PayloadTypes(
      root: metadata?.entityType(ofSet: set)?.type, catalog: metadata, byName: conventions.declaredTypes)
  }

  /// The names of the key properties of a set, as its metadata declares them; none where it is not loaded, and for a key
  /// that is part of a complex property, which is no property of a record.
  package func declaredKeyNames(of set: String) -> [String] {
    let key = metadata?.entityType(ofSet: set)?.key ?? []
    return key.allSatisfy { $0.alias == nil } ? key.map(\.path) : []
  }
}

extension RequestBuilder {
  /// A GET of the service's metadata.
  package func metadata() -> HTTPRequest {
    var request = get(service.root.appending(segment: "$metadata"))
    // XML is the form that every service has; JSON came with OData 4.01 (Protocol § 10.2).
    request.headers[.accept] =
      service.dialect == .v4 ? "application/xml,application/json;q=0.5" : "application/xml"
    return request
  }
}
