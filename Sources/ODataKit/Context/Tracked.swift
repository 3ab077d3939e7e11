/// A handle on an entity that a context tracks. Reads and writes go to the entity's own properties; a write marks it
/// modified, and the next save sends what changed.
///
/// ```swift
/// let botchan = try books.add(Book(title: "坊っちゃん", author: "夏目漱石", rate: 4))
/// try await context.saveChanges()      // one insert
/// botchan.rate = 5
/// try await context.saveChanges()      // one merge with one property, under If-Match
/// ```
///
/// Setting a property of a deleted handle changes the value and not the state. An entity that is a class and is
/// changed behind the handle's back is not noticed: say ``ObjectContext/update(_:)`` then.
@dynamicMemberLookup
public final class Tracked<Entity: Codable>: EntityEntry {
  /// The entity as the program sees it.
  public private(set) var entity: Entity
  private let bridge: EntityBridge<Entity>

  init(_ entity: Entity, bridge: EntityBridge<Entity>, _ origin: Origin) {
    self.entity = entity
    self.bridge = bridge
    super.init(origin)
  }

  /// A property of the entity.
  public subscript<Value>(dynamicMember property: KeyPath<Entity, Value>) -> Value {
    entity[keyPath: property]
  }

  /// A property of the entity; setting it marks the entity modified.
  public subscript<Value>(dynamicMember property: WritableKeyPath<Entity, Value>) -> Value {
    get { entity[keyPath: property] }
    set {
      entity[keyPath: property] = newValue
      edits += 1
      if entityState == .unchanged { context?.noteChange(of: self, to: .modified) }
    }
  }

  override func currentRecord() throws -> EntityRecord { try bridge.encode(entity) }

  override func unchangedRecord() throws -> EntityRecord { try bridge.encode(bridge.decode(stored)) }

  override func refresh(from record: EntityRecord) throws { entity = try bridge.decode(record) }
}

/// Both directions between a model type and records, for one service.
package struct EntityBridge<Entity: Codable>: Sendable {
  private let encoder: RecordEncoder
  private let decoder: RecordDecoder

  package init(_ conventions: any ServiceConventions) {
    encoder = RecordEncoder(naming: conventions.naming, dialect: conventions.dialect)
    decoder = RecordDecoder(naming: conventions.naming)
  }

  package func encode(_ entity: Entity) throws -> EntityRecord { try encoder.encode(entity) }

  package func decode(_ record: EntityRecord) throws -> Entity {
    try decoder.decode(Entity.self, from: record)
  }
}
