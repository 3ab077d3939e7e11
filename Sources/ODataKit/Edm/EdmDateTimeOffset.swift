/// A point in time with the offset from UTC it was written with.
///
/// Two values are equal when instant and offset are: 12:00Z and 13:00+01:00 are one instant but two values, as they
/// are to a service that keeps the offset. Compare ``instant`` to ask for the point in time alone.
public struct EdmDateTimeOffset: Sendable, Hashable {
  /// The instant, as UTC.
  public let instant: EdmDateTime
  /// Minutes east of UTC, −1439 to 1439.
  public let offset: Int16

  /// Makes a value; `nil` when `offset` reaches a day, or the local time leaves the years 1 to 9999.
  public init?(_ instant: EdmDateTime, offset: Int16 = 0) {
    guard (-1439...1439).contains(offset), EdmDateTime(ticks: Self.localTicks(instant, offset)) != nil
    else { return nil }
    self.instant = instant
    self.offset = offset
  }

  /// Makes a value with an offset of zero, which fits every instant.
  init(utc instant: EdmDateTime) {
    self.instant = instant
    offset = 0
  }

  private static func localTicks(_ instant: EdmDateTime, _ offset: Int16) -> Int64 {
    instant.ticks + Int64(offset) * 60 * EdmDateTime.ticksPerSecond
  }
}

extension EdmDateTimeOffset: LosslessStringConvertible {
  /// Reads `2012-09-03T14:53:00.5+02:00`, as tolerantly as ``EdmDateTime`` does; a missing zone means UTC.
  public init?(_ text: String) {
    guard let value = text.scanned({ EdmDateTimeOffset(scanning: &$0) }) else { return nil }
    self = value
  }

  init?(scanning scanner: inout LexicalScanner) {
    guard let (ticks, offset) = scanner.localTime(),
      let instant = EdmDateTime(ticks: ticks - Int64(offset ?? 0) * 60 * EdmDateTime.ticksPerSecond)
    else { return nil }
    self.init(instant, offset: Int16(offset ?? 0))
  }

  /// Local time and offset: `2012-09-03T14:53:00.5+02:00`, with `Z` for an offset of zero.
  public var description: String { String(appending: append(to:)) }

  /// Appends ``description`` as UTF-8.
  package func append(to bytes: inout [UInt8]) {
    bytes.appendLocalTime(ticks: Self.localTicks(instant, offset))
    guard offset != 0 else {
      bytes.append(UInt8(ascii: "Z"))
      return
    }
    bytes.append(UInt8(ascii: offset < 0 ? "-" : "+"))
    bytes.appendPadded(Int(offset.magnitude) / 60, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendPadded(Int(offset.magnitude) % 60, width: 2)
  }
}
