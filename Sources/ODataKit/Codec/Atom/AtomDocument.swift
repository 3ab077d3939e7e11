/// The grammar of an Atom document of OData, as a state machine over XML events.
///
/// Elements it does not know are ignored with all that is in them, as Atom demands (RFC 4287 § 6.3). So are entries and
/// feeds expanded inside of a link (`m:inline`): they belong to other entities, and nothing of them may reach the one
/// they are in.
final class AtomDocument: XMLEventHandler {
  /// What an open element is there for; elements that are ignored have none.
  private enum Role: UInt8 {
    case feed, entry, content, properties
    case property, id, count
    case error, errorCode, errorMessage
  }

  private var roles: [Role] = []
  /// Open elements that are ignored, counted from the outermost one.
  private var ignored = 0
  private var vocabularies = AtomVocabularyCache()
  private var finished: [EntityRecord] = []
  private var isFeed = false
  private var count: Int64?
  private var nextLink: String?

  // The entry that is open.
  private var control = ControlInformation()
  private var row = RowAssembler()
  private var lastTypeName: (bytes: [UInt8], text: String)?

  // The property or other text that is open.
  private var property: PropertyState?
  private var text: [UInt8] = []
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
  func takeFinished() -> [EntityRecord] {
    defer { finished = [] }
    return finished
  }

  /// What is known of the document at its end.
  var summary: PayloadSummary { PayloadSummary(isFeed: isFeed, count: count, nextLink: nextLink) }

  // MARK: XMLEventHandler

  func startElement(_ name: XMLName, _ attributes: XMLAttributes, at line: Int) throws(ODataError) {
    guard ignored == 0 else {
      ignored += 1
      return
    }
    let vocabulary = vocabularies.vocabulary(of: name)
    switch (roles.last, vocabulary) {
    case (.properties?, .data): beginProperty(name, attributes)
    case (.property?, _):
      property?.isStructured = true
      collectsText = false
      ignored = 1
    case (.entry?, .atom): startInEntry(name, attributes)
    case (.entry?, .metadata), (.content?, .metadata):
      if name.isCalled("properties") { roles.append(.properties) } else { ignored = 1 }
    case (.feed?, .atom): startInFeed(name, attributes)
    case (.feed?, .metadata) where name.isCalled("count"): collect(.count)
    case (.feed?, .metadata) where name.isCalled("error"): roles.append(.error)
    case (.error?, .metadata) where name.isCalled("code"): collect(.errorCode)
    case (.error?, .metadata) where name.isCalled("message"): collect(.errorMessage)
    case (nil, _): try startRoot(name, vocabulary, attributes)
    default: ignored = 1
    }
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if collectsText, ignored == 0 { text.append(contentsOf: bytes) }
  }

  func endElement(at line: Int) throws(ODataError) {
    guard ignored == 0 else {
      ignored -= 1
      return
    }
    guard let role = roles.popLast() else { return }
    collectsText = false
    switch role {
    case .property: try endProperty(at: line)
    case .entry: finished.append(row.finish(control))
    case .id: control.id = String(decoding: text, as: UTF8.self)
    case .count: count = Int64(String(decoding: text, as: UTF8.self))
    case .errorCode: errorCode = String(decoding: text, as: UTF8.self)
    case .errorMessage: errorMessage = String(decoding: text, as: UTF8.self)
    case .error:
      // Since the head of the response went out before the failure, an error in the body is all a service can give.
      throw ODataError(
        .service, "The service broke off its answer with an error: \(errorMessage)", serviceCode: errorCode)
    case .feed, .content, .properties: break
    }
  }

  // MARK: Elements

  private func startRoot(
    _ name: XMLName, _ vocabulary: AtomVocabulary, _ attributes: XMLAttributes
  ) throws(ODataError) {
    switch vocabulary {
    case .atom where name.isCalled("entry"): beginEntry(attributes)
    case .atom where name.isCalled("feed"):
      isFeed = true
      roles.append(.feed)
    case .metadata where name.isCalled("error"): roles.append(.error)
    default:
      let found = String(cString: name.local).prefix(64)
      throw ODataError(
        .malformedPayload,
        "The body is XML, but no Atom entry or feed: its root element is <\(found)>.")
    }
  }

  private func startInFeed(_ name: XMLName, _ attributes: XMLAttributes) {
    if name.isCalled("entry") {
      beginEntry(attributes)
    } else {
      if name.isCalled("link"), relation(of: attributes) == .next, let href = attributes.index(of: "href") {
        nextLink = attributes.string(href)
      }
      ignored = 1
    }
  }

  private func startInEntry(_ name: XMLName, _ attributes: XMLAttributes) {
    if name.isCalled("content") {
      roles.append(.content)
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

  private func beginEntry(_ attributes: XMLAttributes) {
    roles.append(.entry)
    control = ControlInformation()
    row.begin()
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.isCalled("etag"),
        vocabularies.vocabulary(of: name) == .metadata
      else { continue }
      control.entityTag = EntityTag(rawValue: attributes.string(index))
    }
  }

  private func beginProperty(_ name: XMLName, _ attributes: XMLAttributes) {
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

  private func endProperty(at line: Int) throws(ODataError) {
    guard let property else { return }
    self.property = nil
    guard let value = try value(of: property, at: line) else { return }
    guard row.append(property.name, value) else {
      throw ODataError(
        .malformedPayload,
        "An entity has the property '\(String(cString: property.name))' twice (line \(line)).")
    }
  }

  /// The value, or `nil` for one that is no primitive: a record holds primitive values only.
  private func value(of property: PropertyState, at line: Int) throws(ODataError) -> EdmValue? {
    if property.isNull { return .null }
    if property.isStructured { return nil }
    switch property.type {
    case .primitive(.string): return .string(String(decoding: text, as: UTF8.self))
    case .primitive(let primitive):
      do {
        return try text.withUnsafeBufferPointer { bytes throws(ODataError) in
          try EdmValue(lexical: bytes, primitive)
        }
      } catch {
        throw ODataError(
          .malformedPayload,
          "The value of property '\(String(cString: property.name))' is no \(primitive.type) (line \(line)).",
          underlying: error)
      }
    case .other:
      // An enumeration or a type of the service's own is kept as it is written; a complex type without members is not
      // a text, whatever blanks a printer has put into it.
      return text.allSatisfy(\.isBlank) ? nil : .string(String(decoding: text, as: UTF8.self))
    }
  }

  private func readCategory(_ attributes: XMLAttributes) {
    guard let term = attributes.index(of: "term") else { return }
    // An entry may have categories of other schemes, which say nothing of its type.
    if let scheme = attributes.index(of: "scheme") {
      let uri = attributes.rawValue(scheme)
      guard uri.spells(AtomNamespace.scheme) || uri.spells(AtomNamespace.schemeV4) else { return }
    }
    let raw = attributes.rawValue(term)
    if let lastTypeName, raw.elementsEqual(lastTypeName.bytes) {
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

  private func collect(_ role: Role) {
    roles.append(role)
    text.removeAll(keepingCapacity: true)
    collectsText = true
  }
}
