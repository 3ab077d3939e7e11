/// The bytes of one text while its pieces arrive; the memory is kept for the next.
///
/// Every value of every entity goes through here. An array would check on each piece whether it is shared, and costs
/// twice as much.
struct TextBuffer: ~Copyable {
  private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
  private var count = 0

  deinit { memory.deallocate() }

  /// The text so far; valid until the buffer is changed.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: memory[..<count]) }

  /// The text so far, of which the parser made sure that it is UTF-8.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The text without blanks at its ends.
  var trimmedString: String {
    var text = bytes[...]
    while text.first?.isBlank == true { text.removeFirst() }
    while text.last?.isBlank == true { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// Starts a new text.
  mutating func clear() { count = 0 }

  /// Adds a piece.
  mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
    guard let source = piece.baseAddress, let target = room(for: piece.count) else { return }
    target.update(from: source, count: piece.count)
    count += piece.count
  }

  private mutating func room(for more: Int) -> UnsafeMutablePointer<UInt8>? {
    if count + more > memory.count {
      let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * memory.count, count + more))
      _ = larger.update(fromContentsOf: memory[..<count])
      memory.deallocate()
      memory = larger
    }
    return memory.baseAddress.map { $0 + count }
  }
}
