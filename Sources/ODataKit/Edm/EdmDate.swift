/// A day of the proleptic Gregorian calendar, years 1 to 9999.
public struct EdmDate: Sendable, Hashable, Comparable {
  /// Days since 0001-01-01.
  public let days: Int32

  /// Makes a day by its number; `nil` outside of the years 1 to 9999.
  public init?(days: Int32) {
    guard days >= 0, days < CivilCalendar.dayCount else { return nil }
    self.days = days
  }

  /// Makes a day by its date; `nil` where there is no such date.
  public init?(year: Int, month: Int, day: Int) {
    guard let days = CivilCalendar.day(year: year, month: month, day: day) else { return nil }
    self.days = Int32(days)
  }

  /// The year, 1 to 9999.
  public var year: Int { CivilCalendar.date(ofDay: Int(days)).year }
  /// The month, 1 to 12.
  public var month: Int { CivilCalendar.date(ofDay: Int(days)).month }
  /// The day of the month, 1 to 31.
  public var day: Int { CivilCalendar.date(ofDay: Int(days)).day }

  /// Earlier comes first.
  public static func < (a: EdmDate, b: EdmDate) -> Bool { a.days < b.days }
}

extension EdmDate: LosslessStringConvertible {
  /// Reads `2012-09-03`.
  public init?(_ text: String) {
    guard let value = text.scanned({ EdmDate(scanning: &$0) }) else { return nil }
    self = value
  }

  init?(scanning scanner: inout LexicalScanner) {
    guard let days = scanner.calendarDay() else { return nil }
    self.days = Int32(days)
  }

  /// `2012-09-03`
  public var description: String { String(appending: append(to:)) }

  /// Appends ``description`` as UTF-8.
  package func append(to bytes: inout [UInt8]) { bytes.appendCalendarDay(Int(days)) }
}
