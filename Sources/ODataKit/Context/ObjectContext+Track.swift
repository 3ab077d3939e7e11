extension ObjectContext {
  func add<Entity>(
    _ entity: Entity, to set: EntitySet<Entity>, below parent: EntityEntry.Parent? = nil
  ) throws -> Tracked<Entity> {
    let address = set.address(of: try set.bridge.encode(entity))
    let identity = try address?.identity(for: service.dialect)
    let tracked = identity.flatMap { tracker[$0] }
    if let tracked, tracked.entityState != .deleted || tracked.isInFlight {
      throw ODataError(
        .invalidState,
        "An entity of the same key is tracked in \(set.name) already; change that one, or delete it first.")
    }
    guard tracked == nil || parent == nil else {
      throw ODataError(
        .invalidState,
        "An entity of the same key in \(set.name) is marked deleted; save that before one is added below another entity."
      )
    }
    let handle = Tracked(
      entity, bridge: set.bridge,
      EntityEntry.Origin(
        id: tracker.makeID(), setName: set.name, state: .added, keyNames: set.keyNames, address: address,
        identity: identity, context: self))
    handle.parent = parent
    if let tracked {
      // Deleted, then added with the same key: one replace says both, and a change set may touch a row only once.
      handle.entityTag = tracked.entityTag
      handle.replaces = true
      tracker.move(handle, to: .modified)
      release(tracked)
    }
    tracker.insert(handle)
    tracker.noteChange(of: handle)
    return handle
  }

  func attach<Entity>(
    _ entity: Entity, to set: EntitySet<Entity>, entityTag: EntityTag?
  ) throws -> Tracked<Entity> {
    let record = try set.bridge.encode(entity)
    guard let address = set.address(of: record), let identity = try address.identity(for: service.dialect)
    else {
      throw ODataError(
        .invalidArgument,
        "An entity without its key cannot be attached to \(set.name); name the key when the set is made, or load the service's metadata before."
      )
    }
    guard tracker[identity] == nil else {
      throw ODataError(.invalidState, "An entity of the same key is tracked in \(set.name) already.")
    }
    // Not complete: the service may have properties that this model knows nothing of.
    let handle = Tracked(
      entity, bridge: set.bridge,
      EntityEntry.Origin(
        id: tracker.makeID(), setName: set.name, state: .unchanged, keyNames: set.keyNames, address: address,
        identity: identity, entityTag: entityTag ?? .any, stored: record, isComplete: false, context: self))
    tracker.insert(handle)
    return handle
  }

  /// Takes an entity that was read into the context. The properties in `expanded` hold related entities, which not every
  /// payload tells.
  func materialize<Entity>(
    _ record: EntityRecord, in set: EntitySet<Entity>, isComplete: Bool, merge: MergeOption,
    expanded: [String] = []
  ) throws -> Tracked<Entity> {
    let record = record.naming(related: expanded)
    let address = set.address(of: record)
    let identity = try address?.identity(for: service.dialect)
    if merge != .noTracking, let identity, let entry = tracker[identity] {
      // Another model type of the same set may be tracked under this key; one entity has one handle.
      guard let handle = entry as? Tracked<Entity> else {
        throw ODataError(
          .invalidState,
          "An entity of \(set.name) is tracked as another type already; read it without tracking, or in a context "
            + "of its own.")
      }
      try self.merge(record, into: handle, isComplete: isComplete, by: merge)
      return handle
    }
    let isTracked = merge != .noTracking
    guard !isTracked || identity != nil else {
      throw ODataError(
        .invalidState,
        "An entity of \(set.name) was read that has neither its key nor a link of its own, so it cannot be tracked; "
          + "name the key when the set is made, load the service's metadata before, or read without tracking."
      )
    }
    let handle = Tracked(
      try set.bridge.decode(record), bridge: set.bridge,
      EntityEntry.Origin(
        id: tracker.makeID(), setName: set.name, state: isTracked ? .unchanged : .detached,
        keyNames: set.keyNames,
        address: address, identity: identity, entityTag: record.control.entityTag, stored: record,
        isComplete: isComplete, context: isTracked ? self : nil))
    if isTracked { tracker.insert(handle) }
    return handle
  }

  private func merge<Entity>(
    _ record: EntityRecord, into handle: Tracked<Entity>, isComplete: Bool, by option: MergeOption
  ) throws {
    // What is being sent at this moment is not to be pulled from under the save.
    guard !handle.isInFlight else { return }
    // A projection knows only a part; what it does not mention stays as it was known.
    let newStored = isComplete ? record : handle.stored.overlaid(with: record)
    let knowsAll = isComplete || handle.isComplete
    switch (option, handle.entityState) {
    case (.appendOnly, _), (.noTracking, _), (.preserveChanges, .added): return
    case (.preserveChanges, .modified):
      let local = try RecordDiff(
        from: handle.unchangedRecord(), to: handle.currentRecord(), over: handle.stored)
      try handle.refresh(from: newStored.overlaid(with: local.changed).removing(local.cleared))
      handle.edits += 1
    case (.preserveChanges, .deleted): break
    case (.preserveChanges, .unchanged), (.preserveChanges, .detached), (.overwriteChanges, _):
      try handle.refresh(from: newStored)
      tracker.move(handle, to: .unchanged)
      handle.sendsEverything = false
      handle.replaces = false
    }
    handle.stored = newStored
    handle.isComplete = knowsAll
    handle.entityTag = record.control.entityTag ?? handle.entityTag
  }
}

extension EntityRecord {
  /// The record with each of these properties that it has among its links.
  fileprivate func naming(related names: [String]) -> EntityRecord {
    var result = self
    for name in names where self[name] != nil && !result.isForeign(name, nil) {
      result.control.links.append(NavigationLink(name))
    }
    return result
  }
}
