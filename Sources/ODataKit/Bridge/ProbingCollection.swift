/// The elements of a collection that is decoded from made-up values: none, or one to see that it shows.
///
/// An element is read with a plan and a log of its own: it is no member, and what is made of it (`tags.first`) has no name
/// on the wire.
struct ProbingCollection: UnkeyedDecodingContainer {
  private let path: ProbePath
  private let elementProbe = Probe(choices: [:])
  private let elements: Int
  private(set) var currentIndex = 0

  init(path: ProbePath, count: Int) {
    self.path = path
    elements = count
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { elements }
  var isAtEnd: Bool { currentIndex >= elements }

  private mutating func next() throws -> ProbingDecoder {
    guard !isAtEnd else { throw Probe.Exhausted() }
    currentIndex += 1
    return ProbingDecoder(elementProbe, path: path, index: 0)
  }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try next() }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next().decode(type) }
  mutating func decode(_ type: String.Type) throws -> String { try next().decode(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try next().decode(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try next().decode(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try next().decode(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().decode(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().decode(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().decode(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().decode(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next().decode(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().decode(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().decode(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().decode(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().decode(type) }
}
