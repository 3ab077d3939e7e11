/// The proleptic Gregorian calendar, years 1 to 9999, counted in days since 0001-01-01.
///
/// Foundation's `Calendar` switches to the Julian calendar in 1582 and is far too slow for a feed of dates. The
/// arithmetic counts years from March, so that the leap day is the last day of a year, in eras of 400 years.
enum CivilCalendar {
  /// Days from 0000-03-01, where the eras begin, to 0001-01-01.
  private static let epoch = 306
  private static let daysPerEra = 146_097
  /// The number of days in the years 1 to 9999.
  static let dayCount = 3_652_059

  /// The day of a date, or `nil` where there is no such date.
  static func day(year: Int, month: Int, day: Int) -> Int? {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(of: month, in: year)
    else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = marchYear.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysPerEra + dayOfEra - epoch
  }

  /// The date of a day.
  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (day + epoch).quotientAndRemainder(dividingBy: daysPerEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month > 2 ? 0 : 1)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension LexicalScanner {
  /// Takes `yyyy-mm-dd` as a day.
  mutating func calendarDay() -> Int? {
    guard let year = number(digits: 4), take(UInt8(ascii: "-")),
      let month = number(digits: 2), take(UInt8(ascii: "-")),
      let day = number(digits: 2)
    else { return nil }
    return CivilCalendar.day(year: year, month: month, day: day)
  }

  /// Takes `hh:mm[:ss[.f…]]` as ticks since midnight. A second of 60 is the leap second that OData's grammar allows;
  /// it becomes the first second of the next minute, since ticks do not count leap seconds.
  mutating func clockTicks(leapSecond: Bool) -> Int64? {
    guard let hour = number(digits: 2), hour < 24, take(UInt8(ascii: ":")),
      let minute = number(digits: 2), minute < 60
    else { return nil }
    var ticks = Int64(hour * 60 + minute) * 60 * EdmDateTime.ticksPerSecond
    guard take(UInt8(ascii: ":")) else { return ticks }
    guard let second = number(digits: 2), second < (leapSecond ? 61 : 60) else { return nil }
    ticks += Int64(second) * EdmDateTime.ticksPerSecond
    if take(UInt8(ascii: ".")) {
      guard let fraction = fraction() else { return nil }
      ticks += fraction
    }
    return ticks
  }

  /// Takes `yyyy-mm-ddThh:mm[:ss[.f…]][Z|±hh:mm]`: the local ticks, and the minutes east of UTC where there are any.
  mutating func localTime() -> (ticks: Int64, offset: Int?)? {
    guard let day = calendarDay(), take(letter: UInt8(ascii: "t")), let time = clockTicks(leapSecond: true)
    else { return nil }
    let ticks = Int64(day) * EdmDateTime.ticksPerDay + time
    if take(letter: UInt8(ascii: "z")) { return (ticks, 0) }
    guard let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return (ticks, nil) }
    guard take(sign), let hours = number(digits: 2), take(UInt8(ascii: ":")), let minutes = number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    let offset = hours * 60 + minutes
    return (ticks, sign == UInt8(ascii: "-") ? -offset : offset)
  }
}

extension ByteRoom {
  /// Appends `yyyy-mm-dd`.
  mutating func appendCalendarDay(_ day: Int) {
    let date = CivilCalendar.date(ofDay: day)
    appendPadded(date.year, width: 4)
    append(UInt8(ascii: "-"))
    appendPadded(date.month, width: 2)
    append(UInt8(ascii: "-"))
    appendPadded(date.day, width: 2)
  }

  /// Appends `hh:mm:ss[.f…]`.
  mutating func appendClock(ticks: Int64) {
    let (seconds, fraction) = ticks.quotientAndRemainder(dividingBy: EdmDateTime.ticksPerSecond)
    appendPadded(Int(seconds / 3600), width: 2)
    append(UInt8(ascii: ":"))
    appendPadded(Int(seconds / 60 % 60), width: 2)
    append(UInt8(ascii: ":"))
    appendPadded(Int(seconds % 60), width: 2)
    appendFraction(ticks: fraction)
  }
}

extension [UInt8] {
  /// Appends `yyyy-mm-dd`.
  mutating func appendCalendarDay(_ day: Int) { append(atMost: 10) { $0.appendCalendarDay(day) } }

  /// Appends `hh:mm:ss[.f…]`.
  mutating func appendClock(ticks: Int64) { append(atMost: 16) { $0.appendClock(ticks: ticks) } }

  /// Appends `yyyy-mm-ddThh:mm:ss[.f…]` without a zone.
  mutating func appendLocalTime(ticks: Int64) {
    let (day, time) = ticks.quotientAndRemainder(dividingBy: EdmDateTime.ticksPerDay)
    append(atMost: 27) { room in
      room.appendCalendarDay(Int(day))
      room.append(UInt8(ascii: "T"))
      room.appendClock(ticks: time)
    }
  }
}
