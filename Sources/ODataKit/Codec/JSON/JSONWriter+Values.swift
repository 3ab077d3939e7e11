// Properties and their values.
extension JSONEntityWriter {
  /// Writes a property, with its type in front where the reader cannot tell it; `known` is what the reader knows.
  mutating func property(
    _ value: EdmValue, _ name: JSONShape.Name, known: EdmType?
  ) throws(ODataError) {
    head(of: value, name, known: known)
    try self.value(value, of: name, known: known)
  }

  /// Writes the properties of a shape that was met before, of which the reader knows nothing: what stands in front of their
  /// values is the same from entity to entity.
  mutating func properties(
    of record: EntityRecord, _ names: JSONShape, _ heads: UnsafeMutableBufferPointer<JSONShape.Head>,
    writesNulls: Bool
  ) throws(ODataError) {
    for index in record.values.indices where index < heads.count {
      let value = record.values[index]
      let kind = value.headKind
      if kind == 0 {
        if case .stream = value { continue }
        if !writesNulls, value.isNull { continue }
        try property(value, JSONShape.Name(shape: names, index: index), known: nil)
        continue
      }
      if heads[index].kind == kind {
        let skipped = buffer.isAtStart ? 1 : 0
        buffer.append(UnsafeBufferPointer(rebasing: heads[index].bytes[skipped...]))
      } else {
        let start = buffer.count
        let isFirst = buffer.isAtStart
        head(of: value, JSONShape.Name(shape: names, index: index), known: nil)
        names.keep(buffer.bytes(behind: start), isFirst: isFirst, of: kind, at: index)
      }
      try self.value(value, of: JSONShape.Name(shape: names, index: index), known: nil)
    }
  }

  /// Writes what stands in front of a value.
  private mutating func head(of value: EdmValue, _ name: JSONShape.Name, known: EdmType?) {
    if annotations != .verbose {
      if let type = primitiveName(of: value) {
        if options.writesPrimitiveTypes, known == nil || known != value.type {
          start(name)
          buffer.append(annotations.prefixes.property)
          buffer.append(typeStart)
          buffer.append(type)
          buffer.append(UInt8(ascii: "\""))
        }
      } else if let type = structuredType(of: value), type != known {
        start(name)
        buffer.append(annotations.prefixes.property)
        buffer.append("type\":")
        buffer.append(string: spelled(type), isASCII: isASCII)
      }
    }
    start(name)
    buffer.append("\":")
  }

  @inline(__always)
  private mutating func start(_ name: JSONShape.Name) {
    let skipped = buffer.isAtStart ? 1 : 0
    buffer.append(UnsafeBufferPointer(rebasing: name.start[skipped...]))
  }

  private var typeStart: StaticString {
    switch annotations {
    case .verbose, .odata3: "type\":\"Edm."
    case .odata4: "type\":\"#"
    case .odata401: "type\":\""
    }
  }

  /// The name of a primitive type, where a value alone would be read as another one. Boolean, Int32, String and finite
  /// Doubles are told by their spelling.
  private func primitiveName(of value: EdmValue) -> StaticString? {
    switch value {
    case .null, .boolean, .int32, .string: nil
    case .byte: "Byte"
    case .sbyte: "SByte"
    case .int16: "Int16"
    case .int64: "Int64"
    case .single: "Single"
    case .double(let number): number.isFinite ? nil : "Double"
    case .decimal: "Decimal"
    case .binary: "Binary"
    case .guid: "Guid"
    // OData 4 has no DateTime, and another name for durations.
    case .dateTime: annotations.isVersion4 ? "DateTimeOffset" : "DateTime"
    case .dateTimeOffset: "DateTimeOffset"
    case .duration: annotations.isVersion4 ? "Duration" : "Time"
    case .date: "Date"
    case .timeOfDay: "TimeOfDay"
    case .enumeration, .spatial, .stream, .complex, .collection: nil
    }
  }

  /// The type beside a value of other types; complex values tell theirs inside, and elements cannot, so that the
  /// collection does for all of them.
  private func structuredType(of value: EdmValue) -> EdmType? {
    switch value {
    case .enumeration, .spatial: value.type
    case .collection(let collection):
      (collection.elementType ?? EdmCollection(ofUniform: collection.elements).elementType).map { element in
        element == .duration && !annotations.isVersion4 ? EdmType.time.collection : element.collection
      }
    default: nil
    }
  }

  /// Writes a value; `known` is the type that the reader knows already.
  mutating func value(
    _ value: EdmValue, of name: JSONShape.Name, known: EdmType? = nil
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
    case .dateTime(let instant):
      buffer.append(UInt8(ascii: "\""))
      buffer.append(localTime: instant.ticks)
      buffer.append("Z\"")
    case .guid, .dateTimeOffset, .duration: quoted(value)
    case .date, .timeOfDay:
      guard annotations.isVersion4 else { throw missing(value, of: name) }
      quoted(value)
    case .enumeration(let enumeration):
      guard annotations.isVersion4 || isAnswer else { throw missing(value, of: name) }
      buffer.append(string: enumeration.member, isASCII: isASCII)
    case .spatial(let spatial):
      guard annotations != .verbose else { throw missing(value, of: name) }
      try self.spatial(spatial, of: name.text)
    case .complex(let record): try complex(record, of: name, known: known)
    case .collection(let collection): try self.collection(collection, of: name, known: known)
    case .stream:
      throw ODataError(
        .invalidValue,
        "\(described(name.text)) is a stream, which is written through its links and not with other values.")
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
    _ instant: EdmDateTime, offset: Int16?, of name: JSONShape.Name
  ) throws(ODataError) {
    let (milliseconds, rest) = (instant.ticks - EdmDateTime.unixEpoch.ticks)
      .quotientAndRemainder(dividingBy: 10_000)
    guard rest == 0 else {
      throw ODataError(
        .invalidValue,
        "\(described(name.text)) is a time with fractions of a millisecond, which the JSON of OData 1 and 2 cannot carry; "
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

  func missing(_ value: EdmValue, of name: JSONShape.Name) -> ODataError {
    let generations = annotations == .verbose ? "1 and 2 do" : "3 does"
    return ODataError(
      .invalidValue,
      "\(described(name.text)) is of type \(value.kindName), which OData \(generations) not have; give it another type."
    )
  }
}

// MARK: - Values in values

extension JSONEntityWriter {
  private mutating func complex(
    _ record: EntityRecord, of name: JSONShape.Name, known: EdmType?
  ) throws(ODataError) {
    path.append(name.text)
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
    _ collection: EdmCollection, of name: JSONShape.Name, known: EdmType?
  ) throws(ODataError) {
    // Collections came with OData 3; in answers of its verbose JSON they have their type beside them.
    if annotations == .verbose {
      guard isAnswer else {
        throw ODataError(
          .invalidValue,
          "\(described(name.text)) is a collection, which OData 1 and 2 do not have; leave it out.")
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
