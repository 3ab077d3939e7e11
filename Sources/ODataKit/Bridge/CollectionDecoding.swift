/// The place of a value in a collection.
struct ElementKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }

  var intValue: Int? { index }
  var stringValue: String { "[\(index)]" }
}

/// The elements of a collection, one after the other.
struct CollectionDecoding: UnkeyedDecodingContainer {
  private let elements: [EdmValue]
  private let naming: PropertyNaming
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(_ elements: [EdmValue], _ naming: PropertyNaming, at path: [any CodingKey]) {
    self.elements = elements
    self.naming = naming
    codingPath = path
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func next(as type: Any.Type) throws -> EdmValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(BridgeFault(words: "has no more elements"), at: codingPath))
    }
    return elements[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard try next(as: EdmValue.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  /// Stands for all types that the protocol names, too.
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try ValueDecoding.read(
      type, from: try next(as: type), naming, at: codingPath, ElementKey(currentIndex))
    currentIndex += 1
    return value
  }

  private mutating func nested(_ type: Any.Type) throws -> ValueDecoding {
    let element = ValueDecoding(
      try next(as: type), as: type, naming, at: codingPath, ElementKey(currentIndex))
    currentIndex += 1
    return element
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key>
  {
    try nested([String: Any].self).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try nested([Any].self).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try nested([String: Any].self) }
}
