public import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A point in time in ticks of 100 ns, as `Edm.DateTime` holds it: year 1 to 9999, no leap seconds.
///
/// `Double` seconds cannot hold seven digits of a second today, so nothing on the way goes through `Date`;
/// ``init(_:)-(Date)`` and ``date`` are there for programs that can live with a microsecond.
public struct EdmDateTime: Sendable, Hashable, Comparable {
  /// Ticks since 0001-01-01T00:00:00 of the proleptic Gregorian calendar, as in .NET.
  public let ticks: Int64

  /// 0001-01-01T00:00:00
  public static let minimum = EdmDateTime(unchecked: 0)
  /// 9999-12-31T23:59:59.9999999
  public static let maximum = EdmDateTime(unchecked: 3_155_378_975_999_999_999)
  /// 1970-01-01T00:00:00
  public static let unixEpoch = EdmDateTime(unchecked: 621_355_968_000_000_000)
  /// Ticks in a second.
  static let ticksPerSecond: Int64 = 10_000_000
  static let ticksPerDay: Int64 = 864_000_000_000

  /// Makes a point of ticks; `nil` outside of the years 1 to 9999.
  public init?(ticks: Int64) {
    guard ticks >= Self.minimum.ticks, ticks <= Self.maximum.ticks else { return nil }
    self.ticks = ticks
  }

  init(unchecked ticks: Int64) { self.ticks = ticks }

  /// The tick nearest to `date`; `nil` outside of the years 1 to 9999.
  public init?(_ date: Date) {
    // Whole seconds and the fraction apart, so that the product keeps what precision the Double has.
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite, abs(seconds) < 3e11 else { return nil }
    let whole = seconds.rounded(.down)
    let fraction = Int64(((seconds - whole) * Double(Self.ticksPerSecond)).rounded())
    self.init(ticks: Self.unixEpoch.ticks + Int64(whole) * Self.ticksPerSecond + fraction)
  }

  /// The same instant as a `Date`, read as UTC; about 100 ns are lost today.
  public var date: Date {
    let (seconds, fraction) = (ticks - Self.unixEpoch.ticks).quotientAndRemainder(
      dividingBy: Self.ticksPerSecond)
    return Date(timeIntervalSince1970: Double(seconds) + Double(fraction) / Double(Self.ticksPerSecond))
  }

  /// The current time of the system's clock.
  public static func now() -> EdmDateTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let ticks = unixEpoch.ticks + Int64(time.tv_sec) * ticksPerSecond + Int64(time.tv_nsec) / 100
    return EdmDateTime(ticks: ticks) ?? (time.tv_sec < 0 ? minimum : maximum)
  }

  /// Earlier comes first.
  public static func < (a: EdmDateTime, b: EdmDateTime) -> Bool { a.ticks < b.ticks }
}

extension EdmDateTime: LosslessStringConvertible {
  /// Reads `2014-09-02T21:09:14.8848547Z`.
  ///
  /// Services differ, so seconds may be missing, the fraction may have any number of digits (those beyond the seventh
  /// are cut off), and the zone may be `Z`, a numeric offset, or missing, which means UTC. `nil` for anything else,
  /// for dates that do not exist, and outside of the years 1 to 9999.
  public init?(_ text: String) {
    guard let value = text.scanned({ EdmDateTime(scanning: &$0) }) else { return nil }
    self = value
  }

  /// Reads bytes in the same way, with white space around them.
  init?(lexical bytes: UnsafeBufferPointer<UInt8>) {
    if let value = Self(plain: bytes) {
      self = value
      return
    }
    var scanner = LexicalScanner(bytes)
    self.init(scanning: &scanner)
    guard scanner.isAtEnd else { return nil }
  }

  /// Reads the form that services write, `yyyy-mm-ddThh:mm:ss[.f…]Z` with up to seven digits of a second, where each part
  /// has its place; `nil` for anything else, which need not be wrong.
  private init?(plain bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 20, bytes.count <= 28, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[bytes.count - 1] == UInt8(ascii: "Z")
    else { return nil }
    // Each digit that is none leaves a mark; all are looked at once, in the end.
    var isDigits = true
    func number(_ index: Int) -> Int {
      let (tens, ones) = (bytes[index] &- UInt8(ascii: "0"), bytes[index + 1] &- UInt8(ascii: "0"))
      isDigits = isDigits && tens < 10 && ones < 10
      return Int(tens) * 10 + Int(ones)
    }
    let (year, month, day) = (number(0) * 100 + number(2), number(5), number(8))
    let (hour, minute, second) = (number(11), number(14), number(17))
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count > 21 else { return nil }
      for index in 20..<27 {
        fraction *= 10
        guard index < bytes.count - 1 else { continue }
        let digit = bytes[index] &- UInt8(ascii: "0")
        isDigits = isDigits && digit < 10
        fraction += Int64(digit)
      }
    }
    guard isDigits, hour < 24, minute < 60, second < 60,
      let date = CivilCalendar.day(year: year, month: month, day: day)
    else { return nil }
    let seconds = Int64(date) * 86400 + Int64((hour * 60 + minute) * 60 + second)
    self.init(unchecked: seconds * Self.ticksPerSecond + fraction)
  }

  init?(scanning scanner: inout LexicalScanner) {
    guard let (ticks, offset) = scanner.localTime() else { return nil }
    self.init(ticks: ticks - Int64(offset ?? 0) * 60 * Self.ticksPerSecond)
  }

  /// The form Azure tables write: `2012-11-10T03:04:05.2Z`, the fraction without trailing zeros, always with `Z`.
  public var description: String { String(appending: append(to:)) }

  /// Appends ``description`` as UTF-8.
  package func append(to bytes: inout [UInt8]) {
    bytes.appendLocalTime(ticks: ticks)
    bytes.append(UInt8(ascii: "Z"))
  }
}
