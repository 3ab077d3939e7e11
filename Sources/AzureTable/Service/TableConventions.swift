package import ODataKit

/// The conventions of the Table service: OData 3 in two formats, rules of its own for keys and values, paging by
/// headers, and change sets of one partition.
package struct TableConventions: ServiceConventions {
  /// What kind of service it is, as far as it matters here.
  package enum Kind: Sendable, Hashable {
    /// Azure Storage with an account key, an emulator of this package, or another service that speaks both formats.
    case bothFormats
    /// Azure Storage with a credential whose version is past Atom, and Cosmos DB.
    case jsonOnly(reason: String)
  }

  package let kind: Kind

  package init(kind: Kind) { self.kind = kind }

  package var dialect: Dialect { .azureTable }
  package var naming: PropertyNaming { .azureTable }
  package var mergeMethod: HTTPMethod { .merge }
  package var pageLimit: Int { TableLimits.pageLength }

  package var changeSetLimits: ChangeSetLimits {
    ChangeSetLimits(operations: TableLimits.changeSetOperations, bytes: TableLimits.changeSetBytes)
  }

  /// A null in a write means "not mentioned"; a property goes away only in a replace.
  package var mergeClearsWithNull: Bool { false }

  /// With minimal metadata the timestamp comes without its type.
  package var declaredTypes: [String: EdmType] { [TableProperty.timestamp: .dateTime] }

  /// The service sets the timestamp of every write and ignores what it is sent.
  package func isReadOnly(_ property: String) -> Bool { property == TableProperty.timestamp }

  package func format(for wish: PayloadFormat) throws(ODataError) -> WireFormat {
    switch (wish, kind) {
    case (.json, _), (.automatic, .jsonOnly): .json
    case (.automatic, .bothFormats), (.atom, .bothFormats): .atom
    case (.atom, .jsonOnly(let reason)):
      throw ODataError(
        .unsupported, "Atom cannot be spoken here: \(reason). Use the JSON or the automatic format.")
    }
  }

  /// 2015-07-08 is the last version that takes Atom ("Payload format for Table service operations").
  package func headers(_ format: WireFormat) -> HeaderFields {
    switch format {
    case .atom:
      [
        .accept: "application/atom+xml,application/xml", .dataServiceVersion: "3.0",
        .maxDataServiceVersion: "3.0",
        .storageVersion: "2015-07-08",
      ]
    case .json:
      [
        .accept: "application/json;odata=minimalmetadata", .dataServiceVersion: "3.0",
        .maxDataServiceVersion: "3.0", .storageVersion: "2019-02-02",
      ]
    }
  }

  package func check(_ operation: ChangeOperation) throws(ODataError) {
    // The table of tables has no keys and no rules but that of the name, which is checked where it comes in.
    if operation.address.set == TableProperty.tables { return }
    try TableRules.check(operation)
  }

  package func changeSetGroup(of operation: ChangeOperation) -> String {
    "\(operation.address.set)/\(operation.partitionKey ?? "")"
  }

  package func key(of record: EntityRecord, keyNames: [String]) -> EntityKey? {
    guard case .string(let partitionKey)? = record[TableProperty.partitionKey],
      case .string(let rowKey)? = record[TableProperty.rowKey]
    else { return nil }
    return .row(partitionKey: partitionKey, rowKey: rowKey)
  }

  /// The service wants both keys in the body of an update too, where they must agree with the URL.
  package func addressed(_ record: EntityRecord, by address: EntityAddress) -> EntityRecord {
    guard case .key(_, let key) = address else { return record }
    var keyed = EntityRecord(control: record.control)
    for name in [TableProperty.partitionKey, TableProperty.rowKey] { keyed[name] = key[name] }
    for (name, value) in record.properties { keyed[name] = value }
    return keyed
  }

  package func isSetMissing(_ error: ODataError) -> Bool { error.serviceCode == "TableNotFound" }

  /// The next page is the same request with what the headers of this one hold; any of them may be missing
  /// ("Query timeout and pagination").
  package func nextPage(after page: PageEnd, of url: RequestURL) throws(ODataError) -> RequestURL? {
    let tokens = ["NextPartitionKey", "NextRowKey", "NextTableName"]
    let given = tokens.compactMap { name in
      page.headers[HeaderFields.Name("x-ms-continuation-" + name)].flatMap { value in
        value.isEmpty ? nil : "\(name)=\(PercentEncoding.encode(value))"
      }
    }
    guard !given.isEmpty else { return nil }
    let kept = (url.query ?? "").split(separator: "&").filter { option in
      !tokens.contains { option.utf8.starts(with: ($0 + "=").utf8) }
    }
    var next = url
    next.query = (kept.map(String.init) + given).joined(separator: "&")
    return next
  }
}

/// The names that the Table service gives to properties and sets of its own.
package enum TableProperty {
  package static let partitionKey = "PartitionKey"
  package static let rowKey = "RowKey"
  package static let timestamp = "Timestamp"
  /// The set of all tables.
  package static let tables = "Tables"
  /// The only property of a table.
  package static let tableName = "TableName"
}

extension EntityKey {
  /// The key of a row.
  package static func row(partitionKey: String, rowKey: String) -> EntityKey {
    EntityKey([
      TableProperty.partitionKey: .string(partitionKey), TableProperty.rowKey: .string(rowKey),
    ])
  }
}

extension ChangeOperation {
  /// The partition that the operation is about: from its address, or from the entity that is inserted.
  package var partitionKey: String? { keyText(TableProperty.partitionKey) }
  package var rowKey: String? { keyText(TableProperty.rowKey) }

  private func keyText(_ name: String) -> String? {
    let value: EdmValue? =
      switch address {
      case .key(_, let key): key[name]
      case .set, .link, .created, .related: record[name]
      }
    guard case .string(let text)? = value else { return nil }
    return text
  }
}

extension HeaderFields.Name {
  /// `x-ms-version`, the version of the service that is asked for.
  package static let storageVersion: Self = "x-ms-version"
}
