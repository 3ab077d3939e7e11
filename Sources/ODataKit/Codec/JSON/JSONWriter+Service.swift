/// What the documents of a service say beside their entities.
package struct JSONServiceContext: Sendable, Hashable {
  /// The context URL (`odata.metadata` of OData 3); verbose JSON has none.
  package var url: String?
  /// How much is said.
  package var metadata = JSONMetadata.full
  /// Whether collections are bare arrays, as in OData 1; OData 2 puts them into `results` (MS-ODATA § 2.2.6.3.2).
  package var isVersion1 = false

  /// Everything is said.
  package init(url: String? = nil, metadata: JSONMetadata = .full, isVersion1: Bool = false) {
    self.url = url
    self.metadata = metadata
    self.isVersion1 = isVersion1
  }
}

// Entities as a service of OData writes them, with everything a record holds.
extension JSONEntityWriter {
  /// Writes an entity with all that a record holds of it, as far as the metadata level has it; at the full one, reading
  /// the document gives an equal record.
  package mutating func serviceEntity(
    _ record: EntityRecord, context: JSONServiceContext = JSONServiceContext()
  ) throws(ODataError) {
    try answer(context) { writer throws(ODataError) in
      if writer.annotations == .verbose { writer.buffer.append("{\"d\":") }
      let url = context.url ?? record.control.base
      try writer.serviceObject(record, base: nil, context: url)
      if writer.annotations == .verbose { writer.buffer.append(UInt8(ascii: "}")) }
    }
  }

  /// Writes entities, and what else stands in a feed: its count, its links, and in the answer to a delta link what is
  /// gone.
  package mutating func serviceFeed(
    _ records: [EntityRecord], summary: PayloadSummary = PayloadSummary(isFeed: true),
    context: JSONServiceContext = JSONServiceContext()
  ) throws(ODataError) {
    try answer(context) { writer throws(ODataError) in
      guard writer.annotations != .verbose else {
        writer.buffer.append("{\"d\":")
        try writer.verboseFeed(records, count: summary.count, nextLink: summary.nextLink) {
          writer, record throws(ODataError) in try writer.feedItem(record, base: nil)
        }
        return writer.buffer.append(UInt8(ascii: "}"))
      }
      let base = context.url ?? records.lazy.compactMap(\.control.base).first
      writer.buffer.append(UInt8(ascii: "{"))
      if context.metadata != .none, let base { writer.control(writer.contextTerm, base) }
      if let count = summary.count {
        writer.control("count")
        writer.count(count)
      }
      writer.member("value")
      writer.buffer.append(UInt8(ascii: "["))
      for record in records {
        writer.separate()
        try writer.feedItem(record, base: base)
      }
      writer.buffer.append(UInt8(ascii: "]"))
      if let link = summary.nextLink { writer.control("nextLink", link) }
      if let link = summary.deltaLink { writer.control("deltaLink", link) }
      writer.buffer.append(UInt8(ascii: "}"))
    }
  }

  private mutating func answer(
    _ context: JSONServiceContext, _ body: (inout JSONEntityWriter) throws(ODataError) -> Void
  ) throws(ODataError) {
    isAnswer = true
    answering = context
    try whole(body)
    isAnswer = false
  }

  /// OData 4 renamed it.
  private var contextTerm: StaticString { annotations == .odata3 ? "metadata" : "context" }

  /// Writes a number of entities: a string wherever an Int64 is one.
  mutating func count(_ count: Int64) {
    let isQuoted = !annotations.isVersion4 || options.isIEEE754Compatible
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
    buffer.append(count)
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
  }

  private mutating func verboseFeed(
    _ items: [EntityRecord], count: Int64?, nextLink: String?,
    item: (inout JSONEntityWriter, EntityRecord) throws(ODataError) -> Void
  ) throws(ODataError) {
    if !answering.isVersion1 { buffer.append("{\"results\":") }
    buffer.append(UInt8(ascii: "["))
    for record in items {
      separate()
      try item(&self, record)
    }
    buffer.append(UInt8(ascii: "]"))
    guard !answering.isVersion1 else { return }
    if let count {
      member("__count")
      self.count(count)
    }
    if let nextLink { member("__next", nextLink) }
    buffer.append(UInt8(ascii: "}"))
  }
}

// MARK: - Objects

extension JSONEntityWriter {
  /// Writes an entity or a complex value. `base` is the context URL that is known already, `context` one to write;
  /// `known` is the type that the reader knows.
  mutating func serviceObject(
    _ record: EntityRecord, base: String?, context: String? = nil, known: EdmType? = nil
  ) throws(ODataError) {
    buffer.append(UInt8(ascii: "{"))
    let control = record.control
    let own = context ?? (control.base == base ? nil : control.base)
    if annotations == .verbose {
      if answering.metadata != .none { verboseMetadata(control) }
    } else {
      if answering.metadata != .none, let own { self.control(contextTerm, own) }
      entityControl(control, known: known)
    }
    try serviceMembers(of: record, base: own ?? base, known: known)
    buffer.append(UInt8(ascii: "}"))
  }

  private mutating func entityControl(_ control: ControlInformation, known: EdmType?) {
    guard answering.metadata != .none else { return }
    let isFull = answering.metadata == .full
    if let type = control.typeName, type != known?.rawValue { typeName(type) }
    if isFull, let id = control.id { self.control("id", id) }
    if let tag = control.entityTag { self.control("etag", tag.rawValue) }
    guard isFull else { return }
    if let link = control.editLink { self.control("editLink", link) }
    if let link = control.readLink { self.control("readLink", link) }
    guard let media = control.media else { return }
    if let link = media.editLink { self.control("mediaEditLink", link) }
    if let link = media.readLink { self.control("mediaReadLink", link) }
    if let type = media.contentType { self.control("mediaContentType", type) }
    if let tag = media.entityTag { self.control(mediaTagTerm, tag.rawValue) }
  }

  private var mediaTagTerm: StaticString { annotations == .odata3 ? "mediaETag" : "mediaEtag" }

  /// `__metadata` (MS-ODATA § 2.2.6.3.3).
  private mutating func verboseMetadata(_ control: ControlInformation) {
    let start = buffer.count
    member("__metadata")
    buffer.append(UInt8(ascii: "{"))
    let empty = buffer.count
    // The URL is the id, too, where nothing else is named.
    if let id = control.id, id != control.editLink { member("id", id) }
    if let link = control.editLink { member("uri", link) }
    if let tag = control.entityTag { member("etag", tag.rawValue) }
    if let type = control.typeName { member("type", type) }
    if let media = control.media { streamMembers(media) }
    let associations = control.links.filter { $0.associationLink != nil }
    if !associations.isEmpty {
      member("properties")
      buffer.append(UInt8(ascii: "{"))
      for link in associations {
        member(named: link.name)
        buffer.append("{\"associationuri\":")
        buffer.append(string: link.associationLink ?? "", isASCII: isASCII)
        buffer.append(UInt8(ascii: "}"))
      }
      buffer.append(UInt8(ascii: "}"))
    }
    if buffer.count == empty { buffer.truncate(to: start) } else { buffer.append(UInt8(ascii: "}")) }
  }

  private mutating func streamMembers(_ stream: EdmStream) {
    if let link = stream.editLink { member("edit_media", link) }
    if let link = stream.readLink { member("media_src", link) }
    if let type = stream.contentType { member("content_type", type) }
    if let tag = stream.entityTag { member("media_etag", tag.rawValue) }
  }

  /// Writes the properties, and with them, in the order of the links, related entities and where they are.
  private mutating func serviceMembers(
    of record: EntityRecord, base: String?, known: EdmType?
  ) throws(ODataError) {
    let names = try shapes.names(of: record.shape, annotations, isASCII: isASCII)
    let type = record.control.typeName.map(EdmType.init(rawValue:)) ?? known ?? options.types.root
    let links = record.control.links
    var next = 0
    defer { withExtendedLifetime(names) {} }
    for (index, value) in record.values.enumerated() {
      let name = JSONShape.Name(shape: names, index: index)
      if let index = links.firstIndex(where: { $0.name.utf8.elementsEqual(name.text.utf8) }) {
        while next < index {
          linkWithoutEntities(links[next], of: record)
          next += 1
        }
        next = max(next, index + 1)
        try expanded(value, links[index], base: base)
      } else if case .stream(let stream) = value {
        self.stream(stream, name.text)
      } else {
        try property(
          value, name, known: answering.metadata == .none ? value.type : declared(name.text, of: type))
      }
    }
    for link in links[next...] { linkWithoutEntities(link, of: record) }
  }

  private mutating func linkWithoutEntities(_ link: NavigationLink, of record: EntityRecord) {
    guard record[link.name] == nil else { return }
    guard annotations == .verbose else { return linkControl(link) }
    guard let target = link.navigationLink else { return }
    member(named: link.name)
    buffer.append("{\"__deferred\":{\"uri\":")
    buffer.append(string: target, isASCII: isASCII)
    buffer.append("}}")
  }

  private mutating func linkControl(_ link: NavigationLink) {
    guard answering.metadata == .full else { return }
    let isV3 = annotations == .odata3
    if let target = link.associationLink {
      control(isV3 ? "associationLinkUrl" : "associationLink", of: link.name, target)
    }
    if let target = link.navigationLink {
      control(isV3 ? "navigationLinkUrl" : "navigationLink", of: link.name, target)
    }
  }

  private mutating func expanded(
    _ value: EdmValue, _ link: NavigationLink, base: String?
  ) throws(ODataError) {
    path.append(link.name)
    defer { path.removeLast() }
    if annotations != .verbose { linkControl(link) }
    switch value {
    case .null:
      member(named: link.name)
      buffer.append("null")
    case .complex(let related):
      member(named: link.name)
      try serviceObject(related, base: base)
    case .collection(let related):
      let entities = related.elements.compactMap { element -> EntityRecord? in
        if case .complex(let record) = element { record } else { nil }
      }
      guard annotations != .verbose else {
        member(named: link.name)
        return try verboseFeed(entities, count: related.count, nextLink: related.nextLink) {
          writer, record throws(ODataError) in try writer.serviceObject(record, base: base)
        }
      }
      if let count = related.count {
        control("count", of: link.name)
        self.count(count)
      }
      if let next = related.nextLink { control("nextLink", of: link.name, next) }
      member(named: link.name)
      buffer.append(UInt8(ascii: "["))
      for entity in entities {
        separate()
        try serviceObject(entity, base: base)
      }
      buffer.append(UInt8(ascii: "]"))
    default:
      throw ODataError(
        .invalidValue,
        "\(described(link.name)) holds no entities, although a link of that name leads to some.")
    }
  }

  private mutating func stream(_ stream: EdmStream, _ name: String) {
    guard annotations != .verbose else {
      member(named: name)
      buffer.append("{\"__mediaresource\":{")
      streamMembers(stream)
      return buffer.append("}}")
    }
    guard answering.metadata == .full else { return }
    if let link = stream.editLink { control("mediaEditLink", of: name, link) }
    if let link = stream.readLink { control("mediaReadLink", of: name, link) }
    if let type = stream.contentType { control("mediaContentType", of: name, type) }
    if let tag = stream.entityTag { control(mediaTagTerm, of: name, tag.rawValue) }
  }
}

// MARK: - Changes

extension JSONEntityWriter {
  private mutating func feedItem(_ record: EntityRecord, base: String?) throws(ODataError) {
    guard let change = record.control.change else { return try serviceObject(record, base: base) }
    guard annotations.isVersion4 else {
      throw ODataError(
        .invalidValue,
        "What is gone since a feed was read cannot be told in the JSON of OData 1 to 3; OData 4 can.")
    }
    buffer.append(UInt8(ascii: "{"))
    switch change {
    case .removed(let removal) where annotations == .odata401:
      control("removed")
      buffer.append("{\"reason\":\"")
      buffer.append(plain: removal.rawValue)
      buffer.append("\"}")
      if let id = record.control.id { control("id", id) }
      try serviceMembers(of: record, base: base, known: nil)
    case .removed(let removal):
      changeContext("deletedEntity", record, base)
      member("id", record.control.id ?? "")
      member("reason", removal.rawValue)
    case .addedLink(let source, let relationship, let target):
      changeContext("link", record, base)
      linkEnds(source, relationship, target)
    case .deletedLink(let source, let relationship, let target):
      changeContext("deletedLink", record, base)
      linkEnds(source, relationship, target)
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private mutating func linkEnds(_ source: String, _ relationship: String, _ target: String) {
    member("source", source)
    member("relationship", relationship)
    member("target", target)
  }

  /// The context URL that says what kind of item this is (OData 4 Protocol § 10.12): that of the feed with another end.
  private mutating func changeContext(_ kind: String, _ record: EntityRecord, _ base: String?) {
    let ending = "/$" + kind
    if let own = record.control.base, own.hasSuffix(ending) { return control("context", own) }
    var url = base ?? "#"
    if url.hasSuffix("/$delta") { url.removeLast(7) }
    control("context", url + ending)
  }
}
