// Strings, numbers, true, false and null.
extension JSONRecordBuilder {
  /// Makes a value of anything but an object or an array. What an annotation says must be true; what only the metadata says
  /// yields where the value does not fit.
  func scalar(_ node: JSONTape.Node, _ told: Told, _ id: Int) throws(ODataError) -> EdmValue {
    if node.kind == .null { return .null }
    let known = told.known
    guard let type = known.type, !known.isCollection else { return try natural(node) }
    if let primitive = EdmPrimitive(type) {
      if let value = value(node, as: primitive) { return value }
      guard told.type != nil else { return try natural(node) }
      throw JSONTokenizer.malformed(
        "the value of “\(members.properties[id].name)” is not the \(type.rawValue) that its annotation says",
        at: node.offset)
    }
    // A member of an enumeration is told by its name, or by its number where it has none.
    let isEnumeration = known.kind == .enumeration || (known.kind == nil && !type.rawValue.hasPrefix("Edm."))
    guard isEnumeration, node.kind == .string || node.kind == .integer else { return try natural(node) }
    let member = try string(node) ?? String(decoding: tape.text(node), as: UTF8.self)
    return .enumeration(EdmEnumeration(type: type, member: member))
  }

  /// A value of which nothing but its spelling is known.
  ///
  /// Numbers without a point are `Edm.Int32`, or `Edm.Int64` where they do not fit, and beyond that `Edm.Decimal`, the
  /// one type that holds them exactly; numbers with one are `Edm.Double`.
  func natural(_ node: JSONTape.Node) throws(ODataError) -> EdmValue {
    switch node.kind {
    case .string:
      let text = tape.text(node)
      // This is how verbose JSON marks a date; in the other formats it is a text like any other.
      if style == .verbose, text.first == UInt8(ascii: "/"), let date = JSONVerboseDate.read(text) {
        return date
      }
      guard let text = String(validating: text, as: UTF8.self) else {
        throw JSONTokenizer.malformed("a string is not UTF-8", at: node.offset)
      }
      return .string(text)
    case .integer:
      guard case .int64(let value)? = try? EdmValue(lexical: tape.text(node), .int64) else {
        return try number(node, as: .decimal)
      }
      return Int32(exactly: value).map(EdmValue.int32) ?? .int64(value)
    case .number: return try number(node, as: .double)
    case .yes: return .boolean(true)
    case .no: return .boolean(false)
    case .null, .object, .array: return .null
    }
  }

  private func number(_ node: JSONTape.Node, as type: EdmPrimitive) throws(ODataError) -> EdmValue {
    guard let value = try? EdmValue(lexical: tape.text(node), type) else {
      throw JSONTokenizer.malformed("a number is outside of the range of \(type.type)", at: node.offset)
    }
    return value
  }

  /// A value of a type that is known; `nil` where the token cannot be one.
  private func value(_ node: JSONTape.Node, as type: EdmPrimitive) -> EdmValue? {
    switch node.kind {
    case .yes: type == .boolean ? .boolean(true) : nil
    case .no: type == .boolean ? .boolean(false) : nil
    case .string:
      (try? EdmValue(lexical: tape.text(node), type)) ?? JSONVerboseDate.read(tape.text(node), as: type)
    case .integer, .number: type.isNumeric ? try? EdmValue(lexical: tape.text(node), type) : nil
    case .null, .object, .array: nil
    }
  }
}

extension EdmPrimitive {
  /// Whether JSON may write a value of the type as a number.
  var isNumeric: Bool {
    switch self {
    case .byte, .sbyte, .int16, .int32, .int64, .single, .double, .decimal: true
    case .binary, .boolean, .date, .dateTime, .dateTimeOffset, .duration, .guid, .string, .time, .timeOfDay:
      false
    }
  }
}
