/// How the names of a Swift type's coding keys become the names of properties on the wire, and back.
///
/// A rule holds for all names, and single names can be excepted from it:
///
/// ```swift
/// let naming = PropertyNaming.upperCamelCase.renaming(["id": "ID"])
/// naming.wireName(of: "title")   // Title
/// naming.wireName(of: "id")      // ID
/// ```
///
/// A key that was renamed in `CodingKeys` is taken by its new name. Names compare by code units: the NFC and NFD
/// spellings of a name are two names, as they are to a service.
public struct PropertyNaming: Sendable, Hashable {
  private enum Rule: Hashable {
    case unchanged
    case upperCamelCase
  }

  private struct Pair: Hashable {
    var codingKey: String
    var wireName: String

    static func == (a: Pair, b: Pair) -> Bool {
      a.codingKey.hasSameBytes(as: b.codingKey) && a.wireName.hasSameBytes(as: b.wireName)
    }
  }

  private let rule: Rule
  /// A handful of pairs, so that a walk over them beats hashing.
  private let exceptions: [Pair]

  /// Coding keys are the wire names.
  public static let unchanged = PropertyNaming(rule: .unchanged, exceptions: [])

  /// The first letter becomes a capital: `title` is `Title` on the wire, as most services spell it. Names that begin
  /// with anything but `a` to `z` stay as they are.
  public static let upperCamelCase = PropertyNaming(rule: .upperCamelCase, exceptions: [])

  private init(rule: Rule, exceptions: [Pair]) {
    self.rule = rule
    self.exceptions = exceptions
  }

  /// The same naming with other wire names for single coding keys; a later pair for the same key wins.
  public func renaming(_ pairs: KeyValuePairs<String, String>) -> PropertyNaming {
    var exceptions = exceptions
    for (codingKey, wireName) in pairs {
      exceptions.removeAll { $0.codingKey.hasSameBytes(as: codingKey) }
      exceptions.append(Pair(codingKey: codingKey, wireName: wireName))
    }
    return PropertyNaming(rule: rule, exceptions: exceptions)
  }

  /// The name on the wire for a coding key.
  public func wireName(of codingKey: String) -> String {
    for pair in exceptions where pair.codingKey.hasSameBytes(as: codingKey) { return pair.wireName }
    guard rule == .upperCamelCase, let first = codingKey.utf8.first, Self.isLowercase(first) else {
      return codingKey
    }
    return Self.replacingFirst(of: codingKey, by: first & ~0x20)
  }

  /// The coding key for a name on the wire.
  public func codingKey(of wireName: String) -> String {
    for pair in exceptions where pair.wireName.hasSameBytes(as: wireName) { return pair.codingKey }
    guard rule == .upperCamelCase, let first = wireName.utf8.first, Self.isLowercase(first | 0x20) else {
      return wireName
    }
    return Self.replacingFirst(of: wireName, by: first | 0x20)
  }

  /// Whether `wireName` is the wire name of `codingKey`; makes no string, since every property of every row asks.
  func matches(_ codingKey: String, _ wireName: String) -> Bool {
    if !exceptions.isEmpty {
      for pair in exceptions where pair.codingKey.hasSameBytes(as: codingKey) {
        return pair.wireName.hasSameBytes(as: wireName)
      }
    }
    switch rule {
    case .unchanged: return codingKey.hasSameBytes(as: wireName)
    case .upperCamelCase:
      guard codingKey.utf8.count == wireName.utf8.count, let first = codingKey.utf8.first else {
        return codingKey.hasSameBytes(as: wireName)
      }
      let expected = Self.isLowercase(first) ? first & ~0x20 : first
      guard wireName.utf8.first == expected else { return false }
      return codingKey.utf8.withContiguousStorageIfAvailable { key in
        wireName.utf8.withContiguousStorageIfAvailable { name in
          UnsafeBufferPointer(rebasing: key.dropFirst()).equals(
            UnsafeBufferPointer(rebasing: name.dropFirst()))
        }
      }.flatMap(\.self) ?? codingKey.utf8.dropFirst().elementsEqual(wireName.utf8.dropFirst())
    }
  }

  private static func isLowercase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func replacingFirst(of name: String, by byte: UInt8) -> String {
    String(decoding: [byte] + name.utf8.dropFirst(), as: UTF8.self)
  }
}

extension String {
  /// Whether both have the same code units. `==` would call canonically equivalent spellings equal.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    hasSameRepresentation(as: other) || hasEqualBytes(as: other)
  }

  @inline(never)
  private func hasEqualBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return utf8.withContiguousStorageIfAvailable { a in
      other.utf8.withContiguousStorageIfAvailable { b in a.equals(b) }
    }.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether both are held the same way, and so are the same: a short string holds its bytes itself, and copies of a
  /// long one share theirs. Every property of every row is found by its name, which makes this worth while.
  @inline(__always)
  func hasSameRepresentation(as other: String) -> Bool {
    typealias Words = (UInt64, UInt64)
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size else { return false }
    return unsafeBitCast(self, to: Words.self) == unsafeBitCast(other, to: Words.self)
  }
}
