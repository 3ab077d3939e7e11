/// Takes the events of a parser for an ``AtomGrammar``.
///
/// The grammar is a value within this class, so that its fields need no check for exclusive access.
final class AtomDocument: XMLEventHandler {
  // Unchecked, because events come one after the other from a parser that only this document's reader holds, and none of
  // the methods below calls out of the grammar.
  @exclusivity(unchecked) private var grammar = AtomGrammar()

  /// The entities complete since the last call.
  func takeFinished() -> [EntityRecord] { grammar.takeFinished() }

  /// What is known of the document at its end.
  var summary: PayloadSummary { grammar.summary }

  func startElement(
    _ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    try grammar.startElement(name, attributes)
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) { grammar.characters(bytes) }

  func endElement(at position: XMLPosition) throws(ODataError) { try grammar.endElement(at: position) }
}

/// The grammar of an Atom document of OData, as a state machine over XML events.
///
/// Elements it does not know are ignored with all that is in them, as Atom demands (RFC 4287 § 6.3). So are entries and
/// feeds expanded inside of a link (`m:inline`): they belong to other entities, and nothing of them may reach the one
/// they are in.
struct AtomGrammar: ~Copyable {
  /// What an open element is there for; elements that are ignored have none.
  private enum Role: UInt64 {
    case none, feed, entry, content, properties
    case property, id, count
    case error, errorCode, errorMessage
  }

  /// The roles of the open elements, four bits each and the innermost lowest. The grammar nests six at most.
  private var roles: UInt64 = 0
  /// Open elements that are ignored, counted from the outermost one.
  private var ignored = 0
  private var vocabularies = AtomVocabularyCache()
  private var finished: [EntityRecord] = []
  private var isFeed = false
  private var count: Int64?
  private var nextLink: String?
  private var hasStructuredValues = false

  // The entry that is open.
  private var control = ControlInformation()
  private var row = RowAssembler()
  private var lastTypeName: (bytes: [UInt8], text: String)?

  // The property or other text that is open.
  private var property: PropertyState?
  private var text = TextBuffer()
  private var collectsText = false

  private var errorCode: String?
  private var errorMessage = ""

  private struct PropertyState {
    let name: UnsafePointer<UInt8>
    var type = AtomPropertyType.primitive(.string)
    var isNull = false
    /// Whether elements were found inside: a complex value or a collection.
    var isStructured = false
  }

  /// The entities complete since the last call.
  mutating func takeFinished() -> [EntityRecord] {
    defer { finished = [] }
    return finished
  }

  /// What is known of the document at its end.
  var summary: PayloadSummary {
    PayloadSummary(
      isFeed: isFeed, count: count, nextLink: nextLink, hasStructuredValues: hasStructuredValues)
  }

  // MARK: Events

  mutating func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws(ODataError) {
    guard ignored == 0 else {
      ignored += 1
      return
    }
    let vocabulary = vocabularies.vocabulary(of: name)
    switch (innermost, vocabulary) {
    case (.properties, .data): beginProperty(name, attributes)
    case (.property, _):
      property?.isStructured = true
      collectsText = false
      ignored = 1
    case (.entry, .atom): startInEntry(name, attributes)
    case (.entry, .metadata), (.content, .metadata):
      if name.isCalled("properties") { open(.properties) } else { ignored = 1 }
    case (.feed, .atom): startInFeed(name, attributes)
    case (.feed, .metadata) where name.isCalled("count"): collect(.count)
    case (.feed, .metadata) where name.isCalled("error"): open(.error)
    case (.error, .metadata) where name.isCalled("code"): collect(.errorCode)
    case (.error, .metadata) where name.isCalled("message"): collect(.errorMessage)
    case (.none, _): try startRoot(name, vocabulary, attributes)
    default: ignored = 1
    }
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if collectsText, ignored == 0 { text.append(bytes) }
  }

  mutating func endElement(at position: XMLPosition) throws(ODataError) {
    guard ignored == 0 else {
      ignored -= 1
      return
    }
    let role = innermost
    roles >>= 4
    collectsText = false
    switch role {
    case .property: try endProperty(at: position)
    case .entry: finished.append(row.finish(control))
    case .id: control.id = text.string
    case .count: if case .int64(let value)? = try? EdmValue(lexical: text.bytes, .int64) { count = value }
    case .errorCode: errorCode = text.string
    case .errorMessage: errorMessage = text.string
    case .error:
      // Since the head of the response went out before the failure, an error in the body is all a service can give.
      let message = ServiceMessage(errorMessage)
      throw ODataError(
        .service, "The service broke off its answer with an error: \(message.text)", serviceCode: errorCode,
        requestID: message.requestID)
    case .none, .feed, .content, .properties: break
    }
  }

  // MARK: Elements

  private mutating func startRoot(
    _ name: XMLName, _ vocabulary: AtomVocabulary, _ attributes: XMLAttributes
  ) throws(ODataError) {
    switch vocabulary {
    case .atom where name.isCalled("entry"): beginEntry(attributes)
    case .atom where name.isCalled("feed"):
      isFeed = true
      open(.feed)
    case .metadata where name.isCalled("error"): open(.error)
    default:
      let found = String(cString: name.local).prefix(64)
      throw ODataError(
        .malformedPayload,
        "The body is XML, but no Atom entry or feed: its root element is <\(found)>.")
    }
  }

  private mutating func startInFeed(_ name: XMLName, _ attributes: XMLAttributes) {
    if name.isCalled("entry") {
      beginEntry(attributes)
    } else {
      if name.isCalled("link"), relation(of: attributes) == .next, let href = attributes.index(of: "href") {
        nextLink = attributes.string(href)
      }
      ignored = 1
    }
  }

  private mutating func startInEntry(_ name: XMLName, _ attributes: XMLAttributes) {
    if name.isCalled("content") {
      open(.content)
    } else if name.isCalled("id") {
      collect(.id)
    } else {
      if name.isCalled("link") {
        if relation(of: attributes) == .edit, let href = attributes.index(of: "href") {
          control.editLink = attributes.string(href)
        }
      } else if name.isCalled("category") {
        readCategory(attributes)
      }
      // This is the place where an expanded entry or feed would be read instead of ignored: it stands in `m:inline`
      // inside of the link whose relation ends in the navigation property's name.
      ignored = 1
    }
  }

  private mutating func beginEntry(_ attributes: XMLAttributes) {
    open(.entry)
    control = ControlInformation()
    row.begin()
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.isCalled("etag"),
        vocabularies.vocabulary(of: name) == .metadata
      else { continue }
      control.entityTag = EntityTag(rawValue: attributes.string(index))
    }
  }

  private mutating func beginProperty(_ name: XMLName, _ attributes: XMLAttributes) {
    var state = PropertyState(name: name.local)
    for index in 0..<attributes.count {
      guard let attribute = attributes.name(index), vocabularies.vocabulary(of: attribute) == .metadata else {
        continue
      }
      if attribute.isCalled("type") {
        state.type = AtomPropertyType(attributes.rawValue(index))
      } else if attribute.isCalled("null") {
        let value = attributes.rawValue(index)
        state.isNull = value.spells("true") || value.spells("1")
      }
    }
    property = state
    collect(.property)
  }

  private mutating func endProperty(at position: XMLPosition) throws(ODataError) {
    guard let property else { return }
    self.property = nil
    guard let value = try value(of: property, at: position) else {
      hasStructuredValues = true
      return
    }
    guard row.append(property.name, value) else {
      throw ODataError(
        .malformedPayload,
        "An entity has the property '\(String(cString: property.name))' twice (line \(position.line)).")
    }
  }

  /// The value, or `nil` for one that is no primitive: a record holds primitive values only.
  private func value(of property: PropertyState, at position: XMLPosition) throws(ODataError) -> EdmValue? {
    if property.isNull { return .null }
    if property.isStructured { return nil }
    switch property.type {
    case .primitive(.string): return .string(text.string)
    case .primitive(let primitive):
      do {
        return try EdmValue(lexical: text.bytes, primitive)
      } catch {
        throw ODataError(
          .malformedPayload,
          "The value of property '\(String(cString: property.name))' is no \(primitive.type) (line \(position.line)).",
          underlying: error)
      }
    case .other:
      // An enumeration or a type of the service's own is kept as it is written; a complex type without members is not
      // a text, whatever blanks a printer has put into it.
      return text.bytes.allSatisfy(\.isBlank) ? nil : .string(text.string)
    }
  }

  private mutating func readCategory(_ attributes: XMLAttributes) {
    guard let term = attributes.index(of: "term") else { return }
    // An entry may have categories of other schemes, which say nothing of its type.
    if let scheme = attributes.index(of: "scheme") {
      let uri = attributes.rawValue(scheme)
      guard uri.spells(AtomNamespace.scheme) || uri.spells(AtomNamespace.schemeV4) else { return }
    }
    let raw = attributes.rawValue(term)
    if let lastTypeName, lastTypeName.bytes.withUnsafeBufferPointer(raw.equals) {
      control.typeName = lastTypeName.text
      return
    }
    let text = attributes.string(term)
    let name = text.utf8.first == UInt8(ascii: "#") ? String(text.dropFirst()) : text
    lastTypeName = (Array(raw), name)
    control.typeName = name
  }

  private enum Relation { case edit, next, other }

  /// The relation of a link, also in the long form that RFC 4287 § 4.2.7.2 holds to be the same.
  private func relation(of attributes: XMLAttributes) -> Relation {
    guard let index = attributes.index(of: "rel") else { return .other }
    let value = attributes.rawValue(index)
    if value.spells("edit") || value.spells("http://www.iana.org/assignments/relation/edit") { return .edit }
    if value.spells("next") || value.spells("http://www.iana.org/assignments/relation/next") { return .next }
    return .other
  }

  private var innermost: Role { Role(rawValue: roles & 0xF) ?? .none }

  private mutating func open(_ role: Role) { roles = roles << 4 | role.rawValue }

  private mutating func collect(_ role: Role) {
    open(role)
    text.clear()
    collectsText = true
  }
}
