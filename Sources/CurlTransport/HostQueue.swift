/// Which transfers may run: at most `limit` for each origin at a time, the others in the order they came.
///
/// libcurl has a limit of its own, but its connect timeout also runs while a transfer waits for its turn, so that a
/// long queue would look like an unreachable host.
struct HostQueue<Element> {
  private struct Lane {
    var running = 0
    var waiting: [Element] = []
    var first = 0

    mutating func popFirst() -> Element? {
      guard first < waiting.count else { return nil }
      let element = waiting[first]
      first += 1
      if first == waiting.count || first == 256 {
        waiting.removeFirst(first)
        first = 0
      }
      return element
    }
  }

  private var lanes: [String: Lane] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// Whether the element may run now; otherwise it is kept until ``next(for:)`` gives it.
  mutating func admit(_ element: Element, to origin: String) -> Bool {
    var lane = lanes.removeValue(forKey: origin) ?? Lane()
    defer { lanes[origin] = lane }
    guard lane.running < limit else {
      lane.waiting.append(element)
      return false
    }
    lane.running += 1
    return true
  }

  /// One that ran is done; returns the one that takes its place.
  mutating func next(for origin: String) -> Element? {
    guard var lane = lanes.removeValue(forKey: origin) else { return nil }
    if let element = lane.popFirst() {
      lanes[origin] = lane
      return element
    }
    lane.running -= 1
    if lane.running > 0 { lanes[origin] = lane }
    return nil
  }

  /// Everything that waits, which is forgotten.
  mutating func removeAll() -> [Element] {
    defer { lanes = [:] }
    return lanes.values.flatMap { $0.waiting[$0.first...] }
  }
}
