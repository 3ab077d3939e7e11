import CurlTransport

/// Counts the answers to change sets in a trace that comes in pieces.
final class AcknowledgementCounter: Sendable {
  private struct State {
    var tail: [UInt8] = []
    var count = 0
    var awaited: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// Who waits, if that many were seen; to be resumed outside of the lock.
    mutating func takeReached() -> CheckedContinuation<Void, Never>? {
      guard let awaited, count >= awaited.count else { return nil }
      self.awaited = nil
      return awaited.continuation
    }
  }

  private static let mark = Array("\nHTTP/1.1 202\n".utf8)
  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }

  func take(_ bytes: [UInt8]) {
    let waiting = state.withLock { state in
      state.tail += bytes
      var start = 0
      while start + Self.mark.count <= state.tail.count {
        if state.tail[start...].starts(with: Self.mark) { state.count += 1 }
        start += 1
      }
      state.tail.removeFirst(start)
      return state.takeReached()
    }
    waiting?.resume()
  }

  /// Returns once that many were seen.
  func reached(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let waiting = state.withLock { state in
        state.awaited = (count, continuation)
        return state.takeReached()
      }
      waiting?.resume()
    }
  }
}
