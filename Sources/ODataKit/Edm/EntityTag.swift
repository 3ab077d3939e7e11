/// An entity tag, opaque and kept byte for byte: `W/"datetime'2013-05-30T20%3A57%3A14.07173Z'"`.
///
/// It is sent back in `If-Match` as it came, prefix, quotes and percent signs included.
public struct EntityTag: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  /// The tag as in the `ETag` header, quotes included.
  public let rawValue: String
  /// Makes a tag of the header's text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The tag as in the header.
  public var description: String { rawValue }

  /// `*`: matches whatever version is there, as long as there is one.
  public static let any = EntityTag(rawValue: "*")

  /// Equal byte for byte.
  public static func == (a: EntityTag, b: EntityTag) -> Bool {
    a.rawValue.utf8.elementsEqual(b.rawValue.utf8)
  }
}
