import Foundation
import ODataKit
import Testing

@Suite("Edm values against independent algorithms")
struct EdmPropertyTests {
  @Test("dates agree with Foundation's calendar, and every tick survives its text")
  func dates() throws {
    var generator = SeededGenerator(state: 1)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    // Foundation's calendar is Julian before 1582-10-15.
    let first = try #require(EdmDateTime("1583-01-01T00:00:00Z")).ticks
    for _ in 0..<2000 {
      let ticks = Int64.random(in: first...EdmDateTime.maximum.ticks, using: &generator)
      let time = try #require(EdmDateTime(ticks: ticks))
      let text = time.description
      #expect(EdmDateTime(text) == time)
      let seconds = (ticks - EdmDateTime.unixEpoch.ticks).floorDivided(by: 10_000_000)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      func padded(_ value: Int?, _ width: Int) -> String {
        let digits = String(value ?? -1)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
      let expected =
        "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
        + "T\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
      #expect(text.hasPrefix(expected))
    }
  }

  @Test("the days of all years follow each other without a gap")
  func days() throws {
    var day: Int32 = 0
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      #expect(EdmDate(year: year, month: 1, day: 1)?.days == day)
      #expect((EdmDate(year: year, month: 2, day: 29) != nil) == isLeap)
      day += isLeap ? 366 : 365
      let last = try #require(EdmDate(days: day - 1))
      #expect(last.year == year && last.month == 12 && last.day == 31)
    }
    #expect(EdmDate(days: day) == nil)
    #expect(EdmDate(days: -1) == nil)
  }

  @Test("a date keeps what precision it has, and the clock is right")
  func foundationDates() throws {
    var generator = SeededGenerator(state: 2)
    for _ in 0..<2000 {
      let date = Date(
        timeIntervalSince1970: Double.random(in: -60_000_000_000...250_000_000_000, using: &generator))
      let back = try #require(EdmDateTime(date)).date
      #expect(abs(back.timeIntervalSince(date)) < 0.000_05)
      #expect(try #require(EdmDateTime(back)).date == back)
    }
    #expect(EdmDateTime(Date(timeIntervalSince1970: 0)) == .unixEpoch)
    #expect(EdmDateTime(Date(timeIntervalSince1970: -0.00000005)).map(\.ticks) == EdmDateTime.unixEpoch.ticks)
    #expect(EdmDateTime(Date(timeIntervalSince1970: 1e15)) == nil)
    #expect(EdmDateTime(Date(timeIntervalSince1970: -1e15)) == nil)
    #expect(EdmDateTime(Date(timeIntervalSince1970: .nan)) == nil)
    #expect(EdmDateTime(Date(timeIntervalSince1970: 2.9e11)) == nil)
    #expect(EdmDateTime(ticks: -1) == nil)
    let before = Date()
    let now = EdmDateTime.now().date
    #expect(now >= before.addingTimeInterval(-0.001) && now <= Date().addingTimeInterval(0.001))
  }

  @Test("every double and single survives its text, and reads as the standard library reads it")
  func floatingPoint() throws {
    var generator = SeededGenerator(state: 3)
    for _ in 0..<5000 {
      let double = Double(bitPattern: generator.next())
      var bytes: [UInt8] = []
      EdmValue.double(double).appendLexical(to: &bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(try EdmValue(lexical: text, .double) == .double(double))
      if double.isFinite {
        #expect(Double(text) == double)
        #expect(text.contains("."))
      }
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      bytes = []
      EdmValue.single(single).appendLexical(to: &bytes)
      #expect(try EdmValue(lexical: String(decoding: bytes, as: UTF8.self), .single) == .single(single))
      // Short decimals take the fast way.
      let digits = UInt64.random(in: 0..<1_000_000_000_000_000, using: &generator)
      let decimal = "\(digits)e\(Int.random(in: -30...30, using: &generator))"
      #expect(try EdmValue(lexical: decimal, .double) == .double(try #require(Double(decimal))))
    }
  }

  @Test("decimals compare and hash as numbers, and keep their spelling")
  func decimals() throws {
    var generator = SeededGenerator(state: 4)
    func random() throws -> (EdmDecimal, Decimal) {
      let whole = Int64.random(in: -2000...2000, using: &generator)
      let fraction = ["", ".0", ".50", ".5", ".05", ".0500", ".999"].randomElement(using: &generator) ?? ""
      let text = (whole == 0 && Bool.random(using: &generator) ? "-" : "") + "\(whole)" + fraction
      let decimal = try #require(EdmDecimal(text))
      #expect(decimal.description == text)
      return (decimal, try #require(Decimal(string: text)))
    }
    for _ in 0..<3000 {
      let (a, decimalA) = try random()
      let (b, decimalB) = try random()
      #expect((a == b) == (decimalA == decimalB))
      #expect((a < b) == (decimalA < decimalB))
      #expect(a.decimal == decimalA)
      if a == b { #expect(a.hashValue == b.hashValue) }
    }
    #expect(EdmDecimal("0") == EdmDecimal("-0.00"))
    #expect(EdmDecimal("1.50")?.hashValue == EdmDecimal("01.5")?.hashValue)
    #expect(EdmDecimal(-5).description == "-5")
    #expect(EdmDecimal(Decimal.nan) == nil)
    #expect(EdmDecimal("1" + String(repeating: "0", count: 200))?.decimal == nil)
  }

  @Test(
    "every duration survives its text",
    arguments: [Int64.min, .max, 0, -1, 1, 863_999_999_999, 864_000_000_000])
  func durations(_ ticks: Int64) {
    #expect(EdmDuration(EdmDuration(ticks: ticks).description) == EdmDuration(ticks: ticks))
    #expect(EdmDuration(EdmDuration(ticks: ticks).duration) == EdmDuration(ticks: ticks))
  }

  @Test("a duration beyond 64 bits is refused")
  func longDurations() {
    #expect(EdmDuration("P99999999D") == nil)
    #expect(EdmDuration("P99999999999999999999D") == nil)
    #expect(EdmDuration(.seconds(Int64.max)) == nil)
    #expect(EdmDuration("-P10675199DT2H48M5.4775808S")?.ticks == .min)
    #expect(EdmDuration("P10675199DT2H48M5.4775808S") == nil)
  }

  @Test("random bytes survive base64 in both alphabets, as do guids")
  func bytes() throws {
    var generator = SeededGenerator(state: 5)
    for length in 0..<200 {
      let data = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      var text: [UInt8] = []
      EdmValue.binary(data).appendLexical(to: &text)
      #expect(String(decoding: text, as: UTF8.self) == Data(data).base64EncodedString())
      #expect(try EdmValue(lexical: String(decoding: text, as: UTF8.self), .binary) == .binary(data))
      let literal = try EdmValue.binary(data).literal(for: .v4)
      #expect(try EdmValue(lexical: String(literal.dropFirst(7).dropLast()), .binary) == .binary(data))
    }
    for _ in 0..<200 {
      let guid = UUID()
      #expect(try EdmValue.guid(guid).literal(for: .v4) == guid.uuidString.lowercased())
      #expect(try EdmValue(lexical: guid.uuidString, .guid) == .guid(guid))
    }
  }

  @Test("an offset that leads out of the years 1 to 9999 is refused")
  func offsets() throws {
    #expect(EdmDateTimeOffset(.minimum, offset: -1) == nil)
    #expect(EdmDateTimeOffset(.maximum, offset: 1) == nil)
    #expect(EdmDateTimeOffset(.unixEpoch, offset: 1440) == nil)
    #expect(EdmDateTimeOffset(.minimum, offset: 840)?.description == "0001-01-01T14:00:00+14:00")
    #expect(EdmDateTimeOffset("0001-01-01T00:00:00+01:00") == nil)
    let noon = try #require(EdmDateTimeOffset("2024-01-01T12:00:00Z"))
    let same = try #require(EdmDateTimeOffset("2024-01-01T13:00:00+01:00"))
    #expect(noon.instant == same.instant && noon != same)
  }

  #if canImport(Glibc)
    /// In a process of its own, see ``CommaLocale``.
    @Test(
      "a decimal comma of the thread's locale does not show",
      .enabled(if: CommaLocale.canBeHad, "There is no locale with a decimal comma here, nor what makes one."))
    func locale() async {
      await #expect(processExitsWith: .success) {
        let locale = try #require(CommaLocale())
        defer { locale.end() }
        #expect(strtod("1,5", nil) == 1.5)
        #expect(try EdmValue.double(1.5).literal(for: .v2) == "1.5")
        #expect(try EdmValue(lexical: "1.23456789012345678", .double) == .double(1.2345678901234568))
        let decimal = try #require(EdmDecimal("1.5"))
        #expect(try EdmValue.decimal(decimal).literal(for: .v2) == "1.5M")
        #expect(decimal.decimal == 1.5 && EdmDecimal(1.5 as Decimal)?.description == "1.5")
        #expect(EdmDateTime("2024-05-06T07:08:09.5Z")?.description == "2024-05-06T07:08:09.5Z")
      }
    }
  #endif
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
