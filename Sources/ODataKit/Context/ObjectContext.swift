/// Tracks entities of a service through added, modified and deleted, and sends what changed.
///
/// ```swift
/// let context = ObjectContext(service)
/// let books = try context.entitySet("Books", of: Book.self, key: \.id)
/// let book = try await books.query.filter { $0.title == "こころ" }.first()
/// book?.rate = 5
/// try await context.saveChanges()
/// ```
///
/// Only entities that this context tracks can be updated or deleted: both take a ``Tracked`` handle, and the handle of
/// another context is refused.
///
/// A context is a unit of work and not `Sendable`: it is used from whichever actor owns it, and its `async` methods
/// run there. While a save is on its way the owner may go on adding and changing; those changes belong to the next
/// save, and a second save is refused until the first has ended.
open class ObjectContext {
  /// The service.
  public let service: ODataService
  /// How the entities of queries meet those that are tracked; can be given to each query too.
  public var mergeOption = MergeOption.appendOnly

  var tracker = EntityTracker()
  /// The pending changes of links, in their order.
  var links: [PendingLink] = []
  var isSaving = false

  /// Makes a context that tracks nothing yet.
  public init(_ service: ODataService) { self.service = service }

  /// An entity set, seen through a model type whose key is the given properties, in the order of the service.
  ///
  /// Without a key, the one that the service's ``ODataService/metadata`` declares is taken. Where that is not loaded, or
  /// has no such set, or has a key that is part of a complex property, entities are addressed by the edit links that the
  /// service gives; entities cannot be attached then.
  /// Throws ``ODataError/Code/invalidArgument`` where the name of a key property cannot be found.
  public func entitySet<Entity: Codable>(
    _ name: String, of type: Entity.Type, key: PartialKeyPath<Entity>...
  ) throws -> EntitySet<Entity> {
    let names =
      key.isEmpty
      ? service.declaredKeyNames(of: name)
      : try key.map { try wireName(of: $0, naming: service.conventions.naming) }
    return EntitySet(name: name, context: self, keyNames: names)
  }

  /// Everything that is tracked, in the order in which it came.
  public var entries: [EntityEntry] { tracker.all }

  /// The entities with a pending change, in the order of the changes. One that was set back to what it was is among
  /// them until the next save finds out, and sends nothing for it; ``plan(_:)`` tells what is sent.
  public var changes: [EntityEntry] { tracker.changed }

  /// Whether a save would send anything.
  public var hasChanges: Bool { tracker.hasChanges || !links.isEmpty }

  /// Marks an entity modified. The next save sends all properties that the model declares, changed or not, and
  /// merges them (or replaces, with ``SaveOptions/replaceOnUpdate``).
  ///
  /// There is no need to say this for what was set through the handle: that is noticed, and only what changed is sent.
  /// An added entity stays added. Throws ``ODataError/Code/invalidState`` for a handle of another context, and for
  /// one that is detached or deleted.
  public func update(_ entry: EntityEntry) throws {
    try checkTracked(entry)
    switch entry.entityState {
    case .unchanged, .modified:
      entry.edits += 1
      entry.sendsEverything = true
      if entry.entityState == .unchanged { noteChange(of: entry, to: .modified) }
    case .added:
      entry.edits += 1
    case .deleted, .detached:
      throw ODataError(
        .invalidState, "The \(entry.entitySetName) entity is marked deleted and cannot be updated.")
    }
  }

  /// Marks an entity deleted. An added one that was never sent is let go instead, and nothing is sent for it. Pending
  /// changes of its links are dropped.
  ///
  /// Throws ``ODataError/Code/invalidState`` for a handle of another context and for a detached one.
  public func delete(_ entry: EntityEntry) throws {
    try checkTracked(entry)
    dropLinks(of: entry)
    switch entry.entityState {
    case .added where !entry.isInFlight: release(entry)
    case .added:
      // Its insert is on the way. Should nobody learn what became of that, whatever version is there is meant.
      entry.entityTag = .any
      noteChange(of: entry, to: .deleted)
    case .deleted: break
    default: noteChange(of: entry, to: .deleted)
    }
  }

  /// Lets go of an entity, with whatever was pending for it; the service is not asked.
  ///
  /// Throws ``ODataError/Code/invalidState`` for a handle of another context, and while its change is being sent.
  public func detach(_ entry: EntityEntry) throws {
    try checkTracked(entry)
    guard !entry.isInFlight else {
      throw ODataError(
        .invalidState, "The \(entry.entitySetName) entity is being saved; detach it when the save has ended.")
    }
    release(entry)
  }

  /// Lets go of everything, with all pending changes. Throws ``ODataError/Code/invalidState`` during a save.
  public func detachAll() throws {
    guard !isSaving else {
      throw ODataError(.invalidState, "A save is running on this context; detach when it has ended.")
    }
    for entry in tracker.all { release(entry) }
  }

  func noteChange(of entry: EntityEntry, to state: EntityState) {
    tracker.move(entry, to: state)
    tracker.noteChange(of: entry)
  }

  func release(_ entry: EntityEntry) {
    tracker.remove(entry)
    dropLinks(of: entry)
    entry.context = nil
  }

  func checkTracked(_ entry: EntityEntry) throws(ODataError) {
    guard entry.context === self, entry.entityState != .detached else {
      throw ODataError(
        .invalidState,
        "The \(entry.entitySetName) entity is not tracked by this context; only entities it added, attached or read can be "
          + "updated, deleted or linked.")
    }
  }
}

@available(*, unavailable, message: "A context is used from one place at a time; make one where you need it.")
extension ObjectContext: Sendable {}
