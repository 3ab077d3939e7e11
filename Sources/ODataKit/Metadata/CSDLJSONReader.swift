/// Reads CSDL JSON (OData CSDL JSON 4.01 § 4) while it arrives, and interprets each member of a schema as soon as it is
/// complete, so that never more than one is held as JSON.
final class CSDLJSONReader {
  private let limits: PayloadLimits
  private var tokenizer: JSONTokenizer
  private var buffer: [UInt8] = []
  private var totalLength = 0
  private var failure: ODataError?
  private var draft = MetadataDraft()
  private var builder: JSONTreeBuilder?
  /// The member of the document that is being read.
  private var topMember = ""
  private var schema: CSDLJSONSchemaReader?
  /// The member of the schema that is being read.
  private var schemaMember = ""
  private var hasBegun = false

  init(limits: PayloadLimits) {
    self.limits = limits
    tokenizer = JSONTokenizer(limits: limits)
  }

  func read(_ bytes: [UInt8]) throws(ODataError) {
    if let failure { throw failure }
    totalLength += bytes.count
    guard totalLength <= limits.totalLength else {
      throw fail(
        ODataError(
          .payloadTooLarge, "The JSON payload is larger than the limit of \(limits.totalLength) bytes."))
    }
    buffer += bytes
    try advance(isFinal: false)
  }

  /// What was read, once the document is complete.
  func finish() throws(ODataError) -> MetadataDraft {
    try advance(isFinal: true)
    guard tokenizer.isComplete else { throw tokenizer.malformed("it ends too early") }
    guard draft.version != nil else {
      throw ODataError(
        .malformedPayload,
        "The JSON document has no $Version, so it is no metadata; check the address of the service.")
    }
    guard !draft.schemas.isEmpty else {
      throw ODataError(.malformedPayload, "The metadata has no schema, so it says nothing of the service.")
    }
    return draft
  }

  @discardableResult
  private func fail(_ error: ODataError) -> ODataError {
    failure = failure ?? error
    return error
  }

  private func advance(isFinal: Bool) throws(ODataError) {
    if let failure { throw failure }
    do throws(ODataError) {
      try buffer.withUnsafeBufferPointer { bytes throws(ODataError) in
        while let token = try tokenizer.next(in: bytes, isFinal: isFinal) { try take(token) }
      }
    } catch {
      throw fail(error)
    }
    let consumed = tokenizer.position
    buffer.removeFirst(consumed)
    tokenizer.drop(consumed)
  }

  private func take(_ token: JSONTokenizer.Token) throws(ODataError) {
    var text = ""
    switch token {
    case .name, .string, .number:
      guard let valid = String(validating: tokenizer.text, as: UTF8.self) else {
        throw tokenizer.malformed("a text is not UTF-8")
      }
      text = valid
    default: break
    }
    if builder != nil {
      if let value = builder?.take(token, text: text) {
        builder = nil
        try end(value)
      }
      return
    }
    switch token {
    case .beginObject where !hasBegun: hasBegun = true
    case .name where schema == nil: try begin(text)
    case .name: schemaMember = text
    case .beginObject where schema == nil && !topMember.isCSDLKeyword && !topMember.isAnnotationName:
      schema = CSDLJSONSchemaReader(namespace: topMember)
    case .endObject:
      if let schema {
        draft.schemas.append(schema.draft)
        draft.remarks += schema.remarks
      }
      schema = nil
    default:
      guard hasBegun else { throw tokenizer.malformed("metadata is an object") }
      var builder = JSONTreeBuilder()
      if let value = builder.take(token, text: text) { try end(value) } else { self.builder = builder }
    }
  }

  private func begin(_ name: String) throws(ODataError) {
    topMember = name
    // What other documents of a service begin with.
    if name.spells("error") || name.spells("odata.error") {
      throw ODataError(
        .malformedPayload,
        "The body is an error message of the service, not its metadata; check the address of the service.")
    }
    if name.spells("@odata.context") || name.spells("@context") || name.spells("d") || name.spells("value") {
      throw ODataError(
        .malformedPayload,
        "The body is a service document or holds entities; it is not the metadata of a service.")
    }
  }

  private func end(_ value: JSONTree) throws(ODataError) {
    if schema != nil {
      try schema?.read(schemaMember, value)
    } else if topMember.spells("$Version") {
      draft.version = value.string ?? ""
    } else if topMember.spells("$EntityContainer") {
      draft.containerName = value.string
    } else if topMember.spells("$Reference") {
      draft.references = try value.members.map { member throws(ODataError) in
        ServiceMetadata.Reference(
          uri: member.name,
          includes: try (member.value["$Include"]?.elements ?? []).map { include throws(ODataError) in
            guard let namespace = include["$Namespace"]?.string else {
              throw unreadableMetadata("$Reference/\(member.name)", "an included schema has no $Namespace")
            }
            return ServiceMetadata.Reference.Include(
              namespace: namespace, alias: include["$Alias"]?.string)
          })
      }
    } else if !topMember.isCSDLKeyword, !topMember.isAnnotationName {
      throw unreadableMetadata(topMember, "a schema is an object")
    }
  }
}

extension String {
  /// Whether this is a word of CSDL JSON itself: `$Kind`.
  var isCSDLKeyword: Bool { utf8.first == UInt8(ascii: "$") }

  /// Whether this is the name of an annotation of the object it stands in: `@Core.Description`.
  var isAnnotationName: Bool { utf8.first == UInt8(ascii: "@") }
}
