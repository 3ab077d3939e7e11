/// PartitionKey and RowKey in the form in which their bytes compare as the service compares the keys.
///
/// The service orders keys by UTF-16 code units. UTF-8 bytes order the same way except that there the characters
/// above U+FFFF come last, whereas their surrogates (U+D800 to U+DFFF) come before U+E000 to U+FFFF. Big-endian
/// UTF-16 is the form whose bytes SQLite can compare with `memcmp`, so keys are stored as that.
struct StoreKey: Hashable, Sendable {
  var partition: [UInt8]
  var row: [UInt8]

  /// The key that is before all others.
  static let first = StoreKey(partition: [], row: [])

  init(partition: [UInt8], row: [UInt8]) {
    self.partition = partition
    self.row = row
  }

  init(_ partitionKey: String, _ rowKey: String) {
    partition = Self.encode(partitionKey)
    row = Self.encode(rowKey)
  }

  var partitionKey: String { Self.decode(partition) }
  var rowKey: String { Self.decode(row) }

  static func encode(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 2)
    for unit in text.utf16 {
      bytes.append(UInt8(unit >> 8))
      bytes.append(UInt8(truncatingIfNeeded: unit))
    }
    return bytes
  }

  static func decode(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    let units = PairedUnits(bytes: bytes)
    return String(decoding: units, as: UTF16.self)
  }

  /// The least encoded text greater than `text`: U+0000 appended.
  static func successor(of text: [UInt8]) -> [UInt8] { text + [0, 0] }
}

extension StoreKey: Comparable {
  static func < (a: StoreKey, b: StoreKey) -> Bool {
    a.partition == b.partition
      ? a.row.lexicographicallyPrecedes(b.row) : a.partition.lexicographicallyPrecedes(b.partition)
  }
}

/// Two bytes at a time, as UTF-16 code units.
private struct PairedUnits<Bytes: RandomAccessCollection<UInt8>>: RandomAccessCollection {
  let bytes: Bytes
  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count / 2 }

  subscript(position: Int) -> UInt16 {
    let first = bytes.index(bytes.startIndex, offsetBy: position * 2)
    return UInt16(bytes[first]) << 8 | UInt16(bytes[bytes.index(after: first)])
  }
}

/// A stretch of keys: from `lower` on, and below `upper` where there is one.
struct StoreKeyRange: Hashable, Sendable {
  var lower = StoreKey.first
  var upper: StoreKey?
}
