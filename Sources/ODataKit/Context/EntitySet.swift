/// An entity set of a service, seen through a context and a model type.
///
/// ```swift
/// let books = try context.entitySet("Books", of: Book.self, key: \.id)
/// let rated = try await books.query.filter { $0.rate >= 4 }.execute()
/// ```
public struct EntitySet<Entity: Codable> {
  /// The set's name in the service.
  public let name: String
  /// The context that tracks the set's entities.
  public let context: ObjectContext
  let keyNames: [String]
  let bridge: EntityBridge<Entity>

  package init(name: String, context: ObjectContext, keyNames: [String]) {
    self.name = name
    self.context = context
    self.keyNames = keyNames
    bridge = EntityBridge(context.service.conventions)
  }

  /// Tracks a new entity; the next save inserts it.
  ///
  /// Throws ``ODataError/Code/invalidState`` where an entity of the same key is tracked, unless that one is marked
  /// deleted: then the new one takes its place, and the next save replaces it in one request. Throws
  /// ``ODataError/Code/invalidValue`` for a value that the service's data model has no place for.
  @discardableResult
  public func add(_ entity: Entity) throws -> Tracked<Entity> { try context.add(entity, to: self) }

  /// Tracks an entity that the service has, without reading it. With a tag it is updated and deleted only while it
  /// still is that version; without one, whatever version is there.
  ///
  /// Throws ``ODataError/Code/invalidState`` where an entity of the same key is tracked already, and
  /// ``ODataError/Code/invalidArgument`` where the set was made without a key.
  @discardableResult
  public func attach(_ entity: Entity, entityTag: EntityTag? = nil) throws -> Tracked<Entity> {
    try context.attach(entity, to: self, entityTag: entityTag)
  }

  /// Marks an entity modified: the next save sends all its properties. See ``ObjectContext/update(_:)``.
  public func update(_ handle: Tracked<Entity>) throws { try context.update(handle) }

  /// Marks an entity deleted. See ``ObjectContext/delete(_:)``.
  public func delete(_ handle: Tracked<Entity>) throws { try context.delete(handle) }

  /// A query of all entities of the set, to be narrowed.
  public var query: EntityQuery<Entity> { EntityQuery(self) }

  /// Reads the entity of a key and tracks it by the context's merge option; `nil` where the service has none.
  public func find(_ key: EntityKey) async throws -> Tracked<Entity>? {
    try await context.find(key, in: self)
  }

  /// Where an entity of these properties is found: by its key, else by the link the service gave.
  func address(of record: EntityRecord) -> EntityAddress? {
    context.service.address(of: record, set: name, keyNames: keyNames)
  }
}
