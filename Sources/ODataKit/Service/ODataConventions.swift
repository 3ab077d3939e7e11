/// The conventions of plain OData services, by protocol generation.
package struct ODataConventions: ServiceConventions {
  package let dialect: Dialect

  package init(_ dialect: Dialect) { self.dialect = dialect }

  package var naming: PropertyNaming { .unchanged }

  /// MERGE was the verb of OData 1 and 2; OData 3 brought PATCH (OData 3 Core § 10.3.5) and OData 4 kept it only.
  package var mergeMethod: HTTPMethod { dialect == .v2 ? .merge : .patch }

  /// The protocol sets no bounds; a service that does answers with its own error.
  package var changeSetLimits: ChangeSetLimits {
    ChangeSetLimits(operations: .max, bytes: .max)
  }

  package var pageLimit: Int { .max }

  package var mergeClearsWithNull: Bool { true }

  package var declaredTypes: [String: EdmType] { [:] }

  package func isReadOnly(_ property: String) -> Bool { false }

  package func format(for wish: PayloadFormat) -> WireFormat {
    switch (wish, dialect) {
    case (.json, _), (.automatic, .v4): .json
    case (.atom, _), (.automatic, _): .atom
    }
  }

  package func headers(_ format: WireFormat) -> HeaderFields {
    var headers = HeaderFields()
    let accept =
      switch (format, dialect) {
      case (.atom, _): "application/atom+xml,application/xml"
      case (.json, .v4): "application/json;odata.metadata=minimal"
      // Later services answer with another form without the parameter; some that speak OData 2 only refuse it, so the
      // plain type stands behind.
      case (.json, .v2): "application/json;odata=verbose,application/json;q=0.9"
      case (.json, _): "application/json;odata=minimalmetadata"
      }
    headers[.accept] = accept
    switch dialect {
    case .v4:
      headers[.odataVersion] = "4.0"
      headers[.odataMaxVersion] = "4.0"
    case .v3, .azureTable:
      headers[.dataServiceVersion] = "3.0"
      headers[.maxDataServiceVersion] = "3.0"
    case .v2:
      headers[.dataServiceVersion] = "2.0"
      headers[.maxDataServiceVersion] = "2.0"
    }
    return headers
  }

  package func check(_ operation: ChangeOperation) throws(ODataError) {}

  package func changeSetGroup(of operation: ChangeOperation) -> String { "" }

  package func key(of record: EntityRecord, keyNames: [String]) -> EntityKey? {
    guard !keyNames.isEmpty else { return nil }
    var components: [EntityKey.Component] = []
    for name in keyNames {
      guard let value = record[name], !value.isNull else { return nil }
      // A key of one property is written without its name (OData 2 URI conventions § 3.2).
      components.append(EntityKey.Component(name: keyNames.count == 1 ? nil : name, value: value))
    }
    return EntityKey(components: components)
  }

  package func addressed(_ record: EntityRecord, by address: EntityAddress) -> EntityRecord { record }

  /// The protocol gives no way to tell; a missing entity is what a 404 means nearly always.
  package func isSetMissing(_ error: ODataError) -> Bool { false }

  package func nextPage(after page: PageEnd, of url: RequestURL) throws(ODataError) -> RequestURL? {
    guard let link = page.summary.nextLink, !link.isEmpty else { return nil }
    return try url.resolving(link)
  }
}
