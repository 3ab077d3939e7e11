/// The documents of a table service, as the live one writes them.
extension AtomWriter {
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

// Pieces that the documents share.
extension AtomWriter {
  /// A server's documents are indented by two spaces, with CRLF, as the live service's are.
  mutating func newLine(_ level: Int) {
    bytes.append(markup: "\r\n")
    for _ in 0..<level { bytes.append(markup: "  ") }
  }

  mutating func entryChildren(
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

  mutating func author(level: Int) {
    newLine(level)
    bytes.append(markup: "<author>")
    newLine(level + 1)
    bytes.append(markup: "<name />")
    newLine(level)
    bytes.append(markup: "</author>")
  }

  mutating func selfLink(_ context: AtomResponseContext) throws(ODataError) {
    newLine(1)
    try attribute("<link rel=\"self\" title=\"", context.tableName, of: "the table name")
    try attribute(" href=\"", context.tableName, of: "the table name")
    bytes.append(markup: " />")
  }

  mutating func updatedElement(_ updated: EdmDateTime) {
    bytes.append(markup: "<updated>")
    instant(EdmDateTime(unchecked: updated.ticks - updated.ticks % EdmDateTime.ticksPerSecond))
    bytes.append(markup: "</updated>")
  }
}
