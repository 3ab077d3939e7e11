#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// HTTP over one libcurl thread.
///
/// Any number of requests may run at a time. The thread ends when the last reference to the engine goes, which the
/// bodies of responses hold as well.
package final class CurlEngine: Sendable {
  private let commands: CommandQueue
  private let options: CurlOptions
  private let lastID = Locked(0)
  private let thread: ThreadReference

  /// Starts the thread.
  package init(_ options: CurlOptions = CurlOptions()) throws(CurlError) {
    if let missing = CurlRuntime.missing { throw missing }
    self.options = options
    commands = try CommandQueue()
    thread = try ThreadReference(running: CurlThread(commands: commands, options: options))
  }

  deinit {
    commands.close()
    // A user's closure may hold the last reference and let go of it on the curl thread itself.
    thread.joinUnlessCurrent()
  }

  /// Sends a request and returns when the head of the response is there.
  ///
  /// Throws `CurlError`, the error of a body's writer, or `CancellationError` when the task is cancelled.
  package func send(_ request: CurlRequest) async throws -> CurlResponse {
    let id = lastID.withLock { last in
      last += 1
      return last
    }
    let marks = Transfer.State.Watermarks(
      high: options.highWatermark, low: options.lowWatermark, discard: options.discardLimit)
    let transfer = try Transfer(id: id, request: request, watermarks: marks, commands: commands)
    let head = try await transfer.head()
    return CurlResponse(head: head, body: CurlResponseBody(transfer, engine: self))
  }
}

/// A response whose body is still arriving.
package struct CurlResponse: Sendable {
  package var head: ResponseHead
  package var body: CurlResponseBody
}

/// The body of a response. When it is released unread, a small rest is received so that the connection can be kept,
/// and a larger one cut.
package final class CurlResponseBody: Sendable {
  private let transfer: Transfer
  /// Keeps the thread running as long as someone reads.
  private let engine: CurlEngine

  init(_ transfer: Transfer, engine: CurlEngine) {
    self.transfer = transfer
    self.engine = engine
  }

  deinit { transfer.abandon() }

  /// The next bytes, never empty; `nil` at the end. A body that ends early throws.
  package func next() async throws -> [UInt8]? { try await transfer.nextChunk() }

  /// How often libcurl had to wait for the reader.
  package var pauseCount: Int { transfer.state.withLock { $0.pauseCount } }
  /// The most bytes that ever waited for the reader.
  package var peakBufferedBytes: Int { transfer.state.withLock { $0.peakBuffered } }
}

/// The thread, joined or detached exactly once.
private struct ThreadReference: Sendable {
  #if canImport(Darwin)
    // Because a thread's id, a pointer here, may be used from any thread and is never changed.
    private nonisolated(unsafe) let id: pthread_t
  #else
    private let id: pthread_t
  #endif

  init(running loop: CurlThread) throws(CurlError) {
    let context = unsafe Unmanaged.passRetained(loop)
    #if canImport(Darwin)
      var created: pthread_t?
    #else
      var created = pthread_t()
    #endif
    let code = unsafe pthread_create(&created, nil, runLoop, context.toOpaque())
    #if canImport(Darwin)
      let id = code == 0 ? created : nil
    #else
      let id = code == 0 ? created : pthread_t?.none
    #endif
    guard let id else {
      unsafe context.release()
      throw CurlError(.unavailable, "no thread could be started")
    }
    self.id = id
  }

  func joinUnlessCurrent() {
    if pthread_equal(pthread_self(), id) != 0 {
      pthread_detach(id)
    } else {
      pthread_join(id, nil)
    }
  }
}

#if canImport(Darwin)
  private let runLoop: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
    unsafe Unmanaged<CurlThread>.fromOpaque(context).takeRetainedValue().runBlockingBrokenPipes()
    return nil
  }
#else
  private let runLoop: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    if let context = unsafe context {
      unsafe Unmanaged<CurlThread>.fromOpaque(context).takeRetainedValue().runBlockingBrokenPipes()
    }
    return nil
  }
#endif

extension CurlThread {
  /// Runs with SIGPIPE blocked: with `CURLOPT_NOSIGNAL` libcurl leaves it alone, and a write to a closed connection
  /// would end the program.
  fileprivate func runBlockingBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    run()
  }
}
