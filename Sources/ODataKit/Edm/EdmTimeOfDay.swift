/// A time of day in ticks of 100 ns since midnight.
public struct EdmTimeOfDay: Sendable, Hashable, Comparable {
  /// Ticks since midnight, below one day.
  public let ticks: Int64

  /// Makes a time by its ticks; `nil` when negative or a day or more.
  public init?(ticks: Int64) {
    guard ticks >= 0, ticks < EdmDateTime.ticksPerDay else { return nil }
    self.ticks = ticks
  }

  /// Earlier comes first.
  public static func < (a: EdmTimeOfDay, b: EdmTimeOfDay) -> Bool { a.ticks < b.ticks }
}

extension EdmTimeOfDay: LosslessStringConvertible {
  /// Reads `11:22:33.4444444`; seconds may be missing, digits beyond the seventh are cut off.
  public init?(_ text: String) {
    guard let value = text.scanned({ EdmTimeOfDay(scanning: &$0) }) else { return nil }
    self = value
  }

  init?(scanning scanner: inout LexicalScanner) {
    guard let ticks = scanner.clockTicks(leapSecond: false) else { return nil }
    self.ticks = ticks
  }

  /// `11:22:33.4444444`, the fraction without trailing zeros.
  public var description: String { String(appending: append(to:)) }

  /// Appends ``description`` as UTF-8.
  package func append(to bytes: inout [UInt8]) { bytes.appendClock(ticks: ticks) }
}
