// Links of an entity to others, and the entities expanded in them.
extension AtomWriter {
  /// Writes the link of a navigation property with the related entities that the record holds, each by `entry`.
  ///
  /// In a request a link without related entities binds to an entity there is, so it is left out where it leads nowhere.
  mutating func navigation(
    _ link: NavigationLink, of record: EntityRecord, isRequest: Bool,
    entry: (inout AtomWriter, EntityRecord) throws(ODataError) -> Void
  ) throws(ODataError) {
    let value = record[link.name]
    let what = "the link \((path + [link.name]).joined(separator: "/"))"
    if !isRequest, let association = link.associationLink {
      try linkStart("relatedlinks/", link.name, what)
      try attribute(" type=\"application/xml\" href=\"", association, of: what)
      bytes.append(markup: " />")
    }
    guard value != nil || link.navigationLink != nil else { return }
    try linkStart("related/", link.name, what)
    switch value {
    case .collection: bytes.append(markup: " type=\"application/atom+xml;type=feed\"")
    case .complex, .null: bytes.append(markup: " type=\"application/atom+xml;type=entry\"")
    case nil: break
    default:
      throw ODataError(
        .invalidValue,
        "The property '\(link.name)' holds no entities, although a link of that name leads to some.")
    }
    try attribute(" title=\"", link.name, of: what)
    if let target = link.navigationLink { try attribute(" href=\"", target, of: what) }
    switch value {
    case nil: return bytes.append(markup: " />")
    case .null: bytes.append(markup: "><m:inline />")
    case .complex(let related):
      bytes.append(markup: "><m:inline>")
      try nested(in: link.name) { writer throws(ODataError) in try entry(&writer, related) }
      bytes.append(markup: "</m:inline>")
    case .collection(let related):
      bytes.append(markup: "><m:inline><feed>")
      if !isRequest { try feedControl(count: related.count, nextLink: related.nextLink, deltaLink: nil) }
      for case .complex(let element) in related.elements {
        try nested(in: link.name) { writer throws(ODataError) in try entry(&writer, element) }
      }
      bytes.append(markup: "</feed></m:inline>")
    default: break
    }
    bytes.append(markup: "</link>")
  }

  private mutating func linkStart(_ kind: StaticString, _ name: String, _ what: String) throws(ODataError) {
    bytes.append(markup: "<link rel=\"")
    bytes.append(markup: generation.relation)
    bytes.append(markup: kind)
    if let scalar = bytes.append(xmlAttribute: name) { throw Self.cannotCarry(scalar, in: what) }
    bytes.append(markup: "\"")
  }

  /// Lets errors name the entity they are in. What is mapped outside of the content is so in the outermost entity alone.
  private mutating func nested(
    in name: String, _ body: (inout AtomWriter) throws(ODataError) -> Void
  ) throws(ODataError) {
    let outer = omitted
    omitted = []
    path.append(name)
    try body(&self)
    path.removeLast()
    omitted = outer
  }

  /// Writes what a feed says beside its entities.
  mutating func feedControl(count: Int64?, nextLink: String?, deltaLink: String?) throws(ODataError) {
    if let count {
      bytes.append(markup: "<m:count>")
      bytes.append(contentsOf: String(count).utf8)
      bytes.append(markup: "</m:count>")
    }
    if let nextLink {
      try attribute("<link rel=\"next\" href=\"", nextLink, of: "the link to the next page")
      bytes.append(markup: " />")
    }
    if let deltaLink {
      bytes.append(markup: "<link rel=\"")
      bytes.append(markup: generation.relation)
      try attribute("delta\" href=\"", deltaLink, of: "the link to later changes")
      bytes.append(markup: " />")
    }
  }
}

// Entities as a service of OData writes them, with everything a record holds.
extension AtomWriter {
  /// Writes an entity with all that a record holds of it, so that reading the document gives an equal record.
  package mutating func serviceEntry(_ record: EntityRecord) throws(ODataError) {
    try whole { writer throws(ODataError) in
      writer.isAnswer = true
      writer.declaration()
      try writer.serviceEntry(record, isRoot: true, base: nil)
    }
  }

  /// Writes entities, and what else stands in a feed: its count, its links, and in the answer to a delta link what is
  /// gone.
  package mutating func serviceFeed(
    _ records: [EntityRecord], summary: PayloadSummary = PayloadSummary(isFeed: true)
  ) throws(ODataError) {
    try whole { writer throws(ODataError) in
      writer.isAnswer = true
      writer.declaration()
      writer.bytes.append(markup: "<feed")
      writer.namespaces()
      writer.bytes.append(markup: ">")
      try writer.feedControl(
        count: summary.count, nextLink: summary.nextLink, deltaLink: summary.deltaLink)
      for record in records {
        if let change = record.control.change {
          try writer.changed(record, change)
        } else {
          try writer.serviceEntry(record, base: nil)
        }
      }
      writer.bytes.append(markup: "</feed>")
    }
  }

  private mutating func changed(_ record: EntityRecord, _ change: DeltaChange) throws(ODataError) {
    switch change {
    case .removed(let removal):
      bytes.append(markup: "<at:deleted-entry xmlns:at=\"")
      bytes.append(markup: AtomNamespace.tombstones)
      bytes.append(markup: "\"")
      try baseAttribute(record.control.base, outer: nil)
      try attribute(" ref=\"", record.control.id ?? "", of: "the id")
      try attribute(" m:reason=\"", removal.rawValue, of: "the reason")
    case .addedLink(let source, let relationship, let target):
      bytes.append(markup: "<m:link")
      try changedLink(record, source, relationship, target)
    case .deletedLink(let source, let relationship, let target):
      bytes.append(markup: "<m:deleted-link")
      try changedLink(record, source, relationship, target)
    }
    bytes.append(markup: " />")
  }

  private mutating func changedLink(
    _ record: EntityRecord, _ source: String, _ relationship: String, _ target: String
  ) throws(ODataError) {
    try baseAttribute(record.control.base, outer: nil)
    try attribute(" source=\"", source, of: "the source of a link")
    try attribute(" relationship=\"", relationship, of: "the relationship of a link")
    try attribute(" target=\"", target, of: "the target of a link")
  }

  private mutating func baseAttribute(_ base: String?, outer: String?) throws(ODataError) {
    if let base, base != outer { try attribute(" xml:base=\"", base, of: "the base") }
  }

  mutating func serviceEntry(
    _ record: EntityRecord, isRoot: Bool = false, base outer: String?
  ) throws(ODataError) {
    let control = record.control
    bytes.append(markup: "<entry")
    if isRoot {
      namespaces(tag: control.entityTag)
    } else if let tag = control.entityTag {
      tagAttribute(tag)
    }
    try baseAttribute(control.base, outer: outer)
    bytes.append(markup: ">")
    if let type = control.typeName { try category(type) }
    if let id = control.id { try element("<id>", id, "</id>", of: "the id") }
    if let link = control.editLink { try simpleLink("<link rel=\"edit\" href=\"", link) }
    if let link = control.readLink { try simpleLink("<link rel=\"self\" href=\"", link) }
    if let media = control.media, media.editLink != nil || media.entityTag != nil {
      bytes.append(markup: "<link rel=\"edit-media\"")
      if let type = media.contentType, media.readLink == nil {
        try attribute(" type=\"", type, of: "the media type")
      }
      if let tag = media.entityTag { tagAttribute(tag) }
      if let link = media.editLink { try attribute(" href=\"", link, of: "the link to the media") }
      bytes.append(markup: " />")
    }
    for (name, value) in record.properties {
      if case .stream(let stream) = value { try streamLinks(name, stream) }
    }
    for link in control.links {
      try navigation(link, of: record, isRequest: false) { writer, related throws(ODataError) in
        try writer.serviceEntry(related, base: control.base)
      }
    }
    try content(of: record)
    bytes.append(markup: "</entry>")
  }

  private mutating func simpleLink(_ start: StaticString, _ link: String) throws(ODataError) {
    try attribute(start, link, of: "a link")
    bytes.append(markup: " />")
  }

  private mutating func streamLinks(_ name: String, _ stream: EdmStream) throws(ODataError) {
    for (kind, link) in [("mediaresource/", stream.readLink), ("edit-media/", stream.editLink)] {
      guard let link else { continue }
      try linkStart(kind == "mediaresource/" ? "mediaresource/" : "edit-media/", name, "the stream \(name)")
      if let type = stream.contentType { try attribute(" type=\"", type, of: "the media type") }
      if let tag = stream.entityTag { tagAttribute(tag) }
      try attribute(" href=\"", link, of: "the stream \(name)")
      bytes.append(markup: " />")
    }
  }
}
