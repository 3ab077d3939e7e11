/// The dates of HTTP header fields, `Mon, 02 Oct 2017 20:21:25 GMT`.
///
/// Written is the fixed form alone; read are also the two obsolete ones a recipient has to accept (RFC 9110
/// § 5.6.7). No formatter of Foundation: a signature depends on this text, whatever the user's language is.
public enum HTTPDate {
  /// The fixed form; the part of a second is dropped.
  public static func text(_ instant: EdmDateTime) -> String {
    let (days, ticks) = instant.ticks.quotientAndRemainder(dividingBy: EdmDateTime.ticksPerDay)
    let seconds = Int(ticks / EdmDateTime.ticksPerSecond)
    let (year, month, day) = CivilCalendar.date(ofDay: Int(days))
    // 0001-01-01, day 0, was a Monday.
    return """
      \(weekdays[Int(days % 7)]), \(padded(day, 2)) \(months[month - 1]) \(padded(year, 4)) \
      \(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)) GMT
      """
  }

  /// Reads any of the three forms; `nil` for anything else.
  ///
  /// The name of the weekday is not compared with the date: senders get it wrong, and nothing depends on it.
  public static func instant(_ text: String) -> EdmDateTime? {
    var words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
    guard words.count >= 4, isWeekday(words.removeFirst()) else { return nil }
    if words.count == 3, words[2].elementsEqual("GMT".utf8) {
      // RFC 850: "Monday, 02-Oct-17 20:21:25 GMT". Two digits mean the century that does not lie far ahead.
      let parts = words[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      guard parts.count == 3, parts[2].count == 2, let short = number(parts[2]) else { return nil }
      return instant(
        day: parts[0], month: parts[1], year: short < 70 ? 2000 + short : 1900 + short, time: words[1])
    }
    if words.count == 5, words[4].elementsEqual("GMT".utf8) {
      guard words[2].count == 4, let year = number(words[2]) else { return nil }
      return instant(day: words[0], month: words[1], year: year, time: words[3])
    }
    if words.count == 4, words[3].count == 4, let year = number(words[3]) {
      // asctime: "Mon Oct  2 20:21:25 2017"
      return instant(day: words[1], month: words[0], year: year, time: words[2])
    }
    return nil
  }

  private typealias Word = Substring.UTF8View.SubSequence

  private static func instant(day: Word, month: Word, year: Int, time: Word) -> EdmDateTime? {
    let clock = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard let month = months.firstIndex(where: { $0.utf8.elementsEqual(month) }).map({ $0 + 1 }),
      (1...2).contains(day.count), let day = number(day),
      let days = CivilCalendar.day(year: year, month: month, day: day),
      clock.count == 3, clock.allSatisfy({ $0.count == 2 }),
      let hour = number(clock[0]), let minute = number(clock[1]), let second = number(clock[2]),
      // A leap second, 60, is read as the first moment of the next minute.
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return EdmDateTime(
      ticks: Int64(days) * EdmDateTime.ticksPerDay
        + Int64(hour * 3600 + minute * 60 + second) * EdmDateTime.ticksPerSecond)
  }

  private static func isWeekday(_ word: Word) -> Bool {
    word.count >= 3 && weekdays.contains { word.starts(with: $0.utf8) }
  }

  private static func number(_ word: Word) -> Int? {
    guard !word.isEmpty, word.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return word.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
