/// Takes the bytes of a request body while it is sent.
package final class RequestBodyWriter: Sendable {
  typealias Writer = CheckedContinuation<Void, any Error>

  let state: Locked<UploadState<Writer>>
  private let task = Locked<Task<Void, Never>?>(nil)
  private let resume: @Sendable () -> Void

  init(length: Int64?, watermarks: (high: Int, low: Int), resume: @escaping @Sendable () -> Void) {
    state = Locked(UploadState(length: length, highWatermark: watermarks.high, lowWatermark: watermarks.low))
    self.resume = resume
  }

  /// Hands over bytes, and returns when there is room for more.
  ///
  /// Throws `CancellationError` once the transfer is over; the writing is then to end.
  package func write(_ bytes: [UInt8]) async throws {
    try perform(state.withLock { $0.write(bytes) })
    try await withCheckedThrowingContinuation { (writer: Writer) in
      switch state.withLock({ $0.awaitRoom(writer) }) {
      case .wait: break
      case .go(let writer): writer.resume()
      case .closed(let writer): writer.resume(throwing: CancellationError())
      }
    }
  }

  /// The most bytes that ever waited to be sent.
  package var peakBufferedBytes: Int { state.withLock { $0.peakBuffered } }

  private func perform(_ action: UploadState<Writer>.WriteAction) throws {
    switch action {
    case .taken(let resumes): if resumes { resume() }
    case .mismatch(let error): throw error
    case .closed: throw CancellationError()
    }
  }

  /// Runs `write` on a task of its own; `fail` gets the error of a body that could not be completed.
  func start(
    _ write: @escaping @Sendable (RequestBodyWriter) async throws -> Void,
    fail: @escaping @Sendable (any Error) -> Void
  ) {
    let running = Task { @concurrent in
      do {
        try await write(self)
        try perform(state.withLock { $0.end() })
      } catch {
        fail(error)
      }
    }
    task.withLock { $0 = running }
  }

  /// The transfer is over: wakes the writer and cancels its task.
  func close() {
    state.withLock { $0.close() }?.resume(throwing: CancellationError())
    task.withLock { $0.take() }?.cancel()
  }
}
