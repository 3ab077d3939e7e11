/// One value of a record while a type that is not Edm's own writes it: an enum with raw values, a wrapper, an optional, a
/// nested type, a collection.
final class ValueEncoding: Encoder {
  private enum Content {
    case none
    case value(EdmValue)
    case record(RecordEncoding)
    case collection(CollectionEncoding)
  }

  private let naming: PropertyNaming
  private let dialect: Dialect
  private let parentPath: [any CodingKey]
  private let key: any CodingKey
  /// The shapes of the value in the record before this one.
  private let template: RecordTemplate
  private var content = Content.none

  init(_ parent: RecordEncoding, _ key: any CodingKey, _ template: RecordTemplate) {
    naming = parent.naming
    dialect = parent.dialect
    parentPath = parent.codingPath
    self.key = key
    self.template = template
  }

  init(elementOf parent: CollectionEncoding, _ index: Int) {
    naming = parent.naming
    dialect = parent.dialect
    parentPath = parent.codingPath
    key = ElementKey(index)
    template = parent.template
  }

  var codingPath: [any CodingKey] { parentPath + [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The value, when everything has been written, and the shapes within it where it is nested.
  func finish() throws -> (EdmValue, RecordTemplate?) {
    switch content {
    case .value(let value): return (value, nil)
    case .none:
      try refuse(.nesting(dialect), if: dialect == .azureTable)
      return (.complex(EntityRecord()), nil)
    case .record(let encoding):
      try refuse(.nesting(dialect), if: dialect == .azureTable)
      let (record, template) = try encoding.finish()
      return (.complex(record), template)
    case .collection(let encoding):
      try refuse(.collection(dialect), if: dialect == .azureTable)
      try refuse(.collectionOfCollections, if: key is ElementKey)
      let collection = try encoding.finish()
      return (.collection(collection), encoding.template)
    }
  }

  private func refuse(_ fault: BridgeFault, if condition: Bool) throws {
    if condition { throw EncodingError(fault, writing: Any.self, at: codingPath) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .record(let encoding) = content { return encoding.container(keyedBy: type) }
    let encoding = RecordEncoding(naming: naming, dialect: dialect, template: template, at: codingPath)
    content = .record(encoding)
    return encoding.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .collection(let encoding) = content { return CollectionContainer(encoding: encoding) }
    let encoding = CollectionEncoding(naming, dialect, at: codingPath, template)
    content = .collection(encoding)
    return CollectionContainer(encoding: encoding)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoding: SingleValueEncodingContainer {
  func encodeNil() { content = .value(.null) }

  /// Stands for all types that the protocol names, too.
  func encode<T: Encodable>(_ value: T) throws {
    guard let convertible = value as? any EdmConvertible else { return try value.encode(to: self) }
    do {
      content = .value(try convertible.edmValue(for: dialect))
    } catch {
      throw EncodingError(error, writing: Swift.type(of: convertible), for: dialect, at: codingPath)
    }
  }
}
