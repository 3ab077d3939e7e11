// Properties that stand in other elements of the entry than its content.
extension AtomGrammar {
  /// A child of the entry that may be mapped.
  mutating func beginMapped(_ name: XMLName, _ attributes: XMLAttributes) {
    open(.mapped)
    beginMappedPart(name, attributes)
  }

  mutating func beginMappedPart(_ name: XMLName, _ attributes: XMLAttributes) {
    let namespace = name.namespace.map { String(cString: $0) } ?? ""
    let path = entry.mapped.path + [String(cString: name.local)]
    var isOnTheWay = false
    for (index, target) in mapping.targets.enumerated()
    where entry.mapped.target == nil && target.path.starts(with: path)
      && target.namespace.utf8.elementsEqual(namespace.utf8)
    {
      isOnTheWay = true
      guard target.path.count == path.count else { continue }
      if let wanted = target.attribute {
        for position in 0..<attributes.count {
          guard let attribute = attributes.name(position), String(cString: attribute.local) == wanted else {
            continue
          }
          entry.mapped.keep(index, attributes.string(position), isNull: false)
        }
      } else {
        entry.mapped.target = index
        entry.mapped.depth = path.count
        entry.mapped.isNull = isNull(attributes)
        text.clear()
        collectsText = true
      }
    }
    // What a text of markup is made of (`xhtml`) belongs to it.
    guard isOnTheWay || entry.mapped.target != nil else {
      if entry.mapped.path.isEmpty { roles >>= 4 }
      ignored = 1
      return
    }
    entry.mapped.path = path
  }

  mutating func endMappedPart() {
    if let target = entry.mapped.target, entry.mapped.depth == entry.mapped.path.count {
      entry.mapped.keep(target, text.string, isNull: entry.mapped.isNull)
      entry.mapped.target = nil
      collectsText = false
    }
    entry.mapped.path.removeLast()
    if entry.mapped.path.isEmpty { roles >>= 4 }
  }

  /// Whether `m:null` says that there is no value.
  mutating func isNull(_ attributes: XMLAttributes) -> Bool {
    (0..<attributes.count).contains { index in
      guard let name = attributes.name(index), name.isCalled("null"),
        vocabularies.vocabulary(of: name) == .metadata
      else { return false }
      let value = attributes.rawValue(index)
      return value.spells("true") || value.spells("1")
    }
  }

  /// Gives the entry the properties that stand outside of its content; one that stands in both is taken from there.
  mutating func applyMapping(at position: XMLPosition) throws(ODataError) {
    defer { entry.mapped.clear() }
    for rule in mapping.rules(of: entry.control.typeName ?? entry.root?.rawValue) {
      guard let found = entry.mapped.found.first(where: { mapping.targets[$0.target] == rule.target }),
        let first = rule.property.first, let name = position.interned(first)
      else { continue }
      let value = try mappedValue(found.text, isNull: found.isNull, rule, at: position)
      let rest = rule.property.dropFirst()
      if rest.isEmpty {
        // False where the content has it, which tells more than the text of an element.
        _ = entry.row.append(name, value)
      } else if !entry.row.change(name, { Self.set(rest, of: &$0, to: value) }) {
        var complex = EdmValue.complex(EntityRecord())
        Self.set(rest, of: &complex, to: value)
        _ = entry.row.append(name, complex)
      }
    }
  }

  private func mappedValue(
    _ text: String, isNull: Bool, _ rule: FeedMapping.Rule, at position: XMLPosition
  ) throws(ODataError) -> EdmValue {
    // OData 2 has no other way to write a null there than an empty element.
    if isNull || (text.isEmpty && rule.type != .string) { return .null }
    do {
      let type = PayloadType(rule.type)
      return try Array(text.utf8).withUnsafeBufferPointer { bytes throws(ODataError) in
        try type.value(of: bytes)
      }
    } catch {
      throw ODataError(
        .malformedPayload,
        "The value of property '\(rule.property.joined(separator: "/"))' is no \(rule.type), as it stands outside of the content (line \(position.line)).",
        underlying: error)
    }
  }

  /// Sets a property of a complex value that does not have it.
  private static func set(_ path: ArraySlice<String>, of value: inout EdmValue, to new: EdmValue) {
    guard case .complex(var record) = value, let name = path.first else { return }
    if path.count == 1 {
      if record[name] == nil { record[name] = new }
    } else {
      var inner = record[name] ?? .complex(EntityRecord())
      set(path.dropFirst(), of: &inner, to: new)
      record[name] = inner
    }
    value = .complex(record)
  }
}
