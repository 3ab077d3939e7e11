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
  /// For each property all that stands in front of its value, once the shape has been met again; see ``heads``.
  private var knownHeads: UnsafeMutableBufferPointer<Head>?

  /// All that stands in front of a value: `,"Sold@odata.type":"Edm.Int64","Sold":`.
  struct Head {
    /// The kind of values it stands in front of; 0 where it is not known yet.
    var kind: UInt8 = 0
    var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  }

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

  deinit {
    memory.deallocate()
    guard let heads = knownHeads else { return }
    for head in heads { head.bytes.deallocate() }
    heads.deallocate()
  }

  /// The heads of the properties; `nil` for a shape that was met for the first time, and may be for the last.
  var heads: UnsafeMutableBufferPointer<Head>? { knownHeads }

  /// Says that the shape was met again.
  func prepareHeads() {
    guard knownHeads == nil else { return }
    let heads = UnsafeMutableBufferPointer<Head>.allocate(capacity: record.names.count)
    heads.initialize(repeating: Head())
    knownHeads = heads
  }

  /// Keeps the head of a property, which has no comma in front where it was the first.
  func keep(_ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool, of kind: UInt8, at index: Int) {
    guard let heads = knownHeads, heads.indices.contains(index) else { return }
    heads[index].bytes.deallocate()
    let skipped = isFirst ? 1 : 0
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + skipped)
    copy.initialize(repeating: UInt8(ascii: ","))
    _ = UnsafeMutableBufferPointer(rebasing: copy[skipped...]).update(fromContentsOf: bytes)
    heads[index] = Head(kind: kind, bytes: copy)
  }

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
    for candidate in known where candidate.record === shape {
      candidate.prepareHeads()
      return candidate
    }
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
