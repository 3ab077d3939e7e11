/// An element of an entry that properties are mapped to.
struct MappedElement {
  let name: String
  /// `nil` for Atom's own.
  let namespace: String?
  let prefix: String?
  var attributes: [(name: String, text: String)] = []
  var text: String?
  var isNull = false
  var contentKind: String?
  var children: [MappedElement] = []

  /// Whether every entry that is sent has the element anyway.
  var isOfRequest: Bool { namespace == nil && ["title", "updated", "author"].contains(name) }
}

// Properties that stand in other elements of the entry than its content (MS-ODATA § 2.2.3.7.2.1).
extension AtomWriter {
  /// The elements that hold what a mapping takes out of the content; those properties are left out there from now on.
  mutating func mapped(
    _ record: EntityRecord, by rules: [FeedMapping.Rule]
  ) throws(ODataError) -> [MappedElement] {
    var elements: [MappedElement] = []
    for rule in rules where !rule.keepsInContent {
      guard let value = Self.value(at: rule.property[...], of: record), !value.isStructured else { continue }
      var text: [UInt8] = []
      value.appendLexical(to: &text)
      Self.insert(
        String(decoding: text, as: UTF8.self), isNull: value.isNull, rule, at: rule.target.path[...],
        into: &elements)
      omitted.insert(rule.property)
    }
    return elements
  }

  private static func value(at path: ArraySlice<String>, of record: EntityRecord) -> EdmValue? {
    guard let name = path.first, let value = record[name] else { return nil }
    if path.count == 1 { return value }
    guard case .complex(let inner) = value else { return nil }
    return self.value(at: path.dropFirst(), of: inner)
  }

  private static func insert(
    _ text: String, isNull: Bool, _ rule: FeedMapping.Rule, at path: ArraySlice<String>,
    into elements: inout [MappedElement]
  ) {
    guard let name = path.first else { return }
    let namespace = rule.target.isAtom ? nil : rule.target.namespace
    let index =
      elements.firstIndex { $0.name == name && $0.namespace == namespace } ?? elements.endIndex
    if index == elements.endIndex {
      elements.append(MappedElement(name: name, namespace: namespace, prefix: rule.target.prefix))
    }
    if path.count > 1 {
      insert(text, isNull: isNull, rule, at: path.dropFirst(), into: &elements[index].children)
    } else if let attribute = rule.target.attribute {
      elements[index].attributes.append((attribute, text))
    } else {
      elements[index].text = text
      elements[index].isNull = isNull
      elements[index].contentKind = rule.contentKind
    }
  }

  /// Writes one of Atom's own elements that every entry has: the mapped one, else the standard.
  mutating func mappedElement(
    _ name: String, of elements: [MappedElement], standard: (inout AtomWriter) -> Void
  ) throws(ODataError) {
    guard var element = elements.first(where: { $0.isOfRequest && $0.name == name }) else {
      return standard(&self)
    }
    // RFC 4287 § 3.2.1: an author has a name, if an empty one.
    if name == "author", !element.children.contains(where: { $0.name == "name" }) {
      element.children.insert(MappedElement(name: "name", namespace: nil, prefix: nil, text: ""), at: 0)
    }
    try write(element)
  }

  mutating func write(_ element: MappedElement, isInside: Bool = false) throws(ODataError) {
    let prefix = element.namespace == nil ? "" : (element.prefix.flatMap(Self.usable) ?? "c") + ":"
    let tag = prefix + element.name
    bytes.append(markup: "<")
    bytes.append(contentsOf: tag.utf8)
    if let namespace = element.namespace, !isInside {
      bytes.append(markup: " xmlns:")
      bytes.append(contentsOf: prefix.dropLast().utf8)
      try attribute("=\"", namespace, of: "the namespace of \(tag)")
    }
    for (name, text) in element.attributes {
      bytes.append(markup: " ")
      bytes.append(contentsOf: name.utf8)
      try attribute("=\"", text, of: "the attribute \(name) of \(tag)")
    }
    if let kind = element.contentKind, element.namespace == nil {
      try attribute(" type=\"", kind, of: "the kind of \(tag)")
    }
    // OData 2 knows no null there, and reads an empty element as one.
    if element.isNull, generation != .v2 { bytes.append(markup: " m:null=\"true\"") }
    bytes.append(markup: ">")
    if let text = element.text {
      // XHTML has to stand in a division of its own (RFC 4287 § 3.1.1.3).
      let isXHTML = element.contentKind == "xhtml" && element.namespace == nil
      if isXHTML { bytes.append(markup: "<div xmlns=\"http://www.w3.org/1999/xhtml\">") }
      try self.text(text, of: "the element \(tag)")
      if isXHTML { bytes.append(markup: "</div>") }
    }
    for child in element.children { try write(child, isInside: true) }
    bytes.append(markup: "</")
    bytes.append(contentsOf: tag.utf8)
    bytes.append(markup: ">")
  }

  /// The prefix that the metadata wants, unless it has another meaning in the document.
  private static func usable(_ prefix: String) -> String? {
    XMLNameRules.isLocalName(prefix) && !["d", "m", "xml", "xmlns"].contains(prefix) ? prefix : nil
  }
}
