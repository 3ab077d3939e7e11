/// One exchange, shared by the task that waits for it and the curl thread that carries it out.
final class Transfer: Sendable {
  typealias HeadWaiter = CheckedContinuation<ResponseHead, any Error>
  typealias BodyWaiter = CheckedContinuation<[UInt8]?, any Error>
  typealias State = TransferState<HeadWaiter, BodyWaiter>

  let id: Int
  let request: CurlRequest
  let origin: Origin
  /// The header as libcurl takes it.
  let headerLines: [String]
  let deadline: ContinuousClock.Instant?
  let upload: RequestBodyWriter?
  let state: Locked<State>
  private let commands: CommandQueue

  init(
    id: Int, request: CurlRequest, watermarks: State.Watermarks, commands: CommandQueue
  ) throws(CurlError) {
    guard let origin = Origin(url: request.url) else {
      throw CurlError(.invalidRequest, "the URL is not an absolute http or https URL in printable ASCII")
    }
    self.id = id
    self.request = request
    self.origin = origin
    headerLines = try request.headerLines()
    deadline = request.timeout.map { .now + min($0, CurlOptions.longest) }
    state = Locked(State(watermarks))
    self.commands = commands
    if case .stream(let length, _) = request.body {
      upload = RequestBodyWriter(length: length, watermarks: (watermarks.high, watermarks.low)) {
        commands.send(.resumeSending(id: id))
      }
    } else {
      upload = nil
    }
  }

  /// Starts it and waits for the head of the response; once.
  func head() async throws -> ResponseHead {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: HeadWaiter) in
        switch state.withLock({ $0.awaitHead(waiter) }) {
        case .fail(let waiter, let error): waiter.resume(throwing: error)
        case .wait:
          guard commands.send(.start(self)) else {
            return cancel(CurlError(.shutDown, "the transport was shut down"))
          }
          if let upload, case .stream(_, let write) = request.body {
            upload.start(write) { self.cancel($0) }
            // The transfer may have ended before the task was known to the writer.
            if state.withLock({ $0.hasEnded }) { upload.close() }
          }
        }
      }
    } onCancel: {
      cancel(CancellationError())
    }
  }

  /// The next piece of the body, `nil` at its end.
  func nextChunk() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return try await withCheckedThrowingContinuation { (waiter: BodyWaiter) in
        switch state.withLock({ $0.awaitBody(waiter) }) {
        case .wait: break
        case .chunk(let waiter, let chunk, let resumes):
          if resumes { commands.send(.resumeReceiving(id: id)) }
          waiter.resume(returning: chunk)
        case .end(let waiter): waiter.resume(returning: nil)
        case .fail(let waiter, let error): waiter.resume(throwing: error)
        }
      }
    } onCancel: {
      cancel(CancellationError())
    }
  }

  /// Ends it for a reason of this side; nothing happens if it has ended.
  func cancel(_ reason: any Error) {
    end(state.withLock { $0.cancel(reason) })
  }

  /// Nobody will read the body.
  func abandon() {
    if state.withLock({ $0.abandon() }) { commands.send(.resumeReceiving(id: id)) }
  }

  /// libcurl is done with it.
  func finish(_ error: (any Error)?) {
    end(state.withLock { $0.finish(error) })
  }

  private func end(_ ending: State.Ending) {
    upload?.close()
    if ending.stopsTransfer { commands.send(.drop(id: id)) }
    if let error = ending.error {
      ending.headWaiter?.resume(throwing: error)
      ending.bodyWaiter?.resume(throwing: error)
    } else {
      ending.bodyWaiter?.resume(returning: nil)
    }
  }
}
