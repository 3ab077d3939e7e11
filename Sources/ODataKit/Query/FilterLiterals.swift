/// Literals in filters and key predicates: the inverse of ``EdmValue/literal(for:)``.
///
/// An integer without a suffix is an Int32 where it fits and an Int64 where it does not. Azure tables have no such
/// literal above Int32 (the service answers 400 and says "Unrecognized 'Edm.Int32' literal"), so there it is refused
/// with the advice to write the `L`. A number with a point or an exponent is a Double in every dialect.
extension FilterScanner {
  /// The literal at the position, or `nil` where something else stands; the position moves behind it.
  mutating func takeLiteral() throws(ODataError) -> EdmValue? {
    guard let first = peek() else { return nil }
    switch first {
    case UInt8(ascii: "'"):
      return .string(try takeString())
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if dialect == .v4, let value = try takeBareLiteral() { return value }
      return try takeNumber()
    case UInt8(ascii: "-"), UInt8(ascii: "+"):
      return try takeSigned(first)
    default:
      if dialect == .v4, let value = try takeBareLiteral() { return value }
      return try takeWordLiteral()
    }
  }

  /// A string between quotes, with a doubled quote for each one inside.
  private mutating func takeString() throws(ODataError) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    while let byte = peek() {
      position += 1
      if byte == UInt8(ascii: "'") {
        if peek() != UInt8(ascii: "'") { return String(decoding: content, as: UTF8.self) }
        position += 1
      }
      content.append(byte)
    }
    throw failure(at: start, found: "a string without its closing quote", expected: "a quote at its end")
  }

  // MARK: Words

  private mutating func takeWordLiteral() throws(ODataError) -> EdmValue? {
    let start = position
    let end = endOfIdentifier(from: start)
    guard end > start else { return nil }
    if byte(at: end) == UInt8(ascii: "'") { return try takeTyped(word: text(start..<end), quoteAt: end) }
    let endOfName = endOfName(from: start)
    if endOfName > end, byte(at: endOfName) == UInt8(ascii: "'") {
      return try takeEnumeration(type: text(start..<endOfName), quoteAt: endOfName)
    }
    // A path, a call or a dotted name may begin with any word.
    switch byte(at: end) {
    case UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: "."): return nil
    default: break
    }
    guard let value = Self.literal(word: text(start..<end), dialect: dialect) else { return nil }
    position = end
    return value
  }

  /// The constant a bare word stands for, which therefore cannot be the name of a property in a filter.
  static func literal(word: String, dialect: Dialect) -> EdmValue? {
    switch word {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "NaN": return .double(.nan)
    case "INF": return .double(.infinity)
    case "NaNf" where dialect != .v4: return .single(.nan)
    case "INFf" where dialect != .v4: return .single(.infinity)
    default:
      // OData 4.01 reads Booleans in any case.
      guard dialect == .v4, word.utf8.count <= 5 else { return nil }
      switch word.lowercased() {
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      default: return nil
      }
    }
  }

  // MARK: A word and a quoted value

  private mutating func takeTyped(word: String, quoteAt quote: Int) throws(ODataError) -> EdmValue {
    let start = position
    let content = try content(quoteAt: quote, word)
    let value: EdmValue?
    switch (word, dialect) {
    case ("geography", .v3), ("geography", .v4), ("geometry", .v3), ("geometry", .v4):
      value = EdmSpatial(literal: content, isGeography: word == "geography").map(EdmValue.spatial)
    case ("duration", .v4): value = Self.lexical(content, .duration)
    case ("binary", .v4): value = Self.lexical(content, .binary)
    case ("datetime", .v4), ("datetimeoffset", .v4), ("guid", .v4), ("time", .v4), ("X", .v4):
      throw failure(
        at: start, found: "the prefix '\(word)', which OData 4 does not have",
        expected: "the value as OData 4 writes it")
    case (_, .v4):
      throw failure(
        at: start, found: "the word '\(word.prefix(40))' before a quote",
        expected: "the qualified name of an enumeration, or the prefix of a literal")
    case ("datetime", _): value = Self.lexical(content, .dateTime)
    case ("datetimeoffset", _): value = Self.lexical(content, .dateTimeOffset)
    case ("guid", _): value = Self.isGuid(content) ? Self.lexical(content, .guid) : nil
    case ("time", _): value = Self.lexical(content, .time)
    case ("X", _), ("binary", _): value = Self.hexadecimal(content).map { .binary($0) }
    default:
      throw failure(at: start, expected: "a property, a literal, a function or a bracket")
    }
    guard let value else {
      throw failure(
        at: quote, found: "something else than a \(word) value between the quotes",
        expected: "a \(word) literal such as \(Self.example(word))")
    }
    position = content.endIndex + 1
    return value
  }

  /// What stands between the quote at an index and the next one.
  private func content(quoteAt quote: Int, _ word: String) throws(ODataError) -> ArraySlice<UInt8> {
    guard let close = bytes[(quote + 1)...].firstIndex(of: UInt8(ascii: "'")) else {
      throw failure(
        at: quote, found: "a \(word.prefix(80)) literal without its closing quote",
        expected: "a quote at its end")
    }
    return bytes[(quote + 1)..<close]
  }

  /// A member of an enumeration, or several with commas between them, each a name or a number (OData 4 ABNF, rule
  /// `enumValue`).
  private mutating func takeEnumeration(type: String, quoteAt quote: Int) throws(ODataError) -> EdmValue {
    guard dialect == .v3 || dialect == .v4 else {
      throw failure(
        at: position, found: "a member of an enumeration",
        expected: "a literal of a primitive type, since \(dialect.name) has no enumerations")
    }
    let content = try content(quoteAt: quote, type)
    var index = content.startIndex
    repeat {
      guard let end = endOfMember(from: index) else {
        throw failure(
          at: quote, found: "something else than members between the quotes",
          expected: "names or numbers of members, with commas between them and no blanks")
      }
      index = end + 1
    } while index <= content.endIndex
    position = content.endIndex + 1
    return .enumeration(
      EdmEnumeration(type: EdmType(rawValue: type), member: String(decoding: content, as: UTF8.self)))
  }

  /// Where a member that begins at `start` ends, with a comma or the quote behind it.
  private func endOfMember(from start: Int) -> Int? {
    var end = endOfIdentifier(from: start)
    if end == start {
      let signed =
        byte(at: start) == UInt8(ascii: "-") || byte(at: start) == UInt8(ascii: "+") ? start + 1 : start
      end = digits(from: signed)
      guard end > signed, Int64(text(start..<end)) != nil else { return nil }
    } else if byte(at: start) == UInt8(ascii: "$") || byte(at: start) == UInt8(ascii: "@") {
      return nil
    }
    return byte(at: end) == UInt8(ascii: ",") || byte(at: end) == UInt8(ascii: "'") ? end : nil
  }

  private static func example(_ word: String) -> String {
    switch word {
    case "datetime": "datetime'2014-09-02T21:09:14Z'"
    case "datetimeoffset": "datetimeoffset'2014-09-02T21:09:14+02:00'"
    case "guid": "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'"
    case "time": "time'PT3H20M'"
    case "duration": "duration'PT3H20M'"
    case "X": "X'0001A0FF'"
    case "geography", "geometry": "\(word)'SRID=4326;Point(-122.1 47.6)'"
    default: "binary'0001A0FF' (OData 4: base64url)"
    }
  }

  /// The value of a text in the form of XML payloads, which literals share between their quotes.
  private static func lexical(_ content: ArraySlice<UInt8>, _ type: EdmType) -> EdmValue? {
    content.withUnsafeBufferPointer { try? EdmValue(lexical: $0, type: type) }
  }

  private static func hexadecimal(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    guard content.count.isMultiple(of: 2) else { return nil }
    var out: [UInt8] = []
    out.reserveCapacity(content.count / 2)
    var index = content.startIndex
    while index < content.endIndex {
      guard let high = content[index].hexadecimalValue, let low = content[index + 1].hexadecimalValue else {
        return nil
      }
      out.append(high << 4 | low)
      index += 2
    }
    return out
  }

  // MARK: Values that OData 4 writes bare

  private mutating func takeBareLiteral() throws(ODataError) -> EdmValue? {
    let start = position
    if start + 36 <= bytes.count, Self.isGuid(bytes[start..<(start + 36)]), !continuesWord(at: start + 36) {
      position = start + 36
      return Self.lexical(bytes[start..<(start + 36)], .guid)
    }
    let type: EdmType
    var end = endOfDate(from: start)
    if let dateEnd = end {
      type = byte(at: dateEnd).map { $0 | 0x20 } == UInt8(ascii: "t") ? .dateTimeOffset : .date
      if type == .dateTimeOffset { end = endOfTimeAndZone(from: dateEnd + 1) }
    } else if digits(from: start) == start + 2, byte(at: start + 2) == UInt8(ascii: ":") {
      type = .timeOfDay
      end = endOfTime(from: start)
    } else {
      return nil
    }
    guard let end, !continuesWord(at: end), let value = Self.lexical(bytes[start..<end], type) else {
      throw failure(
        at: start, found: "something that begins like a date or a time",
        expected: "a date and time such as 2014-09-02T21:09:14Z, a date, or a time of day")
    }
    position = end
    return value
  }

  private static func isGuid(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    return text.enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: byte.hexadecimalValue != nil
      }
    }
  }

  /// Where the digits that begin at `start` end.
  private func digits(from start: Int) -> Int {
    var index = start
    while let byte = byte(at: index), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    return index
  }

  private func endOfDate(from start: Int) -> Int? {
    let signed = byte(at: start) == UInt8(ascii: "-") ? start + 1 : start
    let year = digits(from: signed)
    guard year >= signed + 4, byte(at: year) == UInt8(ascii: "-") else { return nil }
    let month = digits(from: year + 1)
    guard month == year + 3, byte(at: month) == UInt8(ascii: "-") else { return nil }
    let day = digits(from: month + 1)
    return day == month + 3 ? day : nil
  }

  private func endOfTime(from start: Int) -> Int {
    var index = start
    while let byte = byte(at: index),
      byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    { index += 1 }
    return index
  }

  private func endOfTimeAndZone(from start: Int) -> Int? {
    let time = endOfTime(from: start)
    switch byte(at: time) {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): return time + 1
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return endOfTime(from: time + 1)
    default: return nil
    }
  }

  // MARK: Numbers

  private mutating func takeSigned(_ sign: UInt8) throws(ODataError) -> EdmValue? {
    guard sign == UInt8(ascii: "-") || dialect == .v4 else { return nil }
    if dialect == .v4, let value = try takeBareLiteral() { return value }
    if let next = peek(1), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { return try takeNumber() }
    guard sign == UInt8(ascii: "-") else { return nil }
    let end = endOfIdentifier(from: position + 1)
    switch text((position + 1)..<max(end, position + 1)) {
    case "INF":
      position = end
      return .double(-.infinity)
    case "INFf" where dialect != .v4:
      position = end
      return .single(-.infinity)
    default: return nil
    }
  }

  private mutating func takeNumber() throws(ODataError) -> EdmValue {
    let start = position
    let negative = byte(at: start) == UInt8(ascii: "-")
    let signed = negative || byte(at: start) == UInt8(ascii: "+") ? start + 1 : start
    var end = digits(from: signed)
    var isWhole = true
    if byte(at: end) == UInt8(ascii: "."), digits(from: end + 1) > end + 1 {
      end = digits(from: end + 1)
      isWhole = false
    }
    if let exponent = endOfExponent(from: end) {
      end = exponent
      isWhole = false
    }
    let number = (negative ? "-" : "") + text(signed..<end)
    let suffix = dialect == .v4 ? nil : byte(at: end).flatMap(Self.suffix)
    if suffix != nil { end += 1 }
    guard !continuesWord(at: end), byte(at: end) != UInt8(ascii: "."), byte(at: end) != UInt8(ascii: "'")
    else {
      throw failure(at: start, found: "a number with something behind it", expected: "a number on its own")
    }
    guard let value = try value(of: number, isWhole: isWhole, suffix: suffix, at: start) else {
      throw failure(
        at: start, found: "a number out of the range of its type",
        expected: "one that fits its type\(suffix == nil ? "" : " as its suffix says")")
    }
    position = end
    return value
  }

  private func endOfExponent(from start: Int) -> Int? {
    guard byte(at: start).map({ $0 | 0x20 }) == UInt8(ascii: "e") else { return nil }
    let sign = byte(at: start + 1)
    let first = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? start + 2 : start + 1
    let end = digits(from: first)
    return end > first ? end : nil
  }

  private static func suffix(_ byte: UInt8) -> UInt8? {
    switch byte | 0x20 {
    case UInt8(ascii: "l"), UInt8(ascii: "m"), UInt8(ascii: "f"), UInt8(ascii: "d"): byte | 0x20
    default: nil
    }
  }

  private func value(of number: String, isWhole: Bool, suffix: UInt8?, at start: Int) throws(ODataError)
    -> EdmValue?
  {
    switch suffix {
    case UInt8(ascii: "l"): return isWhole ? Int64(number).map { .int64($0) } : nil
    case UInt8(ascii: "m"): return EdmDecimal(number).map { .decimal($0) }
    case UInt8(ascii: "f"): return Float(number).flatMap { $0.isFinite ? .single($0) : nil }
    case UInt8(ascii: "d"): return Double(number).flatMap { $0.isFinite ? .double($0) : nil }
    default: break
    }
    guard isWhole else { return Double(number).flatMap { $0.isFinite ? .double($0) : nil } }
    if let value = Int32(number) { return .int32(value) }
    if dialect == .azureTable {
      throw failure(
        at: start, found: "an integer above Edm.Int32",
        expected: "an L behind it, which makes it an Edm.Int64")
    }
    if let value = Int64(number) { return .int64(value) }
    return dialect == .v4 ? EdmDecimal(number).map { .decimal($0) } : nil
  }
}
