/// One value of a record while a type that is not Edm's own reads it: an enum with raw values, a wrapper.
final class ValueDecoding: Decoder {
  private let value: EdmValue
  private let key: any CodingKey

  init(_ value: EdmValue, at key: any CodingKey) {
    self.value = value
    self.key = key
  }

  /// Reads a value as any type: at once where it is one of Edm's, else through the type's own `init(from:)`.
  static func read<T: Decodable>(_ type: T.Type, from value: EdmValue, at key: any CodingKey) throws -> T {
    guard let convertible = T.self as? any EdmConvertible.Type else {
      return try T(from: ValueDecoding(value, at: key))
    }
    do {
      // The cast cannot fail: what was read is a `T`, only the compiler does not know it any more.
      return try convertible.reading(value) as! T
    } catch {
      throw DecodingError(error, reading: T.self, from: value, at: [key])
    }
  }

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw DecodingError.typeMismatch([String: Any].self, .init(.noNesting, at: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch([Any].self, .init(.noCollection, at: codingPath))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try Self.read(type, from: value, at: key) }

  private func read<Value: EdmConvertible>() throws -> Value {
    do {
      return try Value.reading(value)
    } catch {
      throw DecodingError(error, reading: Value.self, from: value, at: codingPath)
    }
  }

  func decode(_ type: Bool.Type) throws -> Bool { try read() }
  func decode(_ type: String.Type) throws -> String { try read() }
  func decode(_ type: Double.Type) throws -> Double { try read() }
  func decode(_ type: Float.Type) throws -> Float { try read() }
  func decode(_ type: Int.Type) throws -> Int { try read() }
  func decode(_ type: Int8.Type) throws -> Int8 { try read() }
  func decode(_ type: Int16.Type) throws -> Int16 { try read() }
  func decode(_ type: Int32.Type) throws -> Int32 { try read() }
  func decode(_ type: Int64.Type) throws -> Int64 { try read() }
  func decode(_ type: UInt.Type) throws -> UInt { try read() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try read() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try read() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try read() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try read() }
}
