/// What a context knows of one entity: state, tag, identity, and the version that was read. ``Tracked`` adds the
/// entity itself.
///
/// The names of its members are long, so that they leave the short ones to the properties of the entity.
///
/// Handles belong to the context that made them and are, like it, used from one place at a time.
public class EntityEntry {
  /// Names an entry within its context, in the order in which they came.
  public struct ID: Sendable, Hashable, Comparable {
    let number: Int
    /// Earlier entries come first.
    public static func < (a: ID, b: ID) -> Bool { a.number < b.number }
  }

  /// The entry's name within its context.
  public let entryID: ID
  /// The name of the entity set.
  public let entitySetName: String
  /// Where the entity stands.
  public internal(set) var entityState: EntityState
  /// The tag of the version the context knows; `nil` before an insert and in services without tags.
  public internal(set) var entityTag: EntityTag?
  /// What identifies the entity in its service; `nil` for an added one whose key the service will give.
  public internal(set) var entityIdentity: EntityIdentity?

  weak var context: ObjectContext?
  /// Where the entity is updated and deleted; `nil` as long as its key is the service's to give.
  var address: EntityAddress?
  /// The entity it is to be inserted below, if it is.
  var parent: Parent?
  /// The wire names of the key properties.
  let keyNames: [String]
  /// The entity as the service has it: what was read, or what was sent and accepted. Diffs are made against it.
  var stored: EntityRecord
  /// Whether ``stored`` holds every property the service has, so that a replace loses none.
  var isComplete: Bool
  /// Whether the next update replaces the entity: it was added in place of a deleted one.
  var replaces = false
  /// Whether all properties are to be sent, as after ``ObjectContext/update(_:)``, or only those that differ.
  var sendsEverything = false
  /// The place of the entry's pending change among all changes of the context.
  var changeOrder = 0
  /// Counts edits, so that a save can tell whether the entity changed while it was on its way.
  var edits = 0
  /// Whether the pending change is being sent.
  var isInFlight = false

  init(_ origin: Origin) {
    entryID = origin.id
    entitySetName = origin.setName
    entityState = origin.state
    entityTag = origin.entityTag
    address = origin.address
    entityIdentity = origin.identity
    keyNames = origin.keyNames
    stored = origin.stored
    isComplete = origin.isComplete
    context = origin.context
  }

  /// The navigation property that a new entity is to be inserted into.
  struct Parent {
    let entry: EntityEntry
    let navigationProperty: String
  }

  /// What an entry begins with.
  struct Origin {
    var id: ID
    var setName: String
    var state: EntityState
    var keyNames: [String]
    var address: EntityAddress?
    var identity: EntityIdentity?
    var entityTag: EntityTag?
    var stored = EntityRecord()
    var isComplete = true
    var context: ObjectContext?
  }

  /// The entity's properties as they stand now.
  func currentRecord() throws -> EntityRecord { preconditionFailure("Tracked overrides this.") }

  /// The properties that the model would send had nothing been changed: ``stored`` taken through the model.
  func unchangedRecord() throws -> EntityRecord { preconditionFailure("Tracked overrides this.") }

  /// Takes over the values of a record.
  func refresh(from record: EntityRecord) throws { preconditionFailure("Tracked overrides this.") }
}

@available(
  *, unavailable, message: "Handles belong to their context, which is used from one place at a time."
)
extension EntityEntry: Sendable {}
