/// What stands side by side in a batch.
package enum BatchItem: Sendable {
  /// Changes that are done together or not at all.
  case changeSet([PreparedChange])
  /// A GET.
  case query(RequestURL)

  /// The operations it consists of.
  var operationCount: Int {
    switch self {
    case .changeSet(let changes): changes.count
    case .query: 1
    }
  }
}

extension RequestBuilder {
  /// The request of change sets in one batch, with boundaries of its own.
  package func batch(_ changeSets: [[PreparedChange]]) throws(ODataError) -> HTTPRequest {
    try batch(changeSets.map(BatchItem.changeSet), continuesOnError: false)
  }

  /// The request of a batch. All operations are numbered from 1 on, over all change sets: the numbers name them for
  /// references and answers (OData 4 Protocol § 11.7.3.1: unique within the whole batch).
  package func batch(_ items: [BatchItem], continuesOnError: Bool) throws(ODataError) -> HTTPRequest {
    var headers = self.headers
    let body: [UInt8]
    switch service.batchFormat {
    case .multipart:
      (headers[.contentType], body) = try multipart(items)
      // A service of OData 4 that is asked for JSON may answer a multipart in JSON.
      if conventions.dialect == .v4 { headers[.accept] = "multipart/mixed" }
    case .json:
      guard conventions.dialect == .v4 else {
        throw ODataError(
          .unsupported,
          "\(conventions.dialect.name) has no batches in JSON; set the batch format to multipart.")
      }
      headers[.contentType] = JSONBatchWriter.contentType
      headers[.accept] = "application/json"
      // The form of the batch is one of 4.01. Its operations are written so that they mean the same in either version.
      headers[.odataVersion] = service.maximumVersion.rawValue
      body = try json(items, continuesOnError: continuesOnError)
    }
    if continuesOnError, conventions.dialect == .v4 { headers[.prefer] = "odata.continue-on-error" }
    return HTTPRequest(
      .post, service.root.appending(segment: "$batch"), headers: headers, body: .bytes(body),
      timeout: service.timeout)
  }

  private func multipart(_ items: [BatchItem]) throws(ODataError) -> (contentType: String, body: [UInt8]) {
    var writer = BatchRequestWriter(
      boundary: BatchFraming.boundary(), contentIDPlacement: framing.contentIDPlacement)
    var nextID = 1
    for item in items {
      switch item {
      case .query(let url): try writer.addQuery(query(url, form: service.batchTargets))
      case .changeSet(let changes):
        writer.beginChangeSet(boundary: BatchFraming.changeSetBoundary())
        for (index, change) in changes.enumerated() {
          try writer.add(
            operation(change, firstContentID: nextID, index: index, form: service.batchTargets))
        }
        writer.endChangeSet()
      }
      nextID += item.operationCount
    }
    return (writer.contentType, writer.finish())
  }

  /// Unless errors are to be passed over, each item depends on the one in front of it. That gives a JSON batch the order
  /// and the end at the first failure that a multipart has by itself (OData JSON Format 4.01 § 19.1, § 19.4).
  private func json(_ items: [BatchItem], continuesOnError: Bool) throws(ODataError) -> [UInt8] {
    // The format has no absolute URLs.
    let form = service.batchTargets == .absolute ? .absolutePath : service.batchTargets
    var writer = JSONBatchWriter()
    var nextID = 1
    var previous: String?
    for item in items {
      let before = continuesOnError ? [] : [previous].compactMap(\.self)
      switch item {
      case .query(let url):
        var query = query(url, form: form)
        query.contentID = String(nextID)
        previous = query.contentID
        try writer.add(query, dependsOn: before)
      case .changeSet(let changes):
        let group = BatchFraming.group(at: nextID)
        for (index, change) in changes.enumerated() {
          let needed = Set(change.operation.references).sorted().map { String(nextID + $0) }
          try writer.add(
            operation(change, firstContentID: nextID, index: index, form: form), group: group,
            dependsOn: before + needed)
        }
        if !changes.isEmpty { previous = group }
      }
      nextID += item.operationCount
    }
    return writer.finish()
  }

  /// A change as an operation of a batch.
  private func operation(
    _ change: PreparedChange, firstContentID: Int, index: Int, form: BatchTargetForm
  ) throws(ODataError) -> BatchOperation {
    var part = try current(change, firstContentID: firstContentID).part
    part.contentID = String(firstContentID + index)
    return aimed(part, form)
  }

  /// A query as an operation of a batch, encoded the same as alone.
  private func query(_ url: RequestURL, form: BatchTargetForm) -> BatchOperation {
    let common = self.headers
    var headers = HeaderFields()
    headers[.accept] = common[.accept]
    for name in [HeaderFields.Name.dataServiceVersion, .maxDataServiceVersion] {
      headers[name] = common[name]
    }
    return aimed(BatchOperation(method: .get, url: url.description, headers: headers), form)
  }

  private func aimed(_ operation: BatchOperation, _ form: BatchTargetForm) -> BatchOperation {
    var operation = operation
    let target = form.target(of: operation.url, root: service.root)
    // An absolute path says nothing of the host (OData 4 Protocol § 11.7.3.1); in JSON it is that of the batch.
    if form == .absolutePath, service.batchFormat == .multipart, target.utf8.first == UInt8(ascii: "/") {
      operation.headers["Host"] = service.root.authority
    }
    operation.url = target
    return operation
  }

  /// What surrounds the operations of a batch.
  package var framing: BatchFraming {
    BatchFraming(
      format: service.batchFormat, contentIDPlacement: conventions.dialect == .azureTable ? .request : .part)
  }
}
