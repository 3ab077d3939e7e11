/// A stream of bytes that belongs to an entity, as its links: the content of a media entity, or a property of the type
/// `Edm.Stream`. The bytes themselves are read and written through the links.
public struct EdmStream: Sendable, Hashable, Codable {
  /// Where the bytes are read; as it came, relative to the payload's base or absolute.
  public var readLink: String?
  /// Where the bytes are replaced.
  public var editLink: String?
  /// The media type of the bytes, where the service tells.
  public var contentType: String?
  /// The tag of the version of the bytes, apart from the entity's own.
  public var entityTag: EntityTag?

  /// Makes a stream of its links.
  public init(
    readLink: String? = nil, editLink: String? = nil, contentType: String? = nil, entityTag: EntityTag? = nil
  ) {
    self.readLink = readLink
    self.editLink = editLink
    self.contentType = contentType
    self.entityTag = entityTag
  }
}
