/// What the members of a payload's objects are, by their names.
///
/// The rows of a feed have the same members in the same order, so each name is first compared with the one
/// that stood at its place in the row before; only a name that differs is looked up, and only a new one is
/// taken apart.
struct JSONMembers {
  /// What a member means.
  enum Role {
    /// A property of the entity.
    case property(Int)
    /// The type of a property: `Rate@odata.type`.
    case type(of: Int)
    case entityTag, id, editLink, typeName, nextLink, count
    case error
    /// Some other annotation; its value is of no use here.
    case other
  }

  /// Names that mean something in some places and are ordinary properties everywhere else.
  enum Keyword { case value, d, results, metadata, next, count, error }

  struct Property {
    let name: String
    let keyword: Keyword?
    /// The type the caller expects where the payload does not tell one.
    let declaredType: EdmPrimitive?
    /// The last row that had the property, and the place of its value there.
    var row = 0
    var slot = 0
    /// The last row that told the type of the property, and the type; `nil` for one that is not primitive.
    var typedRow = 0
    var type: EdmPrimitive?
  }

  private var members: [(name: [UInt8], role: Role)] = []
  private var places: [[UInt8]: Int] = [:]
  private var propertyIDs: [[UInt8]: Int] = [:]
  private let declaredTypes: [String: EdmType]
  private var cursor = 0
  private var firstOfEntity = 0
  private var isAtStart = false

  var properties: [Property] = []

  init(declaredTypes: [String: EdmType]) { self.declaredTypes = declaredTypes }

  /// Says that the next member is the first of an entity.
  mutating func beginEntity() {
    cursor = firstOfEntity
    isAtStart = true
  }

  /// What a member of this name means; `nil` for a name that is not UTF-8.
  mutating func role(of name: UnsafeBufferPointer<UInt8>) -> Role? {
    if cursor >= members.count || !Self.equal(members[cursor].name, name) {
      let name = Array(name)
      if let place = places[name] {
        cursor = place
      } else {
        guard let role = newRole(name) else { return nil }
        cursor = members.count
        places[name] = cursor
        members.append((name, role))
      }
    }
    if isAtStart {
      firstOfEntity = cursor
      isAtStart = false
    }
    cursor += 1
    return members[cursor - 1].role
  }

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
    if name.starts(with: "odata.".utf8) { return Self.controlRole(name[6...]) }
    guard let at = name.firstIndex(of: UInt8(ascii: "@")) else {
      // `#Container.Action` advertises an action.
      return name.first == UInt8(ascii: "#") ? .other : propertyID(name).map(Role.property)
    }
    var term = name[(at + 1)...]
    if term.starts(with: "odata.".utf8) { term = term.dropFirst(6) }
    if at == 0 { return Self.controlRole(term) }
    guard term.elementsEqual("type".utf8) else { return .other }
    return propertyID(Array(name[..<at])).map(Role.type(of:))
  }

  private static func controlRole(_ term: ArraySlice<UInt8>) -> Role {
    switch String(decoding: term, as: UTF8.self) {
    case "etag": .entityTag
    case "id": .id
    case "editLink": .editLink
    case "type": .typeName
    case "nextLink": .nextLink
    case "count": .count
    case "error": .error
    default: .other
    }
  }

  private mutating func propertyID(_ name: [UInt8]) -> Int? {
    if let id = propertyIDs[name] { return id }
    guard let text = String(validating: name, as: UTF8.self) else { return nil }
    let keyword: Keyword? =
      switch text {
      case "value": .value
      case "d": .d
      case "results": .results
      case "__metadata": .metadata
      case "__next": .next
      case "__count": .count
      case "error": .error
      default: nil
      }
    let id = properties.count
    properties.append(
      Property(name: text, keyword: keyword, declaredType: declaredTypes[text].flatMap(EdmPrimitive.init)))
    propertyIDs[name] = id
    return id
  }
}
