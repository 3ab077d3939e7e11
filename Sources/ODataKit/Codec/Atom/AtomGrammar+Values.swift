// Properties, and the values in them.
extension AtomGrammar {
  mutating func beginProperty(_ name: XMLName, _ attributes: XMLAttributes) {
    var state = OpenProperty(name: name.local)
    var isTyped = false
    for index in 0..<attributes.count {
      guard let attribute = attributes.name(index), vocabularies.vocabulary(of: attribute) == .metadata else {
        continue
      }
      if attribute.isCalled("type") {
        isTyped = true
        state.primitive = EdmPrimitive(name: attributes.rawValue(index))
        if state.primitive == nil {
          let named = PayloadType(name: attributes.rawValue(index))
          state.primitive = named.primitive
          if state.primitive == nil { entry.propertyType = named.completed(by: declaredType(of: name.local)) }
        }
      } else if attribute.isCalled("null") {
        let value = attributes.rawValue(index)
        state.isNull = value.spells("true") || value.spells("1")
      }
    }
    if !isTyped, knowsTypes || content == .value {
      if let column = entry.columns.column(of: name.local) {
        state.primitive = entry.columns.primitive(column)
        if state.primitive == nil { entry.propertyType = entry.columns.type(column) }
      } else {
        let type = declaredType(of: name.local)
        entry.columns.remember(name.local, type)
        state.primitive = type.primitive
        if state.primitive == nil { entry.propertyType = type }
      }
    }
    entry.property = state
    collect(.property)
  }

  private func declaredType(of name: UnsafePointer<UInt8>) -> PayloadType {
    if content == .value { return types.root.map { PayloadType($0) } ?? .unknown }
    return declaredType(of: String(cString: name), in: entry)
  }

  mutating func endProperty(at position: XMLPosition) throws(ODataError) {
    guard let property = entry.property else { return }
    let value: EdmValue
    if property.isNull {
      value = .null
      if !entry.parts.isEmpty { entry.parts.removeAll() }
    } else if !entry.parts.isEmpty {
      value = try endOfParts(at: position)
    } else if property.primitive == .string {
      value = .string(text.string)
    } else {
      do {
        if let primitive = property.primitive {
          value = try EdmValue(lexical: text.bytes, primitive)
        } else {
          value = try entry.propertyType.value(of: text.bytes)
        }
      } catch {
        throw invalid(property.primitive?.type ?? entry.propertyType.type, error, at: position)
      }
    }
    entry.property = nil
    if content == .value {
      rootValue = value
    } else if !entry.row.append(property.name, value) {
      throw twice(property.name, at: position)
    }
  }

  private func invalid(_ type: EdmType?, _ error: ODataError, at position: XMLPosition) -> ODataError {
    ODataError(
      .malformedPayload,
      "The value of property '\(path(to: nil))' is no \(type?.rawValue ?? "value") (line \(position.line)).",
      underlying: error)
  }

  /// The path to a property of the open complex value, or to the open value itself.
  func path(to name: UnsafePointer<UInt8>?) -> String {
    var names = entry.parts.map(\.name)
    if names.isEmpty, let property = entry.property { names = [property.name] }
    if let name { names.append(name) }
    return names.map { String(cString: $0) }.joined(separator: "/")
  }
}

// Values with elements in them.
extension AtomGrammar {
  /// An element inside of a property.
  mutating func beginPart(
    _ name: XMLName, _ vocabulary: AtomVocabulary, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    if entry.parts.isEmpty, let property = entry.property {
      let type =
        property.primitive.map { PayloadType(type: $0 == .string ? nil : $0.type) } ?? entry.propertyType
      entry.parts.append(OpenPart(name: property.name, type: type, isNull: property.isNull))
    }
    let parent = entry.parts.count - 1
    switch vocabulary {
    case .gml:
      let type = entry.parts[parent].type
      guard entry.parts[parent].kind == .undecided, !type.isCollection, type.type?.isSpatial ?? true else {
        ignored = 1
        return
      }
      entry.spatial = GMLReader(type: type.type)
      open(.spatial)
      entry.spatial?.startElement(name, attributes, isGML: true)
      text.clear()
      collectsText = true
    case .atom where name.isCalled("link"):
      // Navigation properties of complex types, which OData 4 has.
      entry.parts[parent].kind = .complex
      collectsText = false
      readLink(attributes)
    case .data, .metadata:
      let isElement = name.isCalled("element")
      collectsText = false
      if entry.parts[parent].kind == .undecided {
        try decide(parent, isElement: isElement, vocabulary, at: position)
      }
      if entry.parts[parent].kind == .collection {
        guard isElement else {
          ignored = 1
          return
        }
        beginValue(name, entry.parts[parent].type.element, attributes)
      } else if vocabulary == .data {
        let declared = declaredType(of: String(cString: name.local), in: entry)
        beginValue(name, declared, attributes)
      } else {
        ignored = 1
      }
    default: ignored = 1
    }
  }

  /// Makes a complex value or a collection of a value in which the first element is found.
  private mutating func decide(
    _ index: Int, isElement: Bool, _ vocabulary: AtomVocabulary, at position: XMLPosition
  ) throws(ODataError) {
    let type = entry.parts[index].type
    if type.isCollection {
      entry.parts[index].kind = .collection
    } else if isElement, type.kind == nil, type.type == nil || vocabulary == .metadata {
      // Services may leave the type of a collection out, and its elements tell all the same.
      entry.parts[index].type = PayloadType(type: type.type, isCollection: true)
      entry.parts[index].kind = .collection
    } else if let type = type.type, EdmPrimitive(type) != nil || type.isSpatial {
      throw ODataError(
        .malformedPayload,
        "The value of property '\(path(to: nil))' is no \(type.rawValue) but has elements in it (line \(position.line))."
      )
    } else {
      entry.parts[index].kind = .complex
    }
  }

  private mutating func beginValue(_ name: XMLName, _ declared: PayloadType, _ attributes: XMLAttributes) {
    var part = OpenPart(name: name.local, type: declared)
    for index in 0..<attributes.count {
      guard let attribute = attributes.name(index), vocabularies.vocabulary(of: attribute) == .metadata else {
        continue
      }
      if attribute.isCalled("type") {
        part.type = PayloadType(name: attributes.rawValue(index)).completed(by: declared)
      } else if attribute.isCalled("null") {
        let value = attributes.rawValue(index)
        part.isNull = value.spells("true") || value.spells("1")
      }
    }
    entry.parts.append(part)
    enterBase(attributes)
    if entry.parts.count == 2 { open(.value) }
    text.clear()
    collectsText = true
  }

  /// The end of an element inside of a property.
  mutating func endPart(at position: XMLPosition) throws(ODataError) {
    let value = try endOfPart(at: position)
    let part = entry.parts.removeLast()
    collectsText = false
    if entry.parts.count == 1 { roles >>= 4 }
    try append(part.name, value, at: position)
  }

  /// Adds to the innermost open value.
  mutating func append(
    _ name: UnsafePointer<UInt8>, _ value: EdmValue, at position: XMLPosition
  ) throws(ODataError) {
    let parent = entry.parts.count - 1
    if entry.parts[parent].kind == .complex {
      guard entry.parts[parent].add(name) else { throw twice(name, at: position) }
    }
    entry.parts[parent].values.append(value)
  }

  /// The value of the property as a whole.
  private mutating func endOfParts(at position: XMLPosition) throws(ODataError) -> EdmValue {
    let value = try endOfPart(at: position)
    entry.parts.removeAll(keepingCapacity: true)
    return value
  }

  /// The value of the innermost part.
  private mutating func endOfPart(at position: XMLPosition) throws(ODataError) -> EdmValue {
    guard let part = entry.parts.last else { return .null }
    if part.isNull { return .null }
    switch part.kind {
    case .complete: return part.value ?? .null
    case .collection: return .collection(EdmCollection(elementType: part.type.type, part.values))
    case .complex:
      var control = ControlInformation(typeName: part.type.type?.rawValue)
      if !part.links.isEmpty {
        control.links = part.links
        control.base = base
      }
      return .complex(
        EntityRecord(shape: shapes.shape(of: part.names), values: part.values, control: control))
    case .undecided:
      do { return try part.type.value(of: text.bytes) } catch {
        throw invalid(part.type.type, error, at: position)
      }
    }
  }

  mutating func endSpatial(at position: XMLPosition) throws(ODataError) {
    guard entry.spatial?.endElement(text.bytes) == true else {
      text.clear()
      return
    }
    roles >>= 4
    collectsText = false
    let index = entry.parts.count - 1
    guard let value = entry.spatial?.value else {
      throw ODataError(
        .malformedPayload,
        "The value of property '\(path(to: nil))' is no \(entry.parts[index].type.type?.rawValue ?? "value") (line \(position.line))."
      )
    }
    entry.spatial = nil
    entry.parts[index].value = .spatial(value)
    entry.parts[index].kind = .complete
  }
}
