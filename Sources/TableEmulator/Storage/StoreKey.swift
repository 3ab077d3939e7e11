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

  /// The text again. Written out by hand, since every row of a scan comes through here twice, and the standard
  /// library's transcoding of a collection costs more than all the rest of a row.
  static func decode(_ bytes: [UInt8]) -> String {
    let count = bytes.count / 2
    // A code unit takes three bytes of UTF-8 at most; a surrogate pair takes four for its two.
    return String(unsafeUninitializedCapacity: count * 3) { out in
      var written = 0
      func put(_ byte: UInt32) {
        out[written] = UInt8(truncatingIfNeeded: byte)
        written += 1
      }
      func unit(_ index: Int) -> UInt32 { UInt32(bytes[2 * index]) << 8 | UInt32(bytes[2 * index + 1]) }
      var index = 0
      while index < count {
        var scalar = unit(index)
        index += 1
        if scalar & 0xF800 == 0xD800 {
          // Only whole pairs were ever stored; anything else can only be damage and shows as such.
          if scalar < 0xDC00, index < count, unit(index) & 0xFC00 == 0xDC00 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + unit(index) & 0x3FF
            index += 1
          } else {
            scalar = 0xFFFD
          }
        }
        switch scalar {
        case 0..<0x80: put(scalar)
        case 0x80..<0x800:
          put(0xC0 | scalar >> 6)
          put(0x80 | scalar & 0x3F)
        case 0x800..<0x10000:
          put(0xE0 | scalar >> 12)
          put(0x80 | scalar >> 6 & 0x3F)
          put(0x80 | scalar & 0x3F)
        default:
          put(0xF0 | scalar >> 18)
          put(0x80 | scalar >> 12 & 0x3F)
          put(0x80 | scalar >> 6 & 0x3F)
          put(0x80 | scalar & 0x3F)
        }
      }
      return written
    }
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

/// A stretch of keys: from `lower` on, and below `upper` where there is one.
struct StoreKeyRange: Hashable, Sendable {
  var lower = StoreKey.first
  var upper: StoreKey?
}
