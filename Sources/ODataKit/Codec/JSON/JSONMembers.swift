/// What the members of a payload's objects are, by their names.
///
/// The rows of a feed have the same members in the same order, so each name is first compared with the one that followed
/// the name before it the last time; only a name that differs is looked up, and only a new one is taken apart.
struct JSONMembers {
  /// What a member means.
  enum Role {
    /// A property.
    case property(Int)
    /// Control information about a property: `Rate@odata.type`.
    case note(Int, Term)
    /// Control information about the object it stands in.
    case control(Term)
    /// An annotation or an advertised action; of no use here.
    case other
  }

  /// Control information (OData 4 JSON Format § 4.5; OData 3 JSON Format § 4.5).
  enum Term {
    case context, type, id, editLink, readLink, entityTag, count, nextLink, deltaLink
    case navigationLink, associationLink, bind
    case mediaReadLink, mediaEditLink, mediaContentType, mediaEntityTag
    case removed, null, error
    case other
  }

  struct Property {
    let name: String
    /// What the name means in verbose JSON, in GeoJSON and in the objects of a delta.
    let word: JSONWord?
    /// The last object that had the property.
    var object = 0
  }

  private struct Member {
    let name: [UInt8]
    /// The member that followed the last time.
    var next = 0
  }

  /// Beyond as many different names they are forgotten between two entities, so that no feed fills the memory with them.
  private static let maximumCount = 8192

  private var members: [Member] = []
  private(set) var roles: [Role] = []
  private var places: [[UInt8]: Int] = [:]
  private var propertyIDs: [[UInt8]: Int] = [:]
  var properties: [Property] = []
  private var last = -1
  private var first = 0

  /// Says that the next member is the first of an entity. `true` where all that was known of names is forgotten.
  mutating func beginEntity() -> Bool {
    last = -1
    guard members.count > Self.maximumCount else { return false }
    self = JSONMembers()
    return true
  }

  /// The place in ``roles`` of what a member of this name means; `nil` for a name that is not UTF-8.
  mutating func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = last < 0 ? first : members[last].next
    if place >= members.count || !Self.equal(members[place].name, name) {
      let name = Array(name)
      if let known = places[name] {
        place = known
      } else {
        guard let role = newRole(name) else { return nil }
        place = members.count
        places[name] = place
        members.append(Member(name: name))
        roles.append(role)
      }
      if last < 0 { first = place } else { members[last].next = place }
    }
    last = place
    return place
  }

  /// The name of the member at a place in ``roles``.
  func spelling(_ place: Int) -> [UInt8] { members[place].name }

  private static func equal(_ a: [UInt8], _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return a.withUnsafeBufferPointer { a in
      for index in 0..<a.count where a[index] != b[index] { return false }
      return true
    }
  }

  /// Takes a name apart: `odata.etag` (OData 3), `@odata.etag` (4), `@etag` (4.01), and each of them behind
  /// the name of a property.
  private mutating func newRole(_ name: [UInt8]) -> Role? {
    if name.starts(with: "odata.".utf8) { return Self.term(name[6...]).map(Role.control) ?? .other }
    guard let at = name.firstIndex(of: UInt8(ascii: "@")) else {
      // `#Container.Action` advertises an action.
      return name.first == UInt8(ascii: "#") ? .other : propertyID(name).map(Role.property)
    }
    var term = name[(at + 1)...]
    if term.starts(with: "odata.".utf8) { term = term.dropFirst(6) }
    guard let term = Self.term(term) else {
      return String(validating: name, as: UTF8.self) == nil ? nil : .other
    }
    if at == 0 { return .control(term) }
    return propertyID(Array(name[..<at])).map { .note($0, term) }
  }

  private static func term(_ term: ArraySlice<UInt8>) -> Term? {
    switch String(decoding: term, as: UTF8.self) {
    case "context", "metadata": .context
    case "type": .type
    case "id": .id
    case "editLink": .editLink
    case "readLink": .readLink
    case "etag": .entityTag
    case "count": .count
    case "nextLink": .nextLink
    case "deltaLink": .deltaLink
    case "navigationLink", "navigationLinkUrl": .navigationLink
    case "associationLink", "associationLinkUrl": .associationLink
    case "bind": .bind
    case "mediaReadLink": .mediaReadLink
    case "mediaEditLink": .mediaEditLink
    case "mediaContentType": .mediaContentType
    case "mediaEtag", "mediaETag": .mediaEntityTag
    case "removed": .removed
    case "null": .null
    case "error": .error
    default: nil
    }
  }

  /// The number of the property of a name.
  mutating func propertyID(of name: String) -> Int { propertyID(Array(name.utf8)) ?? 0 }

  private mutating func propertyID(_ name: [UInt8]) -> Int? {
    if let id = propertyIDs[name] { return id }
    guard let text = String(validating: name, as: UTF8.self) else { return nil }
    let id = properties.count
    properties.append(Property(name: text, word: JSONWord(rawValue: text)))
    propertyIDs[name] = id
    return id
  }
}

/// Names that mean something in some places and are ordinary properties everywhere else: in verbose JSON (MS-ODATA
/// § 2.2.6.3), in GeoJSON (RFC 7946) and in the objects of a delta (OData 4 JSON Format § 15).
enum JSONWord: String {
  case value, d, results, error
  case metadata = "__metadata"
  case next = "__next"
  case count = "__count"
  case deferred = "__deferred"
  case mediaResource = "__mediaresource"
  case id, uri, etag, type, properties, name
  case mediaSource = "media_src"
  case editMedia = "edit_media"
  case contentType = "content_type"
  case mediaTag = "media_etag"
  case associationURI = "associationuri"
  case coordinates, geometries, crs
  case source, relationship, target, reason
}
