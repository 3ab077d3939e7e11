internal import CurlTransport

/// The format of one request, once ``PayloadFormat/automatic`` is decided.
package enum WireFormat: String, Sendable, Hashable {
  case atom
  case json

  package var other: WireFormat { self == .atom ? .json : .atom }
}

/// The format a service is spoken to in: what was asked for, and what was learned from the service since.
///
/// A 415 changes nothing on the server, so with ``PayloadFormat/automatic`` it is answered by the other format, once
/// for the life of the service value and all its copies.
package final class FormatNegotiation: Sendable {
  private let state: Locked<State>

  private struct State {
    var current: WireFormat
    var mayChange: Bool
  }

  package init(_ initial: WireFormat, mayChange: Bool) {
    state = Locked(State(current: initial, mayChange: mayChange))
  }

  package var current: WireFormat { state.withLock { $0.current } }

  /// Whether a request that was refused in `format` should be sent again in ``current``, which may have changed now.
  package func shouldRetry(after error: ODataError, in format: WireFormat) -> Bool {
    guard error.httpStatus == 415 else { return false }
    let refusals: Set = ["AtomFormatNotSupported", "JsonFormatNotSupported", "MediaTypeNotSupported"]
    guard error.serviceCode.map(refusals.contains) ?? false else { return false }
    return state.withLock { state in
      // Another request may have switched meanwhile; then this one only follows.
      if state.current != format { return true }
      guard state.mayChange else { return false }
      state.mayChange = false
      state.current = format.other
      return true
    }
  }
}
