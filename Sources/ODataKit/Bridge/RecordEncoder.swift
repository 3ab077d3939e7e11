internal import CurlTransport
internal import Foundation

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
/// | an enum, an option set | as its raw value | same | same |
/// | a nested type, a dictionary by strings, ``EntityRecord`` | complex value | complex value | refused |
/// | an array, a set | collection | collection | refused |
/// | ``EdmValue`` and the other Edm types | unchanged | unchanged | unchanged |
///
/// A collection within a collection is refused: OData has none. OData 2 has no collections as properties either; what
/// writes its payloads refuses them, since related entities may come as one.
///
/// **Nil.** An optional that is `nil` is left out of the record, as the compiler's `encodeIfPresent` has it: an insert
/// leaves it to the service. So a property that the record of the entity as it was read has, and this one lacks, was
/// cleared. A type that encodes `nil` by itself (`encode(optional, forKey:)`, `encodeNil(forKey:)`) puts an
/// ``EdmValue/null`` into the record.
///
/// Throws ``ODataError/Code/invalidValue`` and ``ODataError/Code/unsupported``, naming the property, and passes on what
/// a type's own `encode(to:)` throws. Safe to share; entities encoded by one encoder share their shapes, those of nested
/// records included.
package struct RecordEncoder: Sendable {
  private let naming: PropertyNaming
  private let dialect: Dialect
  private let latestTemplate = Locked(RecordTemplate.empty)

  package init(naming: PropertyNaming = .unchanged, dialect: Dialect) {
    self.naming = naming
    self.dialect = dialect
  }

  package func encode<T: Encodable>(_ value: T) throws -> EntityRecord {
    // An entity without a type of its own is the record itself, control information and all.
    if T.self == EntityRecord.self, let record = value as? EntityRecord { return record }
    let template = latestTemplate.withLock { $0 }
    let encoding = RecordEncoding(naming: naming, dialect: dialect, template: template)
    do {
      try value.encode(to: encoding)
      let (record, template) = try encoding.finish()
      if template !== encoding.template { latestTemplate.withLock { $0 = template } }
      return record
    } catch let error as EncodingError {
      throw ODataError(writing: T.self, naming: naming, error)
    }
  }
}

/// The shapes of a record that was written, and of the records within it: as long as the names stay the same, the next one
/// makes no new ones.
final class RecordTemplate: Sendable {
  /// The template of the record, or of the elements of the collection, at an index.
  struct Nested {
    var index: Int
    var template: RecordTemplate
  }

  static let empty = RecordTemplate(shape: .empty, keys: [], nested: [])

  let shape: RecordShape
  /// The coding keys under which the names of the shape were written, one for each; none where they are not known.
  let keys: [String]
  let nested: [Nested]

  init(shape: RecordShape, keys: [String], nested: [Nested]) {
    self.shape = shape
    self.keys = keys
    self.nested = nested
  }

  func template(at index: Int) -> RecordTemplate {
    nested.first { $0.index == index }?.template ?? .empty
  }
}

/// One record while it is written, an entity or a complex value.
final class RecordEncoding: Encoder {
  let naming: PropertyNaming
  let dialect: Dialect
  /// The shapes of the record before this one.
  let template: RecordTemplate
  /// Where the record stands in the entity; empty for the entity itself.
  let codingPath: [any CodingKey]
  // Unchecked, because every property of every row is added to these, and because nothing else runs while they are
  // changed: only the value itself is made before.
  /// The names from the first one on that differed from the template, and the coding keys they come from.
  @exclusivity(unchecked) private var names: [String]?
  private var keys: [String] = []
  /// The keys of the template, as long as nothing differs from it.
  @exclusivity(unchecked) private var expectedKeys: [String]
  @exclusivity(unchecked) private var values: [EdmValue] = []
  @exclusivity(unchecked) private var nested: [RecordTemplate.Nested] = []
  /// The properties whose containers were handed out on their own and may be written to until the record is complete.
  @exclusivity(unchecked) private var open: [(index: Int, value: ValueEncoding)] = []
  /// Whether the type wants to be a collection. Handing out a container cannot throw, so this is looked at in the end.
  @exclusivity(unchecked) private var isCollection = false

  init(
    naming: PropertyNaming, dialect: Dialect, template: RecordTemplate, at path: [any CodingKey] = []
  ) {
    self.naming = naming
    self.dialect = dialect
    self.template = template
    codingPath = path
    expectedKeys = template.keys
    values.reserveCapacity(template.shape.names.count)
  }

  /// The record, when everything has been written, and the shapes for the next one.
  func finish() throws -> (EntityRecord, RecordTemplate) {
    guard !isCollection else { throw EncodingError(.notAnEntity, writing: Any.self, at: codingPath) }
    if names == nil, values.count == template.shape.names.count, open.isEmpty, nested.isEmpty,
      template.nested.isEmpty
    {
      return (EntityRecord(shape: template.shape, values: values), template)
    }
    for (index, value) in open { values[index] = try finish(value, at: index) }
    let isSameShape = names == nil && values.count == template.shape.names.count
    let shape =
      isSameShape
      ? template.shape : RecordShape(names: names ?? Array(template.shape.names.prefix(values.count)))
    let record = EntityRecord(shape: shape, values: values)
    let isSame =
      isSameShape
      && nested.elementsEqual(template.nested) { $0.index == $1.index && $0.template === $1.template }
    if isSame { return (record, template) }
    let keys = names == nil ? Array(template.keys.prefix(values.count)) : keys
    return (record, RecordTemplate(shape: shape, keys: keys, nested: nested))
  }

  /// The value that was written for a property, whose shapes are noted.
  private func finish(_ encoding: ValueEncoding, at index: Int) throws -> EdmValue {
    let (value, template) = try encoding.finish()
    if let template { nested.append(RecordTemplate.Nested(index: index, template: template)) }
    return value
  }

  /// What a single value is on the wire; throws for anything nested.
  static func value(of value: any Encodable) throws -> EdmValue {
    let encoding = RecordEncoding(naming: .unchanged, dialect: .v3, template: .empty)
    try encoding.write(any: value, ElementKey(0))
    guard let value = encoding.values.first, !value.isStructured else { throw ConversionFault.mismatch }
    return value
  }

  /// Takes over all properties of a record, under the names they have there.
  func add(_ record: EntityRecord) {
    names = record.shape.names
    (keys, expectedKeys) = ([], [])
    values = record.values
  }

  /// Adds a property, or gives it another value, and tells where it stands: a key that is encoded twice keeps its place
  /// and its last value, as with other coders.
  @discardableResult
  func add(_ value: EdmValue, _ key: String) -> Int {
    let index = values.count
    // A type asks with the same keys each time, mostly with the very same strings.
    if index < expectedKeys.count, expectedKeys[index].hasSameRepresentation(as: key) {
      values.append(value)
      return index
    }
    return addNamed(value, key)
  }

  @inline(never)
  private func addNamed(_ value: EdmValue, _ key: String) -> Int {
    if names == nil {
      if values.count < template.shape.names.count, naming.matches(key, template.shape.names[values.count]) {
        values.append(value)
        return values.count - 1
      }
      names = Array(template.shape.names.prefix(values.count))
      keys = Array(template.keys.prefix(values.count))
      expectedKeys = []
    }
    let name = naming.wireName(of: key)
    if let index = names?.firstIndex(where: { $0.hasSameBytes(as: name) }) {
      values[index] = value
      return index
    }
    // Keys are of use only if there is one for each name.
    if keys.count == names?.count { keys.append(key) }
    names?.append(name)
    values.append(value)
    return values.count - 1
  }

  func write<Value: EdmConvertible>(_ value: Value, _ key: some CodingKey) throws {
    do {
      add(try value.edmValue(for: dialect), key.stringValue)
    } catch {
      throw EncodingError(error, writing: Value.self, for: dialect, at: codingPath + [key])
    }
  }

  func write<T: Encodable>(any value: T, _ key: some CodingKey) throws {
    if T.self == EdmDateTime.self {
      add(.dateTime(unsafeBitCast(value, to: EdmDateTime.self)), key.stringValue)
      return
    }
    // The question whether a type conforms to a protocol is a slow one, so the types that are met most are known.
    if T.self == Date.self { return try write(unsafeBitCast(value, to: Date.self), key) }
    if T.self == UUID.self { return try write(unsafeBitCast(value, to: UUID.self), key) }
    if T.self == EdmDateTimeOffset.self {
      return try write(unsafeBitCast(value, to: EdmDateTimeOffset.self), key)
    }
    if T.self == Data.self { return try write(unsafeBitCast(value, to: Data.self), key) }
    if let value = value as? any EdmConvertible { return try write(value, key) }
    let encoding = ValueEncoding(self, key, template.template(at: values.count))
    try value.encode(to: encoding)
    let index = add(.null, key.stringValue)
    values[index] = try finish(encoding, at: index)
  }

  /// The encoder of a property that is written bit by bit. Where the property has one already, its writing goes on.
  func encoding(of key: any CodingKey) -> ValueEncoding {
    let hint = template.template(at: values.count)
    let index = add(.null, key.stringValue)
    if let known = open.first(where: { $0.index == index })?.value { return known }
    let encoding = ValueEncoding(self, key, hint)
    open.append((index, encoding))
    return encoding
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordContainer(encoding: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isCollection = true
    return CollectionContainer(encoding: CollectionEncoding(naming, dialect, at: codingPath, .empty))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { WholeRecordContainer(encoding: self) }
}

private struct RecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: RecordEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }

  func encodeNil(forKey key: Key) { encoding.add(.null, key.stringValue) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoding.write(any: value, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoding.encoding(of: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoding.encoding(of: key).unkeyedContainer()
  }

  /// The properties of a superclass stand beside those of the subclass: a type that is derived from another has the
  /// properties of both in one record.
  func superEncoder() -> any Encoder { encoding }
  func superEncoder(forKey key: Key) -> any Encoder { encoding.encoding(of: key) }

  // The commonest types are the same in all dialects, and are added without asking. This is compiled for any type of keys,
  // where everything takes longer.

  func encode(_ value: Bool, forKey key: Key) throws { encoding.add(.boolean(value), key.stringValue) }
  func encode(_ value: String, forKey key: Key) throws { encoding.add(.string(value), key.stringValue) }
  func encode(_ value: Double, forKey key: Key) throws { encoding.add(.double(value), key.stringValue) }
  func encode(_ value: Float, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { encoding.add(.int64(Int64(value)), key.stringValue) }
  func encode(_ value: Int8, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { encoding.add(.int32(value), key.stringValue) }
  func encode(_ value: Int64, forKey key: Key) throws { encoding.add(.int64(value), key.stringValue) }
  func encode(_ value: UInt, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try encoding.write(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try encoding.write(value, key) }
}

/// The whole record as one value, for types that wrap the entity.
private struct WholeRecordContainer: SingleValueEncodingContainer {
  let encoding: RecordEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }

  func encode<T: Encodable>(_ value: T) throws {
    if let record = value as? EntityRecord { return encoding.add(record) }
    guard !(value is any EdmConvertible) else { return try refuse(T.self) }
    try value.encode(to: encoding)
  }

  private func refuse(_ type: Any.Type) throws {
    throw EncodingError(BridgeFault(words: "is a single value, not an entity"), writing: type, at: codingPath)
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
