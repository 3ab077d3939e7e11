/// Writes entities as Atom into one buffer: the entry a client sends, and what a server answers with.
///
/// A record that cannot be written leaves the buffer as it was: nothing of it can be sent by mistake.
package struct AtomWriter: Sendable {
  /// The document so far.
  package internal(set) var bytes: [UInt8] = []
  /// The vocabulary of the generation the service speaks.
  let generation: Generation
  /// The feed that is being written.
  var feed: (context: AtomResponseContext, isEmpty: Bool)?
  /// The complex values that are open, for errors.
  var path: [String] = []
  /// Properties that are left out of the content, since they are mapped to other elements.
  var omitted: Set<[String]> = []
  /// What was prepared of the names of the last entity.
  var tags = AtomTags()
  /// How long a document is likely to become.
  private var expectedLength = 1024
  /// Whether this writes what a service answers: that may hold more than its generation has.
  var isAnswer = false

  /// Makes a writer for services of one dialect; `v4` uses the namespaces and type names of OData 4.
  package init(dialect: Dialect = .azureTable) {
    generation =
      switch dialect {
      case .v2: .v2
      case .v3, .azureTable: .v3
      case .v4: .v4
      }
  }

  /// Gives the document and makes the writer ready for another.
  package mutating func take() -> [UInt8] {
    defer {
      expectedLength = bytes.count + bytes.count / 8
      bytes = []
    }
    return bytes
  }

  /// Writes the entry of an insert or update, without indentation, in the order of children that Microsoft's clients
  /// use. `id` is empty where the record has none, as in an insert. Azure needs no type; a service with derived types
  /// does, and gets the record's with `includesType`.
  ///
  /// A property that one of the record's ``ControlInformation/links`` names holds related entities, which are inserted
  /// along with this one (`m:inline`); a link without such a property binds to the entity it leads to. `mapping` tells
  /// which properties stand outside of the content.
  ///
  /// Throws ``ODataError/Code/invalidValue`` for a name or value XML cannot carry and for a type the protocol generation
  /// does not have.
  package mutating func requestEntry(
    _ record: EntityRecord, updated: EdmDateTime, includesType: Bool = false,
    mapping: [FeedMapping.Rule] = []
  ) throws(ODataError) {
    if bytes.isEmpty { bytes.reserveCapacity(expectedLength) }
    try whole { writer throws(ODataError) in
      writer.declaration()
      writer.bytes.append(markup: "<entry")
      writer.namespaces()
      writer.bytes.append(markup: ">")
      let mapped = try writer.mapped(record, by: mapping)
      try writer.requestChildren(of: record, mapped, updated: updated, includesType: includesType)
      writer.bytes.append(markup: "</entry>")
    }
  }

  /// What stands in an entry that is sent; those of related entities always tell their type, since nothing else does.
  private mutating func requestChildren(
    of record: EntityRecord, _ mapped: [MappedElement], updated: EdmDateTime, includesType: Bool
  ) throws(ODataError) {
    if includesType, let type = record.control.typeName { try category(type) }
    try mappedElement("title", of: mapped) { $0.bytes.append(markup: "<title />") }
    try mappedElement("updated", of: mapped) { writer in
      writer.bytes.append(markup: "<updated>")
      writer.instant(updated)
      writer.bytes.append(markup: "</updated>")
    }
    try mappedElement("author", of: mapped) { $0.bytes.append(markup: "<author><name /></author>") }
    if let id = record.control.id, !id.isEmpty {
      try element("<id>", id, "</id>", of: "the id")
    } else {
      bytes.append(markup: "<id />")
    }
    for element in mapped where !element.isOfRequest { try write(element) }
    for link in record.control.links {
      try navigation(link, of: record, isRequest: true) { writer, related throws(ODataError) in
        writer.bytes.append(markup: "<entry>")
        try writer.requestChildren(of: related, [], updated: updated, includesType: true)
        writer.bytes.append(markup: "</entry>")
      }
    }
    try content(of: record)
  }
}

// Pieces that several documents share.
extension AtomWriter {
  /// Runs `body`, and takes back what it wrote if it fails.
  mutating func whole(
    _ body: (inout AtomWriter) throws(ODataError) -> Void
  ) throws(ODataError) {
    let (length, feed) = (bytes.count, feed)
    defer {
      if !path.isEmpty { path = [] }
      if !omitted.isEmpty { omitted = [] }
      isAnswer = false
    }
    do { try body(&self) } catch {
      bytes.removeLast(bytes.count - length)
      self.feed = feed
      throw error
    }
  }

  mutating func declaration() {
    bytes.append(markup: "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>")
  }

  mutating func namespaces(tag: EntityTag? = nil) {
    bytes.append(markup: " xmlns:d=\"")
    bytes.append(markup: generation.data)
    bytes.append(markup: "\" xmlns:m=\"")
    bytes.append(markup: generation.metadata)
    bytes.append(markup: "\"")
    if let tag { tagAttribute(tag) }
    bytes.append(markup: " xmlns=\"")
    bytes.append(markup: AtomNamespace.atom)
    bytes.append(markup: "\"")
  }

  mutating func tagAttribute(_ tag: EntityTag) {
    bytes.append(markup: " m:etag=\"")
    if bytes.append(xmlAttribute: tag.rawValue) != nil {
      // A tag comes out of a header field, which holds no such character (RFC 9110 § 8.8.3); the text is not ours.
      repairedText(tag.rawValue)
    }
    bytes.append(markup: "\"")
  }

  mutating func category(_ type: String) throws(ODataError) {
    // OData 4 writes a type as a URI, of which only the fragment is left where the metadata is the service's own.
    try attribute(
      generation == .v4 ? "<category term=\"#" : "<category term=\"", type, of: "the type")
    bytes.append(markup: " scheme=\"")
    bytes.append(markup: generation.scheme)
    bytes.append(markup: "\" />")
  }

  mutating func instant(_ instant: EdmDateTime) {
    EdmValue.dateTime(instant).appendLexical(to: &bytes)
  }

  /// Appends the start of an attribute, its value and the closing quote.
  mutating func attribute(
    _ start: StaticString, _ value: String, of what: @autoclosure () -> String
  ) throws(ODataError) {
    bytes.append(markup: start)
    if let scalar = bytes.append(xmlAttribute: value) { throw Self.cannotCarry(scalar, in: what()) }
    bytes.append(markup: "\"")
  }

  mutating func text(_ text: String, of what: @autoclosure () -> String) throws(ODataError) {
    if let scalar = bytes.append(xmlText: text) { throw Self.cannotCarry(scalar, in: what()) }
  }

  /// Appends an element that holds a text.
  mutating func element(
    _ start: StaticString, _ text: String, _ end: StaticString, of what: @autoclosure () -> String
  ) throws(ODataError) {
    bytes.append(markup: start)
    try self.text(text, of: what())
    bytes.append(markup: end)
  }

  mutating func repairedText(_ text: String) {
    guard bytes.append(xmlText: text) != nil else { return }
    for scalar in text.unicodeScalars {
      if bytes.append(xmlText: String(scalar)) != nil { _ = bytes.append(xmlText: "\u{FFFD}") }
    }
  }

  static func cannotCarry(_ scalar: Unicode.Scalar, in what: String) -> ODataError {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    return ODataError(
      .invalidValue,
      "The value of \(what) holds the character \(name), which XML and so Atom cannot carry; JSON can: choose the format json."
    )
  }

  /// The namespaces and type names of a protocol generation.
  enum Generation {
    case v2, v3, v4

    var data: StaticString { self == .v4 ? AtomNamespace.dataV4 : AtomNamespace.data }
    var metadata: StaticString { self == .v4 ? AtomNamespace.metadataV4 : AtomNamespace.metadata }
    var scheme: StaticString { self == .v4 ? AtomNamespace.schemeV4 : AtomNamespace.scheme }
    var relation: StaticString { self == .v4 ? AtomNamespace.relationV4 : AtomNamespace.relation }
  }
}
