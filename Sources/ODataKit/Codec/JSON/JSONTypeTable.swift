/// What the metadata says of properties, looked up once for each property of each type.
struct JSONTypeTable {
  private let types: PayloadTypes
  /// Whether there is anything to be looked up.
  private let knowsTypes: Bool
  /// What was looked up.
  private var tables: [Table] = []

  /// Of the properties of one type.
  private struct Table {
    let place: Place
    /// By their numbers.
    var types: [PayloadType?] = []
  }

  /// Where the properties of an object are looked up.
  struct Place {
    /// The type of the object.
    let type: EdmType?
    /// The one to look in where a property is not found there.
    let fallback: EdmType?
    /// Where that is remembered; `nil` where it is looked up each time.
    fileprivate(set) var index: Int?
  }

  /// No payload has values of more types; those that a hostile one invents beyond them are not remembered.
  private static let maximumCount = 64

  init(_ types: PayloadTypes) {
    self.types = types
    knowsTypes = types.catalog != nil || !types.byName.isEmpty
  }

  /// The type of the payload's entities, or of its value.
  var root: EdmType? { types.root }

  /// Where what the metadata says of a type's members is found; `nil` where there is nothing to be found.
  mutating func place(of type: EdmType?, else fallback: EdmType?) -> Place? {
    guard knowsTypes else { return nil }
    if let known = tables.first(where: { $0.place.type == type && $0.place.fallback == fallback }) {
      return known.place
    }
    var place = Place(type: type, fallback: fallback)
    if tables.count < Self.maximumCount {
      place.index = tables.count
      tables.append(Table(place: place))
    }
    return place
  }

  /// Forgets what was looked up. No place that was found before may be used after that.
  mutating func forget() { tables.removeAll() }

  /// What is known of a property, `id` being its number.
  mutating func type(of name: String, _ id: Int, in place: Place?) -> PayloadType {
    guard let place else { return .unknown }
    guard let index = place.index else { return lookUp(name, in: place) }
    if id < tables[index].types.count, let known = tables[index].types[id] { return known }
    let found = lookUp(name, in: place)
    while tables[index].types.count <= id { tables[index].types.append(nil) }
    tables[index].types[id] = found
    return found
  }

  private func lookUp(_ name: String, in place: Place) -> PayloadType {
    for type in [place.type, place.fallback] {
      if let type, let found = types.catalog?.property(name, of: type) { return PayloadType(found) }
    }
    return types.byName[name].map { PayloadType($0) } ?? .unknown
  }
}
