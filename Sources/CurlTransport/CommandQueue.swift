internal import CCurl

/// What the curl thread is told to do.
enum Command: Sendable {
  case start(Transfer)
  /// The reader has made room.
  case resumeReceiving(id: Int)
  /// The writer has given bytes.
  case resumeSending(id: Int)
  /// The transfer has ended on this side.
  case drop(id: Int)
}

/// The way to the curl thread, which is woken for every command.
///
/// `@unchecked Sendable` because the multi handle never changes, every thread but the curl thread only calls
/// `curl_multi_wakeup`, which may be called from any, and does so under the lock, before the queue is closed. The curl
/// thread frees the handle only after that.
@safe final class CommandQueue: @unchecked Sendable {
  private struct State {
    var commands: [Command] = []
    var isClosed = false
  }

  private let state = Locked(State())
  /// For the curl thread alone.
  let multi: OpaquePointer

  init() throws(CurlError) {
    guard let multi = unsafe curl_multi_init() else {
      throw CurlError(.unavailable, "libcurl could not start")
    }
    unsafe self.multi = multi
  }

  /// Queues a command; `false` after the queue was closed.
  @discardableResult
  func send(_ command: Command) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.commands.append(command)
      unsafe curl_multi_wakeup(multi)
      return true
    }
  }

  /// Tells the thread to end. No command is taken from now on.
  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      unsafe curl_multi_wakeup(multi)
    }
  }

  /// What was queued since the last call, and whether the thread is to end.
  func drain() -> (commands: [Command], isClosed: Bool) {
    state.withLock { state in
      let commands = state.commands
      state.commands.removeAll(keepingCapacity: true)
      return (commands, state.isClosed)
    }
  }
}
