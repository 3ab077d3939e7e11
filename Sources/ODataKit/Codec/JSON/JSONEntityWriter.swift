/// Writes entities as JSON into one buffer: bodies of requests for clients, documents for servers.
///
/// Types that JSON has not are written as strings with an annotation in front: Int64 (a JSON number loses
/// digits above 2⁵³ in most programs), dates, GUIDs, bytes. Doubles always have a point or an exponent, since
/// a service takes a number without one for an Int32; NaN and the infinities are strings (Azure tables:
/// `NaN`, `Infinity`, `-Infinity`; the others: `NaN`, `INF`, `-INF`). Verbose JSON has no annotations for primitive
/// values, and spells dates in a way of its own.
///
/// A record that cannot be written leaves the buffer as it was: nothing of it can be sent by mistake. The error is one
/// sentence that names the property with the path to it. A writer that is used again keeps its memory and what it
/// prepared of the names of records.
package struct JSONEntityWriter: ~Copyable {
  var buffer = JSONBuffer()
  /// How values are written.
  let options: JSONOptions
  /// The names of the shapes that were written last.
  var shapes = JSONShapeCache()
  /// The feed that is being written.
  var feedContext: JSONResponseContext?
  /// The complex values that are open, for errors.
  var path: [String] = []
  /// Whether this writes what a service answers: that may hold more than its generation has.
  var isAnswer = false
  /// What the answer says beside its entities.
  var answering = JSONServiceContext()
  /// Whether everything above 0x7F is escaped, as Azure's table service does.
  var isASCII = false

  /// Makes a writer for one of the formats.
  package init(annotations: JSONAnnotations = .odata3) { options = JSONOptions(annotations) }

  /// Makes a writer that knows more of who reads.
  package init(_ options: JSONOptions) { self.options = options }

  /// What was written.
  package var bytes: [UInt8] { buffer.bytes }

  /// Gives the document and makes the writer ready for another.
  package mutating func take() -> [UInt8] {
    let bytes = buffer.bytes
    buffer.truncate(to: 0)
    return bytes
  }

  var annotations: JSONAnnotations { options.annotations }

  /// Writes the body of an insert or update: the properties and their types, related entities that are inserted along,
  /// and links to entities that there are; of the control information nothing but the types. Streams are never sent:
  /// they are written at addresses of their own.
  ///
  /// Nulls are left out unless asked for; Azure tables ignore them, other services set the property to null. The type of
  /// the entity is written where asked for; those of related entities and complex values always.
  ///
  /// A property that one of the record's ``ControlInformation/links`` names holds related entities; a link without such a
  /// property binds to the entity it leads to, and several of one name to several.
  ///
  /// Throws ``ODataError/Code/invalidValue`` for what the format or the protocol generation cannot say.
  package mutating func requestEntity(
    _ record: EntityRecord, writesNulls: Bool = false, includesType: Bool = false
  ) throws(ODataError) {
    try whole { writer throws(ODataError) in
      try writer.requestObject(
        record, writesNulls: writesNulls, includesType: includesType, type: writer.options.types.root)
    }
  }

  /// Runs `body`, and takes back what it wrote if it fails.
  mutating func whole(
    _ body: (inout JSONEntityWriter) throws(ODataError) -> Void
  ) throws(ODataError) {
    let length = buffer.count
    do { try body(&self) } catch {
      buffer.truncate(to: length)
      path = []
      (isAnswer, isASCII) = (false, false)
      throw error
    }
  }

  mutating func requestObject(
    _ record: EntityRecord, writesNulls: Bool, includesType: Bool, type: EdmType?
  ) throws(ODataError) {
    buffer.append(UInt8(ascii: "{"))
    if includesType, let name = record.control.typeName { typeName(name) }
    let known = record.control.typeName.map(EdmType.init(rawValue:)) ?? type
    let links = record.control.links
    try properties(of: record, type: known, writesNulls: writesNulls, links: links)
    if !links.isEmpty { try requestLinks(of: record, type: known, writesNulls: writesNulls) }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Writes the properties of a record, each with its type where the reader cannot tell; `type` is the record's. What is
  /// no property of its own is left out: related entities, and streams.
  mutating func properties(
    of record: EntityRecord, type: EdmType?, writesNulls: Bool = true, links: [NavigationLink] = []
  ) throws(ODataError) {
    let names = try shapes.names(of: record.shape, annotations, isASCII: isASCII)
    let knowsTypes = options.types.catalog != nil || !options.types.byName.isEmpty
    defer { withExtendedLifetime(names) {} }
    if !knowsTypes, links.isEmpty, let heads = names.heads {
      return try properties(of: record, names, heads, writesNulls: writesNulls)
    }
    for index in record.values.indices {
      let value = record.values[index]
      if case .stream = value { continue }
      if !writesNulls, value.isNull { continue }
      if !links.isEmpty {
        let name = record.shape.names[index]
        if links.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) { continue }
      }
      var known: EdmType?
      if knowsTypes { known = declared(record.shape.names[index], of: type) }
      try property(value, JSONShape.Name(shape: names, index: index), known: known)
    }
  }

  /// What the metadata says of a property.
  func declared(_ name: String, of type: EdmType?) -> EdmType? {
    if let type, let property = options.types.catalog?.property(name, of: type) {
      return property.isCollection ? property.type.collection : property.type
    }
    return options.types.byName[name]
  }
}

// MARK: - Members

extension JSONEntityWriter {
  /// Separates a member or an element from the one before it.
  @inline(__always)
  mutating func separate() { if !buffer.isAtStart { buffer.append(UInt8(ascii: ",")) } }

  /// Begins a piece of control information about the object that is open: `"odata.etag":`.
  mutating func control(_ term: StaticString) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    buffer.append(annotations.prefixes.object)
    buffer.append(term)
    buffer.append("\":")
  }

  /// Writes a piece of control information that is a text.
  mutating func control(_ term: StaticString, _ text: String) {
    control(term)
    buffer.append(string: text, isASCII: isASCII)
  }

  /// Begins a piece of control information about a property: `"Lines@odata.count":`.
  mutating func control(_ term: StaticString, of name: String) {
    separate()
    buffer.append(string: name, isASCII: isASCII)
    buffer.truncate(to: buffer.count - 1)
    buffer.append(annotations.prefixes.property)
    buffer.append(term)
    buffer.append("\":")
  }

  /// Writes a piece of control information about a property that is a text.
  mutating func control(_ term: StaticString, of name: String, _ text: String) {
    control(term, of: name)
    buffer.append(string: text, isASCII: isASCII)
  }

  /// Begins a member with a name that is known to need no escape.
  mutating func member(_ name: StaticString) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    buffer.append(name)
    buffer.append("\":")
  }

  /// Writes such a member that is a text.
  mutating func member(_ name: StaticString, _ text: String) {
    member(name)
    buffer.append(string: text, isASCII: isASCII)
  }

  /// Begins a member of any name.
  mutating func member(named name: String) {
    separate()
    buffer.append(string: name, isASCII: isASCII)
    buffer.append(UInt8(ascii: ":"))
  }

  /// Writes the type of the object that is open.
  mutating func typeName(_ name: String) {
    guard annotations == .verbose else { return control("type", spelled(EdmType(rawValue: name))) }
    member("__metadata")
    buffer.append("{\"type\":")
    buffer.append(string: name, isASCII: isASCII)
    buffer.append(UInt8(ascii: "}"))
  }

  /// The name of a type as the generation writes it: OData 4 leaves out `Edm.` and puts a sharp sign before it; 4.01
  /// does so for the types of services only.
  func spelled(_ type: EdmType) -> String {
    guard annotations.isVersion4 else { return type.rawValue }
    let element = type.element?.rawValue
    var name = element ?? type.rawValue
    let isOfEdm = name.hasPrefix("Edm.")
    if isOfEdm { name.removeFirst(4) }
    if element != nil { name = "Collection(\(name))" }
    return annotations == .odata401 && isOfEdm ? name : "#" + name
  }

  /// A property in the words of an error, with the path to it.
  func described(_ name: String) -> String { "Property '\((path + [name]).joined(separator: "/"))'" }
}
