internal import Foundation

/// One value of a record while a type that is not Edm's own reads it: an enum with raw values, a wrapper, a nested type, a
/// collection.
final class ValueDecoding: Decoder {
  private let value: EdmValue
  /// What reads the value, for errors.
  private let type: Any.Type
  private let naming: PropertyNaming
  private let parentPath: [any CodingKey]
  private let key: any CodingKey

  init(
    _ value: EdmValue, as type: Any.Type, _ naming: PropertyNaming, at parentPath: [any CodingKey],
    _ key: any CodingKey
  ) {
    self.value = value
    self.type = type
    self.naming = naming
    self.parentPath = parentPath
    self.key = key
  }

  /// Reads a value as any type: at once where it is one of Edm's, else through the type's own `init(from:)`.
  static func read<T: Decodable>(
    _ type: T.Type, from value: EdmValue, _ naming: PropertyNaming, at parentPath: [any CodingKey],
    _ key: any CodingKey
  ) throws -> T {
    do {
      // The question whether a type conforms to a protocol is a slow one, so the types that are met most are known.
      if T.self == EdmDateTime.self { return try same(EdmDateTime.reading(value)) }
      if T.self == Date.self { return try same(Date.reading(value)) }
      if T.self == UUID.self { return try same(UUID.reading(value)) }
      if T.self == EdmDateTimeOffset.self { return try same(EdmDateTimeOffset.reading(value)) }
      if T.self == Data.self { return try same(Data.reading(value)) }
      if T.self == EdmDecimal.self { return try same(EdmDecimal.reading(value)) }
      if T.self == Decimal.self { return try same(Decimal.reading(value)) }
      if let convertible = T.self as? any EdmConvertible.Type {
        // The cast cannot fail: what was read is a `T`, only the compiler does not know it any more.
        return try convertible.reading(value) as! T
      }
    } catch {
      throw DecodingError(error, reading: T.self, from: value, at: parentPath + [key])
    }
    return try T(from: ValueDecoding(value, as: type, naming, at: parentPath, key))
  }

  /// A value as the type that it has, where the compiler does not know that the two are the same.
  @inline(__always)
  private static func same<Same, T>(_ value: Same) -> T { unsafeBitCast(value, to: T.self) }

  var codingPath: [any CodingKey] { parentPath + [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .complex(let record) = value else {
      throw DecodingError(.mismatch, reading: type, from: value, at: codingPath)
    }
    return RecordDecoding(record, naming: naming, at: codingPath).container(keyedBy: Key.self)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let elements: [EdmValue]
    switch value {
    case .collection where key is ElementKey:
      throw DecodingError.typeMismatch(type, .init(.collectionOfCollections, at: codingPath))
    case .collection(let collection): elements = collection.elements
    // A value with flags is read as its members.
    case .enumeration(let flags):
      elements = flags.members.map { .enumeration(EdmEnumeration(type: flags.type, member: $0)) }
    default: throw DecodingError(.mismatch, reading: type, from: value, at: codingPath)
    }
    return CollectionDecoding(elements, naming, at: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try Self.read(type, from: value, naming, at: parentPath, key)
  }

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
