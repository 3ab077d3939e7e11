/// An element of a small XML document, whole in memory: settings and service documents, never entities.
package struct XMLElement: Sendable, Equatable {
  /// The name without its prefix.
  package var name: String
  /// The URI of the namespace; `nil` for none.
  package var namespace: String?
  /// The attributes in their order, namespace declarations not among them.
  package var attributes: [Attribute] = []
  /// The elements inside, in order.
  package var children: [XMLElement] = []
  /// The character data that stands directly inside, in one piece.
  package var text = ""

  /// Makes an element.
  package init(_ name: String, namespace: String? = nil, text: String = "", children: [XMLElement] = []) {
    self.name = name
    self.namespace = namespace
    self.text = text
    self.children = children
  }

  /// An attribute of an element.
  package struct Attribute: Sendable, Equatable {
    /// The name without its prefix.
    package var name: String
    /// The URI of the namespace; `nil` for none.
    package var namespace: String?
    /// The value, references resolved.
    package var value: String

    /// Makes an attribute.
    package init(_ name: String, namespace: String? = nil, value: String) {
      self.name = name
      self.namespace = namespace
      self.value = value
    }
  }

  /// Reads a document and gives its root. Throws what ``XMLPushParser`` throws: a document that is broken, too deep or
  /// too long, or has a DOCTYPE.
  package static func read(
    _ bytes: [UInt8], limits: PayloadLimits = PayloadLimits()
  ) throws(ODataError) -> XMLElement {
    let builder = XMLTreeBuilder()
    let parser = XMLPushParser(handler: builder, limits: limits)
    try parser.feed(bytes)
    try parser.finish()
    guard let root = builder.root else {
      throw ODataError(.malformedPayload, "The XML document has no root element.")
    }
    return root
  }

  /// The first element inside with this name, whatever its namespace.
  package func child(_ name: String) -> XMLElement? { children.first { $0.name.hasSameBytes(as: name) } }

  /// The elements inside with this name, whatever their namespace.
  package func children(_ name: String) -> [XMLElement] { children.filter { $0.name.hasSameBytes(as: name) } }

  /// The value of an attribute in no namespace, or in the one that is given.
  package func attribute(_ name: String, namespace: String? = nil) -> String? {
    attributes.first { $0.name.hasSameBytes(as: name) && $0.namespace == namespace }?.value
  }

  /// The text without blanks at its ends.
  package var trimmedText: String {
    var bytes = Substring(text).utf8
    while bytes.first?.isBlank == true { bytes.removeFirst() }
    while bytes.last?.isBlank == true { bytes.removeLast() }
    return String(Substring(bytes))
  }
}

/// Puts elements together from the events of a parser.
private final class XMLTreeBuilder: XMLEventHandler {
  private(set) var root: XMLElement?
  private var open: [(element: XMLElement, text: [UInt8])] = []

  func startElement(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
    var element = XMLElement(
      String(cString: name.local), namespace: name.namespace.map(String.init(cString:)))
    for index in 0..<attributes.count {
      guard let name = attributes.name(index) else { continue }
      element.attributes.append(
        XMLElement.Attribute(
          String(cString: name.local), namespace: name.namespace.map(String.init(cString:)),
          value: attributes.string(index)))
    }
    open.append((element, []))
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if !open.isEmpty { open[open.count - 1].text.append(contentsOf: bytes) }
  }

  func endElement(at position: XMLPosition) {
    guard let last = open.popLast() else { return }
    var element = last.element
    element.text = String(decoding: last.text, as: UTF8.self)
    if open.isEmpty { root = element } else { open[open.count - 1].element.children.append(element) }
  }
}

extension XMLElement {
  /// The element as a document of its own, with an XML declaration and without indentation. Prefixes are not written:
  /// each namespace is declared where it begins, attributes in a namespace are left out.
  ///
  /// Throws ``ODataError/Code/invalidValue`` for a character that XML cannot carry.
  package func document() throws(ODataError) -> [UInt8] {
    var bytes = Array(#"<?xml version="1.0" encoding="utf-8"?>"#.utf8)
    try append(to: &bytes, within: nil)
    return bytes
  }

  private func append(to bytes: inout [UInt8], within outer: String?) throws(ODataError) {
    bytes += "<\(name)".utf8
    if let namespace, namespace != outer { try append("xmlns", namespace, to: &bytes) }
    for attribute in attributes where attribute.namespace == nil {
      try append(attribute.name, attribute.value, to: &bytes)
    }
    guard !text.isEmpty || !children.isEmpty else {
      bytes += " />".utf8
      return
    }
    bytes.append(UInt8(ascii: ">"))
    try check(bytes.append(xmlText: text))
    for child in children { try child.append(to: &bytes, within: namespace ?? outer) }
    bytes += "</\(name)>".utf8
  }

  private func append(_ name: String, _ value: String, to bytes: inout [UInt8]) throws(ODataError) {
    bytes += " \(name)=\"".utf8
    try check(bytes.append(xmlAttribute: value))
    bytes.append(UInt8(ascii: "\""))
  }

  private func check(_ refused: Unicode.Scalar?) throws(ODataError) {
    guard let refused else { return }
    throw ODataError(
      .invalidValue,
      "The element \(name) holds the character U+\(String(refused.value, radix: 16, uppercase: true)), which XML cannot carry; take it out."
    )
  }
}
