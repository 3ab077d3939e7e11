// The values of types that a service declares, and those that hold others. A model may take them as they are.

extension EdmEnumeration: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmEnumeration {
    switch value {
    case .enumeration(let member): return member
    // A payload without types has the member as a text.
    case .string(let text): return EdmEnumeration(type: nil, member: text)
    default: throw .mismatch
    }
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .enumeration(self) }
}

extension EdmSpatial: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmSpatial {
    guard case .spatial(let spatial) = value else { throw .mismatch }
    return spatial
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .spatial(self) }
}

extension EdmStream: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmStream {
    guard case .stream(let stream) = value else { throw .mismatch }
    return stream
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .stream(self) }
}

extension EdmCollection: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmCollection {
    guard case .collection(let collection) = value else { throw .mismatch }
    return collection
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .collection(self) }
}

extension EntityRecord: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EntityRecord {
    guard case .complex(let record) = value else { throw .mismatch }
    return record
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .complex(self) }
}
