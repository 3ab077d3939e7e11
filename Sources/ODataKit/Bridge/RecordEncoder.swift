internal import CurlTransport

/// Writes a Swift type as a record.
///
/// Each Swift type becomes the one type a dialect has for it, whatever its value: a `Double` is an Edm.Double also when
/// it is whole, an `Int` an Edm.Int64 also when it is small.
///
/// | Swift | OData 2, 3 | OData 4 | Azure tables |
/// |---|---|---|---|
/// | `Int`, `Int64`, `UInt`, `UInt32`, `UInt64` | Int64 | Int64 | Int64 |
/// | `Int32`, `UInt16` | Int32 | Int32 | Int32 |
/// | `Int16`, `Int8`, `UInt8` | Int16, SByte, Byte | Int16, SByte, Byte | Int32 |
/// | `Float` | Single | Single | Double |
/// | `Date` | DateTime | DateTimeOffset | DateTime |
/// | `Decimal`, `Duration` | Decimal, Duration | Decimal, Duration | refused |
/// | `UUID`, `Data`, `[UInt8]`, `URL` | Guid, Binary, Binary, String | same | same |
/// | ``EdmValue`` and the other Edm types | unchanged | unchanged | unchanged |
///
/// **Nil.** An optional that is `nil` is left out of the record, as the compiler's `encodeIfPresent` has it: an insert
/// leaves it to the service. So a property that the record of the entity as it was read has, and this one lacks, was
/// cleared. A type that encodes `nil` by itself (`encode(optional, forKey:)`, `encodeNil(forKey:)`) puts an
/// ``EdmValue/null`` into the record.
///
/// Throws ``ODataError/Code/invalidValue`` and ``ODataError/Code/unsupported``, naming the property, and passes on what
/// a type's own `encode(to:)` throws. Safe to share; entities encoded by one encoder share their shape.
package struct RecordEncoder: Sendable {
  private let naming: PropertyNaming
  private let dialect: Dialect
  private let latestShape = Locked<RecordShape?>(nil)

  package init(naming: PropertyNaming = .unchanged, dialect: Dialect) {
    self.naming = naming
    self.dialect = dialect
  }

  package func encode<T: Encodable>(_ value: T) throws -> EntityRecord {
    let template = latestShape.withLock { $0 }
    let encoding = RecordEncoding(naming: naming, dialect: dialect, template: template ?? .empty)
    do {
      try value.encode(to: encoding)
      if let refusal = encoding.refusal { throw refusal }
    } catch let error as EncodingError {
      throw ODataError(writing: T.self, naming: naming, error)
    }
    let record = encoding.record
    if record.shape !== template {
      let shape = record.shape
      latestShape.withLock { $0 = shape }
    }
    return record
  }
}

/// One record while it is written.
final class RecordEncoding: Encoder {
  let naming: PropertyNaming
  let dialect: Dialect
  /// The shape of the entity before this one; as long as the names are the same no new ones are made.
  private let template: RecordShape
  /// The names from the first one on that differed from the template.
  private var names: [String]?
  private var values: [EdmValue] = []
  /// The first nested value. Handing out a container cannot throw and an empty one never writes anything, so this is
  /// looked at when the entity is complete.
  private(set) var refusal: EncodingError?

  init(naming: PropertyNaming, dialect: Dialect, template: RecordShape) {
    self.naming = naming
    self.dialect = dialect
    self.template = template
    values.reserveCapacity(template.names.count)
  }

  var record: EntityRecord {
    if names == nil, values.count == template.names.count {
      return EntityRecord(shape: template, values: values)
    }
    let names = names ?? Array(template.names.prefix(values.count))
    return EntityRecord(shape: RecordShape(names: names), values: values)
  }

  /// What a single value is on the wire; throws for anything nested.
  static func value(of value: any Encodable) throws -> EdmValue {
    let encoding = RecordEncoding(naming: .unchanged, dialect: .v3, template: .empty)
    try encoding.write(any: value, ValueKey())
    guard encoding.refusal == nil, let value = encoding.values.first else { throw ConversionFault.mismatch }
    return value
  }

  private struct ValueKey: CodingKey {
    let stringValue = "value"
    let intValue: Int? = nil
    init() {}
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }
  }

  func add(_ value: EdmValue, _ key: String) {
    if names == nil {
      if values.count < template.names.count, naming.matches(key, template.names[values.count]) {
        return values.append(value)
      }
      names = Array(template.names.prefix(values.count))
    }
    let name = naming.wireName(of: key)
    // A key that is encoded twice keeps its place and its last value, as with other coders.
    if let index = names?.firstIndex(where: { $0.hasSameBytes(as: name) }) {
      values[index] = value
    } else {
      names?.append(name)
      values.append(value)
    }
  }

  func write<Value: EdmConvertible>(_ value: Value, _ key: any CodingKey) throws {
    do {
      add(try value.edmValue(for: dialect), key.stringValue)
    } catch {
      throw EncodingError(error, writing: Value.self, for: dialect, at: [key])
    }
  }

  func write<T: Encodable>(any value: T, _ key: any CodingKey) throws {
    if let value = value as? any EdmConvertible {
      try write(value, key)
    } else {
      try value.encode(to: ValueEncoding(self, key))
    }
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordContainer(encoding: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { refuseCollection(at: []) }

  func singleValueContainer() -> any SingleValueEncodingContainer { WholeRecordContainer(encoding: self) }

  /// Notes that the property is nested, and gives a container whose content goes nowhere.
  func refuseNesting<Key: CodingKey>(at path: [any CodingKey]) -> KeyedEncodingContainer<Key> {
    refuse(.nesting(dialect), at: path)
    let nowhere = RecordEncoding(naming: naming, dialect: dialect, template: .empty)
    return KeyedEncodingContainer(RecordContainer(encoding: nowhere))
  }

  /// Notes that the property is a collection, and gives a container whose content goes nowhere.
  func refuseCollection(at path: [any CodingKey]) -> any UnkeyedEncodingContainer {
    refuse(.collection(dialect), at: path)
    return RefusedCollection(codingPath: path, encoder: self)
  }

  private func refuse(_ fault: BridgeFault, at path: [any CodingKey]) {
    if refusal == nil { refusal = EncodingError(fault, writing: Any.self, at: path) }
  }
}

private struct RecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: RecordEncoding

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { encoding.add(.null, key.stringValue) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoding.write(any: value, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoding.refuseNesting(at: [key])
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoding.refuseCollection(at: [key])
  }

  /// The properties of a superclass stand beside those of the subclass: an entity has one level.
  func superEncoder() -> any Encoder { encoding }
  func superEncoder(forKey key: Key) -> any Encoder { ValueEncoding(encoding, key) }

  func encode(_ value: Bool, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try encoding.write(value, key) }
}

/// The whole record as one value, for types that wrap the entity.
private struct WholeRecordContainer: SingleValueEncodingContainer {
  let encoding: RecordEncoding

  var codingPath: [any CodingKey] { [] }

  func encode<T: Encodable>(_ value: T) throws {
    guard !(value is any EdmConvertible) else { return try refuse(T.self) }
    try value.encode(to: encoding)
  }

  private func refuse(_ type: Any.Type) throws {
    throw EncodingError(BridgeFault(words: "is a single value, not an entity"), writing: type, at: [])
  }

  func encodeNil() throws { try refuse(EdmValue.self) }
  func encode(_ value: Bool) throws { try refuse(Bool.self) }
  func encode(_ value: String) throws { try refuse(String.self) }
  func encode(_ value: Double) throws { try refuse(Double.self) }
  func encode(_ value: Float) throws { try refuse(Float.self) }
  func encode(_ value: Int) throws { try refuse(Int.self) }
  func encode(_ value: Int8) throws { try refuse(Int8.self) }
  func encode(_ value: Int16) throws { try refuse(Int16.self) }
  func encode(_ value: Int32) throws { try refuse(Int32.self) }
  func encode(_ value: Int64) throws { try refuse(Int64.self) }
  func encode(_ value: UInt) throws { try refuse(UInt.self) }
  func encode(_ value: UInt8) throws { try refuse(UInt8.self) }
  func encode(_ value: UInt16) throws { try refuse(UInt16.self) }
  func encode(_ value: UInt32) throws { try refuse(UInt32.self) }
  func encode(_ value: UInt64) throws { try refuse(UInt64.self) }
}
