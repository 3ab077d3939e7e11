public import Foundation

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

  /// The tick at or before `date`; `nil` outside of the years 1 to 9999.
  public init?(_ date: Date) {
    // Whole seconds and the fraction apart, so that the product keeps what precision the Double has.
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    let fraction = Int64(((seconds - whole) * Double(Self.ticksPerSecond)).rounded())
    self.init(ticks: Self.unixEpoch.ticks + Int64(whole) * Self.ticksPerSecond + fraction)
  }

  /// The same instant as a `Date`, read as UTC; about 100 ns are lost today.
  public var date: Date {
    let (seconds, fraction) = (ticks - Self.unixEpoch.ticks).quotientAndRemainder(dividingBy: Self.ticksPerSecond)
    return Date(timeIntervalSince1970: Double(seconds) + Double(fraction) / Double(Self.ticksPerSecond))
  }

  /// Earlier comes first.
  public static func < (a: EdmDateTime, b: EdmDateTime) -> Bool { a.ticks < b.ticks }
}
