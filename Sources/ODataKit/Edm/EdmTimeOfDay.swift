/// A time of day in ticks of 100 ns since midnight.
public struct EdmTimeOfDay: Sendable, Hashable {
  /// Ticks since midnight, below one day.
  public let ticks: Int64
}
