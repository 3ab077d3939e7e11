/// How one kind of service differs from the next: versions, verbs, headers, rules of the data model, paging, and what
/// a change set may hold. ODataKit has the conventions of OData 1 to 4; AzureTable adds its own.
package protocol ServiceConventions: Sendable {
  /// Literals and operators.
  var dialect: Dialect { get }
  /// How the names of a model's coding keys become the names of the service's properties.
  var naming: PropertyNaming { get }
  /// The verb of a merging update.
  var mergeMethod: HTTPMethod { get }
  /// The most entities that may be asked for in one page (`$top`).
  var pageLimit: Int { get }
  /// The bounds of one change set.
  var changeSetLimits: ChangeSetLimits { get }
  /// Whether a null in a merge clears the property; where it does not, a cleared property needs a replace.
  var mergeClearsWithNull: Bool { get }

  /// The types of properties that the service does not name in every payload.
  var declaredTypes: [String: EdmType] { get }

  /// Whether the service sets this property itself, so that it is never sent.
  func isReadOnly(_ property: String) -> Bool
  /// The format for a wish; throws ``ODataError/Code/unsupported`` where the service cannot speak it.
  func format(for wish: PayloadFormat) throws(ODataError) -> WireFormat
  /// The header fields of every request: versions and what is accepted.
  func headers(_ format: WireFormat) -> HeaderFields
  /// Refuses an operation that the service would refuse, naming entity, property and rule.
  func check(_ operation: ChangeOperation) throws(ODataError)
  /// Operations of different groups may not stand in one change set.
  func changeSetGroup(of operation: ChangeOperation) -> String
  /// The key of an entity, from its properties; `nil` where they do not hold it.
  func key(of record: EntityRecord, keyNames: [String]) -> EntityKey?
  /// The properties of an update, with whatever the service wants of the key among them.
  func addressed(_ record: EntityRecord, by address: EntityAddress) -> EntityRecord
  /// Whether a 404 says that the whole entity set is missing, rather than one entity of it.
  func isSetMissing(_ error: ODataError) -> Bool
  /// Where the next page is, if there is one.
  func nextPage(after page: PageEnd, of url: RequestURL) throws(ODataError) -> RequestURL?
}

/// The bounds of one change set.
package struct ChangeSetLimits: Sendable, Hashable {
  package var operations: Int
  package var bytes: Int

  package init(operations: Int, bytes: Int) {
    self.operations = operations
    self.bytes = bytes
  }
}

/// What is known when a page has been read to its end.
package struct PageEnd: Sendable {
  package var headers: HeaderFields
  package var summary: PayloadSummary

  package init(headers: HeaderFields, summary: PayloadSummary) {
    self.headers = headers
    self.summary = summary
  }
}
