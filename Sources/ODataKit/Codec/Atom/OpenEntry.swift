/// The entry that is being read, with everything that is known of it so far.
struct OpenEntry {
  var control = ControlInformation()
  var row = RowAssembler()
  var columns = ColumnTypes()
  /// The type that the metadata declares, for an entry that does not tell its own.
  var root: EdmType?
  /// The depth of its element.
  var depth = 0

  var links: [NavigationLink] = []
  private var linkIndex = NameIndex()
  var media: EdmStream?
  var readLink: String?
  var streams: [(name: String, stream: EdmStream)] = []
  private var streamIndex = NameIndex()

  /// The navigation link that is open.
  var link: OpenLink?
  /// The property that is open.
  var property: OpenProperty?
  /// What its type is where that is not primitive.
  var propertyType = PayloadType.unknown
  /// The values that are open where there are elements in the property: the property's own, and inside of it the parts.
  var parts: [OpenPart] = []
  /// The spatial value that is open.
  var spatial: GMLReader?
  /// The texts of elements that properties are mapped to.
  var mapped = MappedTexts()

  /// Starts an entry.
  mutating func begin(depth: Int) {
    self.depth = depth
    control = ControlInformation()
    row.begin()
    if !links.isEmpty { links.removeAll() }
    media = nil
    readLink = nil
    if !streams.isEmpty { streams.removeAll() }
    mapped.clear()
  }

  // The grammar cannot be copied, and there an assignment through `link?` would leak what it replaces: Swift 6.3 forgets
  // to release it. So these two stand here.

  /// Takes note of an `m:inline` in the link that is open.
  mutating func markExpanded() { link?.isExpanded = true }

  /// Gives the link that is open what is expanded in it; of several the last counts.
  mutating func expand(_ value: EdmValue) { link?.value = value }

  /// Takes note of one of the two links of a navigation property.
  mutating func addLink(_ name: String, _ change: (inout NavigationLink) -> Void) {
    linkIndex.change(name, in: &links, change)
  }

  /// Takes note of what a link says of a property that is a stream.
  mutating func addStream(_ name: String, _ told: EdmStream) {
    streamIndex.change(name, in: &streams) { known in
      known = EdmStream(
        readLink: told.readLink ?? known.readLink, editLink: told.editLink ?? known.editLink,
        contentType: known.contentType ?? told.contentType, entityTag: told.entityTag ?? known.entityTag)
    }
  }
}

/// A property of an entity while its text arrives.
struct OpenProperty {
  let name: UnsafePointer<UInt8>
  /// The primitive type of the text; `nil` where the type is another one.
  var primitive: EdmPrimitive? = .string
  var isNull = false
}

/// A link to related entities that is open.
struct OpenLink {
  let name: String
  /// Whether what is expanded in it is a feed.
  let isFeed: Bool
  /// What was expanded in it.
  var value: EdmValue?
  /// Whether there was an `m:inline` at all.
  var isExpanded = false
}

/// An entry that waits while one that is expanded in it is read.
struct WaitingEntry {
  let roles: UInt64
  let entry: OpenEntry
  let feed: AtomGrammar.Feed?
}

/// A value with elements in it that is open: a complex value, a collection, or what shall turn out to be one.
struct OpenPart {
  enum Kind { case undecided, complex, collection, complete }

  let name: UnsafePointer<UInt8>
  var type: PayloadType
  var isNull = false
  var kind = Kind.undecided
  /// The names of a complex value's properties.
  private(set) var names: [UnsafePointer<UInt8>] = []
  /// The same, once there are so many that a search takes long.
  private var nameSet: Set<UnsafePointer<UInt8>> = []
  /// Its values, or the elements of a collection.
  var values: [EdmValue] = []
  var links: [NavigationLink] = []
  private var linkIndex = NameIndex()
  /// The value, where it is complete before its element ends.
  var value: EdmValue?

  init(name: UnsafePointer<UInt8>, type: PayloadType, isNull: Bool = false) {
    self.name = name
    self.type = type
    self.isNull = isNull
  }

  /// Takes note of one of the two links of a navigation property.
  mutating func addLink(_ name: String, _ change: (inout NavigationLink) -> Void) {
    linkIndex.change(name, in: &links, change)
  }

  /// Adds the name of a property; `false` if it is there already.
  mutating func add(_ name: UnsafePointer<UInt8>) -> Bool {
    if names.count < 64 {
      guard !names.contains(name) else { return false }
    } else {
      if nameSet.isEmpty { nameSet = Set(names) }
      guard nameSet.insert(name).inserted else { return false }
    }
    names.append(name)
    return true
  }
}

/// What the metadata says of properties that come without a type, looked up once for the columns of a feed.
struct ColumnTypes {
  private var typeName: String?
  private var names: [UnsafePointer<UInt8>] = []
  private var types: [PayloadType] = []
  private var primitives: [EdmPrimitive?] = []
  private var next = 0

  /// Starts an entity of a type.
  mutating func follow(_ typeName: String?) {
    next = 0
    guard self.typeName != typeName else { return }
    self.typeName = typeName
    names.removeAll()
    types.removeAll()
    primitives.removeAll()
  }

  /// The column of the property `name`, which is most often the one behind the last; `nil` where it is not known yet.
  mutating func column(of name: UnsafePointer<UInt8>) -> Int? {
    var index = next
    if index >= names.count || names[index] != name {
      guard let found = names.firstIndex(of: name) else { return nil }
      index = found
    }
    next = index + 1
    return index
  }

  func primitive(_ column: Int) -> EdmPrimitive? { primitives[column] }

  func type(_ column: Int) -> PayloadType { types[column] }

  mutating func remember(_ name: UnsafePointer<UInt8>, _ type: PayloadType) {
    // No type has more columns; what a hostile payload invents is not remembered.
    guard names.count < 1024 else { return }
    names.append(name)
    types.append(type)
    primitives.append(type.primitive)
    next = names.count
  }
}

/// The shapes of complex values, so that those with the same names share one.
struct ShapeCache {
  private var known: [[UnsafePointer<UInt8>]: RecordShape] = [:]

  mutating func shape(of names: [UnsafePointer<UInt8>]) -> RecordShape {
    if let shape = known[names] { return shape }
    let shape = RecordShape(names: names.map { String(cString: $0) })
    if known.count < 64 { known[names] = shape }
    return shape
  }
}
