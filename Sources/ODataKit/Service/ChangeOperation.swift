/// One change as it is sent: what to do, where, under which condition, with which properties.
public struct ChangeOperation: Sendable, Hashable {
  /// What is done to the entity.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Creates the entity; fails where it exists.
    case insert
    /// Writes the given properties and leaves the others alone; fails where the entity does not exist.
    case merge
    /// Writes the given properties and removes the others; fails where the entity does not exist.
    case replace
    /// Merges into the entity, or creates it.
    case insertOrMerge
    /// Replaces the entity, or creates it.
    case insertOrReplace
    /// Removes the entity.
    case delete
  }

  /// What is done.
  public var kind: Kind
  /// Where it is done.
  public var address: EntityAddress
  /// The version it is done to (`If-Match`); ``EntityTag/any`` for whatever is there. An insert and the two upserts
  /// have none.
  public var entityTag: EntityTag?
  /// The properties that are sent; empty for a delete.
  public var record: EntityRecord
  /// Whether the service should leave the stored entity out of its answer to an insert (`Prefer`).
  public var prefersMinimalResponse: Bool

  /// Makes an operation.
  public init(
    _ kind: Kind, at address: EntityAddress, entityTag: EntityTag? = nil,
    record: EntityRecord = EntityRecord(),
    prefersMinimalResponse: Bool = false
  ) {
    self.kind = kind
    self.address = address
    self.entityTag = entityTag
    self.record = record
    self.prefersMinimalResponse = prefersMinimalResponse
  }
}

/// Where an entity, or the set it is to be added to, is found below the root of a service.
public enum EntityAddress: Sendable, Hashable {
  /// An entity set by name, the target of an insert.
  case set(String)
  /// An entity by set and key.
  case key(set: String, EntityKey)
  /// An entity by the edit link its service gave: relative to the root, or absolute.
  case link(set: String, String)

  /// The name of the entity set.
  public var set: String {
    switch self {
    case .set(let name), .key(let name, _), .link(let name, _): name
    }
  }

  /// What identifies the entity within its service, or `nil` for a set.
  public func identity(for dialect: Dialect) throws(ODataError) -> EntityIdentity? {
    switch self {
    case .set: nil
    case .key(let set, let key):
      EntityIdentity(PercentEncoding.encode(set) + (try key.predicate(for: dialect)))
    case .link(_, let link): EntityIdentity(link)
    }
  }
}

/// What identifies an entity within a service, compared by code units: the NFC and NFD spellings of a key are two
/// entities.
public struct EntityIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The encoded path of the entity below the root of its service, or an absolute URL.
  public let description: String

  package init(_ text: String) { description = text }

  /// Equal byte for byte.
  public static func == (a: EntityIdentity, b: EntityIdentity) -> Bool {
    a.description.utf8.elementsEqual(b.description.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = description
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
