/// A collection while it is written.
final class CollectionEncoding {
  let naming: PropertyNaming
  let dialect: Dialect
  let codingPath: [any CodingKey]
  /// The shapes of the element before the next one: the elements of a collection share them.
  private(set) var template: RecordTemplate
  private var elements: [EdmValue] = []
  /// The elements whose containers were handed out on their own and may be written to until the collection is complete.
  private var open: [(index: Int, value: ValueEncoding)] = []

  init(
    _ naming: PropertyNaming, _ dialect: Dialect, at path: [any CodingKey], _ template: RecordTemplate
  ) {
    self.naming = naming
    self.dialect = dialect
    codingPath = path
    self.template = template
  }

  var count: Int { elements.count }

  /// The collection, when everything has been written; its type is that of its elements where they have one.
  func finish() throws -> EdmCollection {
    for (index, value) in open { elements[index] = try finish(value) }
    return EdmCollection(ofUniform: elements)
  }

  private func finish(_ encoding: ValueEncoding) throws -> EdmValue {
    let (value, latest) = try encoding.finish()
    if let latest { template = latest }
    return value
  }

  func add<T: Encodable>(_ value: T) throws {
    let encoding = ValueEncoding(elementOf: self, count)
    try encoding.encode(value)
    elements.append(try finish(encoding))
  }

  func addNull() { elements.append(.null) }

  func openElement() -> ValueEncoding {
    let encoding = ValueEncoding(elementOf: self, count)
    open.append((count, encoding))
    elements.append(.null)
    return encoding
  }
}

/// What a type writes its elements into.
struct CollectionContainer: UnkeyedEncodingContainer {
  let encoding: CollectionEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }
  var count: Int { encoding.count }

  func encodeNil() { encoding.addNull() }

  /// Stands for all types that the protocol names, too.
  func encode<T: Encodable>(_ value: T) throws { try encoding.add(value) }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    encoding.openElement().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoding.openElement().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoding.openElement() }
}
