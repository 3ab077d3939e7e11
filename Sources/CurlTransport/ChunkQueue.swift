/// Bytes in flight between two threads, kept in pieces so that taking them out moves none.
struct ChunkQueue {
  /// Small arrivals are gathered until a piece has this size.
  static let pieceSize = 64 << 10

  private var pieces: [[UInt8]] = []
  private var first = 0
  /// How much of the first piece is gone.
  private var offset = 0
  /// The bytes that are in the queue.
  private(set) var count = 0

  mutating func append(_ bytes: some Collection<UInt8>) {
    count += bytes.count
    if first < pieces.count, pieces[pieces.count - 1].count + bytes.count <= Self.pieceSize {
      pieces[pieces.count - 1].append(contentsOf: bytes)
    } else {
      pieces.append(Array(bytes))
    }
  }

  /// The first piece; `nil` when the queue is empty.
  mutating func popFirst() -> [UInt8]? {
    guard first < pieces.count else { return nil }
    let piece = offset == 0 ? pieces[first] : Array(pieces[first][offset...])
    dropPiece()
    count -= piece.count
    return piece
  }

  /// Copies as much as fits, and tells how much that was.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    var copied = 0
    while first < pieces.count, copied < target.count {
      let length = min(pieces[first].count - offset, target.count - copied)
      unsafe pieces[first].withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[copied...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + length]))
      }
      copied += length
      offset += length
      if offset == pieces[first].count { dropPiece() }
    }
    count -= copied
    return copied
  }

  mutating func removeAll() { self = ChunkQueue() }

  private mutating func dropPiece() {
    pieces[first] = []
    first += 1
    offset = 0
    if first == pieces.count {
      pieces.removeAll(keepingCapacity: true)
      first = 0
    } else if first == 64 {
      pieces.removeFirst(first)
      first = 0
    }
  }
}
