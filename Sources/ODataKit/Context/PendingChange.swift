/// A tracked change, made ready to be sent.
struct PendingChange {
  let entry: EntityEntry
  let operation: ChangeOperation
  /// What was wrong with it before anything was sent.
  var refusal: ODataError?
  /// The entry's edits when the operation was made; later ones belong to the next save.
  let edits: Int
  /// The entity as the program saw it when the operation was made; empty for a delete.
  var sent = EntityRecord()
  /// Properties that the operation clears.
  var cleared: [String] = []
  /// The link it is about; `nil` where it is the entry itself.
  var link: PendingLink?
}

extension PendingChange {
  /// Marks what is sent: the link, or the entity.
  func setInFlight(_ isInFlight: Bool) {
    if let link { link.isInFlight = isInFlight } else { entry.isInFlight = isInFlight }
  }
}

extension EntityEntry {
  /// The change as it is to be sent, or `nil` where nothing differs from what the service has.
  func pendingChange(_ options: SaveOptions, _ conventions: any ServiceConventions) -> PendingChange? {
    do {
      switch entityState {
      case .detached, .unchanged: return nil
      case .added: return try insertion(options, conventions)
      case .deleted: return change(try deletion())
      case .modified: return try update(options, conventions)
      }
    } catch {
      let refusal = error as? ODataError ?? ODataError(.invalidValue, "\(error)", underlying: error)
      let kind: ChangeOperation.Kind =
        entityState == .added ? .insert : entityState == .deleted ? .delete : .merge
      return PendingChange(
        entry: self, operation: ChangeOperation(kind, at: address ?? .set(entitySetName)), refusal: refusal,
        edits: edits)
    }
  }

  private func change(
    _ operation: ChangeOperation, of current: EntityRecord = EntityRecord(), cleared: [String] = []
  ) -> PendingChange {
    PendingChange(entry: self, operation: operation, edits: edits, sent: current, cleared: cleared)
  }

  private func insertion(_ options: SaveOptions, _ conventions: any ServiceConventions) throws
    -> PendingChange
  {
    let current = try currentRecord()
    let record = current.filtered { name, value in !value.isNull && !conventions.isReadOnly(name) }
    let address: EntityAddress =
      if let parent {
        .related(
          set: entitySetName, try parent.entry.referenceAddress(),
          navigationProperty: parent.navigationProperty)
      } else {
        .set(entitySetName)
      }
    return change(
      ChangeOperation(
        .insert, at: address, record: record,
        prefersMinimalResponse: options.contains(.minimalResponse)),
      of: current)
  }

  private func deletion() throws -> ChangeOperation {
    ChangeOperation(.delete, at: try knownAddress(), entityTag: entityTag)
  }

  private func update(_ options: SaveOptions, _ conventions: any ServiceConventions) throws -> PendingChange?
  {
    let address = try knownAddress()
    let current = try currentRecord()
    if replaces {
      let record = current.filtered { !$1.isNull && !conventions.isReadOnly($0) }
      return change(
        ChangeOperation(.replace, at: address, entityTag: entityTag, record: record), of: current)
    }
    let diff = ownChanges(try RecordDiff(from: unchangedRecord(), to: current, over: stored))
    for name in keyNames where diff.changed[name] != nil || diff.cleared.contains(name) {
      throw ODataError(
        .invalidState,
        "The key property \(name) of a tracked \(entitySetName) entity was changed; delete the entity and add one with the "
          + "new key instead.")
    }
    if diff.isEmpty && !sendsEverything { return nil }
    let cleared = diff.cleared.filter { !conventions.isReadOnly($0) }
    if options.contains(.replaceOnUpdate) {
      return change(
        replacement(address, current, diff, cleared, conventions), of: current, cleared: cleared)
    }
    if !cleared.isEmpty && !conventions.mergeClearsWithNull {
      // A merge cannot clear a property here; a replace can, as long as it is known what else to send and the
      // version is pinned, so that nothing is lost.
      guard isComplete, let entityTag, entityTag != .any else {
        throw ODataError(
          .invalidState,
          "The property \(cleared[0]) of a \(entitySetName) entity was cleared, which this service does only in a replace, and "
            + "not all of the entity's properties are known; read the whole entity first, or save with "
            + ".replaceOnUpdate.")
      }
      return change(
        replacement(address, current, diff, cleared, conventions), of: current, cleared: cleared)
    }
    var record = merged(current, diff, conventions)
    for name in cleared { record[name] = .null }
    record = record.filtered { name, _ in !conventions.isReadOnly(name) && !keyNames.contains(name) }
    return change(
      ChangeOperation(
        .merge, at: address, entityTag: entityTag, record: conventions.addressed(record, by: address)),
      of: current, cleared: cleared)
  }

  /// What a merging update sends: the properties that changed, or all of them.
  ///
  /// A merge goes into complex values (OData 4 Protocol § 11.4.3; MS-ODATA § 2.2.4.1 as well), so OData 4 gets the members
  /// that differ. Services of OData 1 to 3 do not agree on it: some take what is sent for the whole value. They get all
  /// that is known of it, which comes to the same with either kind.
  private func merged(
    _ current: EntityRecord, _ diff: RecordDiff, _ conventions: any ServiceConventions
  ) -> EntityRecord {
    guard sendsEverything || conventions.dialect != .v4 else { return diff.changed.writable }
    let whole = stored.overlaid(with: diff.changed)
    let source = sendsEverything ? current.filtered { !$1.isNull && !isForeign($0, $1) } : diff.changed
    var record = source
    for (name, value) in source.properties { record[name] = whole[name] ?? value }
    return record.writable
  }

  /// Everything the service is to have: what it had, whether the model knows of it or not, with the changes over it.
  private func replacement(
    _ address: EntityAddress, _ current: EntityRecord, _ diff: RecordDiff, _ cleared: [String],
    _ conventions: any ServiceConventions
  ) -> ChangeOperation {
    var record = stored.removing(cleared).overlaid(with: diff.changed)
    // What the model gives a property of which nothing was read.
    for (name, value) in current.properties where record[name] == nil && !cleared.contains(name) {
      record[name] = value
    }
    record = record.filtered { !$1.isNull && !isForeign($0, $1) && !conventions.isReadOnly($0) }.writable
    record.control = ControlInformation()
    return ChangeOperation(
      .replace, at: address, entityTag: entityTag, record: conventions.addressed(record, by: address))
  }

  /// The changes without related entities and streams, which are changed at addresses of their own.
  private func ownChanges(_ diff: RecordDiff) -> RecordDiff {
    var diff = diff
    diff.changed = diff.changed.filtered { !isForeign($0, $1) }
    diff.cleared = diff.cleared.filter { !isForeign($0, nil) }
    return diff
  }

  /// Whether a property is not the entity's own, as what was read or the service's metadata tell.
  private func isForeign(_ name: String, _ value: EdmValue?) -> Bool {
    if stored.isForeign(name, value) { return true }
    guard let types = context?.service.payloadTypes(of: entitySetName), let catalog = types.catalog,
      let type = stored.control.typeName.map(EdmType.init(rawValue:)) ?? types.root
    else { return false }
    switch catalog.property(name, of: type)?.kind {
    case .entity, .stream: return true
    default: return false
    }
  }

  func knownAddress() throws(ODataError) -> EntityAddress {
    guard let address else {
      throw ODataError(
        .invalidState,
        "The key of a \(entitySetName) entity is not known, so it cannot be updated, deleted or linked; read it again."
      )
    }
    return address
  }
}

extension EntityRecord {
  package func filtered(_ keep: (String, EdmValue) -> Bool) -> EntityRecord {
    if properties.allSatisfy({ keep($0, $1) }) { return self }
    let kept = properties.filter { keep($0, $1) }
    return EntityRecord(shape: RecordShape(names: kept.map(\.0)), values: kept.map(\.1), control: control)
  }
}
