/// What happens to a request body between the task that writes it and the curl thread, which sends it; a pure state
/// machine like ``TransferState``.
struct UploadState<Writer: Sendable>: Sendable {
  private enum Stage {
    case open
    /// All is written.
    case ended
    /// The transfer is over, or the body went wrong; nobody takes or gives bytes any more.
    case closed
  }

  private var stage = Stage.open
  private var buffer = ChunkQueue()
  private var writer: Writer?
  private var written: Int64 = 0
  private let length: Int64?
  private let highWatermark: Int
  private let lowWatermark: Int
  /// Whether libcurl asked for bytes when there were none, and waits to be resumed.
  private(set) var isStarved = false
  /// The most bytes that ever waited for libcurl.
  private(set) var peakBuffered = 0

  init(length: Int64?, highWatermark: Int, lowWatermark: Int) {
    self.length = length
    self.highWatermark = highWatermark
    self.lowWatermark = lowWatermark
  }

  // MARK: The writing task

  enum WriteAction: Sendable, Equatable {
    /// Taken; with `resumes` libcurl is to go on.
    case taken(resumes: Bool)
    /// The body is longer or shorter than was promised; nothing was taken.
    case mismatch(CurlError)
    case closed
  }

  mutating func write(_ bytes: [UInt8]) -> WriteAction {
    guard stage == .open else { return .closed }
    written += Int64(bytes.count)
    if let length, written > length {
      return .mismatch(
        CurlError(
          .invalidRequest, "the request body is longer than its length of \(length) bytes", exposure: .unknown
        ))
    }
    guard !bytes.isEmpty else { return .taken(resumes: false) }
    buffer.append(bytes)
    peakBuffered = max(peakBuffered, buffer.count)
    return .taken(resumes: isStarved.take())
  }

  mutating func end() -> WriteAction {
    guard stage == .open else { return .closed }
    if let length, written < length {
      return .mismatch(
        CurlError(
          .invalidRequest, "the request body ended after \(written) of \(length) bytes", exposure: .unknown))
    }
    stage = .ended
    return .taken(resumes: isStarved.take())
  }

  enum RoomAction: Sendable {
    /// The writer is kept and will be woken.
    case wait
    case go(Writer)
    case closed(Writer)
  }

  /// The task waits until there is room for more.
  mutating func awaitRoom(_ writer: Writer) -> RoomAction {
    guard stage == .open else { return .closed(writer) }
    guard buffer.count >= highWatermark else { return .go(writer) }
    self.writer = writer
    return .wait
  }

  // MARK: The curl thread

  enum ReadAction: Sendable {
    /// So many bytes were copied; none means the body is at its end. A writer that waits for room may go on.
    case copied(Int, Writer?)
    /// Nothing is there yet; libcurl is to wait until it is resumed.
    case pause
    case abort
  }

  mutating func read(into target: UnsafeMutableRawBufferPointer) -> ReadAction {
    guard stage != .closed else { return .abort }
    let copied = unsafe buffer.read(into: target)
    if copied == 0, stage == .open {
      isStarved = true
      return .pause
    }
    return .copied(copied, buffer.count <= lowWatermark ? writer.take() : nil)
  }

  /// The transfer is over. Returns the writer that waits in vain.
  mutating func close() -> Writer? {
    stage = .closed
    buffer.removeAll()
    return writer.take()
  }
}

extension Bool {
  /// The value, which is `false` from then on.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
