// Properties and their values.
extension JSONEntityWriter {
  /// Writes a property, with its type in front where the reader cannot tell it; `known` is what the reader knows.
  mutating func property(
    _ value: EdmValue, _ name: JSONShape.Name, known: EdmType?
  ) throws(ODataError) {
    if let type = try annotatedType(of: value, known: known, of: name.name) {
      start(name)
      buffer.append(annotations.prefixes.property)
      buffer.append("type\":")
      buffer.append(string: type, isASCII: isASCII)
    }
    start(name)
    buffer.append("\":")
    try self.value(value, of: name.name, known: known)
  }

  @inline(__always)
  private mutating func start(_ name: JSONShape.Name) {
    let skipped = buffer.isAtStart ? 1 : 0
    name.start.withUnsafeBufferPointer { buffer.append(UnsafeBufferPointer(rebasing: $0[skipped...])) }
  }

  /// The type beside a value, where the value alone would be read as another one.
  ///
  /// The types that the spelling tells are Boolean, Int32, String and finite Doubles; complex values tell theirs inside.
  private func annotatedType(
    of value: EdmValue, known: EdmType?, of name: String
  ) throws(ODataError) -> String? {
    switch value {
    case .null, .boolean, .int32, .string, .complex, .stream: return nil
    case .double(let number) where number.isFinite: return nil
    default: break
    }
    guard annotations != .verbose else { return nil }
    let type: EdmType
    switch value {
    case .duration where !annotations.isVersion4: type = .time
    case .dateTime where annotations.isVersion4: type = .dateTimeOffset
    case .collection(let collection):
      // Elements cannot tell their types, so the collection does for all of them.
      guard let element = collection.elementType ?? EdmCollection(ofUniform: collection.elements).elementType
      else { return nil }
      type = element == .duration && !annotations.isVersion4 ? EdmType.time.collection : element.collection
    case .enumeration, .spatial:
      guard let own = value.type else { return nil }
      type = own
    default:
      guard options.writesPrimitiveTypes, let own = value.type else { return nil }
      type = own
    }
    // A duration has another name in each generation.
    return type == known || (known != nil && value.type == known) ? nil : spelled(type)
  }

  /// Writes a value; `known` is the type that the reader knows already.
  mutating func value(
    _ value: EdmValue, of name: String, known: EdmType? = nil
  ) throws(ODataError) {
    switch value {
    case .null: buffer.append("null")
    case .string(let text): buffer.append(string: text, isASCII: isASCII)
    case .boolean(let value): buffer.append(value ? "true" : "false")
    case .byte(let value): buffer.append(Int64(value))
    case .sbyte(let value): buffer.append(Int64(value))
    case .int16(let value): buffer.append(Int64(value))
    case .int32(let value): buffer.append(Int64(value))
    case .int64(let value):
      guard isQuoted else { return buffer.append(value) }
      buffer.append(UInt8(ascii: "\""))
      buffer.append(value)
      buffer.append(UInt8(ascii: "\""))
    case .double(let number):
      if number.isFinite { buffer.append(number) } else { special(number) }
    case .single(let number):
      if number.isFinite { buffer.append { $0.appendFloatingPoint(number) } } else { special(Double(number)) }
    case .decimal(let value):
      guard isQuoted else { return buffer.append(plain: value.description) }
      buffer.append(UInt8(ascii: "\""))
      buffer.append(plain: value.description)
      buffer.append(UInt8(ascii: "\""))
    case .binary(let data):
      buffer.append(UInt8(ascii: "\""))
      let alphabet: Base64.Alphabet = annotations.isVersion4 ? .urlSafe : .standard
      buffer.append { Base64.append(data, alphabet: alphabet, to: &$0) }
      buffer.append(UInt8(ascii: "\""))
    case .dateTime(let instant) where annotations == .verbose:
      try verboseDate(instant, offset: nil, of: name)
    case .dateTimeOffset(let value) where annotations == .verbose:
      try verboseDate(value.instant, offset: value.offset, of: name)
    case .guid, .dateTime, .dateTimeOffset, .duration: quoted(value)
    case .date, .timeOfDay:
      guard annotations.isVersion4 else { throw missing(value, of: name) }
      quoted(value)
    case .enumeration(let enumeration):
      guard annotations.isVersion4 || isAnswer else { throw missing(value, of: name) }
      buffer.append(string: enumeration.member, isASCII: isASCII)
    case .spatial(let spatial):
      guard annotations != .verbose else { throw missing(value, of: name) }
      try self.spatial(spatial, of: name)
    case .complex(let record): try complex(record, of: name, known: known)
    case .collection(let collection): try self.collection(collection, of: name, known: known)
    case .stream:
      throw ODataError(
        .invalidValue,
        "\(described(name)) is a stream, which is written through its links and not with other values.")
    }
  }

  /// Whether numbers that a Double cannot hold are strings.
  private var isQuoted: Bool { !annotations.isVersion4 || options.isIEEE754Compatible }

  /// Writes a value that is spelled in characters which need no escape.
  private mutating func quoted(_ value: EdmValue) {
    buffer.append(UInt8(ascii: "\""))
    buffer.append { value.appendLexical(to: &$0) }
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func special(_ number: Double) {
    guard !number.isNaN else { return buffer.append("\"NaN\"") }
    buffer.append(number < 0 ? "\"-" : "\"")
    buffer.append(annotations == .odata3 ? "Infinity\"" : "INF\"")
  }

  /// Writes `"\/Date(…)\/"` (MS-ODATA § 2.2.6.3.1): milliseconds since 1970 in UTC, and behind them the minutes east of
  /// it where the value has an offset, even of zero.
  private mutating func verboseDate(
    _ instant: EdmDateTime, offset: Int16?, of name: String
  ) throws(ODataError) {
    let (milliseconds, rest) = (instant.ticks - EdmDateTime.unixEpoch.ticks)
      .quotientAndRemainder(dividingBy: 10_000)
    guard rest == 0 else {
      throw ODataError(
        .invalidValue,
        "\(described(name)) is a time with fractions of a millisecond, which the JSON of OData 1 and 2 cannot carry; "
          + "round it, or choose the format atom.")
    }
    buffer.append("\"\\/Date(")
    buffer.append(milliseconds)
    if let offset {
      buffer.append(offset < 0 ? "-" : "+")
      buffer.append { $0.appendPadded(Int(offset.magnitude), width: 4) }
    }
    buffer.append(")\\/\"")
  }

  func missing(_ value: EdmValue, of name: String) -> ODataError {
    let generations = annotations == .verbose ? "1 and 2 do" : "3 does"
    return ODataError(
      .invalidValue,
      "\(described(name)) is of type \(value.kindName), which OData \(generations) not have; give it another type."
    )
  }
}

// MARK: - Values in values

extension JSONEntityWriter {
  private mutating func complex(
    _ record: EntityRecord, of name: String, known: EdmType?
  ) throws(ODataError) {
    path.append(name)
    if isAnswer {
      try serviceObject(record, base: nil, known: known)
    } else {
      let type = record.control.typeName
      try requestObject(
        record, writesNulls: true, includesType: type != known?.rawValue, type: known)
    }
    path.removeLast()
  }

  private mutating func collection(
    _ collection: EdmCollection, of name: String, known: EdmType?
  ) throws(ODataError) {
    // Collections came with OData 3; in answers of its verbose JSON they have their type beside them.
    if annotations == .verbose {
      guard isAnswer else {
        throw ODataError(
          .invalidValue,
          "\(described(name)) is a collection, which OData 1 and 2 do not have; leave it out.")
      }
      buffer.append(UInt8(ascii: "{"))
      let type = collection.elementType?.collection ?? known
      if let type { typeName(type.rawValue) }
      member("results")
    }
    buffer.append(UInt8(ascii: "["))
    let type = collection.elementType ?? known?.element
    for element in collection.elements {
      separate()
      try value(element, of: name, known: type)
    }
    buffer.append(UInt8(ascii: "]"))
    if annotations == .verbose { buffer.append(UInt8(ascii: "}")) }
  }
}
