import Foundation
import ODataKit
import Testing

@Suite struct HTTPDateTests {
  static let table: [(ticks: Int64, text: String)] = [
    (0, "Mon, 01 Jan 0001 00:00:00 GMT"),
    (621_355_968_000_000_000, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (636_425_724_850_000_000, "Mon, 02 Oct 2017 20:21:25 GMT"),
    (630_873_792_000_000_000, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (3_155_378_975_990_000_000, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ]

  @Test(arguments: table) func `is written in the fixed form and read back`(ticks: Int64, text: String) throws
  {
    let instant = try #require(EdmDateTime(ticks: ticks))
    #expect(HTTPDate.text(instant) == text)
    #expect(HTTPDate.instant(text) == instant)
  }

  @Test func `agrees with the calendar of Foundation on every day of four centuries`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var previous = -1
    for day in stride(from: Int64(0), through: 146_097, by: 1) {
      let instant = try #require(EdmDateTime(ticks: EdmDateTime.unixEpoch.ticks + day * 864_000_000_000))
      let text = HTTPDate.text(instant)
      #expect(HTTPDate.instant(text) == instant)
      // The calendar is slow; a prime step still meets every month, leap day and weekday.
      guard day % 97 == 0 || day == 146_097 else { continue }
      let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: instant.date)
      let fields = text.split { " ,".contains($0) }
      #expect(Int(fields[1]) == parts.day)
      #expect(Int(fields[3]) == parts.year)
      let weekday = try #require(parts.weekday)
      #expect(fields[0] == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday - 1])
      previous = Int(day)
    }
    #expect(previous == 146_097)
  }

  @Test func `drops the part of a second`() throws {
    let instant = try #require(EdmDateTime(ticks: 636_425_724_859_999_999))
    #expect(HTTPDate.text(instant) == "Mon, 02 Oct 2017 20:21:25 GMT")
  }

  @Test(arguments: [
    "Monday, 02-Oct-17 20:21:25 GMT", "Mon Oct  2 20:21:25 2017", "Mon Oct 02 20:21:25 2017",
  ])
  func `reads the two obsolete forms`(text: String) throws {
    let instant = try #require(HTTPDate.instant(text))
    #expect(HTTPDate.text(instant) == "Mon, 02 Oct 2017 20:21:25 GMT")
  }

  @Test func `reads a leap second as the next minute`() throws {
    let instant = try #require(HTTPDate.instant("Sat, 31 Dec 2016 23:59:60 GMT"))
    #expect(HTTPDate.text(instant) == "Sun, 01 Jan 2017 00:00:00 GMT")
  }

  @Test(arguments: [
    "", "now", "Mon, 02 Oct 2017", "Mon, 02 Oct 2017 20:21:25", "Mon, 02 Oct 2017 20:21:25 PST",
    "Mon, 31 Sep 2017 20:21:25 GMT", "Mon, 29 Feb 2018 20:21:25 GMT", "Mon, 02 Okt 2017 20:21:25 GMT",
    "Mon, 02 Oct 2017 24:21:25 GMT", "Mon, 02 Oct 2017 20:61:25 GMT", "Mon, 02 Oct 2017 2:21:25 GMT",
    "Mon, 02 Oct 0000 20:21:25 GMT", "Mon, -2 Oct 2017 20:21:25 GMT", "Xyz, 02 Oct 2017 20:21:25 GMT",
    "2017-10-02T20:21:25Z",
  ])
  func `refuses what is no date`(text: String) {
    #expect(HTTPDate.instant(text) == nil)
  }
}
