/// The names of one shape as members of an object, ready to be copied.
final class JSONShape {
  /// A property by its place in a shape. It is used for each value of each entity, so it does not hold on to the shape:
  /// whoever makes it does.
  struct Name {
    unowned(unsafe) let shape: JSONShape
    let index: Int

    /// The name as it is.
    var text: String { shape.record.names[index] }

    /// The name as a member: `,"Name`, escaped, without the quote behind it.
    @inline(__always)
    var start: UnsafeBufferPointer<UInt8> {
      let range = shape.starts[index]..<shape.starts[index + 1]
      return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(shape.memory)[range])
    }
  }

  let record: RecordShape
  fileprivate let memory: UnsafeMutableBufferPointer<UInt8>
  /// Where each name begins, and where the last one ends.
  fileprivate let starts: [Int]

  init(_ record: RecordShape, _ annotations: JSONAnnotations, isASCII: Bool) throws(ODataError) {
    self.record = record
    var bytes: [UInt8] = []
    var starts: [Int] = []
    starts.reserveCapacity(record.names.count + 1)
    bytes.reserveCapacity(16 * record.names.count)
    var refused: String?
    for name in record.names {
      starts.append(bytes.count)
      var name = name
      name.withUTF8 { text in
        bytes.append(UInt8(ascii: ","))
        bytes.appendJSON(text, isASCII: isASCII)
        bytes.removeLast()
        if Self.isControl(text, annotations) { refused = String(decoding: text, as: UTF8.self) }
      }
    }
    starts.append(bytes.count)
    self.starts = starts
    memory = .allocate(capacity: bytes.count)
    _ = memory.initialize(fromContentsOf: bytes)
    guard let refused else { return }
    throw ODataError(
      .invalidValue,
      "The property name '\(refused)' cannot be written in JSON, since it would be read as control information; "
        + "rename the property.")
  }

  deinit { memory.deallocate() }

  /// Whether every reader takes a name for something else than a property.
  private static func isControl(
    _ name: UnsafeBufferPointer<UInt8>, _ annotations: JSONAnnotations
  ) -> Bool {
    guard annotations != .verbose else { return name.elementsEqual("__metadata".utf8) }
    for byte in name where byte == UInt8(ascii: "@") { return true }
    return name.first == UInt8(ascii: "o") && name.starts(with: "odata.".utf8)
  }
}

/// The shapes that were written last. The rows of a feed share one, and complex values in them have a few more.
struct JSONShapeCache {
  private static let capacity = 8
  private var known: [JSONShape] = []
  private var next = 0
  private var isASCII = false

  /// The names of a shape.
  mutating func names(
    of shape: RecordShape, _ annotations: JSONAnnotations, isASCII: Bool
  ) throws(ODataError) -> JSONShape {
    if isASCII != self.isASCII {
      known = []
      self.isASCII = isASCII
    }
    for candidate in known where candidate.record === shape { return candidate }
    // Records that were made one by one have shapes of their own.
    for candidate in known where candidate.record == shape { return candidate }
    let made = try JSONShape(shape, annotations, isASCII: isASCII)
    if known.count < Self.capacity {
      known.append(made)
    } else {
      known[next] = made
      next = (next + 1) % Self.capacity
    }
    return made
  }
}
