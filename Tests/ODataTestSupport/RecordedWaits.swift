internal import CurlTransport
package import ODataKit

/// Waits that are over at once and kept in a list.
package final class RecordedWaits: Sendable {
  private let waits = Locked<[Duration]>([])

  package init() {}

  /// Every wait in order.
  package var all: [Duration] { waits.withLock { $0 } }

  /// A policy whose delays are waited for here, and whose chance always falls on the shortest.
  package var policy: RetryPolicy {
    var policy = RetryPolicy()
    policy.wait = { [self] delay in waits.withLock { $0.append(delay) } }
    policy.random = { 0 }
    return policy
  }
}
