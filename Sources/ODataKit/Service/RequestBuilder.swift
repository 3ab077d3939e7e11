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

  var conventions: any ServiceConventions { service.conventions }

  /// The header fields of every request.
  var headers: HeaderFields {
    var headers = conventions.headers(format)
    if let accept = headers[.accept] { headers[.accept] = accept + exactNumbers }
    if conventions.dialect == .v4 { headers[.odataMaxVersion] = service.maximumVersion.rawValue }
    return headers
  }

  /// The media type of what is sent.
  private var contentType: String {
    switch (format, conventions.dialect) {
    case (.atom, _): "application/atom+xml;type=entry"
    case (.json, .v2): "application/json;odata=verbose"
    case (.json, _): "application/json" + exactNumbers
    }
  }

  /// The parameter of the media type that makes strings of large numbers (OData 4 JSON Format § 3.2).
  private var exactNumbers: String {
    format == .json && conventions.dialect == .v4 && service.isIEEE754Compatible
      ? ";IEEE754Compatible=true" : ""
  }

  /// A GET of a set, an entity, or whatever else stands at `url`.
  package func get(_ url: RequestURL) -> HTTPRequest {
    HTTPRequest(.get, url, headers: headers, timeout: service.timeout)
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
    case .related(_, let source, let property):
      try url(of: source).appending(segment: Self.encoded(path: property))
    case .created(let set, _):
      throw ODataError(
        .invalidState,
        "The \(set) entity is not there yet: it can be referred to only within the change set that inserts it."
      )
    }
  }

  /// Writes one change, once, for sending it on its own or within a change set whose first operation has the number
  /// `firstContentID`.
  package func prepare(
    _ operation: ChangeOperation, firstContentID: Int = 1
  ) throws(ODataError) -> PreparedChange {
    try conventions.check(operation)
    var headers = HeaderFields()
    var body: [UInt8] = []
    let common = self.headers
    headers[.accept] = common[.accept]
    headers[.dataServiceVersion] = common[.dataServiceVersion]
    let target: String
    if let link = operation.link {
      target = try self.target(of: link, operation, firstContentID)
      if operation.kind != .deleteLink, let end = link.target {
        headers[.contentType] = format == .atom ? "application/xml" : contentType
        body = try reference(to: self.target(of: end, firstContentID))
      }
    } else {
      target = try self.target(of: operation.address, firstContentID)
      if operation.kind != .delete {
        headers[.contentType] = contentType
        body = try payload(operation, target)
      }
    }
    if let tag = operation.entityTag { headers[.ifMatch] = tag.rawValue }
    if operation.kind == .insert, operation.prefersMinimalResponse {
      headers[.prefer] = conventions.dialect == .v4 ? "return=minimal" : "return-no-content"
    }
    let part = BatchOperation(
      contentID: nil, method: method(of: operation.kind), url: target, headers: headers, body: body)
    return PreparedChange(operation: operation, part: part, format: format, firstContentID: firstContentID)
  }

  /// The request of one change on its own.
  package func request(_ change: PreparedChange) throws(ODataError) -> HTTPRequest {
    let part = try current(change).part
    guard let url = RequestURL(part.url) else {
      throw ODataError(.invalidArgument, "The address of the entity is not a URL.")
    }
    var headers = self.headers
    for field in part.headers.fields { headers[field.name] = field.value }
    if !part.body.isEmpty, format == .atom, !change.operation.kind.isOfLink {
      headers[.contentType] = "application/atom+xml"
    }
    return HTTPRequest(
      part.method, url, headers: headers, body: part.body.isEmpty ? .none : .bytes(part.body),
      timeout: service.timeout)
  }

  /// The change in this builder's format: as it is, or written again where the service's format, or its place in the
  /// batch, has changed since.
  func current(_ change: PreparedChange, firstContentID: Int = 1) throws(ODataError) -> PreparedChange {
    let isInPlace = change.firstContentID == firstContentID || change.operation.references.isEmpty
    return change.format == format && isInPlace
      ? change : try prepare(change.operation, firstContentID: firstContentID)
  }

  private func method(of kind: ChangeOperation.Kind) -> HTTPMethod {
    switch kind {
    case .insert: .post
    case .merge, .insertOrMerge: conventions.mergeMethod
    case .replace, .insertOrReplace: .put
    case .delete, .deleteLink: .delete
    case .addLink: .post
    case .setLink: .put
    }
  }

  private func payload(_ operation: ChangeOperation, _ target: String) throws(ODataError) -> [UInt8] {
    var record = operation.record
    // Update, merge and upsert name the entity in `id`; an insert leaves it empty, the service gives one.
    record.control.id = operation.kind == .insert ? nil : target
    switch format {
    case .atom:
      var writer = AtomWriter(dialect: conventions.dialect)
      let types = service.payloadTypes(of: operation.address.set)
      try writer.requestEntry(
        record, updated: now, includesType: conventions.dialect != .azureTable,
        mapping: types.feedMapping.rules(of: record.control.typeName ?? types.root?.rawValue))
      return writer.bytes
    case .json:
      var options = JSONOptions(JSONAnnotations(conventions.dialect))
      options.isIEEE754Compatible = service.isIEEE754Compatible
      options.types = service.payloadTypes(of: operation.address.set)
      var writer = JSONEntityWriter(options)
      // The service knows the type of a set's entities, but not which of the derived ones this is.
      let isKnown = record.control.typeName == options.types.root?.rawValue
      try writer.requestEntity(
        record, writesNulls: conventions.mergeClearsWithNull,
        includesType: conventions.dialect != .azureTable && !isKnown)
      return writer.bytes
    }
  }
}

/// A change, written in one format.
package struct PreparedChange: Sendable {
  package let operation: ChangeOperation
  package let part: BatchOperation
  package let format: WireFormat
  /// The number of the first operation of its change set, to which the references in it are relative.
  let firstContentID: Int
}
