/// Dates of the verbose JSON of OData 1 and 2: `/Date(1400000000000)/`, milliseconds since 1970, with minutes
/// east of UTC behind a sign where it is a `DateTimeOffset` (OData 2 JSON Format § 4).
enum JSONVerboseDate {
  /// Reads a date as the type it looks like; `nil` for any other text.
  static func read(_ text: UnsafeBufferPointer<UInt8>) -> EdmValue? {
    let prefix = "/Date(".utf8
    let suffix = ")/".utf8
    guard text.count > prefix.count + suffix.count, text.starts(with: prefix),
      text.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    var body = text[prefix.count..<(text.count - suffix.count)]
    // Beyond any year of a DateTime, and far from where the ticks would overflow.
    guard let milliseconds = number(&body), milliseconds.magnitude < 1 << 49,
      let instant = EdmDateTime(ticks: EdmDateTime.unixEpoch.ticks + milliseconds * 10_000)
    else { return nil }
    if body.isEmpty { return .dateTime(instant) }
    guard body.first == UInt8(ascii: "+") || body.first == UInt8(ascii: "-"), let offset = number(&body),
      body.isEmpty, let offset = Int16(exactly: offset)
    else { return nil }
    return EdmDateTimeOffset(instant, offset: offset).map(EdmValue.dateTimeOffset)
  }

  /// Reads a date where one of the two types is asked for.
  static func read(_ text: UnsafeBufferPointer<UInt8>, as type: EdmPrimitive) -> EdmValue? {
    guard type == .dateTime || type == .dateTimeOffset, let value = read(text) else { return nil }
    return switch (value, type) {
    case (.dateTime(let instant), .dateTimeOffset):
      EdmDateTimeOffset(instant, offset: 0).map(EdmValue.dateTimeOffset)
    case (.dateTimeOffset(let value), .dateTime): .dateTime(value.instant)
    default: value
    }
  }

  private static func number(_ body: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let isNegative = body.first == UInt8(ascii: "-")
    if isNegative || body.first == UInt8(ascii: "+") { body.removeFirst() }
    guard body.first?.isDecimalDigit == true else { return nil }
    var value: Int64 = 0
    while let digit = body.first, digit.isDecimalDigit {
      guard value < 1 << 55 else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
      body.removeFirst()
    }
    return isNegative ? -value : value
  }
}
