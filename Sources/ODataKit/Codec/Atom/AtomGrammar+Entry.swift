// An entry: what stands in it beside its properties.
extension AtomGrammar {
  mutating func beginEntry(_ attributes: XMLAttributes) {
    open(.entry)
    entry.begin(depth: depth)
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.namespace != nil else { continue }
      switch vocabularies.vocabulary(of: name) {
      case .metadata where name.isCalled("etag"):
        entry.control.entityTag = EntityTag(rawValue: attributes.string(index))
      case .xml where name.isCalled("base"): enterBase(attributes)
      default: break
      }
    }
    entry.control.base = base
  }

  mutating func endEntry(at position: XMLPosition) throws(ODataError) {
    for (name, stream) in entry.streams {
      // A stream that stands among the properties as well is told enough of there.
      if let name = position.interned(name) { _ = entry.row.append(name, .stream(stream)) }
    }
    if isMapped { try applyMapping(at: position) }
    if !entry.links.isEmpty { entry.control.links = entry.links }
    if let media = entry.media { entry.control.media = media }
    if let link = entry.readLink, !(entry.control.editLink?.utf8.elementsEqual(link.utf8) ?? false) {
      entry.control.readLink = link
    }
    let record = entry.row.finish(entry.control)
    if !waiting.isEmpty, roles == 0 { resume(.complex(record)) } else { emit(record) }
  }

  mutating func beginInEntry(
    _ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    if name.isCalled("content") {
      if let source = attributes.index(of: "src") { readMedia(attributes, source: source) }
      enterBase(attributes)
      open(.content)
    } else if name.isCalled("id") {
      collect(.id)
    } else if name.isCalled("link") {
      readLink(attributes)
    } else if name.isCalled("category") {
      readCategory(attributes)
      ignored = 1
    } else if isMapped {
      beginMapped(name, attributes)
    } else {
      ignored = 1
    }
  }

  /// Reads a link of an entry, and leaves that of a navigation property open.
  mutating func readLink(_ attributes: XMLAttributes) {
    ignored = 1
    guard let rel = attributes.index(of: "rel") else { return }
    let relation = AtomRelation(attributes.rawValue(rel))
    if relation == .other { return }
    if !entry.parts.isEmpty, !relation.isOfNavigation { return }
    enterBase(attributes)
    let href = attributes.index(of: "href").map { link(attributes.string($0)) }
    var staysOpen = false
    switch relation {
    case .edit: entry.control.editLink = href ?? entry.control.editLink
    case .readOnly: entry.readLink = href ?? entry.readLink
    case .editMedia:
      var media = entry.media ?? EdmStream()
      readStream(attributes, &media)
      media.editLink = href
      entry.media = media
    case .mediaResource(let name):
      var told = EdmStream(readLink: href)
      readStream(attributes, &told)
      entry.addStream(name, told)
    case .editMediaResource(let name):
      var told = EdmStream(editLink: href)
      readStream(attributes, &told)
      entry.addStream(name, told)
    case .relatedLinks(let name): addLink(name) { $0.associationLink = href }
    case .related(let name):
      addLink(name) { $0.navigationLink = href }
      staysOpen = true
      let type = attributes.index(of: "type").map { attributes.string($0) } ?? ""
      entry.link = OpenLink(
        name: name,
        isFeed: type.utf8.split(separator: UInt8(ascii: ";")).contains { parameter in
          let word = parameter.filter { !$0.isBlank && $0 != UInt8(ascii: "\"") }
          return word.elementsEqual("type=feed".utf8)
        })
    case .next, .delta, .other: break
    }
    if staysOpen {
      ignored = 0
      open(.link)
    } else if depth == baseDepth {
      leaveBase()
    }
  }

  /// A link stands in the entry, or in a complex value of it (OData 4).
  private mutating func addLink(_ name: String, _ change: (inout NavigationLink) -> Void) {
    if entry.parts.isEmpty {
      entry.addLink(name, change)
    } else {
      entry.parts[entry.parts.count - 1].addLink(name, change)
    }
  }

  mutating func endLink(at position: XMLPosition) throws(ODataError) {
    guard let link = entry.link else { return }
    entry.link = nil
    guard link.isExpanded else { return }
    let value = link.value ?? (link.isFeed ? .collection(EdmCollection()) : .null)
    guard let name = position.interned(link.name) else { return }
    if entry.parts.isEmpty {
      guard entry.row.append(name, value) else { throw twice(name, at: position) }
    } else {
      try append(name, value, at: position)
    }
  }

  private mutating func readMedia(_ attributes: XMLAttributes, source: Int) {
    enterBase(attributes)
    var media = entry.media ?? EdmStream()
    media.readLink = link(attributes.string(source))
    if let type = attributes.index(of: "type") { media.contentType = attributes.string(type) }
    entry.media = media
    if depth == baseDepth { leaveBase() }
  }

  /// The media type and the tag that a link to a stream has.
  private mutating func readStream(_ attributes: XMLAttributes, _ stream: inout EdmStream) {
    if let type = attributes.index(of: "type") {
      stream.contentType = stream.contentType ?? attributes.string(type)
    }
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.isCalled("etag"),
        vocabularies.vocabulary(of: name) == .metadata
      else { continue }
      stream.entityTag = EntityTag(rawValue: attributes.string(index))
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
      entry.control.typeName = lastTypeName.text
      return
    }
    let text = attributes.string(term)
    let name =
      text.utf8.lastIndex(of: UInt8(ascii: "#")).map { String(text[text.utf8.index(after: $0)...]) } ?? text
    lastTypeName = (Array(raw), name)
    entry.control.typeName = name
  }

  func twice(_ name: UnsafePointer<UInt8>, at position: XMLPosition) -> ODataError {
    ODataError(
      .malformedPayload,
      "An entity has the property '\(path(to: name))' twice (line \(position.line)).")
  }
}

// What stands in a feed and is no entry (OData Atom Format 4.0 § 12 and § 14).
extension AtomGrammar {
  /// A reference to an entity.
  func reference(_ attributes: XMLAttributes) -> EntityRecord {
    var control = ControlInformation(id: attributes.index(of: "id").map { attributes.string($0) })
    control.base = base
    return EntityRecord(control: control)
  }

  /// An entity that is gone (RFC 6721 § 3).
  mutating func removed(_ attributes: XMLAttributes) -> EntityRecord {
    var control = ControlInformation(id: attributes.index(of: "ref").map { attributes.string($0) })
    control.base = base
    var removal = DeltaChange.Removal.deleted
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.isCalled("reason"),
        vocabularies.vocabulary(of: name) == .metadata
      else { continue }
      if attributes.rawValue(index).spells("changed") { removal = .changed }
    }
    control.change = .removed(removal)
    return EntityRecord(control: control)
  }

  /// A link that was added or removed.
  func changedLink(_ attributes: XMLAttributes, isDeleted: Bool) -> EntityRecord {
    func text(_ name: StaticString) -> String {
      attributes.index(of: name).map { attributes.string($0) } ?? ""
    }
    let (source, relationship, target) = (text("source"), text("relationship"), text("target"))
    var control = ControlInformation()
    control.base = base
    control.change =
      isDeleted
      ? .deletedLink(source: source, relationship: relationship, target: target)
      : .addedLink(source: source, relationship: relationship, target: target)
    return EntityRecord(control: control)
  }
}
