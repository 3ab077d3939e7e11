/// What the metadata says of properties, looked up once for each property of each type.
struct JSONTypeTable {
  private let types: PayloadTypes
  /// Whether there is anything to be looked up.
  private let knowsTypes: Bool
  /// The declared type, and the one to look in where a property is not found there.
  private var names: [(type: EdmType?, fallback: EdmType?)] = []
  /// For each pair of types what is known of the properties, by their numbers.
  private var tables: [[AtomType?]] = []

  /// No payload has values of more types; what a hostile one invents is looked up each time.
  private static let maximumCount = 64

  init(_ types: PayloadTypes) {
    self.types = types
    knowsTypes = types.catalog != nil || !types.byName.isEmpty
  }

  /// The type of the payload's entities, or of its value.
  var root: EdmType? { types.root }

  /// What the metadata says of a type's members, under a number of its own; `nil` where nothing is worth remembering.
  mutating func table(of type: EdmType?, else fallback: EdmType?) -> Int? {
    guard knowsTypes else { return nil }
    if let index = names.firstIndex(where: { $0.type == type && $0.fallback == fallback }) { return index }
    if names.count == Self.maximumCount { forget() }
    names.append((type, fallback))
    tables.append([])
    return names.count - 1
  }

  /// Forgets what was looked up.
  mutating func forget() {
    names.removeAll()
    tables.removeAll()
  }

  /// What is known of a property, `id` being its number.
  mutating func type(of name: String, _ id: Int, in table: Int?) -> AtomType {
    guard let table, table < tables.count else { return .unknown }
    if id < tables[table].count, let known = tables[table][id] { return known }
    let found = lookUp(name, in: table)
    while tables[table].count <= id { tables[table].append(nil) }
    tables[table][id] = found
    return found
  }

  private func lookUp(_ name: String, in table: Int) -> AtomType {
    for type in [names[table].type, names[table].fallback] {
      if let type, let found = types.catalog?.property(name, of: type) { return AtomType(found) }
    }
    return types.byName[name].map { AtomType($0) } ?? .unknown
  }
}
