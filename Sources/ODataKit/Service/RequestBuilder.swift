/// Writes operations and queries as HTTP requests, in one format. The only place that knows how they look.
package struct RequestBuilder: Sendable {
  package let service: ODataService
  package let format: WireFormat
  /// The `updated` element of entries; the service ignores it, the format demands it.
  package let now: EdmDateTime

  package init(_ service: ODataService, format: WireFormat, now: EdmDateTime = .now()) {
    self.service = service
    self.format = format
    self.now = now
  }

  private var conventions: any ServiceConventions { service.conventions }

  /// A GET of a set, an entity, or whatever else stands at `url`.
  package func get(_ url: RequestURL) -> HTTPRequest {
    HTTPRequest(.get, url, headers: conventions.headers(format), timeout: service.timeout)
  }

  /// The URL of a query: the set with its encoded options.
  package func url(set: String, query: Query) throws(ODataError) -> RequestURL {
    var url = service.root.appending(segment: PercentEncoding.encode(set))
    url.query = try query.queryString(for: conventions.dialect)
    return url
  }

  /// The URL an operation goes to.
  package func url(of address: EntityAddress) throws(ODataError) -> RequestURL {
    switch address {
    case .set(let name): service.root.appending(segment: PercentEncoding.encode(name))
    case .key(let set, let key):
      service.root.appending(
        segment: PercentEncoding.encode(set) + (try key.predicate(for: conventions.dialect)))
    case .link(_, let link): try service.root.appending(segment: "").resolving(link)
    }
  }

  /// Writes one change, once, for sending it on its own or within a change set.
  package func prepare(_ operation: ChangeOperation) throws(ODataError) -> PreparedChange {
    try conventions.check(operation)
    var headers = HeaderFields()
    var body: [UInt8] = []
    let common = conventions.headers(format)
    headers[.accept] = common[.accept]
    headers[.dataServiceVersion] = common[.dataServiceVersion]
    if operation.kind != .delete {
      headers[.contentType] = format == .atom ? "application/atom+xml;type=entry" : "application/json"
      body = try payload(operation)
    }
    if let tag = operation.entityTag { headers[.ifMatch] = tag.rawValue }
    if operation.kind == .insert, operation.prefersMinimalResponse {
      headers[.prefer] = conventions.dialect == .v4 ? "return=minimal" : "return-no-content"
    }
    let part = BatchOperation(
      contentID: nil, method: method(of: operation.kind), url: try url(of: operation.address).description,
      headers: headers, body: body)
    return PreparedChange(operation: operation, part: part, format: format)
  }

  /// The request of one change on its own.
  package func request(_ change: PreparedChange) throws(ODataError) -> HTTPRequest {
    let part = try current(change).part
    guard let url = RequestURL(part.url) else {
      throw ODataError(.invalidArgument, "The address of the entity is not a URL.")
    }
    var headers = conventions.headers(format)
    for field in part.headers.fields { headers[field.name] = field.value }
    if !part.body.isEmpty && format == .atom { headers[.contentType] = "application/atom+xml" }
    return HTTPRequest(
      part.method, url, headers: headers, body: part.body.isEmpty ? .none : .bytes(part.body),
      timeout: service.timeout)
  }

  /// The request of change sets in one batch, with boundaries of its own.
  package func batch(_ changeSets: [[PreparedChange]]) throws(ODataError) -> HTTPRequest {
    var writer = BatchRequestWriter(
      boundary: BatchFraming.boundary(), contentIDPlacement: framing.contentIDPlacement)
    var contentID = 0
    for changeSet in changeSets {
      writer.beginChangeSet(boundary: BatchFraming.changeSetBoundary())
      for change in changeSet {
        contentID += 1
        var part = try current(change).part
        part.contentID = String(contentID)
        try writer.add(part)
      }
      writer.endChangeSet()
    }
    var headers = conventions.headers(format)
    headers[.contentType] = writer.contentType
    return HTTPRequest(
      .post, service.root.appending(segment: "$batch"), headers: headers, body: .bytes(writer.finish()),
      timeout: service.timeout)
  }

  /// What surrounds the operations of a batch.
  package var framing: BatchFraming {
    BatchFraming(contentIDPlacement: conventions.dialect == .azureTable ? .request : .part)
  }

  /// The change in this builder's format: as it is, or written again where the service's format has changed since.
  private func current(_ change: PreparedChange) throws(ODataError) -> PreparedChange {
    change.format == format ? change : try prepare(change.operation)
  }

  private func method(of kind: ChangeOperation.Kind) -> HTTPMethod {
    switch kind {
    case .insert: .post
    case .merge, .insertOrMerge: conventions.mergeMethod
    case .replace, .insertOrReplace: .put
    case .delete: .delete
    }
  }

  private func payload(_ operation: ChangeOperation) throws(ODataError) -> [UInt8] {
    var record = operation.record
    // Update, merge and upsert name the entity in `id`; an insert leaves it empty, the service gives one.
    record.control.id = operation.kind == .insert ? nil : try url(of: operation.address).description
    switch format {
    case .atom:
      var writer = AtomWriter(dialect: conventions.dialect)
      try writer.requestEntry(record, updated: now)
      return writer.bytes
    case .json:
      var writer = JSONEntityWriter(annotations: conventions.dialect == .v4 ? .odata4 : .odata3)
      writer.requestEntity(record, writesNulls: conventions.mergeClearsWithNull)
      return writer.bytes
    }
  }
}

/// A change, written in one format.
package struct PreparedChange: Sendable {
  package let operation: ChangeOperation
  package let part: BatchOperation
  package let format: WireFormat
}
