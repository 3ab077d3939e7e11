/// When to look at which transfer next. Pure: the time is always given.
struct Deadlines {
  typealias Instant = ContinuousClock.Instant

  private var instants: [Int: Instant] = [:]
  /// Never later than the first of them. It may be earlier, since removing does not search for the next one; then one
  /// look is in vain.
  private var earliest: Instant?

  mutating func set(_ id: Int, at instant: Instant) {
    instants[id] = instant
    earliest = earliest.map { min($0, instant) } ?? instant
  }

  mutating func remove(_ id: Int) { instants[id] = nil }

  /// Those that are due, which are removed.
  mutating func popDue(at now: Instant) -> [Int] {
    guard let earliest, earliest <= now else { return [] }
    let due = instants.filter { $0.value <= now }.map(\.key)
    for id in due { instants[id] = nil }
    self.earliest = instants.values.min()
    return due
  }

  /// How many milliseconds may be slept, rounded up, and no more than `limit`.
  func wait(from now: Instant, limit: Int32) -> Int32 {
    guard let earliest else { return limit }
    let left = now.duration(to: earliest)
    guard left > .zero else { return 0 }
    guard left < .milliseconds(Int(limit)) else { return limit }
    return Int32((left / .nanoseconds(1) / 1_000_000).rounded(.up))
  }
}
