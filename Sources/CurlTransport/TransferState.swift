/// What happens to one response between the curl thread, which fills it, and the task that reads it.
///
/// A pure state machine: nothing here waits, calls back or touches libcurl. Each event returns what is to be done, and
/// the caller does it after it has left the lock.
struct TransferState<HeadWaiter: Sendable, BodyWaiter: Sendable>: Sendable {
  struct Watermarks: Sendable, Hashable {
    /// With this many bytes waiting for the reader, libcurl is paused.
    var high: Int
    /// Once no more than this many are left, it goes on.
    var low: Int
    /// How much of an unread body is still taken in, so that the connection can be kept, before it is cut.
    var discard: Int
  }

  enum Stage: Sendable {
    /// The curl thread has not begun it.
    case created
    /// Ended before the curl thread began it; it never will.
    case cancelledBeforeStart(any Error)
    case running
    /// The reader has gone; the rest of the body is dropped as it comes.
    case discarding
    /// The response is complete, though maybe not read.
    case finished
    /// It ended early; what had arrived is read first, unless it was cancelled.
    case failed(any Error)
  }

  private(set) var stage = Stage.created
  private var headWaiter: HeadWaiter?
  private var bodyWaiter: BodyWaiter?
  private var buffer = ChunkQueue()
  private var discarded = 0
  private let marks: Watermarks
  private(set) var isPaused = false
  /// How often libcurl was paused, and the most bytes that ever waited for the reader.
  private(set) var pauseCount = 0
  private(set) var peakBuffered = 0
  private var hasHead = false

  init(_ marks: Watermarks) { self.marks = marks }

  /// Whether libcurl has nothing to do with it any more.
  var hasEnded: Bool {
    switch stage {
    case .created, .running, .discarding: false
    case .cancelledBeforeStart, .finished, .failed: true
    }
  }

  // MARK: The reading task

  enum HeadAction: Sendable {
    /// The waiter is kept and will be woken.
    case wait
    case fail(HeadWaiter, any Error)
  }

  /// The task begins to wait for the head; once for each transfer, before it is started.
  mutating func awaitHead(_ waiter: HeadWaiter) -> HeadAction {
    switch stage {
    case .created:
      headWaiter = waiter
      return .wait
    case .cancelledBeforeStart(let reason), .failed(let reason): return .fail(waiter, reason)
    case .running, .discarding, .finished:
      preconditionFailure("A transfer was started before anyone waited for it.")
    }
  }

  enum BodyAction: Sendable {
    case wait
    /// A piece of the body; with `resumes` libcurl is to go on.
    case chunk(BodyWaiter, [UInt8], resumes: Bool)
    case end(BodyWaiter)
    case fail(BodyWaiter, any Error)
  }

  /// The task asks for the next piece of the body.
  mutating func awaitBody(_ waiter: BodyWaiter) -> BodyAction {
    guard bodyWaiter == nil else {
      return .fail(
        waiter, CurlError(.invalidRequest, "two tasks read the same response body at the same time"))
    }
    if let chunk = buffer.popFirst() {
      let resumes = isPaused && buffer.count <= marks.low
      if resumes { isPaused = false }
      return .chunk(waiter, chunk, resumes: resumes)
    }
    switch stage {
    case .created, .running:
      bodyWaiter = waiter
      return .wait
    case .discarding, .finished: return .end(waiter)
    case .cancelledBeforeStart(let reason), .failed(let reason): return .fail(waiter, reason)
    }
  }

  /// What ends when a transfer does.
  struct Ending: Sendable {
    var headWaiter: HeadWaiter?
    var bodyWaiter: BodyWaiter?
    /// What the waiters get: the error, or the end of the body.
    var error: (any Error)?
    /// Whether libcurl still works on it and must be told to stop.
    var stopsTransfer = false
  }

  /// The transfer is to end now. Nothing happens if it has ended before.
  mutating func cancel(_ reason: any Error) -> Ending {
    switch stage {
    case .created:
      stage = .cancelledBeforeStart(reason)
      return takeWaiters(reason)
    case .running, .discarding:
      stage = .failed(reason)
      buffer.removeAll()
      var ending = takeWaiters(reason)
      ending.stopsTransfer = true
      return ending
    case .cancelledBeforeStart, .finished, .failed: return Ending()
    }
  }

  /// Nobody will read the body any more. Returns whether libcurl is to go on.
  mutating func abandon() -> Bool {
    buffer.removeAll()
    guard case .running = stage else { return false }
    stage = .discarding
    defer { isPaused = false }
    return isPaused
  }

  // MARK: The curl thread

  /// libcurl is about to begin; `false` if it must not.
  mutating func start() -> Bool {
    guard case .created = stage else { return false }
    stage = .running
    return true
  }

  /// The head of the response is there; returns who waits for it.
  mutating func receiveHead() -> HeadWaiter? {
    guard case .running = stage else { return nil }
    hasHead = true
    return headWaiter.take()
  }

  enum Receipt: Sendable {
    case taken
    case delivered(BodyWaiter, [UInt8])
    /// Nothing was taken; libcurl keeps the bytes and gives them again when it is resumed.
    case pause
    /// The transfer has ended on this side.
    case refuse
  }

  /// Bytes of the body arrive. What is paused is decided before anything is copied.
  mutating func receive(_ bytes: some Collection<UInt8>) -> Receipt {
    switch stage {
    case .running:
      if let waiter = bodyWaiter.take() { return .delivered(waiter, Array(bytes)) }
      guard buffer.count < marks.high else {
        isPaused = true
        pauseCount += 1
        return .pause
      }
      buffer.append(bytes)
      peakBuffered = max(peakBuffered, buffer.count)
      return .taken
    case .discarding:
      discarded += bytes.count
      return discarded <= marks.discard ? .taken : .refuse
    case .created, .cancelledBeforeStart, .finished, .failed: return .refuse
    }
  }

  /// libcurl is done with it, well or not.
  mutating func finish(_ error: (any Error)?) -> Ending {
    switch stage {
    case .created, .running, .discarding:
      // A connection closed in the middle of the head counts as success in libcurl.
      let error =
        error
        ?? (hasHead
          ? nil
          : CurlError(
            .truncatedResponse, "the response ended before its header was complete", exposure: .unknown))
      stage = error.map { .failed($0) } ?? .finished
      return takeWaiters(error)
    case .cancelledBeforeStart, .finished, .failed: return Ending()
    }
  }

  private mutating func takeWaiters(_ error: (any Error)?) -> Ending {
    Ending(headWaiter: headWaiter.take(), bodyWaiter: bodyWaiter.take(), error: error)
  }
}
