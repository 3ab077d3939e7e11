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
    /// Adds a link to a collection of the entity (``link``).
    case addLink
    /// Sets the link of a navigation property that leads to one entity (``link``).
    case setLink
    /// Removes a link: one of a collection, or, without a target, the only one (``link``). No entity is removed.
    case deleteLink

    /// Whether it is a link that is changed and no entity.
    public var isOfLink: Bool {
      switch self {
      case .addLink, .setLink, .deleteLink: true
      case .insert, .merge, .replace, .insertOrMerge, .insertOrReplace, .delete: false
      }
    }
  }

  /// What is done.
  public var kind: Kind
  /// Where it is done.
  public var address: EntityAddress
  /// The version it is done to (`If-Match`); ``EntityTag/any`` for whatever is there. An insert and the two upserts
  /// have none.
  public var entityTag: EntityTag?
  /// The properties that are sent; empty for a delete and for changes of links.
  public var record: EntityRecord
  /// Which link of the entity at ``address`` is changed; `nil` for changes of entities.
  public var link: EntityLink?
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

  /// Makes a change of a link; see ``Kind/addLink``, ``Kind/setLink`` and ``Kind/deleteLink``.
  public init(_ kind: Kind, from source: EntityAddress, _ link: EntityLink) {
    self.init(kind, at: source)
    self.link = link
  }
}

/// A link from an entity along one of its navigation properties.
public struct EntityLink: Sendable, Hashable {
  /// The wire name of the navigation property.
  public var navigationProperty: String
  /// The entity at the other end; `nil` where the only link of a property is removed.
  public var target: EntityAddress?

  /// Makes a link.
  public init(_ navigationProperty: String, to target: EntityAddress?) {
    self.navigationProperty = navigationProperty
    self.target = target
  }
}

/// Where an entity, or the set it is to be added to, is found below the root of a service.
public indirect enum EntityAddress: Sendable, Hashable {
  /// An entity set by name, the target of an insert.
  case set(String)
  /// An entity by set and key.
  case key(set: String, EntityKey)
  /// An entity by the edit link its service gave: relative to the root, or absolute.
  case link(set: String, String)
  /// An entity that an earlier operation of the same change set inserts: the one at this index of the set. It goes
  /// out as `$1`, the operation's `Content-ID` (OData 4 Protocol § 11.7.3.1, OData 3 Batch Processing § 2.2.1).
  case created(set: String, by: Int)
  /// The entities that a navigation property of an entity leads to, the target of an insert: the new entity, of the
  /// set that is named, is linked by being created there.
  case related(set: String, EntityAddress, navigationProperty: String)

  /// The name of the entity set.
  public var set: String {
    switch self {
    case .set(let name), .key(let name, _), .link(let name, _), .created(let name, _),
      .related(let name, _, _):
      name
    }
  }

  /// What identifies the entity within its service, or `nil` for a set.
  public func identity(for dialect: Dialect) throws(ODataError) -> EntityIdentity? {
    switch self {
    case .set, .created, .related: nil
    case .key(let set, let key):
      EntityIdentity(PercentEncoding.encode(set) + (try key.predicate(for: dialect)))
    case .link(_, let link): EntityIdentity(link)
    }
  }
}

extension EntityAddress {
  /// This address with every entity that is still to be created replaced by what `find` gives for it; `nil` where that
  /// gives nothing.
  func resolved(_ find: (Int) -> EntityAddress?) -> EntityAddress? {
    switch self {
    case .set, .key, .link: self
    case .created(_, let number): find(number)
    case .related(let set, let source, let property):
      source.resolved(find).map { .related(set: set, $0, navigationProperty: property) }
    }
  }

  /// The operations of the change set that this address refers to.
  var references: [Int] {
    switch self {
    case .set, .key, .link: []
    case .created(_, let number): [number]
    case .related(_, let source, _): source.references
    }
  }
}

extension ChangeOperation {
  /// See ``EntityAddress/resolved(_:)``.
  func resolved(_ find: (Int) -> EntityAddress?) -> ChangeOperation? {
    guard let address = address.resolved(find) else { return nil }
    var copy = self
    copy.address = address
    if let target = link?.target {
      guard let target = target.resolved(find) else { return nil }
      copy.link?.target = target
    }
    return copy
  }

  /// The operations of the change set that this one needs to be done before it.
  var references: [Int] { address.references + (link?.target?.references ?? []) }
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
