/// Reads the numbers and stretches of a byte layout; gives `nil` instead of running over the end.
struct ByteCursor {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
  }

  mutating func fixed<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    take(MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }

  /// A LEB128 number of at most five bytes; lengths stay below 4 GiB.
  mutating func length() -> Int? {
    var result = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      guard let next = byte() else { return nil }
      result |= Int(next & 0x7F) << shift
      if next & 0x80 == 0 { return result }
    }
    return nil
  }
}

extension [UInt8] {
  /// Appends a LEB128 number.
  mutating func appendLength(_ length: Int) {
    var rest = length
    while rest >= 0x80 {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends a number, little-endian.
  mutating func appendFixed(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
