/// Makes records of the objects on a ``JSONTape``.
struct JSONRecordBuilder {
  /// Which of the formats the payload is in, as far as it has told: their marks would be ordinary names and texts in the
  /// others.
  enum Style {
    case unknown
    /// That of OData 1 and 2: `d`, `__metadata`, `/Date(…)/`.
    case verbose
    /// One with annotations: OData 3 and 4.
    case annotated
  }

  /// Control information about a property, which stands beside it.
  struct Note {
    let property: Int
    let term: JSONMembers.Term
    let node: JSONTape.Node
  }

  var tape = JSONTape()
  var members = JSONMembers()
  var style = Style.unknown
  /// The context URL of the payload.
  var context: JSONContext?
  var types: JSONTypeTable
  private var shapes: [[Int]: RecordShape] = [:]
  private var lastIDs: [Int] = []
  private var lastShape = RecordShape.empty
  private var objects = 0
  /// The properties of the objects that are being made, innermost last.
  private var ids: [Int] = []

  init(types: PayloadTypes) { self.types = JSONTypeTable(types) }

  /// Forgets the object on the tape; the next one is an entity.
  mutating func reset() {
    tape.reset()
    guard members.beginEntity() else { return }
    shapes.removeAll()
    lastIDs = []
    lastShape = .empty
    types.forget()
  }

  /// What the entity on the tape is.
  mutating func entity() throws(ODataError) -> EntityRecord {
    try record(at: 0, type: types.root, expansion: context?.expansion).record
  }

  /// Makes a record of an object. `type` is what the metadata says it is; the object's own word counts more.
  mutating func record(
    at index: Int, type declared: EdmType?, expansion: JSONContext.Expansion?
  ) throws(ODataError) -> (record: EntityRecord, isEntity: Bool) {
    var frame = try gather(at: index)
    let known = frame.control.typeName.map(EdmType.init) ?? declared
    let table = types.place(of: known, else: declared)
    let firstID = ids.count
    var control = frame.control
    var links = frame.links
    var streams: [(name: String, stream: EdmStream)] = []
    for note in frame.notes { take(note, &frame, &links, &streams) }
    if frame.notes.count > Self.searchedNotes {
      frame.notes.sort { ($0.property, $0.node.offset) < ($1.property, $1.node.offset) }
    }
    var values: [EdmValue] = []
    values.reserveCapacity(frame.count + streams.count)

    let end = tape.nodes[index].end
    var place = index + 1
    while place < end {
      let node = tape.nodes[place]
      if case .property(let id) = members.roles[node.member], place != frame.metadata {
        var told = Told(declared: types.type(of: members.properties[id].name, id, in: table))
        if !frame.notes.isEmpty { try tell(&told, of: id, frame.notes) }
        if node.kind == .object || node.kind == .array, let expansion {
          told.expansion = expansion[members.properties[id].name]
        }
        let value: EdmValue
        if node.kind == .object || node.kind == .array {
          let structure = try self.structure(at: place, told, id)
          if structure.isLink || (told.isLink && structure.value != nil) {
            frame.linkIndex.change(members.properties[id].name, in: &links) {
              $0.navigationLink = $0.navigationLink ?? structure.navigationLink
            }
          }
          guard let found = structure.value else {
            // A link to what did not come along is no property.
            place = node.next(behind: place)
            continue
          }
          value = found
        } else {
          value = try scalar(node, told, id)
        }
        ids.append(id)
        values.append(value)
      }
      place = node.next(behind: place)
    }
    if !streams.isEmpty {
      // A stream that has a value as well is told enough of there.
      let present = Set(ids[firstID...])
      for (name, stream) in streams {
        let id = members.propertyID(of: name)
        guard !present.contains(id) else { continue }
        ids.append(id)
        values.append(.stream(stream))
      }
    }
    control.links = links
    if let change = frame.change {
      control.change = change
      if case .removed = change {} else { values = [] }
      if frame.isOldChange { values = [] }
      if values.isEmpty { ids.removeSubrange(firstID...) }
    }
    if let context = frame.context ?? context?.url, isRelative(control, streams.map(\.stream)) {
      control.base = context
    }
    let shape = shape(from: firstID)
    ids.removeSubrange(firstID...)
    return (EntityRecord(shape: shape, values: values, control: control), frame.isEntity)
  }

  /// More combinations of properties than any table has; beyond them each row gets a shape of its own.
  private static let maximumShapes = 256

  private mutating func shape(from first: Int) -> RecordShape {
    if ids.count - first == lastIDs.count, ids[first...].elementsEqual(lastIDs) { return lastShape }
    let key = Array(ids[first...])
    let shape = shapes[key] ?? RecordShape(names: key.map { members.properties[$0].name })
    if shapes.count < Self.maximumShapes { shapes[key] = shape }
    if first == 0 { (lastIDs, lastShape) = (key, shape) }
    return shape
  }

  /// Whether some link has to be seen from the payload's context URL.
  private func isRelative(_ control: ControlInformation, _ streams: [EdmStream]) -> Bool {
    func isRelative(_ link: String?) -> Bool { link.map { !URLReference.hasScheme($0) } ?? false }
    func isRelative(_ stream: EdmStream) -> Bool {
      isRelative(stream.readLink) || isRelative(stream.editLink)
    }
    return isRelative(control.editLink) || isRelative(control.id) || isRelative(control.readLink)
      || control.media.map(isRelative) ?? false || streams.contains(where: isRelative)
      || control.links.contains { isRelative($0.navigationLink) || isRelative($0.associationLink) }
  }
}

// MARK: - What an object says of itself

extension JSONRecordBuilder {
  /// What is gathered from all members of an object before its first value is made.
  struct Frame {
    var control = ControlInformation()
    var notes: [Note] = []
    var links: [NavigationLink] = []
    var linkIndex = NameIndex()
    var streamIndex = NameIndex()
    var media: EdmStream?
    /// The number of properties.
    var count = 0
    /// The node of `__metadata`.
    var metadata = -1
    /// The object's own context URL.
    var context: String?
    var kind = JSONContext.Kind.other
    var removal: DeltaChange.Removal?
    /// What an object of a delta says in members of its own.
    var words: [JSONWord: String] = [:]

    /// Whether it says something that only entities have to say.
    var isEntity: Bool {
      control.id != nil || control.entityTag != nil || control.editLink != nil || control.readLink != nil
        || media != nil || kind == .entity
    }

    /// Whether it is an item of a delta as OData 4.0 writes them: one that says all in members that are no properties.
    var isOldChange: Bool {
      switch kind {
      case .deletedEntity, .link, .deletedLink: true
      case .other, .entity, .delta: false
      }
    }

    /// What happened, where the object is no entity as it is now.
    var change: DeltaChange? {
      let source = words[.source] ?? ""
      let (relationship, target) = (words[.relationship] ?? "", words[.target] ?? "")
      return switch kind {
      case .deletedEntity: .removed(words[.reason] == "changed" ? .changed : .deleted)
      case .link: .addedLink(source: source, relationship: relationship, target: target)
      case .deletedLink: .deletedLink(source: source, relationship: relationship, target: target)
      case .other, .entity, .delta: removal.map(DeltaChange.removed)
      }
    }
  }

  /// Looks at all members of an object; throws where a property occurs twice.
  mutating func gather(at index: Int) throws(ODataError) -> Frame {
    objects += 1
    var frame = Frame()
    let end = tape.nodes[index].end
    var place = index + 1
    while place < end {
      let node = tape.nodes[place]
      switch members.roles[node.member] {
      case .property(let id):
        guard members.properties[id].object != objects else {
          throw JSONTokenizer.malformed(
            "the property “\(members.properties[id].name)” occurs twice in an entity", at: node.offset)
        }
        members.properties[id].object = objects
        if node.kind == .object, members.properties[id].word == .metadata, style != .annotated {
          style = .verbose
          frame.metadata = place
          try takeMetadata(at: place, &frame)
        } else {
          frame.count += 1
        }
      case .note(let id, let term):
        style = .annotated
        frame.notes.append(Note(property: id, term: term, node: node))
      case .control(let term):
        style = .annotated
        try take(term, at: place, &frame)
      case .other: break
      }
      place = node.next(behind: place)
    }
    if let media = frame.media { frame.control.media = media }
    if frame.isOldChange {
      for (word, text) in try words(at: index) {
        frame.words[word] = text
        if word == .id, frame.kind == .deletedEntity { frame.control.id = text }
      }
    }
    return frame
  }

  private mutating func take(_ term: JSONMembers.Term, at place: Int, _ frame: inout Frame) throws(ODataError)
  {
    let node = tape.nodes[place]
    if term == .removed {
      // Where it is null, the item is no removed entity (OData 4.01 JSON Format § 15.3 has an object).
      guard node.kind == .object else { return }
      var removal = DeltaChange.Removal.deleted
      if try words(at: place).contains(where: { $0 == (.reason, "changed") }) {
        removal = .changed
      }
      frame.removal = removal
      return
    }
    guard let text = try string(node) else { return }
    switch term {
    case .context:
      frame.context = text
      frame.kind = JSONContext(text).kind
    case .type: frame.control.typeName = Self.typeName(text)
    case .id: frame.control.id = text
    case .editLink: frame.control.editLink = text
    case .readLink: frame.control.readLink = text
    case .entityTag: frame.control.entityTag = EntityTag(rawValue: text)
    case .mediaReadLink, .mediaEditLink, .mediaContentType, .mediaEntityTag:
      var media = frame.media ?? EdmStream()
      Self.take(term, text, &media)
      frame.media = media
    default: break
    }
  }

  /// The texts among the members of an object that are words.
  private func words(at index: Int) throws(ODataError) -> [(JSONWord, String)] {
    var words: [(JSONWord, String)] = []
    let end = tape.nodes[index].end
    var place = index + 1
    while place < end {
      let node = tape.nodes[place]
      if case .property(let id) = members.roles[node.member], let word = members.properties[id].word,
        let text = try string(node)
      {
        words.append((word, text))
      }
      place = node.next(behind: place)
    }
    return words
  }

  /// The name of a type as programs spell it: without the sharp sign, or the URL in front of it, that OData 4 has.
  static func typeName(_ text: String) -> String {
    guard let hash = text.utf8.lastIndex(of: UInt8(ascii: "#")) else { return text }
    return String(text[text.utf8.index(after: hash)...])
  }

  static func take(_ term: JSONMembers.Term, _ text: String, _ stream: inout EdmStream) {
    switch term {
    case .mediaReadLink: stream.readLink = text
    case .mediaEditLink: stream.editLink = text
    case .mediaContentType: stream.contentType = text
    case .mediaEntityTag: stream.entityTag = EntityTag(rawValue: text)
    default: break
    }
  }

  /// `__metadata` of verbose JSON (MS-ODATA § 2.2.6.3.3).
  private mutating func takeMetadata(at index: Int, _ frame: inout Frame) throws(ODataError) {
    for (word, text) in try words(at: index) {
      switch word {
      case .id: frame.control.id = text
      case .uri: frame.control.editLink = text
      case .etag: frame.control.entityTag = EntityTag(rawValue: text)
      case .type: frame.control.typeName = text
      case .mediaSource: frame.media = frame.media ?? EdmStream(); frame.media?.readLink = text
      case .editMedia: frame.media = frame.media ?? EdmStream(); frame.media?.editLink = text
      case .contentType: frame.media = frame.media ?? EdmStream(); frame.media?.contentType = text
      case .mediaTag:
        frame.media = frame.media ?? EdmStream()
        frame.media?.entityTag = EntityTag(rawValue: text)
      default: break
      }
    }
    frame.control.id = frame.control.id ?? frame.control.editLink
    // Where the links themselves are: `"properties": {"Author": {"associationuri": "…"}}`.
    guard let properties = child(.properties, of: index), tape.nodes[properties].kind == .object else {
      return
    }
    var place = properties + 1
    while place < tape.nodes[properties].end {
      let node = tape.nodes[place]
      if node.kind == .object, case .property(let id) = members.roles[node.member],
        let link = try words(at: place).first(where: { $0.0 == .associationURI })?.1
      {
        frame.linkIndex.change(members.properties[id].name, in: &frame.links) { $0.associationLink = link }
      }
      place = node.next(behind: place)
    }
  }

  /// The member of an object that is called so.
  func child(_ word: JSONWord, of index: Int) -> Int? {
    guard tape.nodes[index].kind == .object else { return nil }
    let end = tape.nodes[index].end
    var place = index + 1
    while place < end {
      let node = tape.nodes[place]
      if case .property(let id) = members.roles[node.member], members.properties[id].word == word {
        return place
      }
      place = node.next(behind: place)
    }
    return nil
  }
}

// MARK: - What stands beside a property

extension JSONRecordBuilder {
  /// What is known of a value before it is looked at.
  struct Told {
    /// What the metadata says.
    var declared: PayloadType
    /// What an annotation says.
    var type: PayloadType?
    /// Whether some annotation says that it is related entities.
    var isLink = false
    /// What is expanded in it; `nil` where it is not said to be expanded.
    var expansion: JSONContext.Expansion?
    var count: Int64?
    var nextLink: String?

    init(declared: PayloadType = .unknown) { self.declared = declared }

    /// Both in one.
    var known: PayloadType { type?.completed(by: declared) ?? declared }
  }

  /// Where more notes stand on an object, they are sorted by their properties rather than searched.
  private static var searchedNotes: Int { 32 }

  /// The notes on one property, in the order of the payload.
  private static func notes(on property: Int, among notes: [Note]) -> some Sequence<Note> {
    var start = 0
    if notes.count > searchedNotes {
      var end = notes.count
      while start < end {
        let middle = start + (end - start) / 2
        if notes[middle].property < property { start = middle + 1 } else { end = middle }
      }
      while end < notes.count, notes[end].property == property { end += 1 }
      return notes[start..<end].lazy.filter { $0.property == property }
    }
    return notes[...].lazy.filter { $0.property == property }
  }

  fileprivate func tell(_ told: inout Told, of id: Int, _ notes: [Note]) throws(ODataError) {
    for note in Self.notes(on: id, among: notes) {
      switch note.term {
      case .type where note.node.kind == .string: told.type = PayloadType(name: tape.text(note.node))
      case .navigationLink, .associationLink, .context: told.isLink = true
      case .count:
        told.isLink = true
        told.count = try count(note.node)
      case .nextLink:
        guard let link = try string(note.node) else { continue }
        told.nextLink = URLReference.resolve(link, against: context?.url)
        told.isLink = true
      default: break
      }
    }
  }

  private func take(
    _ note: Note, _ frame: inout Frame, _ links: inout [NavigationLink],
    _ streams: inout [(name: String, stream: EdmStream)]
  ) {
    guard note.node.kind == .string,
      let text = String(validating: tape.text(note.node), as: UTF8.self)
    else { return }
    let name = members.properties[note.property].name
    switch note.term {
    case .navigationLink: frame.linkIndex.change(name, in: &links) { $0.navigationLink = text }
    case .bind:
      frame.linkIndex.change(name, in: &links) { $0.navigationLink = $0.navigationLink ?? text }
    case .associationLink: frame.linkIndex.change(name, in: &links) { $0.associationLink = text }
    case .mediaReadLink, .mediaEditLink, .mediaContentType, .mediaEntityTag:
      frame.streamIndex.change(name, in: &streams) { Self.take(note.term, text, &$0) }
    default: break
    }
  }

  /// The text of a string; `nil` for anything else.
  func string(_ node: JSONTape.Node) throws(ODataError) -> String? {
    guard node.kind == .string else { return nil }
    guard let text = String(validating: tape.text(node), as: UTF8.self) else {
      throw JSONTokenizer.malformed("a string is not UTF-8", at: node.offset)
    }
    return text
  }

  /// A number of entities, which some write as a string.
  func count(_ node: JSONTape.Node) throws(ODataError) -> Int64? {
    guard node.kind == .string || node.kind == .integer || node.kind == .number else { return nil }
    guard case .int64(let count)? = try? EdmValue(lexical: tape.text(node), .int64) else {
      throw JSONTokenizer.malformed("the count of the entities is not an integer", at: node.offset)
    }
    return count
  }
}
