public import ODataKit

/// One table: single operations, transactions and queries, without tracking. ``TableContext`` tracks.
///
/// ```swift
/// let books = try service.table("Books")
/// try await books.insertOrReplace(Book(partitionKey: "shelf-1", rowKey: "botchan", title: "坊っちゃん"))
/// let found = try await books.get(Book.self, partitionKey: "shelf-1", rowKey: "botchan")
/// for try await book in try books.query(Book.self).filter { $0.rate >= 4 }.stream() { … }
/// ```
///
/// Entities are `Codable` types with `partitionKey` and `rowKey` (or coding keys `PartitionKey` and `RowKey`). Every
/// write checks the rules of the service first and throws ``ODataKit/ODataError/Code/invalidValue`` before anything is
/// sent. A `nil` property is not sent: it is left alone by a merge, and removed by a replace.
public struct TableClient: Sendable {
  package let service: ODataService
  /// The name of the table.
  public let name: String

  /// Inserts an entity and gives its tag. Throws ``ODataKit/ODataError/Code/alreadyExists`` where the keys are taken.
  @discardableResult
  public func insert(_ entity: some Encodable) async throws -> EntityTag? {
    try await write(.insert(service.record(of: entity), service, name))
  }

  /// Writes the given properties of an existing entity and leaves the others alone; gives the new tag.
  ///
  /// Throws ``ODataKit/ODataError/Code/concurrencyConflict`` where the entity is no longer the version of `ifMatch`,
  /// and ``ODataKit/ODataError/Code/notFound`` where there is none.
  @discardableResult
  public func merge(_ entity: some Encodable, ifMatch: EntityTag = .any) async throws -> EntityTag? {
    try await write(.update(.merge, service.record(of: entity), ifMatch, service, name))
  }

  /// Replaces an existing entity: properties that are not given are removed. Gives the new tag, and throws like
  /// ``merge(_:ifMatch:)``.
  @discardableResult
  public func replace(_ entity: some Encodable, ifMatch: EntityTag = .any) async throws -> EntityTag? {
    try await write(.update(.replace, service.record(of: entity), ifMatch, service, name))
  }

  /// Merges into an entity, or inserts it where there is none; gives the new tag.
  @discardableResult
  public func insertOrMerge(_ entity: some Encodable) async throws -> EntityTag? {
    try await write(.update(.insertOrMerge, service.record(of: entity), nil, service, name))
  }

  /// Replaces an entity, or inserts it where there is none; gives the new tag.
  @discardableResult
  public func insertOrReplace(_ entity: some Encodable) async throws -> EntityTag? {
    try await write(.update(.insertOrReplace, service.record(of: entity), nil, service, name))
  }

  /// Inserts a record and gives its tag; throws like ``insert(_:)`` of an entity.
  ///
  /// A record that was read can be written as it is: its control information and the timestamp, which the service
  /// sets, are not sent. This goes for all writes of records.
  @discardableResult
  public func insert(_ record: EntityRecord) async throws -> EntityTag? {
    try await write(.insert(record, service, name))
  }

  /// Writes the properties of a record into an existing entity, as ``merge(_:ifMatch:)`` of an entity does.
  @discardableResult
  public func merge(_ record: EntityRecord, ifMatch: EntityTag = .any) async throws -> EntityTag? {
    try await write(.update(.merge, record, ifMatch, service, name))
  }

  /// Replaces an existing entity by a record, as ``replace(_:ifMatch:)`` of an entity does.
  @discardableResult
  public func replace(_ record: EntityRecord, ifMatch: EntityTag = .any) async throws -> EntityTag? {
    try await write(.update(.replace, record, ifMatch, service, name))
  }

  /// Merges a record into an entity, or inserts it where there is none; gives the new tag.
  @discardableResult
  public func insertOrMerge(_ record: EntityRecord) async throws -> EntityTag? {
    try await write(.update(.insertOrMerge, record, nil, service, name))
  }

  /// Replaces an entity by a record, or inserts it where there is none; gives the new tag.
  @discardableResult
  public func insertOrReplace(_ record: EntityRecord) async throws -> EntityTag? {
    try await write(.update(.insertOrReplace, record, nil, service, name))
  }

  /// Deletes an entity. Throws like ``merge(_:ifMatch:)``.
  public func delete(partitionKey: String, rowKey: String, ifMatch: EntityTag = .any) async throws {
    try await write(.delete(partitionKey, rowKey, ifMatch, name))
  }

  /// Reads an entity with its tag; `nil` where there is none. Throws ``ODataKit/ODataError/Code/notFound`` where the
  /// whole table is missing.
  public func get<Entity: Codable>(
    _ type: Entity.Type, partitionKey: String, rowKey: String
  ) async throws -> Versioned<Entity>? {
    guard let record = try await record(partitionKey: partitionKey, rowKey: rowKey) else { return nil }
    return Versioned(
      try EntityBridge<Entity>(service.conventions).decode(record), entityTag: record.control.entityTag)
  }

  /// Reads an entity as a record, with exact types and whatever properties it has; of those, only `select` if given.
  public func record(
    partitionKey: String, rowKey: String, select: [String] = []
  ) async throws -> EntityRecord? {
    try await service.entity(
      at: .key(set: name, .row(partitionKey: partitionKey, rowKey: rowKey)), select: select)
  }

  /// A query of all entities of the table, to be narrowed.
  public func query<Entity: Codable>(_ type: Entity.Type) -> ValueQuery<Entity> {
    ValueQuery(service, set: name)
  }

  /// Sends the operations of a transaction as one change set: all are done, or none is. Gives the new tags in order
  /// (`nil` for deletes).
  ///
  /// All must be of one partition, each entity at most once, at most 100 and 4 MiB in one body; otherwise throws
  /// ``ODataKit/ODataError/Code/invalidArgument`` before anything is sent. An entity that breaks a rule of the service
  /// and a refusal by the service are thrown with the zero-based index of the operation in
  /// ``ODataKit/ODataError/failedOperation``.
  @discardableResult
  public func submit(_ transaction: TableTransaction) async throws -> [EntityTag?] {
    let outcomes = try await service.perform(changeSets: [try transaction.prepared(service, name)]).flatMap(
      \.self)
    if let failure = outcomes.lazy.compactMap(\.error).first { throw failure }
    return outcomes.map(\.entityTag)
  }

  @discardableResult
  private func write(_ operation: ChangeOperation) async throws -> EntityTag? {
    try await service.perform(operation).get().entityTag
  }
}

/// An entity with the tag of the version that was read.
public struct Versioned<Entity> {
  /// The entity.
  public var entity: Entity
  /// The tag of the version that was read.
  public let entityTag: EntityTag?

  package init(_ entity: Entity, entityTag: EntityTag?) {
    self.entity = entity
    self.entityTag = entityTag
  }
}

extension Versioned: Sendable where Entity: Sendable {}
