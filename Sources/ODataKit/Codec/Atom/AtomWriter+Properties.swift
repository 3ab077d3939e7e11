// Properties and their values.
extension AtomWriter {
  /// Writes the content of an entry; that of a media entity is elsewhere, and its properties stand beside.
  mutating func content(of record: EntityRecord, level: Int? = nil) throws(ODataError) {
    if let media = record.control.media, media.readLink != nil || media.contentType != nil {
      bytes.append(markup: "<content")
      if let type = media.contentType { try attribute(" type=\"", type, of: "the media type") }
      if let link = media.readLink { try attribute(" src=\"", link, of: "the link to the media") }
      bytes.append(markup: " />")
      try properties(of: record)
    } else {
      bytes.append(markup: "<content type=\"application/xml\">")
      try properties(of: record)
      bytes.append(markup: "</content>")
    }
  }

  /// Writes `m:properties`, each property on a line of its own where there is a level of indentation. What is no
  /// property of the content is left out: related entities, and streams, which are written through their links.
  mutating func properties(of record: EntityRecord, level: Int? = nil) throws(ODataError) {
    bytes.append(markup: "<m:properties>")
    let links = record.control.links
    if tags.follow(record.shape), links.isEmpty, omitted.isEmpty {
      try repeatedProperties(of: record, level: level)
    } else {
      for (name, value) in record.properties {
        if case .stream = value { continue }
        if !links.isEmpty, links.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) { continue }
        if !omitted.isEmpty, omitted.contains([name]) { continue }
        if let level { newLine(level + 1) }
        try property(name, value)
      }
    }
    if let level { newLine(level) }
    bytes.append(markup: "</m:properties>")
  }

  /// Writes properties with the names of the entity before.
  private mutating func repeatedProperties(of record: EntityRecord, level: Int?) throws(ODataError) {
    var tags = tags
    self.tags = AtomTags()
    for index in record.values.indices {
      let value = record.values[index]
      if case .stream = value { continue }
      if let level { newLine(level + 1) }
      var kind = value.headKind
      if case .string(let text) = value, Self.needsPreserving(text) { kind = 0 }
      guard tags.knows(index, kind) else {
        let name = record.shape.names[index]
        let start = bytes.count
        try property(name, value)
        tags.learn(index, kind, from: bytes[start...], endLength: "</d:>".utf8.count + name.utf8.count)
        continue
      }
      tags.appendStart(index, to: &bytes)
      if case .string(let text) = value {
        try propertyText(text, of: record.shape.names[index])
      } else {
        value.appendLexical(to: &bytes)
      }
      tags.appendEnd(index, to: &bytes)
    }
    self.tags = tags
  }

  private mutating func property(_ name: String, _ value: EdmValue) throws(ODataError) {
    guard XMLNameRules.isLocalName(name) else {
      throw ODataError(
        .invalidValue,
        "The property name '\((path + [name]).joined(separator: "/"))' cannot be written in Atom, since it is no XML name; rename the property."
      )
    }
    bytes.append(markup: "<d:")
    bytes.append(text: name)
    if try self.value(value, of: name) {
      bytes.append(markup: "</d:")
      bytes.append(text: name)
      bytes.append(markup: ">")
    }
  }

  /// Writes the rest of a start tag and what stands in the element; `false` where that ended the element, too.
  /// `knownType` is the type that the reader knows without being told.
  private mutating func value(
    _ value: EdmValue, of name: String, knownType: EdmType? = nil
  ) throws(ODataError) -> Bool {
    switch value {
    case .string(let text):
      bytes.append(markup: Self.needsPreserving(text) ? " xml:space=\"preserve\">" : ">")
      try propertyText(text, of: name)
    case .null:
      bytes.append(markup: " m:null=\"true\" />")
      return false
    case .complex(let record): try complex(record, of: name, knownType: knownType)
    case .collection(let collection): try self.collection(collection, of: name)
    case .enumeration(let enumeration):
      guard generation == .v4 || isAnswer else { throw missing(value, of: name) }
      if let type = enumeration.type, type != knownType { try typeAttribute(type.rawValue, of: name) }
      bytes.append(markup: ">")
      try propertyText(enumeration.member, of: name)
    case .spatial(let spatial):
      guard generation != .v2 else { throw missing(value, of: name) }
      if spatial.type != knownType { try typeAttribute(spatial.type.rawValue, of: name) }
      bytes.append(markup: ">")
      try self.spatial(spatial, of: described(name))
    case .stream:
      throw ODataError(
        .invalidValue,
        "\(described(name)) is a stream, which is written through its links and not with other values."
      )
    default:
      guard let type = primitiveName(of: value) else { throw missing(value, of: name) }
      if knownType == nil || knownType != value.type {
        bytes.append(markup: " m:type=\"")
        bytes.append(markup: type)
        bytes.append(markup: "\"")
      }
      bytes.append(markup: ">")
      value.appendLexical(to: &bytes)
    }
    return true
  }

  private mutating func complex(
    _ record: EntityRecord, of name: String, knownType: EdmType?
  ) throws(ODataError) {
    if let type = record.control.typeName, type != knownType?.rawValue { try typeAttribute(type, of: name) }
    bytes.append(markup: ">")
    path.append(name)
    for link in record.control.links {
      try navigation(link, of: record, isRequest: false) { writer, related throws(ODataError) in
        try writer.serviceEntry(related, base: nil)
      }
    }
    for (name, value) in record.properties {
      if record.control.links.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) { continue }
      if case .stream = value { continue }
      if !omitted.isEmpty, omitted.contains(path + [name]) { continue }
      try property(name, value)
    }
    path.removeLast()
  }

  private mutating func collection(_ collection: EdmCollection, of name: String) throws(ODataError) {
    guard generation != .v2 else {
      throw ODataError(
        .invalidValue,
        "\(described(name)) is a collection, which OData 1 and 2 do not have; leave it out.")
    }
    if let type = collection.elementType?.collection.rawValue { try typeAttribute(type, of: name) }
    bytes.append(markup: ">")
    let isV4 = generation == .v4
    for element in collection.elements {
      bytes.append(markup: isV4 ? "<m:element" : "<d:element")
      if try value(element, of: name, knownType: collection.elementType) {
        bytes.append(markup: isV4 ? "</m:element>" : "</d:element>")
      }
    }
  }

  /// Writes ` m:type="…"` in the spelling of the generation: OData 4 leaves out `Edm.` and puts a sharp sign before
  /// every type but the primitive ones (OData Atom Format 4.0 § 6.3).
  private mutating func typeAttribute(_ type: String, of name: String) throws(ODataError) {
    let what = "the type of \(described(name))"
    guard generation == .v4 else { return try attribute(" m:type=\"", type, of: what) }
    let element = EdmType(rawValue: type).element?.rawValue
    var spelling = element ?? type
    let isOfEdm = spelling.hasPrefix("Edm.")
    if isOfEdm { spelling.removeFirst(4) }
    if element != nil { spelling = "#Collection(\(spelling))" } else if !isOfEdm { spelling = "#" + spelling }
    try attribute(" m:type=\"", spelling, of: what)
  }

  private mutating func propertyText(_ text: String, of name: String) throws(ODataError) {
    if let scalar = bytes.append(xmlText: text) { throw Self.cannotCarry(scalar, in: described(name)) }
  }

  private func described(_ name: String) -> String {
    "property '\((path + [name]).joined(separator: "/"))'"
  }

  /// Whether blanks or line ends stand at the beginning or the end, where tools like to cut them off.
  private static func needsPreserving(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return false }
    return first.isBlank || last.isBlank
  }

  private func missing(_ value: EdmValue, of name: String) -> ODataError {
    let generations =
      switch value {
      case .spatial: "1 and 2 do"
      default: generation == .v4 ? "4 does" : "1 to 3 does"
      }
    return ODataError(
      .invalidValue,
      "Property '\((path + [name]).joined(separator: "/"))' is of type \(value.kindName), which OData \(generations) not have; give it another type."
    )
  }

  /// The name of a primitive type; `nil` for one that the generation does not have, and for what is none.
  private func primitiveName(of value: EdmValue) -> StaticString? {
    let name: (v3: StaticString?, v4: StaticString?) =
      switch value {
      case .null, .string: ("Edm.String", "String")
      case .boolean: ("Edm.Boolean", "Boolean")
      case .byte: ("Edm.Byte", "Byte")
      case .sbyte: ("Edm.SByte", "SByte")
      case .int16: ("Edm.Int16", "Int16")
      case .int32: ("Edm.Int32", "Int32")
      case .int64: ("Edm.Int64", "Int64")
      case .single: ("Edm.Single", "Single")
      case .double: ("Edm.Double", "Double")
      case .decimal: ("Edm.Decimal", "Decimal")
      case .binary: ("Edm.Binary", "Binary")
      case .guid: ("Edm.Guid", "Guid")
      case .dateTime: ("Edm.DateTime", nil)
      case .dateTimeOffset: ("Edm.DateTimeOffset", "DateTimeOffset")
      case .duration: ("Edm.Time", "Duration")
      case .date: (nil, "Date")
      case .timeOfDay: (nil, "TimeOfDay")
      case .enumeration, .spatial, .stream, .complex, .collection: (nil, nil)
      }
    return generation == .v4 ? name.v4 : name.v3
  }
}
