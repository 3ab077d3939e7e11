import Foundation

extension EdmValue {
  /// The value as an integer type, where nothing is lost.
  fileprivate func integer<Value: FixedWidthInteger>(_: Value.Type) throws(ConversionFault) -> Value {
    let value: Value?
    switch self {
    case .int32(let integer): value = Value(exactly: integer)
    case .int64(let integer): value = Value(exactly: integer)
    case .byte(let integer): value = Value(exactly: integer)
    case .sbyte(let integer): value = Value(exactly: integer)
    case .int16(let integer): value = Value(exactly: integer)
    case .string(let text): return try Self.integer(text)
    // The number of a value of an enumeration that has no name.
    case .enumeration(let member): return try Self.integer(member.member)
    default: throw .mismatch
    }
    guard let value else { throw .outOfRange }
    return value
  }

  private static func integer<Value: FixedWidthInteger>(_ text: String) throws(ConversionFault) -> Value {
    var text = text
    do {
      return try text.withUTF8 { bytes in
        var scanner = LexicalScanner(bytes)
        return try scanner.integer(Value.self)
      }
    } catch {
      throw (error as? LexicalFault) == .outOfRange ? .outOfRange : .mismatch
    }
  }

  /// The value as a floating point type, where nothing is lost that its shortest text shows.
  fileprivate func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _: Value.Type
  ) throws(ConversionFault) -> Value {
    let value: Value?
    switch self {
    case .double(let number):
      value = number.isNaN ? .nan : Value(exactly: number) ?? Self.sameText(number.description)
    case .single(let number): value = Value(number)
    case .int32(let integer): value = Value(exactly: integer)
    case .int64(let integer): value = Value(exactly: integer)
    case .byte(let integer): value = Value(exactly: integer)
    case .sbyte(let integer): value = Value(exactly: integer)
    case .int16(let integer): value = Value(exactly: integer)
    case .decimal(let decimal): value = Self.sameText(decimal.description)
    case .string(var text):
      do {
        return try text.withUTF8 { bytes in
          var scanner = LexicalScanner(bytes)
          return try scanner.floatingPoint(Value.self)
        }
      } catch {
        throw (error as? LexicalFault) == .outOfRange ? .outOfRange : .mismatch
      }
    default: throw .mismatch
    }
    guard let value else { throw .outOfRange }
    return value
  }

  /// The number of a text, if its own shortest text is the same number: 0.1 is, a third with thirty digits is not.
  private static func sameText<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ text: String)
    -> Value?
  {
    guard let value = Value(text), value.isFinite, let decimal = EdmDecimal(text),
      EdmDecimal(value.description) == decimal
    else { return nil }
    return value
  }
}

extension Int32: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Int32 { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue { .int32(self) }
}

extension Int64: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Int64 { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue { .int64(self) }
}

extension Int: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Int { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue { .int64(Int64(self)) }
}

extension Int8: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Int8 { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue {
    dialect == .azureTable ? .int32(Int32(self)) : .sbyte(self)
  }
}

extension Int16: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Int16 { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue {
    dialect == .azureTable ? .int32(Int32(self)) : .int16(self)
  }
}

extension UInt8: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> UInt8 { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue {
    dialect == .azureTable ? .int32(Int32(self)) : .byte(self)
  }
}

// Edm has no unsigned types beyond Edm.Byte: the next larger signed one takes their place.

extension UInt16: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> UInt16 { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue { .int32(Int32(self)) }
}

extension UInt32: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> UInt32 { try value.integer(self) }
  func edmValue(for dialect: Dialect) -> EdmValue { .int64(Int64(self)) }
}

extension UInt64: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> UInt64 { try value.integer(self) }
  func edmValue(for dialect: Dialect) throws(ConversionFault) -> EdmValue {
    guard let value = Int64(exactly: self) else { throw .outOfRange }
    return .int64(value)
  }
}

extension UInt: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> UInt { try value.integer(self) }
  func edmValue(for dialect: Dialect) throws(ConversionFault) -> EdmValue {
    try UInt64(self).edmValue(for: dialect)
  }
}

extension Double: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Double {
    if case .double(let number) = value { return number }
    return try value.floatingPoint(self)
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .double(self) }
}

extension Float: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Float { try value.floatingPoint(self) }
  func edmValue(for dialect: Dialect) -> EdmValue {
    dialect == .azureTable ? .double(Double(self)) : .single(self)
  }
}

extension EdmDecimal: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmDecimal {
    switch value {
    case .decimal(let decimal): return decimal
    case .byte, .sbyte, .int16, .int32, .int64: return EdmDecimal(try value.integer(Int64.self))
    case .double(let number): return try reading(number.description)
    case .single(let number): return try reading(number.description)
    case .string(let text): return try reading(text)
    default: throw .mismatch
    }
  }

  private static func reading(_ text: String) throws(ConversionFault) -> EdmDecimal {
    guard let decimal = EdmDecimal(text) else { throw .mismatch }
    return decimal
  }

  func edmValue(for dialect: Dialect) -> EdmValue { .decimal(self) }
}

extension Decimal: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Decimal {
    guard let decimal = try EdmDecimal.reading(value).decimal else { throw .outOfRange }
    return decimal
  }
  func edmValue(for dialect: Dialect) throws(ConversionFault) -> EdmValue {
    guard dialect != .azureTable else { throw .mismatch }
    guard let decimal = EdmDecimal(self) else { throw .outOfRange }
    return .decimal(decimal)
  }
}
