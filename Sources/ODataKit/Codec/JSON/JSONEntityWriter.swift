/// Writes entities as JSON into one buffer: bodies of requests for clients, documents for servers.
///
/// Types that JSON has not are written as strings with an annotation in front: Int64 (a JSON number loses
/// digits above 2⁵³ in most programs), dates, GUIDs, bytes. Doubles always have a point or an exponent, since
/// a service takes a number without one for an Int32; NaN and the infinities are strings (Azure tables:
/// `NaN`, `Infinity`, `-Infinity`; OData 4: `NaN`, `INF`, `-INF`).
package struct JSONEntityWriter {
  /// What was written.
  package private(set) var bytes: [UInt8] = []
  private let annotations: JSONAnnotations
  private var feedContext: JSONResponseContext?
  private var isFirst = true

  package init(annotations: JSONAnnotations = .odata3) { self.annotations = annotations }

  /// Writes the body of an insert or update: the properties and their types, never control information.
  ///
  /// Nulls are left out unless asked for; Azure tables ignore them, other services set the property to null.
  package mutating func requestEntity(_ record: EntityRecord, writesNulls: Bool = false) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    for (name, value) in record.properties where writesNulls || !value.isNull {
      append(name, value, writesType: true, isASCII: false)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

// MARK: - Documents of a server

extension JSONEntityWriter {
  /// Writes the document of one entity, as Azure's table service does. What stands in the control information
  /// of the record is written as far as the metadata level has it; `odata.id` and `odata.type` are made where
  /// it has none.
  package mutating func entityDocument(_ record: EntityRecord, context: JSONResponseContext) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    if context.metadata != .none { append("odata.metadata", text: context.metadataURL(isFeed: false)) }
    appendMembers(record, context)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Begins a feed; ``feedEntity(_:)`` fills it.
  package mutating func beginFeed(context: JSONResponseContext) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    if context.metadata != .none { append("odata.metadata", text: context.metadataURL(isFeed: true)) }
    appendName("value", isASCII: true)
    bytes.append(UInt8(ascii: "["))
    feedContext = context
    isFirst = true
  }

  /// Adds an entity to the feed.
  package mutating func feedEntity(_ record: EntityRecord) {
    guard let feedContext else { preconditionFailure("An entity of a feed needs a feed around it.") }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    appendMembers(record, feedContext)
    bytes.append(UInt8(ascii: "}"))
    isFirst = false
  }

  /// Ends the feed.
  package mutating func endFeed() {
    bytes += "]}".utf8
    feedContext = nil
  }

  /// Writes an error as Azure's table service does.
  package mutating func errorDocument(code: String, message: String, language: String = "en-US") {
    bytes += #"{"odata.error":{"code":"#.utf8
    bytes.appendJSON(code, isASCII: true)
    bytes += #","message":{"lang":"#.utf8
    bytes.appendJSON(language, isASCII: true)
    bytes += #","value":"#.utf8
    bytes.appendJSON(message, isASCII: true)
    bytes += "}}}".utf8
  }

  private mutating func appendMembers(_ record: EntityRecord, _ context: JSONResponseContext) {
    let control = record.control
    if context.metadata == .full {
      append("odata.type", text: control.typeName ?? "\(context.accountName).\(context.tableName)")
      if let id = control.id ?? control.editLink.map({ context.base + $0 }) { append("odata.id", text: id) }
    }
    if context.metadata != .none, let tag = control.entityTag { append("odata.etag", text: tag.rawValue) }
    if context.metadata == .full, let link = control.editLink { append("odata.editLink", text: link) }
    for (name, value) in record.properties {
      // The service takes the type of its own property for known unless it is asked for everything.
      let isTimestamp = name.utf8.elementsEqual("Timestamp".utf8)
      let writesType = context.metadata == .full || (context.metadata == .minimal && !isTimestamp)
      append(name, value, writesType: writesType, isASCII: true)
    }
  }
}

// MARK: - Members and values

extension JSONEntityWriter {
  private mutating func append(_ name: String, text: String) {
    appendName(name, isASCII: true)
    bytes.appendJSON(text, isASCII: true)
  }

  private mutating func appendName(_ name: String, isASCII: Bool) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.appendJSON(name, isASCII: isASCII)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ name: String, _ value: EdmValue, writesType: Bool, isASCII: Bool) {
    if writesType, let type = annotatedType(of: value) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes.appendJSON(name, isASCII: isASCII)
      bytes.removeLast()
      bytes += #"@odata.type":""#.utf8
      bytes += type.utf8
      bytes.append(UInt8(ascii: "\""))
    }
    appendName(name, isASCII: isASCII)
    append(value, isASCII: isASCII)
  }

  /// The type beside a value, where JSON alone would be read as another one.
  private func annotatedType(of value: EdmValue) -> String? {
    let name: String
    switch value {
    case .null, .boolean, .int32, .string: return nil
    case .double(let number) where number.isFinite: return nil
    case .duration where annotations == .odata3: name = "Edm.Time"
    case .dateTime where annotations == .odata4: name = "Edm.DateTimeOffset"
    default:
      guard let type = value.type else { return nil }
      name = type.rawValue
    }
    return annotations == .odata3 ? name : "#" + name.dropFirst(4)
  }

  private mutating func append(_ value: EdmValue, isASCII: Bool) {
    switch value {
    case .null: bytes += "null".utf8
    case .string(let text): bytes.appendJSON(text, isASCII: isASCII)
    case .boolean, .byte, .sbyte, .int16, .int32: value.appendLexical(to: &bytes)
    case .double(let number):
      if number.isFinite { value.appendLexical(to: &bytes) } else { appendSpecial(number) }
    case .single(let number):
      if number.isFinite { value.appendLexical(to: &bytes) } else { appendSpecial(Double(number)) }
    case .int64 where annotations == .odata4, .decimal where annotations == .odata4:
      value.appendLexical(to: &bytes)
    case .binary(let data) where annotations == .odata4:
      bytes.append(UInt8(ascii: "\""))
      Base64.append(data, alphabet: .urlSafe, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    default:
      // What is left spells its values in characters that JSON need not escape.
      bytes.append(UInt8(ascii: "\""))
      value.appendLexical(to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func appendSpecial(_ number: Double) {
    let infinity = annotations == .odata3 ? "Infinity" : "INF"
    bytes += "\"\(number.isNaN ? "NaN" : number < 0 ? "-" + infinity : infinity)\"".utf8
  }
}
