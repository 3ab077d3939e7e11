/// The entries of a context: by identity, and in the order of their changes. Holds no rules.
struct EntityTracker {
  private var entries: [EntityEntry.ID: EntityEntry] = [:]
  private var byIdentity: [EntityIdentity: EntityEntry.ID] = [:]
  /// The entries with pending changes, so that asking for them costs no walk over all.
  private var changedIDs: Set<EntityEntry.ID> = []
  private var lastID = 0
  private var lastChange = 0

  mutating func makeID() -> EntityEntry.ID {
    lastID += 1
    return EntityEntry.ID(number: lastID)
  }

  subscript(id: EntityEntry.ID) -> EntityEntry? { entries[id] }

  subscript(identity: EntityIdentity) -> EntityEntry? { byIdentity[identity].flatMap { entries[$0] } }

  /// All entries, in the order in which they came.
  var all: [EntityEntry] { entries.values.sorted { $0.entryID < $1.entryID } }

  /// The entries with pending changes, in the order of the changes.
  var changed: [EntityEntry] {
    changedIDs.compactMap { entries[$0] }.sorted { $0.changeOrder < $1.changeOrder }
  }

  var hasChanges: Bool { !changedIDs.isEmpty }

  mutating func insert(_ entry: EntityEntry) {
    entries[entry.entryID] = entry
    move(entry, to: entry.entityState)
    if let identity = entry.entityIdentity { byIdentity[identity] = entry.entryID }
  }

  /// Forgets an entry, which is detached from then on.
  mutating func remove(_ entry: EntityEntry) {
    move(entry, to: .detached)
    entries[entry.entryID] = nil
    if let identity = entry.entityIdentity, byIdentity[identity] == entry.entryID {
      byIdentity[identity] = nil
    }
  }

  /// Gives an entry the identity that the service has assigned.
  mutating func identify(_ entry: EntityEntry, as identity: EntityIdentity) {
    if let old = entry.entityIdentity, byIdentity[old] == entry.entryID { byIdentity[old] = nil }
    entry.entityIdentity = identity
    byIdentity[identity] = entry.entryID
  }

  /// Sets the state of an entry; the one place that does, since what has changed is known from here.
  mutating func move(_ entry: EntityEntry, to state: EntityState) {
    entry.entityState = state
    switch state {
    case .added, .modified, .deleted: changedIDs.insert(entry.entryID)
    case .unchanged, .detached: changedIDs.remove(entry.entryID)
    }
  }

  /// Puts an entry's change behind all others.
  mutating func noteChange(of entry: EntityEntry) {
    entry.changeOrder = nextChange()
  }

  /// The place behind all changes so far.
  mutating func nextChange() -> Int {
    lastChange += 1
    return lastChange
  }
}
