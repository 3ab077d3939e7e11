/// Reads a record into a Swift type.
///
/// - A value becomes any Swift type it fits without loss: an Int32 an `Int`, an Int64 an `Int32` if it is small enough, a
///   DateTime a `Date` or an ``EdmDateTime``. Text becomes any type it can be read as, since some payloads leave out the
///   types.
/// - A property that is null or missing becomes the `nil` of an optional; for anything else it is an error.
/// - A complex value, or a related entity that came along, becomes a nested `Codable` type with the same naming, or an
///   ``EntityRecord``; a related entity that did not come along is the `nil` of an optional.
/// - A collection becomes an array, a set, or an ``EdmCollection``; OData has no collections of collections. Bytes are
///   Edm.Binary and no collection.
/// - A member of an enumeration becomes an enum by its raw value, the member's name or its number; the members of a value
///   with flags become an array or a set of enums. ``EdmEnumeration`` and `String` take it as it is written.
/// - Properties the Swift type does not ask for are left alone.
///
/// The depth of the record is the depth of the recursion. Throws ``ODataError/Code/typeMismatch``, naming the property
/// with the path to it (`Lines[3].Quantity`) and both types but never the value, and passes on what a type's own
/// `init(from:)` throws.
package struct RecordDecoder: Sendable {
  private let naming: PropertyNaming

  package init(naming: PropertyNaming = .unchanged) { self.naming = naming }

  package func decode<T: Decodable>(_ type: T.Type, from record: EntityRecord) throws -> T {
    // An entity without a type of its own is the record itself, control information and all.
    if T.self == EntityRecord.self, let record = record as? T { return record }
    do {
      return try T(from: RecordDecoding(record, naming: naming))
    } catch let error as DecodingError {
      throw ODataError(reading: T.self, naming: naming, error)
    }
  }
}

/// One record while it is read, an entity or a complex value. A class, so that the containers of one record share the
/// place where the search for the next property begins.
final class RecordDecoding: Decoder {
  fileprivate let names: [String]
  fileprivate let values: [EdmValue]
  fileprivate let shape: RecordShape
  let naming: PropertyNaming
  /// Where the record stands in the entity; empty for the entity itself.
  let codingPath: [any CodingKey]
  // Unchecked, because every property of every row asks, and because it is never passed inout.
  @exclusivity(unchecked) private var cursor = 0

  init(_ record: EntityRecord, naming: PropertyNaming, at path: [any CodingKey] = []) {
    shape = record.shape
    names = record.shape.names
    values = record.values
    self.naming = naming
    codingPath = path
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The position of a coding key's value. Types ask in the order of their members and services answer in an order of
  /// their own, the same for each row; where both agree the next value is the one that is asked for.
  @inline(__always)
  fileprivate func index(of key: String) -> Int? {
    let next = cursor
    if next < names.count, naming.matches(key, names[next]) {
      cursor = next + 1
      return next
    }
    return search(key)
  }

  @inline(never)
  private func search(_ key: String) -> Int? {
    let name = naming.wireName(of: key)
    for index in names.indices where names[index].hasSameBytes(as: name) {
      cursor = index + 1
      return index
    }
    return nil
  }

  fileprivate func value(of key: String) -> EdmValue? { index(of: key).map { values[$0] } }

  // The commonest types where the value has just that type. They stand here, and not in the container, because that is
  // compiled for any type of keys, where everything takes longer. `nil` is no answer: then the long way is gone.

  fileprivate func string(_ key: String) -> String? {
    guard let index = index(of: key), case .string(let text) = values[index] else { return nil }
    return text
  }

  fileprivate func integer(_ key: String) -> Int? {
    guard let index = index(of: key) else { return nil }
    return switch values[index] {
    case .int32(let number): Int(number)
    case .int64(let number): Int(exactly: number)
    default: nil
    }
  }

  fileprivate func double(_ key: String) -> Double? {
    guard let index = index(of: key), case .double(let number) = values[index] else { return nil }
    return number
  }

  fileprivate func bool(_ key: String) -> Bool? {
    guard let index = index(of: key), case .boolean(let bool) = values[index] else { return nil }
    return bool
  }

  fileprivate func dateTime(_ key: String) -> EdmDateTime? {
    guard let index = index(of: key) else { return nil }
    return switch values[index] {
    case .dateTime(let time): time
    // JSON has times as texts where the service leaves their type out.
    case .string(var text): text.withUTF8(EdmDateTime.init(lexical:))
    default: nil
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordContainer(decoding: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch([Any].self, .init(.noCollection, at: codingPath))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { WholeRecordContainer(decoding: self) }
}

/// The properties of a record by coding keys.
private struct RecordContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoding: RecordDecoding

  var codingPath: [any CodingKey] { decoding.codingPath }
  var allKeys: [Key] { decoding.names.compactMap { Key(stringValue: decoding.naming.codingKey(of: $0)) } }

  func contains(_ key: Key) -> Bool { decoding.value(of: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }

  private func required(_ key: Key) throws -> EdmValue {
    guard let value = decoding.value(of: key.stringValue) else {
      throw DecodingError.keyNotFound(key, .init(.missing, at: codingPath))
    }
    return value
  }

  private func read<Value: EdmConvertible>(_ key: Key) throws -> Value {
    let value = try required(key)
    do {
      return try Value.reading(value)
    } catch {
      throw DecodingError(error, reading: Value.self, from: value, at: codingPath + [key])
    }
  }

  private func readIfPresent<Value: EdmConvertible>(_ key: Key) throws -> Value? {
    guard let value = decoding.value(of: key.stringValue), !value.isNull else { return nil }
    do {
      return try Value.reading(value)
    } catch {
      throw DecodingError(error, reading: Value.self, from: value, at: codingPath + [key])
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if T.self == EdmDateTime.self, let time = decoding.dateTime(key.stringValue) {
      return unsafeBitCast(time, to: T.self)
    }
    return try ValueDecoding.read(type, from: try required(key), decoding.naming, at: codingPath, key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = decoding.value(of: key.stringValue), !value.isNull else { return nil }
    return try ValueDecoding.read(type, from: value, decoding.naming, at: codingPath, key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested([String: Any].self, key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested([Any].self, key).unkeyedContainer()
  }

  private func nested(_ type: Any.Type, _ key: Key) throws -> ValueDecoding {
    ValueDecoding(try required(key), as: type, decoding.naming, at: codingPath, key)
  }

  /// The properties of a superclass stand beside those of the subclass: a type that is derived from another has the
  /// properties of both in one record.
  func superDecoder() -> any Decoder { decoding }

  func superDecoder(forKey key: Key) throws -> any Decoder { try nested([String: Any].self, key) }

  // One line for each type that the protocol names, so that reading it needs no look at the type at run time.

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if let value = decoding.bool(key.stringValue) { return value }
    return try read(key)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if let value = decoding.string(key.stringValue) { return value }
    return try read(key)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if let value = decoding.double(key.stringValue) { return value }
    return try read(key)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let value = decoding.integer(key.stringValue) { return value }
    return try read(key)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    if let value = decoding.integer(key.stringValue).flatMap(Int32.init(exactly:)) { return value }
    return try read(key)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    if let value = decoding.integer(key.stringValue) { return Int64(value) }
    return try read(key)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    if let value = decoding.bool(key.stringValue) { return value }
    return try readIfPresent(key)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    if let value = decoding.string(key.stringValue) { return value }
    return try readIfPresent(key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    if let value = decoding.double(key.stringValue) { return value }
    return try readIfPresent(key)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    if let value = decoding.integer(key.stringValue) { return value }
    return try readIfPresent(key)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    if let value = decoding.integer(key.stringValue).flatMap(Int32.init(exactly:)) { return value }
    return try readIfPresent(key)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    if let value = decoding.integer(key.stringValue) { return Int64(value) }
    return try readIfPresent(key)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try readIfPresent(key) }
}

/// The record as one value, for types that wrap the entity: they ask for it again by its own type.
private struct WholeRecordContainer: SingleValueDecodingContainer {
  let decoding: RecordDecoding

  var codingPath: [any CodingKey] { decoding.codingPath }
  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == EntityRecord.self,
      let record = EntityRecord(shape: decoding.shape, values: decoding.values) as? T
    {
      return record
    }
    guard !(T.self is any EdmConvertible.Type) else { return try refuse(type) }
    return try T(from: decoding)
  }

  private func refuse<Value>(_ type: Value.Type) throws -> Value {
    throw DecodingError.typeMismatch(type, .init(.noSingleValue, at: codingPath))
  }

  func decode(_ type: Bool.Type) throws -> Bool { try refuse(type) }
  func decode(_ type: String.Type) throws -> String { try refuse(type) }
  func decode(_ type: Double.Type) throws -> Double { try refuse(type) }
  func decode(_ type: Float.Type) throws -> Float { try refuse(type) }
  func decode(_ type: Int.Type) throws -> Int { try refuse(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try refuse(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try refuse(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try refuse(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try refuse(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try refuse(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try refuse(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try refuse(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try refuse(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try refuse(type) }
}
