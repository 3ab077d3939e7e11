/// What a payload says about an entity beside its properties; OData 4 calls it control information.
public struct ControlInformation: Sendable, Hashable {
  /// The entity's id, an absolute URL in most services.
  public var id: String?
  /// The tag of the version that was read.
  public var entityTag: EntityTag?
  /// Where the entity is updated and deleted; relative to the payload's base or absolute, as it came.
  public var editLink: String?
  /// The qualified name of the entity's type.
  public var typeName: String?
  /// The URL that relative links are relative to, where the payload has one of its own (`xml:base`, the context URL of
  /// OData 4); `nil` for the URL the payload was read from.
  public var base: String?
  /// What few entities have, apart, so that a row stays small.
  private var rare: Rare?

  /// Makes control information.
  public init(
    id: String? = nil, entityTag: EntityTag? = nil, editLink: String? = nil, typeName: String? = nil
  ) {
    self.id = id
    self.entityTag = entityTag
    self.editLink = editLink
    self.typeName = typeName
  }

  /// The content of a media entity; `nil` for an entity that is none.
  public var media: EdmStream? {
    get { rare?.content.media }
    set { change { $0.media = newValue } }
  }

  /// The navigation properties the payload tells of, in its order. A property of the record that has the name of one
  /// holds related entities that came along.
  public var links: [NavigationLink] {
    get { rare?.content.links ?? [] }
    set { change { $0.links = newValue } }
  }

  /// Where the entity is read, if that is another place than where it is updated.
  public var readLink: String? {
    get { rare?.content.readLink }
    set { change { $0.readLink = newValue } }
  }

  /// What happened, where this stands in the answer to a delta link and is no entity as it is now.
  public var change: DeltaChange? {
    get { rare?.content.change }
    set { change { $0.change = newValue } }
  }

  private mutating func change(_ body: (inout Rare.Content) -> Void) {
    var content = rare?.content ?? Rare.Content()
    body(&content)
    rare = content == Rare.Content() ? nil : Rare(content)
  }

  /// Immutable, so that copies of a record may share it.
  private final class Rare: Sendable, Hashable {
    struct Content: Sendable, Hashable {
      var media: EdmStream?
      var links: [NavigationLink] = []
      var readLink: String?
      var change: DeltaChange?
    }

    let content: Content

    init(_ content: Content) { self.content = content }

    static func == (a: Rare, b: Rare) -> Bool { a === b || a.content == b.content }
    func hash(into hasher: inout Hasher) { hasher.combine(content) }
  }
}

/// A navigation property of an entity, and where it leads.
public struct NavigationLink: Sendable, Hashable, Codable {
  /// The name of the navigation property.
  public var name: String
  /// Where the related entities are read; as it came.
  public var navigationLink: String?
  /// Where the links themselves are read and changed (`$links`, `$ref`); as it came.
  public var associationLink: String?

  /// Makes a link.
  public init(_ name: String, navigationLink: String? = nil, associationLink: String? = nil) {
    self.name = name
    self.navigationLink = navigationLink
    self.associationLink = associationLink
  }
}

/// One item in the answer to a delta link that is no entity (OData 4 JSON Format § 15).
public enum DeltaChange: Sendable, Hashable, Codable {
  /// The entity with the record's ``ControlInformation/id`` is gone.
  case removed(Removal)
  /// A link was added.
  case addedLink(source: String, relationship: String, target: String)
  /// A link was removed.
  case deletedLink(source: String, relationship: String, target: String)

  /// Why an entity is gone.
  public enum Removal: String, Sendable, Hashable, Codable {
    /// It was deleted.
    case deleted
    /// It no longer matches the query.
    case changed
  }
}
