internal import CCurl

/// The loop of the curl thread: everything libcurl does happens here.
///
/// perform → finished transfers → due transfers → commands (with any, from the start) → poll for at most one second.
/// Commands are read after perform and not before, since libcurl 8.21's perform can swallow a wake-up that is pending;
/// for the same reason poll never sleeps longer.
final class CurlThread {
  private let commands: CommandQueue
  private let options: CurlOptions
  private var active: [Int: ActiveTransfer] = [:]
  /// Those that have not begun, for their deadlines.
  private var waiting: [Int: Transfer] = [:]
  private var queue: HostQueue<Transfer>
  private var deadlines = Deadlines()
  private let clock = ContinuousClock()

  init(commands: CommandQueue, options: CurlOptions) {
    self.commands = commands
    self.options = options
    queue = HostQueue(limit: options.maxConnectionsPerHost)
  }

  private var multi: OpaquePointer { unsafe commands.multi }

  /// Runs until the queue is closed, then ends what is left and frees libcurl's handle.
  func run() {
    let shutDown = CurlError(.shutDown, "the transport was shut down")
    // Kept connections beyond this number are closed, the oldest first.
    unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(64, 2 * options.maxConnectionsPerHost))
    while true {
      var running: Int32 = 0
      if unsafe curl_multi_perform(multi, &running) != CURLM_OK {
        endAll(CurlError(.other, "libcurl failed"))
      }
      finishDone()
      endDue()
      let (commands, isClosed) = commands.drain()
      if isClosed {
        for case .start(let transfer) in commands { transfer.cancel(shutDown) }
        break
      }
      guard commands.isEmpty else {
        for command in commands { carryOut(command) }
        continue
      }
      let wait = deadlines.wait(from: clock.now, limit: 1000)
      if unsafe curl_multi_poll(multi, nil, 0, wait, nil) != CURLM_OK {
        endAll(CurlError(.other, "libcurl failed"))
      }
    }
    endAll(shutDown)
    unsafe curl_multi_cleanup(multi)
  }

  // MARK: Commands

  private func carryOut(_ command: Command) {
    switch command {
    case .start(let transfer):
      if let deadline = transfer.deadline { deadlines.set(transfer.id, at: deadline) }
      if queue.admit(transfer, to: transfer.origin.key) {
        begin(transfer)
      } else {
        waiting[transfer.id] = transfer
      }
    case .resumeReceiving(let id): resume(id) { $0.resume(receiving: true) }
    case .resumeSending(let id): resume(id) { $0.resume(sending: true) }
    case .drop(let id):
      if let transfer = active[id] { remove(transfer) }
    }
  }

  private func resume(_ id: Int, _ body: (ActiveTransfer) -> CURLcode) {
    guard let transfer = active[id] else { return }
    let code = body(transfer)
    // An error here is not reported as a finished transfer.
    if code != CURLE_OK { finish(transfer, transfer.error(for: code)) }
  }

  /// Starts a transfer that has its place, or gives the place to the next one.
  private func begin(_ first: Transfer) {
    var candidate: Transfer? = first
    while let transfer = candidate {
      waiting[transfer.id] = nil
      if transfer.state.withLock({ $0.start() }), add(transfer) { return }
      deadlines.remove(transfer.id)
      candidate = queue.next(for: transfer.origin.key)
    }
  }

  private func add(_ transfer: Transfer) -> Bool {
    let now = clock.now
    do throws(CurlError) {
      let new = try ActiveTransfer(transfer, options: options, now: now)
      guard unsafe curl_multi_add_handle(multi, new.handle) == CURLM_OK else {
        throw CurlError(.other, "libcurl does not take the transfer")
      }
      active[transfer.id] = new
      scheduleCheck(of: transfer, at: now)
      return true
    } catch {
      transfer.finish(error)
      return false
    }
  }

  // MARK: Ends

  private func finishDone() {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
        continue
      }
      var id: UnsafeMutableRawPointer?
      unsafe ccurl_get_pointer(easy, CURLINFO_PRIVATE, &id)
      let code = unsafe ccurl_message_result(message)
      guard let transfer = active[Int(bitPattern: id)] else { continue }
      finish(transfer, transfer.error(for: code))
    }
  }

  private func finish(_ transfer: ActiveTransfer, _ error: CurlError?) {
    transfer.transfer.finish(error)
    remove(transfer)
  }

  /// Takes the transfer from libcurl, and lets the next one of its origin begin.
  private func remove(_ transfer: ActiveTransfer) {
    let id = transfer.transfer.id
    transfer.prepareForRemoval()
    unsafe curl_multi_remove_handle(multi, transfer.handle)
    active[id] = nil
    deadlines.remove(id)
    if let next = queue.next(for: transfer.transfer.origin.key) { begin(next) }
  }

  private func endAll(_ error: CurlError) {
    for transfer in queue.removeAll() { transfer.cancel(error) }
    waiting = [:]
    for transfer in active.values {
      var error = error
      error.exposure = transfer.exposure
      finish(transfer, error)
    }
  }

  // MARK: Time

  /// A transfer is looked at when its deadline passes, and often enough to notice that the service is silent.
  private func scheduleCheck(of transfer: Transfer, at now: ContinuousClock.Instant) {
    let idleCheck = options.idleTimeout.map { now + min($0, CurlOptions.longest) / 4 }
    if let next = [transfer.deadline, idleCheck].compactMap({ $0 }).min() {
      deadlines.set(transfer.id, at: next)
    }
  }

  private func endDue() {
    let now = clock.now
    for id in deadlines.popDue(at: now) {
      if let transfer = waiting.removeValue(forKey: id) {
        transfer.cancel(
          CurlError(.timedOut, "the time limit passed while other requests to the host were running"))
      } else if let transfer = active[id] {
        check(transfer, at: now)
      }
    }
  }

  private func check(_ transfer: ActiveTransfer, at now: ContinuousClock.Instant) {
    if let deadline = transfer.transfer.deadline, deadline <= now {
      let error = CurlError(.timedOut, "the time limit of the request passed", exposure: transfer.exposure)
      return finish(transfer, error)
    }
    if let limit = options.idleTimeout, transfer.activity(at: now).duration(to: now) >= limit {
      let error = CurlError(.timedOut, "the service was silent for too long", exposure: transfer.exposure)
      return finish(transfer, error)
    }
    scheduleCheck(of: transfer.transfer, at: now)
  }
}
