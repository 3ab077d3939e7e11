/// A day of the proleptic Gregorian calendar.
public struct EdmDate: Sendable, Hashable {
  /// Days since 0001-01-01.
  public let days: Int32
}
