/// A length of time in ticks of 100 ns, signed.
public struct EdmDuration: Sendable, Hashable {
  /// Ticks of 100 ns.
  public let ticks: Int64
}
