/// The start and end tags of an entity's properties, which are the same from entity to entity as long as names and types are.
///
/// Only those of the shape that was written last are kept, and not before it is met for the second time: it may be the only
/// entity that a writer writes.
struct AtomTags {
  private struct Column {
    /// The kind of values the tags are for; 0 where they are not known yet.
    var kind: UInt8 = 0
    /// The start tag stands in ``memory`` from `start` to `middle`, and the end tag from there to `end`.
    var start = 0
    var middle = 0
    var end = 0
  }

  private var shape: RecordShape?
  private var columns: [Column] = []
  private var memory: [UInt8] = []
  /// A service may answer with properties whose type changes from entity to entity; their tags are not kept for ever.
  private static let maximumLength = 64 << 10

  /// Whether a shape is the one that was written last.
  mutating func follow(_ next: RecordShape) -> Bool {
    if shape === next {
      if columns.count != next.names.count {
        columns = Array(repeating: Column(), count: next.names.count)
      }
      return true
    }
    shape = next
    columns = []
    memory.removeAll(keepingCapacity: true)
    return false
  }

  /// Whether the tags of a column are known for values of a kind.
  func knows(_ column: Int, _ kind: UInt8) -> Bool { kind != 0 && columns[column].kind == kind }

  /// Appends the start tag of a column.
  func appendStart(_ column: Int, to bytes: inout [UInt8]) {
    let column = columns[column]
    memory.withUnsafeBufferPointer {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[column.start..<column.middle]))
    }
  }

  /// Appends the end tag of a column.
  func appendEnd(_ column: Int, to bytes: inout [UInt8]) {
    let column = columns[column]
    memory.withUnsafeBufferPointer {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[column.middle..<column.end]))
    }
  }

  /// Learns the tags of a column from an element that was written; its end tag has `endLength` bytes.
  mutating func learn(_ column: Int, _ kind: UInt8, from element: ArraySlice<UInt8>, endLength: Int) {
    guard kind != 0, memory.count < Self.maximumLength, let close = element.firstIndex(of: UInt8(ascii: ">")),
      element.endIndex - close > endLength
    else { return }
    let start = memory.count
    memory.append(contentsOf: element[...close])
    let middle = memory.count
    memory.append(contentsOf: element.suffix(endLength))
    columns[column] = Column(kind: kind, start: start, middle: middle, end: memory.count)
  }
}
