/// The grammar of an Atom document of OData, as a state machine over XML events.
///
/// Elements it does not know are ignored with all that is in them, as Atom demands (RFC 4287 § 6.3). A property that
/// holds text goes a straight way; one that has elements in it is built level by level (`AtomGrammar+Values`), and an
/// entry that is expanded in another one (`m:inline`) is read while the outer one waits (`AtomGrammar+Inline`).
struct AtomGrammar: ~Copyable {
  /// What a document holds: entities, or one value (OData Atom Format 4.0 § 11).
  enum Content { case entities, value }

  /// What an open element is there for; elements that are ignored have none.
  enum Role: UInt64 {
    case none, feed, entry, content, properties
    case property, value, spatial
    case link, inline
    case id, count, error
    /// An element that a property of the entity is mapped to.
    case mapped
  }

  /// A feed that is open.
  struct Feed {
    var count: Int64?
    var nextLink: String?
    var deltaLink: String?
    /// The entities of a feed that is expanded in an entry; those of the document go out one by one.
    var elements: [EdmValue] = []
  }

  let content: Content
  let types: PayloadTypes
  let mapping: FeedMapping
  /// Whether there is anything to look up for a value that comes without a type.
  let knowsTypes: Bool
  let isMapped: Bool

  /// The roles of the open elements, four bits each and the innermost lowest. The grammar nests seven at most before an
  /// entry is expanded, which starts anew.
  var roles: UInt64 = 0
  /// Open elements that are ignored, counted from the outermost one.
  var ignored = 0
  /// All open elements.
  var depth = 0
  var vocabularies = AtomVocabularyCache()
  var shapes = ShapeCache()
  private(set) var finished: [EntityRecord] = []

  var feed: Feed?
  /// The entry that is open; for a document that holds a value, what stands for it.
  var entry = OpenEntry()
  /// Entries that wait for one expanded in them, the outermost first.
  var waiting: [WaitingEntry] = []
  /// Entries of which only the memory is of use: what is expanded at the same depth often has the same shape.
  var spares: [OpenEntry] = []
  var lastTypeName: (bytes: [UInt8], text: String)?

  /// The base of relative links where the parser stands, and the depth of the element that set it.
  var base: String?
  var baseDepth = 0
  var outerBases: [(base: String?, depth: Int)] = []

  // The text that is open.
  var text = TextBuffer()
  var collectsText = false

  /// What is held of the entity that is open, or of an error: bytes of text and attributes, and some for each element.
  var size = 0
  let maximumSize: Int

  private var error: XMLErrorCollector?
  var rootValue: EdmValue?

  init(_ content: Content, types: PayloadTypes, mapping: FeedMapping, limits: PayloadLimits) {
    self.content = content
    maximumSize = limits.entityLength
    self.types = types
    self.mapping = mapping
    knowsTypes = types.catalog != nil || !types.byName.isEmpty
    isMapped = !mapping.isEmpty
    entry.root = types.root
  }

  /// The entities complete since the last call.
  mutating func takeFinished() -> [EntityRecord] {
    defer { finished = [] }
    return finished
  }

  /// What is known of the document at its end.
  var summary: PayloadSummary {
    let root = waiting.isEmpty ? feed : waiting[0].feed
    return PayloadSummary(
      isFeed: root != nil, count: root?.count, nextLink: root?.nextLink, deltaLink: root?.deltaLink)
  }

  /// Whether nothing is open but the feed of the document.
  var isBetweenEntries: Bool { depth == 1 && ignored == 0 && roles == Role.feed.rawValue && waiting.isEmpty }

  var innermost: Role { Role(rawValue: roles & 0xF) ?? .none }

  mutating func open(_ role: Role) { roles = roles << 4 | role.rawValue }

  mutating func collect(_ role: Role) {
    open(role)
    text.clear()
    collectsText = true
  }

  /// Changes the feed that is open. An assignment through `feed?` would leak what it replaces: Swift 6.3 forgets to
  /// release it where an optional is a member of a type that cannot be copied.
  private mutating func change(_ body: (inout Feed) -> Void) {
    guard var open = feed else { return }
    feed = nil
    body(&open)
    feed = open
  }

  /// Gives an entity to the document, or to the feed it is in.
  mutating func emit(_ record: EntityRecord) {
    if waiting.isEmpty {
      finished.append(record)
      size = 0
    } else {
      feed?.elements.append(.complex(record))
    }
  }
}

// Events.
extension AtomGrammar {
  /// About what an element takes beside its text.
  private static var elementSize: Int { 16 }

  private func tooLarge(at position: XMLPosition) -> ODataError {
    ODataError(
      .payloadTooLarge, "An entity is larger than the limit of \(maximumSize) bytes (line \(position.line)).")
  }

  mutating func startElement(
    _ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    depth += 1
    guard ignored == 0 else {
      ignored += 1
      return
    }
    size += Self.elementSize + attributes.length
    if size > maximumSize { throw tooLarge(at: position) }
    let vocabulary = vocabularies.vocabulary(of: name)
    switch (innermost, vocabulary) {
    case (.properties, .data): beginProperty(name, attributes)
    case (.property, _), (.value, _): try beginPart(name, vocabulary, attributes, at: position)
    case (.spatial, _):
      entry.spatial?.startElement(name, attributes, isGML: vocabulary == .gml)
      text.clear()
    case (.entry, .atom): try beginInEntry(name, attributes, at: position)
    case (.entry, .metadata), (.content, .metadata):
      if name.isCalled("properties") {
        enterBase(attributes)
        if knowsTypes { entry.columns.follow(entry.control.typeName) }
        open(.properties)
      } else {
        ignored = 1
      }
    case (.entry, .foreign) where isMapped: beginMapped(name, attributes)
    case (.mapped, _): beginMappedPart(name, attributes)
    case (.link, .metadata):
      if name.isCalled("inline") {
        entry.markExpanded()
        enterBase(attributes)
        open(.inline)
      } else {
        ignored = 1
      }
    case (.inline, _): beginExpanded(name, vocabulary, attributes)
    case (.feed, _): beginInFeed(name, vocabulary, attributes)
    case (.error, _): error?.startElement(name)
    case (.none, _): try beginRoot(name, vocabulary, attributes)
    default: ignored = 1
    }
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard ignored == 0 else { return }
    if collectsText {
      size += bytes.count
      text.append(bytes)
    } else if error != nil {
      size += bytes.count
      error?.characters(bytes)
    }
  }

  mutating func endElement(at position: XMLPosition) throws(ODataError) {
    depth -= 1
    guard ignored == 0 else {
      ignored -= 1
      return
    }
    if size > maximumSize { throw tooLarge(at: position) }
    if depth < baseDepth { leaveBase() }
    let role = innermost
    switch role {
    case .value: return try endPart(at: position)
    case .spatial: return try endSpatial(at: position)
    case .mapped: return endMappedPart()
    case .error: return try endError()
    default: break
    }
    roles >>= 4
    collectsText = false
    switch role {
    case .property: try endProperty(at: position)
    case .entry: try endEntry(at: position)
    case .feed: if !waiting.isEmpty, roles == 0 { resume(expandedFeed()) }
    case .link: try endLink(at: position)
    case .id: entry.control.id = text.trimmedString
    case .count:
      if case .int64(let value)? = try? EdmValue(lexical: text.bytes, .int64) {
        change { $0.count = value }
      }
    case .none, .content, .properties, .inline, .value, .spatial, .mapped, .error: break
    }
  }

  private mutating func endError() throws(ODataError) {
    guard let collector = error, error?.endElement() == true else { return }
    // Since the head of the response went out before the failure, an error in the body is all a service can give.
    throw ServiceError.breakingOff(collector.body)
  }

  private mutating func beginRoot(
    _ name: XMLName, _ vocabulary: AtomVocabulary, _ attributes: XMLAttributes
  ) throws(ODataError) {
    switch (content, vocabulary) {
    case (_, .metadata) where name.isCalled("error"): beginError()
    case (.value, .data), (.value, .metadata): beginProperty(name, attributes)
    case (.entities, .atom) where name.isCalled("entry"): beginEntry(attributes)
    case (.entities, .atom) where name.isCalled("feed"): beginFeed(attributes)
    case (.entities, .metadata) where name.isCalled("ref"):
      emit(reference(attributes))
      ignored = 1
    default:
      let found = String(cString: name.local).prefix(64)
      throw ODataError(
        .malformedPayload,
        content == .entities
          ? "The body is XML, but no Atom entry or feed: its root element is <\(found)>."
          : "The body is XML, but no value of OData: its root element is <\(found)>.")
    }
  }

  private mutating func beginFeed(_ attributes: XMLAttributes) {
    enterBase(attributes)
    feed = Feed()
    open(.feed)
  }

  private mutating func beginError() {
    error = XMLErrorCollector()
    open(.error)
  }

  private mutating func beginInFeed(
    _ name: XMLName, _ vocabulary: AtomVocabulary, _ attributes: XMLAttributes
  ) {
    switch vocabulary {
    case .atom where name.isCalled("entry"): return beginEntry(attributes)
    case .atom where name.isCalled("link"): readFeedLink(attributes)
    case .metadata where name.isCalled("count"): return collect(.count)
    case .metadata where name.isCalled("error"): return beginError()
    case .metadata where name.isCalled("ref"): emit(reference(attributes))
    case .metadata where name.isCalled("link"): emit(changedLink(attributes, isDeleted: false))
    case .metadata where name.isCalled("deleted-link"): emit(changedLink(attributes, isDeleted: true))
    case .tombstones where name.isCalled("deleted-entry"): emit(removed(attributes))
    default: break
    }
    ignored = 1
  }

  private mutating func readFeedLink(_ attributes: XMLAttributes) {
    guard let rel = attributes.index(of: "rel"), let href = attributes.index(of: "href") else { return }
    let relation = AtomRelation(attributes.rawValue(rel))
    guard relation == .next || relation == .delta else { return }
    enterBase(attributes)
    let link = URLReference.resolve(attributes.string(href), against: base)
    if depth == baseDepth { leaveBase() }
    change { if relation == .next { $0.nextLink = link } else { $0.deltaLink = link } }
  }
}

// The base of relative links: `xml:base`, which counts for all that is in its element.
extension AtomGrammar {
  /// Takes note of an `xml:base` among the attributes of the element that was just opened.
  mutating func enterBase(_ attributes: XMLAttributes) {
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.namespace != nil, name.isCalled("base"),
        vocabularies.vocabulary(of: name) == .xml
      else { continue }
      outerBases.append((base, baseDepth))
      base = URLReference.resolve(attributes.string(index), against: base)
      baseDepth = depth
    }
  }

  mutating func leaveBase() {
    guard let outer = outerBases.popLast() else { return }
    (base, baseDepth) = outer
  }

  /// A link as it came where the entry's own base counts for it, else resolved at once.
  func link(_ text: String) -> String {
    baseDepth > entry.depth ? URLReference.resolve(text, against: base) : text
  }
}
