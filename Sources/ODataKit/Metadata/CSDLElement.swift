/// One element of CSDL in XML, with everything below it; kept only until the child of a schema that it belongs to is
/// complete.
struct CSDLElement {
  /// The name without prefix.
  let name: String
  /// The line it begins in.
  let line: Int
  /// In order. An attribute without prefix has its name; one of the metadata namespace of OData 1 to 3 `m:` in front; a
  /// vendor's the URI of its namespace and a slash.
  var attributes: [(name: String, value: String)] = []
  /// The elements inside that belong to the schema.
  var children: [CSDLElement] = []
  /// The text inside, where there are no elements.
  var text: [UInt8] = []

  static let metadataNamespace: StaticString =
    "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"

  init(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
    self.name = String(cString: name.local)
    line = position.line
    for index in 0..<attributes.count {
      guard let name = attributes.name(index) else { continue }
      var key = String(cString: name.local)
      if name.isIn("http://www.w3.org/XML/1998/namespace") { continue }
      if name.isIn(Self.metadataNamespace) {
        key = "m:" + key
      } else if let namespace = name.namespace {
        key = String(cString: namespace) + "/" + key
      }
      self.attributes.append((key, attributes.string(index)))
    }
  }

  /// The value of an attribute.
  subscript(name: StaticString) -> String? { attributes.first { $0.name.spells(name) }?.value }

  func isCalled(_ name: StaticString) -> Bool { self.name.spells(name) }

  /// The first element of a name inside.
  func child(_ name: StaticString) -> CSDLElement? { children.first { $0.isCalled(name) } }

  /// The value of an attribute that the element has no meaning without.
  func required(_ name: StaticString) throws(ODataError) -> String {
    guard let value = self[name], !value.isEmpty else { throw malformed("it has no \(name)") }
    return value
  }

  /// The text inside without the blanks around it.
  var trimmedText: String {
    let start = text.drop { $0.isBlank }
    let end = start.reversed().drop { $0.isBlank }.count
    return String(decoding: start.prefix(end), as: UTF8.self)
  }

  /// Where the element stands, for errors and remarks.
  var place: String {
    let named = self["Name"].map { " \($0)" } ?? ""
    return "line \(line), \(name)\(named)"
  }

  func malformed(_ what: String) -> ODataError { unreadableMetadata(place, what) }
}

extension String {
  /// Whether this is `text`, byte for byte.
  func spells(_ text: StaticString) -> Bool {
    utf8.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
