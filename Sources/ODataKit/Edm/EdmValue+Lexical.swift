import Foundation

extension EdmValue {
  /// Appends the text of the value as Atom and XML carry it, not yet escaped; nothing for null and
  /// for structured values.
  ///
  /// Doubles are written as `xs:double` in its canonical form (`5.0`, `1.0E20`, `NaN`, `INF`, `-INF`), binary as base64,
  /// date-times with `Z`.
  package func appendLexical(to bytes: inout [UInt8]) {
    switch self {
    case .null: break
    case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .byte(let value): bytes.appendInteger(value)
    case .sbyte(let value): bytes.appendInteger(value)
    case .int16(let value): bytes.appendInteger(value)
    case .int32(let value): bytes.appendInteger(value)
    case .int64(let value): bytes.appendInteger(value)
    case .single(let value): bytes.appendFloatingPoint(value)
    case .double(let value): bytes.appendDouble(value)
    case .decimal(let value): value.append(to: &bytes)
    case .string(let value): bytes.append(contentsOf: value.utf8)
    case .binary(let value): Base64.append(value, alphabet: .standard, to: &bytes)
    case .guid(let value): value.append(to: &bytes)
    case .dateTime(let value): value.append(to: &bytes)
    case .dateTimeOffset(let value): value.append(to: &bytes)
    case .duration(let value): value.append(to: &bytes)
    case .date(let value): value.append(to: &bytes)
    case .timeOfDay(let value): value.append(to: &bytes)
    case .enumeration(let value): bytes.append(contentsOf: value.member.utf8)
    case .spatial(let value): bytes.append(contentsOf: value.text.utf8)
    case .stream, .complex, .collection: break
    }
  }

  /// Reads the text of a value, the inverse of ``appendLexical(to:)``.
  ///
  /// Reading is tolerant where services differ: white space around anything but a string, `Infinity` for `INF`, `1` and
  /// `0` for booleans, any number of fraction digits with or without a zone, base64 in either alphabet. Throws
  /// ``ODataError/Code/invalidValue``, naming the type and never the value, and ``ODataError/Code/unsupported``
  /// for a type that is not primitive.
  package init(lexical bytes: UnsafeBufferPointer<UInt8>, type: EdmType) throws(ODataError) {
    guard let primitive = EdmPrimitive(type) else {
      throw ODataError(
        .unsupported, "Values of the type \(type) cannot be read; only the primitive types of Edm can.")
    }
    try self.init(lexical: bytes, primitive)
  }

  /// Reads the text of a value whose type has been looked up.
  package init(lexical bytes: UnsafeBufferPointer<UInt8>, _ primitive: EdmPrimitive) throws(ODataError) {
    do {
      self = try Self.read(bytes, primitive)
    } catch {
      throw switch error {
      case .malformed: ODataError(.invalidValue, "A value is not a valid \(primitive.type).")
      case .outOfRange: ODataError(.invalidValue, "A value is outside of the range of \(primitive.type).")
      }
    }
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ primitive: EdmPrimitive
  ) throws(LexicalFault) -> EdmValue {
    if primitive == .string {
      guard let text = String(utf8: bytes) else { throw .malformed }
      return .string(text)
    }
    if primitive == .binary {
      guard let data = Base64.decode(bytes) else { throw .malformed }
      return .binary(data)
    }
    if primitive == .dateTime {
      guard let time = EdmDateTime(lexical: bytes) else { throw .malformed }
      return .dateTime(time)
    }
    var scanner = LexicalScanner(bytes)
    switch primitive {
    case .boolean: return try .boolean(boolean(scanner.rest))
    case .byte: return .byte(try scanner.integer(UInt8.self))
    case .sbyte: return .sbyte(try scanner.integer(Int8.self))
    case .int16: return .int16(try scanner.integer(Int16.self))
    case .int32: return .int32(try scanner.integer(Int32.self))
    case .int64: return .int64(try scanner.integer(Int64.self))
    case .single: return .single(try scanner.floatingPoint(Float.self))
    case .double: return .double(try scanner.floatingPoint(Double.self))
    case .guid:
      guard let guid = UUID(guid: scanner.rest) else { throw .malformed }
      return .guid(guid)
    case .decimal: return .decimal(try whole(EdmDecimal(scanning: &scanner), scanner))
    case .dateTimeOffset: return .dateTimeOffset(try whole(EdmDateTimeOffset(scanning: &scanner), scanner))
    case .duration, .time: return .duration(try whole(EdmDuration(scanning: &scanner), scanner))
    case .date: return .date(try whole(EdmDate(scanning: &scanner), scanner))
    case .timeOfDay: return .timeOfDay(try whole(EdmTimeOfDay(scanning: &scanner), scanner))
    case .string, .binary, .dateTime: throw .malformed  // These were read above.
    }
  }

  /// The value, if there is one and its text was read to the end.
  private static func whole<Value>(_ value: Value?, _ scanner: LexicalScanner) throws(LexicalFault) -> Value {
    guard let value, scanner.isAtEnd else { throw .malformed }
    return value
  }

  /// `xs:boolean`, and the capital letters some services and spreadsheets write.
  private static func boolean(_ text: UnsafeBufferPointer<UInt8>) throws(LexicalFault) -> Bool {
    func matches(_ word: StaticString) -> Bool {
      text.count == word.utf8CodeUnitCount
        && text.indices.allSatisfy { text[$0] | 0x20 == word.utf8Start[$0] }
    }
    if matches("true") || text.elementsEqual("1".utf8) { return true }
    if matches("false") || text.elementsEqual("0".utf8) { return false }
    throw .malformed
  }
}
