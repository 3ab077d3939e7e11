extension ObjectContext {
  /// Links two tracked entities along a navigation property that leads to many: `addLink(order, "Lines", to: line)`. The
  /// next save sends it, behind the inserts of entities that are new; in a change set it refers to those by `$1`.
  ///
  /// Pending already, it is sent once; against a pending removal of the same link both are dropped. Throws
  /// ``ODataError/Code/invalidState`` where an entity is not tracked by this context, or marked deleted, and
  /// ``ODataError/Code/unsupported`` for Azure tables, which have no links.
  public func addLink(
    _ source: EntityEntry, _ navigationProperty: String, to target: EntityEntry
  ) throws {
    try checkLinkable(source, navigationProperty, target)
    if let pending = pendingLink(source, navigationProperty, target) {
      if pending.change.kind == .addLink { return }
      drop(pending)
      if !pending.isOpen { return }
    }
    note(LinkChange(kind: .addLink, source: source, navigationProperty: navigationProperty, target: target))
  }

  /// Links a tracked entity along a navigation property that leads to one, in place of what it leads to now:
  /// `setLink(line, "Product", to: product)`. With `nil` the link is removed; the entity at its end stays.
  ///
  /// The last call for a property counts. Throws as ``addLink(_:_:to:)``.
  public func setLink(
    _ source: EntityEntry, _ navigationProperty: String, to target: EntityEntry?
  ) throws {
    try checkLinkable(source, navigationProperty, target)
    for pending in links where !pending.isInFlight && pending.isOf(source, navigationProperty) {
      drop(pending)
    }
    // What is not there yet has no link to remove.
    if target == nil, source.entityState == .added, !source.isInFlight { return }
    note(
      LinkChange(
        kind: target == nil ? .deleteLink : .setLink, source: source, navigationProperty: navigationProperty,
        target: target))
  }

  /// Removes the link between two tracked entities along a navigation property that leads to many. Both entities stay.
  ///
  /// Against a link that is still to be added both are dropped. Throws as ``addLink(_:_:to:)``, and
  /// ``ODataError/Code/invalidState`` where an entity is still to be inserted, which can have no such link.
  public func deleteLink(
    _ source: EntityEntry, _ navigationProperty: String, to target: EntityEntry
  ) throws {
    try checkLinkable(source, navigationProperty, target)
    if let pending = pendingLink(source, navigationProperty, target) {
      if pending.change.kind == .deleteLink { return }
      drop(pending)
      if !pending.isOpen { return }
    }
    for end in [source, target] where end.entityState == .added && !end.isInFlight {
      throw ODataError(
        .invalidState,
        "The \(end.entitySetName) entity is not inserted yet, so it has no link along \(navigationProperty) to delete."
      )
    }
    note(
      LinkChange(kind: .deleteLink, source: source, navigationProperty: navigationProperty, target: target))
  }

  /// Tracks a new entity that belongs to another one: the next save inserts it into the navigation property of `parent`
  /// (`POST Orders(1)/Lines`), which links it with the same request. The parent may be new itself.
  ///
  /// Throws as ``EntitySet/add(_:)``, and ``ODataError/Code/invalidState`` where the parent is not tracked by this
  /// context or marked deleted, or where the entity is to take the place of a deleted one of its key.
  @discardableResult
  public func addRelated<Entity>(
    _ parent: EntityEntry, _ navigationProperty: String, _ entity: Entity, in set: EntitySet<Entity>
  ) throws -> Tracked<Entity> {
    try checkLinkable(parent, navigationProperty, nil)
    guard set.context === self else {
      throw ODataError(.invalidState, "The entity set \(set.name) belongs to another context.")
    }
    return try add(
      entity, to: set, below: EntityEntry.Parent(entry: parent, navigationProperty: navigationProperty))
  }

  /// The changes of links that a save would send, in their order.
  public var linkChanges: [LinkChange] { links.map(\.change) }

  /// Forgets the links of an entity that goes; what is being sent cannot be called back.
  func dropLinks(of entry: EntityEntry) {
    links.removeAll { !$0.isInFlight && $0.involves(entry) }
  }

  /// Folds the outcome of a change of a link into what is pending.
  func apply(_ outcome: OperationOutcome, to link: PendingLink) {
    if outcome.isDone { drop(link) }
    if outcome.isUnknown { link.isOpen = true }
  }

  private func note(_ change: LinkChange) {
    links.append(PendingLink(change, changeOrder: tracker.nextChange()))
  }

  private func drop(_ link: PendingLink) { links.removeAll { $0 === link } }

  /// The pending change of exactly this link.
  private func pendingLink(
    _ source: EntityEntry, _ navigationProperty: String, _ target: EntityEntry
  ) -> PendingLink? {
    links.last { !$0.isInFlight && $0.isOf(source, navigationProperty) && $0.change.target === target }
  }

  private func checkLinkable(
    _ source: EntityEntry, _ navigationProperty: String, _ target: EntityEntry?
  ) throws(ODataError) {
    guard service.dialect != .azureTable else {
      throw ODataError(
        .unsupported, "Entities of Azure tables cannot be linked; keep the other key as a property.")
    }
    guard !navigationProperty.isEmpty else {
      throw ODataError(.invalidArgument, "A link needs the name of a navigation property.")
    }
    for entry in [source, target].compactMap(\.self) {
      try checkTracked(entry)
      guard entry.entityState != .deleted else {
        throw ODataError(
          .invalidState, "The \(entry.entitySetName) entity is marked deleted and cannot be linked.")
      }
    }
  }
}
