/// The documents of a table service, as the live one writes them.
extension JSONEntityWriter {
  /// Writes the document of one entity, as Azure's table service does. What stands in the control information
  /// of the record is written as far as the metadata level has it; `odata.id` and `odata.type` are made where
  /// it has none.
  package mutating func entityDocument(
    _ record: EntityRecord, context: JSONResponseContext
  ) throws(ODataError) {
    try document { writer throws(ODataError) in
      writer.buffer.append(UInt8(ascii: "{"))
      if context.metadata != .none { writer.control("metadata", context.metadataURL(isFeed: false)) }
      try writer.tableMembers(record, context)
      writer.buffer.append(UInt8(ascii: "}"))
    }
  }

  /// Begins a feed; ``feedEntity(_:)`` fills it.
  package mutating func beginFeed(context: JSONResponseContext) {
    isASCII = true
    buffer.append(UInt8(ascii: "{"))
    if context.metadata != .none { control("metadata", context.metadataURL(isFeed: true)) }
    member("value")
    buffer.append(UInt8(ascii: "["))
    isASCII = false
    feedContext = context
  }

  /// Adds an entity to the feed.
  package mutating func feedEntity(_ record: EntityRecord) throws(ODataError) {
    guard let context = feedContext else {
      throw ODataError(.invalidState, "An entity of a feed was written before its feed was begun.")
    }
    try document { writer throws(ODataError) in
      writer.separate()
      writer.buffer.append(UInt8(ascii: "{"))
      try writer.tableMembers(record, context)
      writer.buffer.append(UInt8(ascii: "}"))
    }
  }

  /// Ends the feed.
  package mutating func endFeed() {
    buffer.append("]}")
    feedContext = nil
  }

  /// Writes an error as Azure's table service does.
  package mutating func errorDocument(code: String, message: String, language: String = "en-US") {
    buffer.append("{\"odata.error\":{\"code\":")
    buffer.append(string: code, isASCII: true)
    buffer.append(",\"message\":{\"lang\":")
    buffer.append(string: language, isASCII: true)
    buffer.append(",\"value\":")
    buffer.append(string: message, isASCII: true)
    buffer.append("}}}")
  }

  private mutating func document(
    _ body: (inout JSONEntityWriter) throws(ODataError) -> Void
  ) throws(ODataError) {
    isASCII = true
    try whole(body)
    isASCII = false
  }

  private mutating func tableMembers(
    _ record: EntityRecord, _ context: JSONResponseContext
  ) throws(ODataError) {
    let control = record.control
    if context.metadata == .full {
      self.control("type", control.typeName ?? "\(context.accountName).\(context.tableName)")
      if let id = control.id ?? control.editLink.map({ context.base + $0 }) { self.control("id", id) }
    }
    if context.metadata != .none, let tag = control.entityTag { self.control("etag", tag.rawValue) }
    if context.metadata == .full, let link = control.editLink { self.control("editLink", link) }
    let names = try shapes.names(of: record.shape, annotations, isASCII: true)
    defer { withExtendedLifetime(names) {} }
    for (index, value) in record.values.enumerated() {
      let name = JSONShape.Name(shape: names, index: index)
      // The service takes the type of its own property for known unless it is asked for everything.
      let isTimestamp = name.text.utf8.elementsEqual("Timestamp".utf8)
      let writesType = context.metadata == .full || (context.metadata == .minimal && !isTimestamp)
      try property(value, name, known: writesType ? nil : value.type)
    }
  }
}
