/// One value of a record while a type that is not Edm's own writes it: an enum with raw values, a wrapper, an optional.
struct ValueEncoding: Encoder, SingleValueEncodingContainer {
  private let encoding: RecordEncoding
  private let key: any CodingKey

  init(_ encoding: RecordEncoding, _ key: any CodingKey) {
    self.encoding = encoding
    self.key = key
  }

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    encoding.refuseNesting(at: codingPath)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { encoding.refuseCollection(at: codingPath) }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { encoding.add(.null, key.stringValue) }
  func encode<T: Encodable>(_ value: T) throws { try encoding.write(any: value, key) }

  func encode(_ value: Bool) throws { try encoding.write(value, key) }
  func encode(_ value: String) throws { try encoding.write(value, key) }
  func encode(_ value: Double) throws { try encoding.write(value, key) }
  func encode(_ value: Float) throws { try encoding.write(value, key) }
  func encode(_ value: Int) throws { try encoding.write(value, key) }
  func encode(_ value: Int8) throws { try encoding.write(value, key) }
  func encode(_ value: Int16) throws { try encoding.write(value, key) }
  func encode(_ value: Int32) throws { try encoding.write(value, key) }
  func encode(_ value: Int64) throws { try encoding.write(value, key) }
  func encode(_ value: UInt) throws { try encoding.write(value, key) }
  func encode(_ value: UInt8) throws { try encoding.write(value, key) }
  func encode(_ value: UInt16) throws { try encoding.write(value, key) }
  func encode(_ value: UInt32) throws { try encoding.write(value, key) }
  func encode(_ value: UInt64) throws { try encoding.write(value, key) }
}

/// The content of a collection that was refused.
struct RefusedCollection: UnkeyedEncodingContainer {
  let codingPath: [any CodingKey]
  let encoder: RecordEncoding
  private(set) var count = 0

  init(codingPath: [any CodingKey], encoder: RecordEncoding) {
    self.codingPath = codingPath
    self.encoder = encoder
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.refuseNesting(at: codingPath)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  mutating func superEncoder() -> any Encoder { encoder }

  mutating func encodeNil() { count += 1 }
  mutating func encode<T: Encodable>(_ value: T) { count += 1 }
  mutating func encode(_ value: Bool) { count += 1 }
  mutating func encode(_ value: String) { count += 1 }
  mutating func encode(_ value: Double) { count += 1 }
  mutating func encode(_ value: Float) { count += 1 }
  mutating func encode(_ value: Int) { count += 1 }
  mutating func encode(_ value: Int8) { count += 1 }
  mutating func encode(_ value: Int16) { count += 1 }
  mutating func encode(_ value: Int32) { count += 1 }
  mutating func encode(_ value: Int64) { count += 1 }
  mutating func encode(_ value: UInt) { count += 1 }
  mutating func encode(_ value: UInt8) { count += 1 }
  mutating func encode(_ value: UInt16) { count += 1 }
  mutating func encode(_ value: UInt32) { count += 1 }
  mutating func encode(_ value: UInt64) { count += 1 }
}
