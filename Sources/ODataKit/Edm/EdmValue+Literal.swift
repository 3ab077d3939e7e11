extension EdmValue {
  /// The value as a literal in a URL: quotes doubled, not yet percent-encoded.
  ///
  /// | type | OData 2 and 3 | OData 4 | Azure tables |
  /// |---|---|---|---|
  /// | null | `null` | `null` | refused: never stored |
  /// | string | `'O''Neil'` | `'O''Neil'` | `'O''Neil'` |
  /// | Int32 and smaller | `5` | `5` | `5` |
  /// | Int64 | `5L` | `5` | `5L` |
  /// | Single | `2.5f` | `2.5` | as Double |
  /// | Double | `5.0`, `1.0E20`, `NaN`, `INF` | same | same |
  /// | Decimal | `1.5M` | `1.5` | refused |
  /// | Binary | `X'00FF'` | `binary'AP8'` | `X'00FF'` |
  /// | Guid | `guid'…'` | bare | `guid'…'` |
  /// | DateTime | `datetime'2012-11-10T03:04:05.2'` | `2012-11-10T03:04:05.2Z` | `datetime'2012-11-10T03:04:05.2Z'` |
  /// | DateTimeOffset | `datetimeoffset'…'` | bare | refused |
  /// | Duration | `time'PT1H'` | `duration'PT1H'` | refused |
  /// | Date, TimeOfDay | refused | bare | refused |
  /// | enumeration | `Sample.Color'Red'` (OData 3) | same | refused |
  /// | spatial | `geography'SRID=4326;Point(-122.1 47.6)'` (OData 3) | same | refused |
  /// | complex, collection, stream | refused | refused | refused |
  ///
  /// A double always has a point, since a service that takes `5` for an integer matches no double with it, and needs no
  /// suffix because of it. The grammar of OData 2 and 3 has no zone in `datetime`; Azure tables take and write `Z`.
  /// OData 4 has no `Edm.DateTime`: the instant goes as a DateTimeOffset in UTC. In its filters, but not in keys, a
  /// collection of primitive values is a constant too (``QueryExpression/rendered(for:)``).
  ///
  /// Throws ``ODataError/Code/unsupported`` for a type the dialect lacks. A smaller integer or a Single is no error
  /// in Azure tables: it is compared as the Int32 or Double it is stored as.
  public func literal(for dialect: Dialect) throws(ODataError) -> String {
    var bytes: [UInt8] = []
    try appendLiteral(for: dialect, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends ``literal(for:)`` as UTF-8.
  package func appendLiteral(for dialect: Dialect, to bytes: inout [UInt8]) throws(ODataError) {
    let isV4 = dialect == .v4
    switch self {
    case .null:
      guard dialect != .azureTable else {
        throw ODataError(
          .unsupported, "Azure tables store no nulls, so nothing can be compared with null in a query.")
      }
      bytes.append(contentsOf: "null".utf8)
    case .boolean, .byte, .sbyte, .int16, .int32, .double:
      appendLexical(to: &bytes)
    case .int64:
      appendLexical(to: &bytes)
      if !isV4 { bytes.append(UInt8(ascii: "L")) }
    case .single(let value):
      // Widened as a number, not as text: 0.1 as a Single is stored as the Double 0.10000000149011612.
      guard dialect != .azureTable else { return bytes.appendFloatingPoint(Double(value)) }
      appendLexical(to: &bytes)
      if !isV4 { bytes.append(UInt8(ascii: "f")) }
    case .decimal:
      try require(dialect, [.v2, .v3, .v4])
      appendLexical(to: &bytes)
      if !isV4 { bytes.append(UInt8(ascii: "M")) }
    case .string(let value):
      bytes.append(UInt8(ascii: "'"))
      for byte in value.utf8 {
        if byte == UInt8(ascii: "'") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "'"))
    case .binary(let value):
      Self.appendQuoted(isV4 ? "binary" : "X", to: &bytes) { bytes in
        if isV4 {
          Base64.append(value, alphabet: .urlSafe, to: &bytes)
        } else {
          for byte in value { bytes.appendHexadecimal(byte, digits: HexadecimalDigits.upper) }
        }
      }
    case .guid:
      appendQuoted(isV4 ? nil : "guid", to: &bytes)
    case .dateTime(let value):
      switch dialect {
      case .v2, .v3: Self.appendQuoted("datetime", to: &bytes) { $0.appendLocalTime(ticks: value.ticks) }
      case .v4: value.append(to: &bytes)
      case .azureTable: appendQuoted("datetime", to: &bytes)
      }
    case .dateTimeOffset:
      try require(dialect, [.v2, .v3, .v4])
      appendQuoted(isV4 ? nil : "datetimeoffset", to: &bytes)
    case .duration:
      try require(dialect, [.v2, .v3, .v4])
      appendQuoted(isV4 ? "duration" : "time", to: &bytes)
    case .date, .timeOfDay:
      try require(dialect, [.v4])
      appendLexical(to: &bytes)
    case .enumeration(let value):
      try require(dialect, [.v3, .v4])
      guard let type = value.type else {
        throw ODataError(
          .unsupported,
          "The type of the enumeration member is not known, and its literal needs it; name the type.")
      }
      appendQuoted(type.rawValue, to: &bytes)
    case .spatial(let value):
      try require(dialect, [.v3, .v4])
      appendQuoted(value.isGeography ? "geography" : "geometry", to: &bytes)
    case .stream, .complex, .collection:
      throw ODataError(.unsupported, "A \(kindName) has no literal; compare its parts instead.")
    }
  }

  /// Appends the lexical form, in quotes behind `prefix` where there is one.
  private func appendQuoted(_ prefix: String?, to bytes: inout [UInt8]) {
    guard let prefix else { return appendLexical(to: &bytes) }
    Self.appendQuoted(prefix, to: &bytes) { appendLexical(to: &$0) }
  }

  private static func appendQuoted(
    _ prefix: String, to bytes: inout [UInt8], _ content: (inout [UInt8]) -> Void
  ) {
    bytes.append(contentsOf: prefix.utf8)
    bytes.append(UInt8(ascii: "'"))
    content(&bytes)
    bytes.append(UInt8(ascii: "'"))
  }

  /// What kind of value this is, to stand in a sentence.
  package var kindName: String {
    switch self {
    case .complex: "complex value"
    case .collection: "collection"
    case .stream: "stream"
    case .null: "null"
    default: type?.rawValue ?? "value"
    }
  }

  private func require(_ dialect: Dialect, _ supported: [Dialect]) throws(ODataError) {
    guard !supported.contains(dialect) else { return }
    throw ODataError(
      .unsupported, "\(dialect.name) has no \(type?.rawValue ?? "enumerations"); use a type that it has.")
  }
}

extension Dialect {
  /// The dialect in words, to stand in a sentence.
  package var name: String {
    switch self {
    case .v2: "OData 2"
    case .v3: "OData 3"
    case .v4: "OData 4"
    case .azureTable: "Azure Table storage"
    }
  }
}
