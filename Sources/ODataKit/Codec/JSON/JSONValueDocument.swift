/// Documents in JSON that hold one value: a property, or what a function or an action gives (MS-ODATA § 2.2.6.3; OData 3
/// JSON Format § 6; OData 4 JSON Format § 11).
package enum JSONValueDocument {
  /// Reads a whole document; `types.root` is the type of the value where the document leaves it open.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for what is no such document, ``ODataError/Code/payloadTooLarge`` beyond
  /// a limit, and ``ODataError/Code/service`` where the document is an error of the service.
  package static func read(
    _ bytes: [UInt8], limits: PayloadLimits = PayloadLimits(), types: PayloadTypes = PayloadTypes()
  ) throws(ODataError) -> EdmValue {
    guard bytes.count <= limits.totalLength else {
      throw ODataError(
        .payloadTooLarge, "The JSON payload is larger than the limit of \(limits.totalLength) bytes.")
    }
    if let error = JSONErrorBody.read(bytes) { throw ServiceError.breakingOff(error) }
    var builder = JSONRecordBuilder(types: types)
    var tokenizer = JSONTokenizer(limits: limits)
    try bytes.withUnsafeBufferPointer { bytes throws(ODataError) in
      while let token = try tokenizer.next(in: bytes, isFinal: true) {
        if token == .name {
          guard let member = builder.members.place(of: tokenizer.text) else {
            throw tokenizer.malformed("a name is not UTF-8")
          }
          builder.tape.name(member, length: tokenizer.text.count)
        } else {
          if builder.tape.nodes.isEmpty, token != .beginObject {
            throw tokenizer.malformed("an object was expected")
          }
          builder.tape.append(token, from: tokenizer)
        }
      }
      guard tokenizer.isComplete else { throw tokenizer.malformed("it ends too early") }
    }
    return try builder.value()
  }
}

extension JSONRecordBuilder {
  /// The value that the document on the tape is about.
  fileprivate mutating func value() throws(ODataError) -> EdmValue {
    var told = Told(declared: types.root.map { PayloadType($0) } ?? .unknown)
    var only: Int?
    var count = 0
    var isNull = false
    var place = 1
    while place < tape.nodes[0].end {
      let node = tape.nodes[place]
      switch members.roles[node.member] {
      case .property:
        only = place
        count += 1
      case .note(_, .type), .control(.type):
        style = .annotated
        if node.kind == .string { told.type = PayloadType(name: tape.text(node)) }
      case .control(.context):
        style = .annotated
        context = try string(node).map(JSONContext.init)
      case .control(.null):
        style = .annotated
        isNull = node.kind == .yes || tape.text(node).elementsEqual("true".utf8)
      case .control: style = .annotated
      case .note, .other: break
      }
      place = node.next(behind: place)
    }
    if isNull { return .null }
    if told.declared == .unknown, let type = context?.valueType { told.declared = PayloadType(type) }
    guard count == 1, let only, case .property(let id) = members.roles[tape.nodes[only].member] else {
      return try value(at: 0, told, 0)
    }
    switch members.properties[id].word {
    case .value: return try value(at: only, told, id)
    case .d where style != .annotated:
      style = .verbose
      return try verboseValue(at: only, told, id)
    default: return try value(at: 0, told, id)
    }
  }

  /// What stands behind `d`: the value, or an object with the name of the property or function and the value.
  private mutating func verboseValue(at index: Int, _ told: Told, _ id: Int) throws(ODataError) -> EdmValue {
    let first = index + 1
    guard tape.nodes[index].kind == .object, first < tape.nodes[index].end,
      tape.nodes[first].next(behind: first) == tape.nodes[index].end,
      case .property(let name) = members.roles[tape.nodes[first].member],
      members.properties[name].word != .metadata, members.properties[name].word != .results
    else { return try value(at: index, told, id) }
    return try value(at: first, told, name)
  }

  private mutating func value(at index: Int, _ told: Told, _ id: Int) throws(ODataError) -> EdmValue {
    let node = tape.nodes[index]
    guard node.kind == .object || node.kind == .array else { return try scalar(node, told, id) }
    var told = told
    // The object's own word for its type was taken for that of the value, which it is.
    if index == 0 { told.type = nil }
    return try structure(at: index, told, id).value ?? .null
  }
}
