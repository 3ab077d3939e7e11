/// Writes entities as Atom into one buffer: the entry a client sends, and what a server answers with.
///
/// A record that cannot be written leaves the buffer as it was: nothing of it can be sent by mistake.
package struct AtomWriter: Sendable {
  /// The document so far.
  package private(set) var bytes: [UInt8] = []
  /// The vocabulary of the generation the service speaks.
  private let generation: Generation
  /// The feed that is being written.
  private var feed: (context: AtomResponseContext, isEmpty: Bool)?

  /// Makes a writer for services of one dialect; `v4` uses the namespaces and type names of OData 4.
  package init(dialect: Dialect = .azureTable) { generation = dialect == .v4 ? .v4 : .v3 }

  /// Gives the document and makes the writer ready for another.
  package mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  // MARK: What a client sends

  /// Writes the entry of an insert or update, without indentation, in the order of children that Microsoft's clients
  /// use. `id` is empty where the record has none, as in an insert. Azure needs no type; a service with derived types
  /// does, and gets the record's with `includesType`.
  ///
  /// Throws ``ODataError/Code/invalidValue`` for a name or value XML cannot carry.
  package mutating func requestEntry(
    _ record: EntityRecord, updated: EdmDateTime, includesType: Bool = false
  ) throws(ODataError) {
    try whole { writer throws(ODataError) in
      writer.declaration()
      writer.bytes.append(markup: "<entry")
      writer.namespaces()
      writer.bytes.append(markup: ">")
      if includesType, let type = record.control.typeName { try writer.category(type) }
      writer.bytes.append(markup: "<title /><updated>")
      writer.instant(updated)
      writer.bytes.append(markup: "</updated><author><name /></author>")
      if let id = record.control.id, !id.isEmpty {
        writer.bytes.append(markup: "<id>")
        try writer.text(id, of: "the id")
        writer.bytes.append(markup: "</id>")
      } else {
        writer.bytes.append(markup: "<id />")
      }
      writer.bytes.append(markup: "<content type=\"application/xml\">")
      try writer.properties(of: record, level: nil)
      writer.bytes.append(markup: "</content></entry>")
    }
  }

  // MARK: What a server answers with

  /// Writes an entity as a document of its own.
  package mutating func entryDocument(
    _ record: EntityRecord, in context: AtomResponseContext
  ) throws(ODataError) {
    try whole { writer throws(ODataError) in
      writer.declaration()
      writer.newLine(0)
      writer.bytes.append(markup: "<entry")
      try writer.attribute(" xml:base=\"", context.base, of: "the base")
      writer.namespaces(tag: record.control.entityTag)
      writer.bytes.append(markup: ">")
      try writer.entryChildren(of: record, in: context, level: 0)
    }
  }

  /// Writes the head of a feed. What follows it depends on whether the feed stays empty, so it waits for the first
  /// ``feedEntry(_:)`` or for ``endFeed()``.
  package mutating func beginFeed(in context: AtomResponseContext) throws(ODataError) {
    try whole { writer throws(ODataError) in
      writer.declaration()
      writer.newLine(0)
      writer.bytes.append(markup: "<feed")
      try writer.attribute(" xml:base=\"", context.base, of: "the base")
      writer.namespaces()
      writer.bytes.append(markup: ">")
      writer.newLine(1)
      writer.bytes.append(markup: "<title type=\"text\">")
      try writer.text(context.tableName, of: "the table name")
      writer.bytes.append(markup: "</title>")
      writer.newLine(1)
      writer.bytes.append(markup: "<id>")
      try writer.text(context.base + context.tableName, of: "the id")
      writer.bytes.append(markup: "</id>")
      writer.newLine(1)
      writer.updatedElement(context.updated)
      writer.feed = (context, true)
    }
  }

  /// Writes an entity of the feed that was begun.
  package mutating func feedEntry(_ record: EntityRecord) throws(ODataError) {
    guard let context = feed?.context else {
      throw ODataError(.invalidState, "A feed entry was written before its feed was begun.")
    }
    try whole { writer throws(ODataError) in
      if writer.feed?.isEmpty == true {
        try writer.selfLink(context)
        writer.feed?.isEmpty = false
      }
      writer.newLine(1)
      writer.bytes.append(markup: "<entry")
      if let tag = record.control.entityTag { writer.tagAttribute(tag) }
      writer.bytes.append(markup: ">")
      try writer.entryChildren(of: record, in: context, level: 1)
    }
  }

  /// Ends the feed.
  package mutating func endFeed() throws(ODataError) {
    guard let (context, isEmpty) = feed else {
      throw ODataError(.invalidState, "A feed was ended before it was begun.")
    }
    try whole { writer throws(ODataError) in
      if isEmpty {
        // The live service names an author in empty feeds only: RFC 4287 § 4.1.1 wants one in the feed unless every
        // entry has its own.
        writer.author(level: 1)
        try writer.selfLink(context)
      }
      writer.newLine(0)
      writer.bytes.append(markup: "</feed>")
      writer.feed = nil
    }
  }

  /// Writes an error. Characters XML cannot carry, which a message may have taken over from a request, become U+FFFD.
  package mutating func errorDocument(code: String, message: String) {
    declaration()
    newLine(0)
    bytes.append(markup: "<error xmlns=\"")
    bytes.append(markup: generation.metadata)
    bytes.append(markup: "\">")
    newLine(1)
    bytes.append(markup: "<code>")
    repairedText(code)
    bytes.append(markup: "</code>")
    newLine(1)
    bytes.append(markup: "<message xml:lang=\"en-US\">")
    repairedText(message)
    bytes.append(markup: "</message>")
    newLine(0)
    bytes.append(markup: "</error>")
  }
}

/// What a server's Atom documents say beside the entities.
package struct AtomResponseContext: Sendable, Hashable {
  /// The service root with its trailing slash, e.g. `https://account.table.core.windows.net/`.
  package var base: String
  /// The account, the first half of an entity's type.
  package var accountName: String
  /// The table, or `Tables` for documents about tables.
  package var tableName: String
  /// The time of the answer by the server's clock; written to the second.
  package var updated: EdmDateTime

  /// Makes a context.
  package init(base: String, accountName: String, tableName: String, updated: EdmDateTime) {
    self.base = base
    self.accountName = accountName
    self.tableName = tableName
    self.updated = updated
  }
}

// Pieces that several documents share.
extension AtomWriter {
  /// Runs `body`, and takes back what it wrote if it fails.
  private mutating func whole(
    _ body: (inout AtomWriter) throws(ODataError) -> Void
  ) throws(ODataError) {
    let (length, feed) = (bytes.count, feed)
    do { try body(&self) } catch {
      bytes.removeLast(bytes.count - length)
      self.feed = feed
      throw error
    }
  }

  private mutating func declaration() {
    bytes.append(markup: "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>")
  }

  /// A server's documents are indented by two spaces, with CRLF, as the live service's are.
  private mutating func newLine(_ level: Int) {
    bytes.append(markup: "\r\n")
    for _ in 0..<level { bytes.append(markup: "  ") }
  }

  private mutating func namespaces(tag: EntityTag? = nil) {
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

  private mutating func tagAttribute(_ tag: EntityTag) {
    bytes.append(markup: " m:etag=\"")
    if bytes.append(xmlAttribute: tag.rawValue) != nil {
      // A tag comes out of a header field, which holds no such character (RFC 9110 § 8.8.3); the text is not ours.
      repairedText(tag.rawValue)
    }
    bytes.append(markup: "\"")
  }

  private mutating func entryChildren(
    of record: EntityRecord, in context: AtomResponseContext, level: Int
  ) throws(ODataError) {
    newLine(level + 1)
    bytes.append(markup: "<id>")
    try text(record.control.id ?? "", of: "the id")
    bytes.append(markup: "</id>")
    newLine(level + 1)
    bytes.append(markup: "<title type=\"text\"></title>")
    newLine(level + 1)
    updatedElement(context.updated)
    author(level: level + 1)
    newLine(level + 1)
    try attribute("<link rel=\"edit\" title=\"", context.tableName, of: "the table name")
    try attribute(" href=\"", record.control.editLink ?? "", of: "the edit link")
    bytes.append(markup: " />")
    newLine(level + 1)
    try category(context.accountName + "." + context.tableName)
    newLine(level + 1)
    bytes.append(markup: "<content type=\"application/xml\">")
    newLine(level + 2)
    try properties(of: record, level: level + 2)
    newLine(level + 1)
    bytes.append(markup: "</content>")
    newLine(level)
    bytes.append(markup: "</entry>")
  }

  private mutating func author(level: Int) {
    newLine(level)
    bytes.append(markup: "<author>")
    newLine(level + 1)
    bytes.append(markup: "<name />")
    newLine(level)
    bytes.append(markup: "</author>")
  }

  private mutating func selfLink(_ context: AtomResponseContext) throws(ODataError) {
    newLine(1)
    try attribute("<link rel=\"self\" title=\"", context.tableName, of: "the table name")
    try attribute(" href=\"", context.tableName, of: "the table name")
    bytes.append(markup: " />")
  }

  private mutating func category(_ type: String) throws(ODataError) {
    // OData 4 writes a type as a URI, of which only the fragment is left where the metadata is the service's own.
    try attribute(
      generation == .v4 ? "<category term=\"#" : "<category term=\"", type, of: "the type")
    bytes.append(markup: " scheme=\"")
    bytes.append(markup: generation.scheme)
    bytes.append(markup: "\" />")
  }

  private mutating func updatedElement(_ updated: EdmDateTime) {
    bytes.append(markup: "<updated>")
    instant(EdmDateTime(unchecked: updated.ticks - updated.ticks % EdmDateTime.ticksPerSecond))
    bytes.append(markup: "</updated>")
  }

  private mutating func instant(_ instant: EdmDateTime) {
    EdmValue.dateTime(instant).appendLexical(to: &bytes)
  }

  /// Appends the start of an attribute, its value and the closing quote.
  private mutating func attribute(
    _ start: StaticString, _ value: String, of what: String
  ) throws(ODataError) {
    bytes.append(markup: start)
    if let scalar = bytes.append(xmlAttribute: value) { throw Self.cannotCarry(scalar, in: what) }
    bytes.append(markup: "\"")
  }

  private mutating func text(_ text: String, of what: String) throws(ODataError) {
    if let scalar = bytes.append(xmlText: text) { throw Self.cannotCarry(scalar, in: what) }
  }

  private mutating func repairedText(_ text: String) {
    guard bytes.append(xmlText: text) != nil else { return }
    for scalar in text.unicodeScalars {
      if bytes.append(xmlText: String(scalar)) != nil { _ = bytes.append(xmlText: "\u{FFFD}") }
    }
  }
}

// Properties.
extension AtomWriter {
  /// Writes `m:properties`, each property on a line of its own where there is a level of indentation.
  private mutating func properties(of record: EntityRecord, level: Int?) throws(ODataError) {
    bytes.append(markup: "<m:properties>")
    for (name, value) in record.properties {
      if let level { newLine(level + 1) }
      try property(name, value)
    }
    if let level { newLine(level) }
    bytes.append(markup: "</m:properties>")
  }

  private mutating func property(_ name: String, _ value: EdmValue) throws(ODataError) {
    guard XMLNameRules.isLocalName(name) else {
      throw ODataError(
        .invalidValue,
        "The property name '\(name)' cannot be written in Atom, since it is no XML name; rename the property."
      )
    }
    bytes.append(markup: "<d:")
    bytes.append(contentsOf: name.utf8)
    if case .string(let text) = value {
      bytes.append(markup: Self.needsPreserving(text) ? " xml:space=\"preserve\">" : ">")
      try self.text(text, of: "property '\(name)'")
    } else if value.isNull {
      bytes.append(markup: " m:null=\"true\" />")
      return
    } else {
      bytes.append(markup: " m:type=\"")
      bytes.append(markup: try typeName(of: value, property: name))
      bytes.append(markup: "\">")
      value.appendLexical(to: &bytes)
    }
    bytes.append(markup: "</d:")
    bytes.append(contentsOf: name.utf8)
    bytes.append(markup: ">")
  }

  /// Whether blanks or line ends stand at the beginning or the end, where tools like to cut them off.
  private static func needsPreserving(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return false }
    return first.isBlank || last.isBlank
  }

  private static func cannotCarry(_ scalar: Unicode.Scalar, in what: String) -> ODataError {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    return ODataError(
      .invalidValue,
      "The value of \(what) holds the character \(name), which XML and so Atom cannot carry; JSON can: choose the format json."
    )
  }

  /// The namespaces and type names of a protocol generation.
  fileprivate enum Generation {
    case v3, v4

    var data: StaticString { self == .v4 ? AtomNamespace.dataV4 : AtomNamespace.data }
    var metadata: StaticString { self == .v4 ? AtomNamespace.metadataV4 : AtomNamespace.metadata }
    var scheme: StaticString { self == .v4 ? AtomNamespace.schemeV4 : AtomNamespace.scheme }
  }

  private func typeName(of value: EdmValue, property: String) throws(ODataError) -> StaticString {
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
    if let known = generation == .v4 ? name.v4 : name.v3 { return known }
    throw ODataError(
      .invalidValue,
      "Property '\(property)' is of type \(value.kindName), which OData \(generation == .v4 ? "4" : "1 to 3") does not have; give it another type."
    )
  }
}
