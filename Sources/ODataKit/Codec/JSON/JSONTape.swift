/// An object of a payload while it arrives, as a flat list of what is in it: nothing is decided before all of its members
/// are there, since annotations may stand in front of what they tell about or behind it.
///
/// The names are members of a ``JSONMembers``; texts stand one behind the other in one buffer, so that a row allocates
/// nothing once a row as large has been read.
struct JSONTape {
  enum Kind: UInt8 {
    case object, array, string
    /// A number without point and exponent.
    case integer
    /// Any other number.
    case number
    case yes, no, null
  }

  struct Node {
    let kind: Kind
    /// The place of the member's name in ``JSONMembers``; of no meaning in an array.
    let member: Int
    /// Where the text begins, for what has one.
    let start: Int
    /// Where the text ends; for an object or array the node behind the last one in it.
    var end: Int
    /// How many bytes of the payload had come when this did.
    let offset: Int

    /// The node behind this one and all in it.
    func next(behind index: Int) -> Int { kind == .object || kind == .array ? end : index + 1 }
  }

  private(set) var nodes: [Node] = []
  private let arena = Arena()
  /// The objects and arrays that are open.
  private var open: [Int] = []
  /// The name that was read last.
  private(set) var member = -1
  private var nameLength = 0

  /// How many objects and arrays are open.
  var depth: Int { open.count }

  /// About what a token takes beside its text.
  static let tokenSize = 16

  /// About how many bytes are held.
  var size: Int { nodes.count * Self.tokenSize + nameLength + arena.count }

  /// Forgets everything.
  mutating func reset() {
    nodes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    nameLength = 0
    arena.count = 0
  }

  /// Takes the name of the member that follows, and how many bytes it has.
  mutating func name(_ member: Int, length: Int) {
    self.member = member
    nameLength += length
  }

  /// Takes the next token; ``JSONTokenizer/Token/name`` goes to ``name(_:)``.
  mutating func append(_ token: JSONTokenizer.Token, from tokenizer: borrowing JSONTokenizer) {
    let kind: Kind
    switch token {
    case .endObject, .endArray:
      nodes[open.removeLast()].end = nodes.count
      return
    case .name: return
    case .beginObject, .beginArray:
      open.append(nodes.count)
      kind = token == .beginObject ? .object : .array
    case .string: kind = .string
    case .number: kind = tokenizer.isInteger ? .integer : .number
    case .boolean(let value): kind = value ? .yes : .no
    case .null: kind = .null
    }
    let start = arena.count
    if kind == .string || kind == .integer || kind == .number { arena.append(tokenizer.text) }
    nodes.append(
      Node(kind: kind, member: member, start: start, end: arena.count, offset: tokenizer.offset))
  }

  /// The bytes of a string without its quotes and escapes, or of a number; valid until the next change.
  func text(_ node: Node) -> UnsafeBufferPointer<UInt8> { arena.bytes(node.start, node.end) }

  /// The texts. A class of its own, so that bytes can be looked at while the rest is changed.
  private final class Arena {
    private var buffer = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    var count = 0

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
      if buffer.count - count < bytes.count {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
          capacity: max(buffer.count * 2, count + bytes.count, 1024))
        _ = larger.update(fromContentsOf: buffer[..<count])
        buffer.deallocate()
        buffer = larger
      }
      guard let target = buffer.baseAddress, let source = bytes.baseAddress else { return }
      (target + count).update(from: source, count: bytes.count)
      count += bytes.count
    }

    func bytes(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: buffer[start..<end])
    }

    deinit { buffer.deallocate() }
  }
}
