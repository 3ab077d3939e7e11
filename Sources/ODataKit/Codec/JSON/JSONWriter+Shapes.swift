/// The names of one shape as members of an object, ready to be copied.
final class JSONShape {
  /// A property's name: `,"Name`, escaped, without the quote behind it.
  struct Name {
    let name: String
    let start: [UInt8]
  }

  let shape: RecordShape
  let names: [Name]

  init(_ shape: RecordShape, _ annotations: JSONAnnotations, isASCII: Bool) throws(ODataError) {
    self.shape = shape
    var names: [Name] = []
    names.reserveCapacity(shape.names.count)
    for name in shape.names {
      try Self.check(name, annotations)
      var start = [UInt8(ascii: ",")]
      start.appendJSON(name, isASCII: isASCII)
      start.removeLast()
      names.append(Name(name: name, start: start))
    }
    self.names = names
  }

  /// Refuses names that every reader takes for something else than a property.
  private static func check(_ name: String, _ annotations: JSONAnnotations) throws(ODataError) {
    let isControl =
      annotations == .verbose
      ? name == "__metadata"
      : name.utf8.starts(with: "odata.".utf8) || name.utf8.contains(UInt8(ascii: "@"))
    guard isControl else { return }
    throw ODataError(
      .invalidValue,
      "The property name '\(name)' cannot be written in JSON, since it would be read as control information; "
        + "rename the property.")
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
    for candidate in known where candidate.shape === shape { return candidate }
    // Records that were made one by one have shapes of their own.
    for candidate in known where candidate.shape == shape { return candidate }
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
