/// The coding keys that lead to a member.
struct ProbePath: Hashable {
  var names: [String] = []

  func appending(_ key: any CodingKey) -> ProbePath { ProbePath(names: names + [key.stringValue]) }

  static func == (a: ProbePath, b: ProbePath) -> Bool {
    a.names.elementsEqual(b.names) { $0.hasSameBytes(as: $1) }
  }
}

/// What a member is given.
enum ProbeChoice: Hashable {
  /// One of the made-up values of its type.
  case value(Int)
  /// Nothing, which only an optional one can be given.
  case absent
}

/// The plan and the log of one decoding from made-up values.
final class Probe {
  /// A member that was read.
  struct Member {
    var path: ProbePath
    var value: Sample?
    var isOptional: Bool
  }

  /// A member was to be given a value beyond the last one there is for its type.
  struct Exhausted: Error {}

  /// No type has more made-up values than this.
  static let maximumChoices = 32
  /// Optional members and collections deeper than this stay empty, since a type may hold itself.
  static let maximumDepth = 3

  private let choices: [ProbePath: ProbeChoice]
  private(set) var served: [Member] = []
  /// The member that was asked for last.
  private(set) var latestPath: ProbePath?

  init(choices: [ProbePath: ProbeChoice]) { self.choices = choices }

  func choice(at path: ProbePath) -> ProbeChoice {
    latestPath = path
    return choices[path] ?? .value(0)
  }

  /// The chosen one of `values`.
  func choose<Value>(from values: [Value], at path: ProbePath) throws -> Value {
    guard case .value(let index) = choice(at: path), index < values.count else { throw Exhausted() }
    return values[index]
  }

  func log(_ value: Any?, at path: ProbePath, isOptional: Bool) {
    let member = Member(path: path, value: value.flatMap(Sample.init), isOptional: isOptional)
    if let index = served.firstIndex(where: { $0.path == path }) {
      served[index] = member
    } else {
      served.append(member)
    }
  }

  /// What the member was given; `nil` where it was absent or not asked for.
  func sample(at path: ProbePath) -> Sample? { served.first { $0.path == path }?.value }
}

/// Decodes any type from made-up values: an entity, or a nested value of one.
final class ProbingDecoder: Decoder {
  private let probe: Probe
  private let path: ProbePath
  /// Which of the made-up values a single value is; `nil` for an entity, which is none.
  private let index: Int?
  /// How many there are of the type that was asked for.
  private(set) var valueCount = 0
  /// Whether the type read members or elements rather than a single value.
  private(set) var isNested = false

  init(_ probe: Probe, path: ProbePath, index: Int? = nil) {
    self.probe = probe
    self.path = path
    self.index = index
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    isNested = true
    return KeyedDecodingContainer(ProbingContainer(probe: probe, path: path, decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    isNested = true
    let isFull = path.names.count < Probe.maximumDepth && probe.choice(at: path) == .value(1)
    return ProbingCollection(path: ProbePath(names: path.names + ["0"]), count: isFull ? 1 : 0)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Makes a member's value and notes what it was.
  fileprivate static func read<T: Decodable>(
    _ type: T.Type, _ probe: Probe, at path: ProbePath, isOptional: Bool = false
  ) throws -> T {
    if let values = Self.values(of: type) {
      let value = try probe.choose(from: values, at: path)
      probe.log(value, at: path, isOptional: isOptional || T.self is any ExpressibleByNilLiteral.Type)
      return value
    }
    let first = ProbingDecoder(probe, path: path, index: 0)
    let attempt = Result { try T(from: first) }
    if first.isNested {
      let value = try attempt.get()
      probe.log(value, at: path, isOptional: isOptional)
      return value
    }
    // A single value in the type's own clothes: which of the made-up ones does it take?
    var values = (try? attempt.get()).map { [$0] } ?? []
    for index in 1..<max(first.valueCount, 1) {
      if let value = try? T(from: ProbingDecoder(probe, path: path, index: index)) { values.append(value) }
    }
    if values.count < 2, let bits: [T] = cases() { values = bits }
    if isOptional || !(T.self is any ExpressibleByNilLiteral.Type) {
      let value = try probe.choose(from: values, at: path)
      probe.log(value, at: path, isOptional: isOptional)
      return value
    }
    // `decode(Optional<…>.self)`: nil is one of its values.
    if probe.choice(at: path) == .absent, let type = T.self as? any ExpressibleByNilLiteral.Type,
      let none = type.init(nilLiteral: ()) as? T
    {
      probe.log(nil, at: path, isOptional: true)
      return none
    }
    let value = try probe.choose(from: values, at: path)
    probe.log(value, at: path, isOptional: true)
    return value
  }

  /// The values of a type that are known without decoding: those of Edm, and the cases of an enum that lists them.
  private static func values<T>(of type: T.Type) -> [T]? {
    if let type = T.self as? any Probeable.Type { return type.probes as? [T] }
    guard T.self is any RawRepresentable.Type, let type = T.self as? any CaseIterable.Type else { return nil }
    func cases<Cases: CaseIterable>(_: Cases.Type) -> [T]? { Array(Cases.allCases) as? [T] }
    return cases(type)
  }

  /// The first cases of an enum with raw values nobody can guess.
  ///
  /// A type of one byte that stands for a raw value numbers its cases from zero, one of no size has a single case (Swift's
  /// type layout ABI); that these are cases shows in that their raw values lead back to them.
  private static func cases<T>() -> [T]? {
    guard MemoryLayout<T>.size <= 1, let type = T.self as? any RawRepresentable.Type else { return nil }
    func cases<Case: RawRepresentable>(_: Case.Type) -> [T]? {
      let first =
        switch MemoryLayout<Case>.size {
        case 0: [unsafeBitCast((), to: Case.self)]
        case 1: [unsafeBitCast(0 as UInt8, to: Case.self), unsafeBitCast(1 as UInt8, to: Case.self)]
        default: [Case]()
        }
      return first.allSatisfy { Case(rawValue: $0.rawValue) != nil } ? first as? [T] : nil
    }
    return cases(type)
  }
}

extension ProbingDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { false }

  private func single<Value: Probeable>() throws -> Value {
    let values = Value.probes
    valueCount = values.count
    guard let index, index < values.count else { throw Probe.Exhausted() }
    return values[index]
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let index else { return try T(from: self) }
    if let values = Self.values(of: type) {
      valueCount = values.count
      guard index < values.count else { throw Probe.Exhausted() }
      return values[index]
    }
    let inner = ProbingDecoder(probe, path: path, index: index)
    defer { (valueCount, isNested) = (inner.valueCount, isNested || inner.isNested) }
    return try T(from: inner)
  }

  func decode(_ type: Bool.Type) throws -> Bool { try single() }
  func decode(_ type: String.Type) throws -> String { try single() }
  func decode(_ type: Double.Type) throws -> Double { try single() }
  func decode(_ type: Float.Type) throws -> Float { try single() }
  func decode(_ type: Int.Type) throws -> Int { try single() }
  func decode(_ type: Int8.Type) throws -> Int8 { try single() }
  func decode(_ type: Int16.Type) throws -> Int16 { try single() }
  func decode(_ type: Int32.Type) throws -> Int32 { try single() }
  func decode(_ type: Int64.Type) throws -> Int64 { try single() }
  func decode(_ type: UInt.Type) throws -> UInt { try single() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try single() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try single() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try single() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try single() }
}

/// The members of an entity or of a nested value.
private struct ProbingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: Probe
  let path: ProbePath
  let decoder: ProbingDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }
  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { probe.choice(at: path.appending(key)) == .absent }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try ProbingDecoder.read(type, probe, at: path.appending(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let path = path.appending(key)
    guard path.names.count <= Probe.maximumDepth, probe.choice(at: path) != .absent else {
      probe.log(nil, at: path, isOptional: true)
      return nil
    }
    return try ProbingDecoder.read(type, probe, at: path, isOptional: true)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedDecodingContainer<NestedKey> {
    ProbingDecoder(probe, path: path.appending(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    ProbingDecoder(probe, path: path.appending(key)).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder {
    ProbingDecoder(probe, path: path.appending(key), index: 0)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }

  private func read<T: Decodable>(_ key: Key) throws -> T {
    try ProbingDecoder.read(T.self, probe, at: path.appending(key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try readIfPresent(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try readIfPresent(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try readIfPresent(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try readIfPresent(key) }

  private func readIfPresent<T: Decodable>(_ key: Key) throws -> T? {
    try decodeIfPresent(T.self, forKey: key)
  }
}
