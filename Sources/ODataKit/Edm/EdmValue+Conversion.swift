extension EdmValue {
  /// The same value in another type, or `nil` where it does not fit without loss. The value's own type gives itself.
  package func converted(to type: EdmType) -> EdmValue? {
    if self.type == type { return self }
    switch self {
    case .byte(let value): return Self.integer(value, as: type)
    case .sbyte(let value): return Self.integer(value, as: type)
    case .int16(let value): return Self.integer(value, as: type)
    case .int32(let value): return Self.integer(value, as: type)
    case .int64(let value): return Self.integer(value, as: type)
    case .single(let value) where type == .decimal: return EdmDecimal(value.description).map(EdmValue.decimal)
    case .single(let value): return Self.floating(Double(value), as: type)
    case .double(let value) where type == .decimal: return EdmDecimal(value.description).map(EdmValue.decimal)
    case .double(let value): return Self.floating(value, as: type)
    case .dateTime(let value) where type == .dateTimeOffset:
      return EdmDateTimeOffset(value, offset: 0).map(EdmValue.dateTimeOffset)
    case .dateTimeOffset(let value) where type == .dateTime: return .dateTime(value.instant)
    case .enumeration(let value) where type == .string: return .string(value.member)
    case .collection(let value):
      guard let element = type.element else { return nil }
      var elements: [EdmValue] = []
      for member in value.elements {
        guard let fitting = member.isNull ? member : member.converted(to: element) else { return nil }
        elements.append(fitting)
      }
      return .collection(EdmCollection(elementType: element, elements))
    default: return nil
    }
  }

  private static func integer(_ value: some BinaryInteger, as type: EdmType) -> EdmValue? {
    switch type {
    case .byte: UInt8(exactly: value).map(EdmValue.byte)
    case .sbyte: Int8(exactly: value).map(EdmValue.sbyte)
    case .int16: Int16(exactly: value).map(EdmValue.int16)
    case .int32: Int32(exactly: value).map(EdmValue.int32)
    case .int64: Int64(exactly: value).map(EdmValue.int64)
    case .single: Float(exactly: value).map(EdmValue.single)
    case .double: Double(exactly: value).map(EdmValue.double)
    case .decimal: .decimal(EdmDecimal(value))
    default: nil
    }
  }

  private static func floating(_ value: Double, as type: EdmType) -> EdmValue? {
    switch type {
    case .double: .double(value)
    case .single: Float(exactly: value).map(EdmValue.single)
    case .byte: UInt8(exactly: value).map(EdmValue.byte)
    case .sbyte: Int8(exactly: value).map(EdmValue.sbyte)
    case .int16: Int16(exactly: value).map(EdmValue.int16)
    case .int32: Int32(exactly: value).map(EdmValue.int32)
    case .int64: Int64(exactly: value).map(EdmValue.int64)
    default: nil
    }
  }
}
