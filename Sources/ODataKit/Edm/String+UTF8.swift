extension String {
  /// The text that bytes are in UTF-8; `nil` where they are not.
  ///
  /// Every text of every row comes through here. `String(validating:as:)` says the same, but is generic and looks its
  /// types up each time, which costs more than the text itself.
  init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // What is not UTF-8 was repaired, and differs from the bytes for that.
    guard utf8.count == bytes.count, withUTF8({ $0.equals(bytes) }) else { return nil }
  }
}
