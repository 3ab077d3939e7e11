internal import ODataKit

/// What a request's path names.
enum Resource: Hashable, Sendable {
  /// `/`, the service itself.
  case service
  /// `/Tables`
  case tables
  /// `/Tables('name')`
  case table(String)
  /// `/name` and `/name()`
  case entities(table: String)
  /// `/name(PartitionKey='…',RowKey='…')`
  case entity(table: String, partitionKey: String, rowKey: String)
  /// `/$batch`
  case batch
}

/// A path taken apart: account, then resource. The account stands in the path, as with every emulator.
struct ResourceAddress: Hashable, Sendable {
  let account: String
  /// Whether the address is the account's secondary, which may only be read.
  let isSecondary: Bool
  let resource: Resource

  /// Reads a percent-encoded path such as `/devstoreaccount1/Tables`.
  init(path: String) throws(ServiceFault) {
    // Split before decoding: an encoded slash belongs to a key.
    let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let first = segments.first.flatMap({ PercentEncoding.decode(Substring($0)) }), !first.isEmpty else {
      throw .invalidUri
    }
    let suffix = "-secondary"
    isSecondary = first.utf8.reversed().starts(with: suffix.utf8.reversed())
    account = isSecondary ? String(first.dropLast(suffix.count)) : first
    switch segments.count {
    case 1: resource = .service
    case 2:
      guard let segment = PercentEncoding.decode(Substring(segments[1])) else { throw .urlFailedToParse }
      resource = try Self.resource(segment)
    default: throw .invalidUri
    }
  }

  static func resource(_ segment: String) throws(ServiceFault) -> Resource {
    if segment.isEmpty { return .service }
    if segment == "$batch" { return .batch }
    let text = segment.utf8
    guard let open = text.firstIndex(of: UInt8(ascii: "(")) else {
      return isTables(segment) ? .tables : .entities(table: segment)
    }
    guard text.last == UInt8(ascii: ")") else { throw .querySyntax }
    let name = String(segment[..<open])
    guard !name.isEmpty else { throw .invalidUri }
    var reader = KeyPredicateReader(text[text.index(after: open)...].dropLast())
    if isTables(name) {
      if reader.isAtEnd { return .tables }
      let table = try reader.literal()
      guard reader.isAtEnd else { throw .querySyntax }
      return .table(table)
    }
    if reader.isAtEnd { return .entities(table: name) }
    let (partitionKey, rowKey) = try reader.keys()
    return .entity(table: name, partitionKey: partitionKey, rowKey: rowKey)
  }

  /// The set of tables; its name is reserved in any case of letters.
  static func isTables(_ name: String) -> Bool { name.lowercased() == "tables" }
}

/// Reads what stands between the brackets of an address that is percent-decoded already.
private struct KeyPredicateReader {
  private var rest: Substring.UTF8View

  init(_ text: Substring.UTF8View) { rest = text }

  var isAtEnd: Bool { rest.allSatisfy { $0 == UInt8(ascii: " ") } }

  /// `PartitionKey='…',RowKey='…'`, in either order.
  mutating func keys() throws(ServiceFault) -> (partitionKey: String, rowKey: String) {
    var partitionKey: String?
    var rowKey: String?
    repeat {
      let name = try name()
      let value = try literal()
      switch name {
      case SystemProperty.partitionKey where partitionKey == nil: partitionKey = value
      case SystemProperty.rowKey where rowKey == nil: rowKey = value
      default: throw .querySyntax
      }
    } while take(",")
    guard isAtEnd, let partitionKey, let rowKey else { throw .querySyntax }
    return (partitionKey, rowKey)
  }

  /// `'O''Neil'`: quotes inside are doubled.
  mutating func literal() throws(ServiceFault) -> String {
    guard take("'") else { throw .querySyntax }
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "'") {
        guard rest.first == UInt8(ascii: "'") else { return String(decoding: value, as: UTF8.self) }
        rest.removeFirst()
      }
      value.append(byte)
    }
    throw .querySyntax
  }

  private mutating func name() throws(ServiceFault) -> String {
    skipBlanks()
    guard let end = rest.firstIndex(of: UInt8(ascii: "=")) else { throw .querySyntax }
    defer { rest = rest[rest.index(after: end)...] }
    return String(Substring(rest[..<end])).filter { $0 != " " }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }
}
