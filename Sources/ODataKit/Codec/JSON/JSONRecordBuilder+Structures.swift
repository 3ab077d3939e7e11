// Objects and arrays inside of an entity.
extension JSONRecordBuilder {
  /// What an object or array turned out to be.
  struct Structure {
    /// The value; `nil` for a link to entities that did not come along.
    var value: EdmValue?
    /// Whether it is about related entities.
    var isLink = false
    var navigationLink: String?
  }

  /// Makes a value of an object or an array; `id` is the property it is in.
  mutating func structure(at index: Int, _ told: Told, _ id: Int) throws(ODataError) -> Structure {
    let node = tape.nodes[index]
    if let type = told.type?.type, !told.known.isCollection, EdmPrimitive(type) != nil {
      throw JSONTokenizer.malformed(
        "the value of “\(members.properties[id].name)” is not the \(type.rawValue) that its annotation says",
        at: node.offset)
    }
    if node.kind == .array { return try collection(at: index, told, id) }
    if told.known.type?.isSpatial == true, let type = told.known.type {
      return Structure(value: try spatial(at: index, type, id))
    }
    if style != .annotated, let form = try verboseForm(at: index, told, id) { return form }
    var (record, isEntity) = try record(at: index, type: told.known.type, expansion: told.expansion)
    if let name = record.control.typeName, EdmType(rawValue: name).isSpatial {
      return Structure(value: try spatial(at: index, EdmType(rawValue: name), id))
    }
    isEntity = isEntity || told.known.kind == .entity || told.expansion != nil || told.isLink
    if !isEntity, record.control.typeName == nil {
      record.control.typeName = told.known.type?.rawValue
    }
    return Structure(value: .complex(record), isLink: isEntity)
  }

  private mutating func collection(at index: Int, _ told: Told, _ id: Int) throws(ODataError) -> Structure {
    var element = Told(declared: told.known.element)
    element.expansion = told.expansion
    element.isLink = told.isLink
    var elements: [EdmValue] = []
    var isLink = told.isLink || told.expansion != nil || told.known.kind == .entity
    let end = tape.nodes[index].end
    var place = index + 1
    while place < end {
      let node = tape.nodes[place]
      if node.kind == .object || node.kind == .array {
        let structure = try self.structure(at: place, element, id)
        isLink = isLink || structure.isLink
        if let value = structure.value { elements.append(value) }
      } else {
        elements.append(try scalar(node, element, id))
      }
      place = node.next(behind: place)
    }
    let collection = EdmCollection(
      elementType: told.known.type, elements, count: told.count, nextLink: told.nextLink)
    return Structure(value: .collection(collection), isLink: isLink)
  }

  /// The objects that are no values of their own in verbose JSON (MS-ODATA § 2.2.6.3.6 and § 2.2.6.3.9).
  private mutating func verboseForm(
    at index: Int, _ told: Told, _ id: Int
  ) throws(ODataError) -> Structure? {
    if let place = child(.deferred, of: index), tape.nodes[place].kind == .object {
      let link = try child(.uri, of: place).flatMap { place throws(ODataError) in
        try string(tape.nodes[place])
      }
      return Structure(isLink: true, navigationLink: link)
    }
    if let place = child(.mediaResource, of: index), tape.nodes[place].kind == .object {
      var stream = EdmStream()
      for (word, term) in [
        (JSONWord.mediaSource, JSONMembers.Term.mediaReadLink), (.editMedia, .mediaEditLink),
        (.contentType, .mediaContentType), (.mediaTag, .mediaEntityTag),
      ] {
        guard let place = child(word, of: place), let text = try string(tape.nodes[place]) else { continue }
        Self.take(term, text, &stream)
      }
      return Structure(value: .stream(stream))
    }
    guard style == .verbose, let results = child(.results, of: index), tape.nodes[results].kind == .array
    else { return nil }
    var inside = told
    var isCollection = false
    if let metadata = child(.metadata, of: index), let type = child(.type, of: metadata) {
      let type = PayloadType(name: tape.text(tape.nodes[type]))
      inside.type = type
      isCollection = type.isCollection
    }
    if let count = child(.count, of: index) { inside.count = try self.count(tape.nodes[count]) }
    if let next = child(.next, of: index) { inside.nextLink = try verboseNextLink(at: next) }
    var structure = try collection(at: results, inside, id)
    // Collections of other things than entities came with OData 3, and have their type beside them.
    structure.isLink = structure.isLink || (!isCollection && told.known.type == nil)
    return structure
  }

  /// The URL of the next page: a string (MS-ODATA § 2.2.6.3.2), which some services put into an object as `uri`.
  func verboseNextLink(at index: Int) throws(ODataError) -> String? {
    try string(tape.nodes[child(.uri, of: index) ?? index])
  }
}
