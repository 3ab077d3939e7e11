/// The entries of a context: by identity, and in the order of their changes. Holds no rules.
struct EntityTracker {
  private var entries: [EntityEntry.ID: EntityEntry] = [:]
  private var byIdentity: [EntityIdentity: EntityEntry.ID] = [:]
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
    entries.values.filter { $0.entityState != .unchanged }.sorted { $0.changeOrder < $1.changeOrder }
  }

  var hasChanges: Bool { entries.values.contains { $0.entityState != .unchanged } }

  mutating func insert(_ entry: EntityEntry) {
    entries[entry.entryID] = entry
    if let identity = entry.entityIdentity { byIdentity[identity] = entry.entryID }
  }

  mutating func remove(_ entry: EntityEntry) {
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

  /// Puts an entry's change behind all others.
  mutating func noteChange(of entry: EntityEntry) {
    lastChange += 1
    entry.changeOrder = lastChange
  }
}
