extension ObjectContext {
  /// Sends what changed: without options one request for each change in the order of the changes, stopping at the
  /// first failure; with ``SaveOptions/batch`` in change sets, each all or nothing. Links come behind the inserts of
  /// the entities they join; where such an insert is not done, they are not tried.
  ///
  /// Every change is checked against the rules of the service before the first is sent. Throws ``SaveError`` with the
  /// outcome of every change if one was not done, ``ODataError/Code/invalidState`` while another save is running,
  /// and `CancellationError`; a change that was on its way then stays pending.
  @discardableResult
  public func saveChanges(_ options: SaveOptions = []) async throws -> SaveResult {
    guard !isSaving else {
      throw ODataError(.invalidState, "A save is already running on this context; wait for it to end.")
    }
    isSaving = true
    let pending = pendingChanges(options)
    for change in pending { change.setInFlight(true) }
    defer {
      for change in pending { change.setInFlight(false) }
      isSaving = false
    }
    var run = SaveRun(context: self, pending: pending, stopsAtFailure: !options.contains(.continueOnError))
    let prepared = run.prepare()
    if options.contains(.batch) {
      for changeSet in run.changeSets(prepared) where !run.hasStopped { try await run.send(changeSet) }
    } else {
      for item in prepared where !run.hasStopped { try await run.send(item) }
    }
    return try run.result()
  }

  /// What ``saveChanges(_:)`` would send now, request by request, and what of it is all or nothing. Nothing is sent.
  ///
  /// Throws the ``ODataError`` of the first change that the service would not take.
  public func plan(_ options: SaveOptions = []) throws -> SavePlan {
    var run = SaveRun(context: self, pending: pendingChanges(options), stopsAtFailure: true)
    let prepared = run.prepare()
    if let refusal = run.firstFailure { throw refusal }
    let steps = options.contains(.batch) ? run.changeSets(prepared) : prepared.map { [$0] }
    return SavePlan(
      steps: steps.map { step in
        SavePlan.Step(
          operations: run.planned(step),
          byteCount: options.contains(.batch)
            ? step.reduce(run.envelopeByteCount) { $0 + $1.byteCount }
            : step.reduce(0) { $0 + $1.change.part.body.count })
      })
  }

  /// The entry of an id that a ``SaveResult`` names, as long as it is tracked.
  public func entry(_ id: EntityEntry.ID) -> EntityEntry? { tracker[id] }

  /// The pending changes in order. What turns out not to differ from the service's version becomes unchanged.
  private func pendingChanges(_ options: SaveOptions) -> [PendingChange] {
    var changes: [(order: Int, change: PendingChange)] = []
    for entry in tracker.changed {
      if let change = entry.pendingChange(options, service.conventions) {
        changes.append((entry.changeOrder, change))
      } else if entry.entityState == .modified {
        tracker.move(entry, to: .unchanged)
      }
    }
    links.removeAll(where: \.hasLostAnEnd)
    if links.isEmpty { return changes.map(\.change) }
    changes += links.map { ($0.changeOrder, $0.pendingChange()) }
    return changes.sorted { $0.order < $1.order }.map(\.change)
  }

  /// Folds the outcome of a change into its entry.
  func apply(_ outcome: OperationOutcome, to change: PendingChange) {
    if let link = change.link { return apply(outcome, to: link) }
    let entry = change.entry
    guard outcome.isDone else {
      // Marked deleted while its insert was on the way, and the insert was not done: there is nothing to delete.
      if entry.entityState == .deleted, outcome.operation.kind == .insert, !outcome.isUnknown {
        release(entry)
      }
      return
    }
    guard entry.entityState != .detached else { return }
    let transition = StateTransition(
      from: entry.entityState, kind: outcome.operation.kind, wasEdited: entry.edits != change.edits)
    switch outcome.operation.kind {
    case .addLink, .setLink, .deleteLink: return
    case .delete:
      release(entry)
      return
    case .insert, .replace, .insertOrReplace:
      entry.stored = (outcome.stored ?? outcome.operation.record).keepingForeign(of: entry.stored)
      entry.isComplete = true
    case .merge, .insertOrMerge:
      entry.stored = entry.stored.overlaid(with: outcome.stored ?? outcome.operation.record).removing(
        change.cleared)
    }
    entry.entityTag = outcome.entityTag ?? outcome.stored?.control.entityTag
    entry.sendsEverything = transition.state == .modified && entry.sendsEverything
    entry.replaces = false
    entry.parent = nil
    tracker.move(entry, to: transition.state)
    if outcome.operation.kind == .insert { adoptAddress(of: entry) }
    if outcome.stored != nil { try? takeOver(entry.stored, into: entry, over: change.sent) }
  }

  /// Puts the service's values (keys that it gave, what it computed) into a handle, below what was changed there since
  /// `sent`: left as they were, they would look like changes of the next save.
  private func takeOver(_ stored: EntityRecord, into entry: EntityEntry, over sent: EntityRecord) throws {
    let meanwhile = RecordDiff(from: sent, to: try entry.currentRecord())
    try entry.refresh(from: stored.overlaid(with: meanwhile.changed).removing(meanwhile.cleared))
  }

  /// Takes the key of an entity that was inserted from what the service stored: it may be the service's to give.
  private func adoptAddress(of entry: EntityEntry) {
    entry.address = service.address(
      of: entry.stored, set: entry.entitySetName, keyNames: entry.keyNames)
    if let identity = try? entry.address?.identity(for: service.dialect), tracker[identity] == nil {
      tracker.identify(entry, as: identity)
    }
  }
}

/// The state of an entity after one of its changes was done.
struct StateTransition: Equatable {
  let state: EntityState

  init(from current: EntityState, kind: ChangeOperation.Kind, wasEdited: Bool) {
    state =
      switch (current, kind) {
      case (_, .delete): .detached
      // Marked deleted while the insert or the update was on its way: the delete is still to come.
      case (.deleted, _): .deleted
      case (.detached, _): .detached
      case (.added, _), (.modified, _), (.unchanged, _): wasEdited ? .modified : .unchanged
      }
  }
}
