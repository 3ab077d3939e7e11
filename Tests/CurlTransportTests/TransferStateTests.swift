import Testing

@testable import CurlTransport

/// The life of a response, event by event, with numbers for the waiters.
@Suite struct TransferStateTests {
  private typealias State = TransferState<Int, Int>
  private struct Reason: Error, Equatable { var name = "" }

  private func running(high: Int = 10, low: Int = 4, discard: Int = 8) -> State {
    var state = State(State.Watermarks(high: high, low: low, discard: discard))
    _ = state.awaitHead(1)
    _ = state.start()
    return state
  }

  @Test func wholeLife() {
    var state = State(.init(high: 10, low: 4, discard: 8))
    #expect(describe(state.awaitHead(1)) == "wait")
    #expect(state.start() == true)
    #expect(state.receiveHead() == 1)
    #expect(describe(state.receive([1, 2])) == "taken")
    #expect(describe(state.awaitBody(2)) == "2 gets [1, 2]")
    #expect(describe(state.awaitBody(3)) == "wait")
    #expect(describe(state.receive([3])) == "3 gets [3]")
    #expect(describe(state.awaitBody(4)) == "wait")
    #expect(describe(state.finish(nil)) == "body 4 ends")
    #expect(describe(state.awaitBody(5)) == "5 is at the end")
    #expect(state.hasEnded)
  }

  @Test func pausesAtTheHighMarkAndResumesAtTheLow() {
    var state = running()
    _ = state.receiveHead()
    let piece = [UInt8](repeating: 0, count: 6)
    #expect(describe(state.receive(piece)) == "taken")
    // Below the mark the whole piece is taken, so the buffer may exceed the mark by one piece.
    #expect(describe(state.receive(piece)) == "taken")
    #expect(describe(state.receive(piece)) == "pause")
    #expect(state.isPaused)
    #expect(state.peakBuffered == 12)
    #expect(describe(state.awaitBody(2)) == "2 gets 12 bytes, resumes")
    #expect(!state.isPaused)
    #expect(state.pauseCount == 1)
    // libcurl gives the refused piece again.
    #expect(describe(state.receive(piece)) == "taken")
  }

  @Test func staysPausedAboveTheLowMark() {
    let piece = [UInt8](repeating: 0, count: ChunkQueue.pieceSize)
    var state = running(high: 2 * piece.count, low: piece.count - 1)
    _ = state.receiveHead()
    for _ in 1...2 { #expect(describe(state.receive(piece)) == "taken") }
    #expect(describe(state.receive([1])) == "pause")
    #expect(describe(state.awaitBody(2)) == "2 gets 65536 bytes")
    #expect(state.isPaused)
    #expect(describe(state.awaitBody(3)) == "3 gets 65536 bytes, resumes")
  }

  @Test func cancelledBeforeAnyoneWaits() {
    var state = State(.init(high: 10, low: 4, discard: 8))
    #expect(describe(state.cancel(Reason(name: "gone"))) == "nothing")
    #expect(describe(state.awaitHead(1)) == "1 fails with gone")
    #expect(state.start() == false)
  }

  @Test func cancelledBeforeStart() {
    var state = State(.init(high: 10, low: 4, discard: 8))
    _ = state.awaitHead(1)
    // libcurl does not know it yet, so there is nothing to stop.
    #expect(describe(state.cancel(Reason(name: "gone"))) == "head 1 fails with gone")
    #expect(state.start() == false)
    #expect(describe(state.finish(nil)) == "nothing")
  }

  @Test func cancelledWhileWaitingForTheHead() {
    var state = running()
    #expect(describe(state.cancel(Reason(name: "gone"))) == "head 1 fails with gone, stops")
    #expect(state.receiveHead() == nil)
    #expect(describe(state.receive([1])) == "refuse")
    #expect(describe(state.finish(Reason(name: "late"))) == "nothing")
    #expect(describe(state.cancel(Reason(name: "again"))) == "nothing")
  }

  @Test func cancelledWhileReading() {
    var state = running()
    _ = state.receiveHead()
    _ = state.awaitBody(2)
    #expect(describe(state.cancel(Reason(name: "gone"))) == "body 2 fails with gone, stops")
    #expect(describe(state.awaitBody(3)) == "3 fails with gone")
  }

  @Test func cancelDropsWhatWasNotRead() {
    var state = running()
    _ = state.receiveHead()
    _ = state.receive([1, 2, 3])
    #expect(describe(state.cancel(Reason(name: "gone"))) == "stops")
    #expect(describe(state.awaitBody(2)) == "2 fails with gone")
  }

  @Test func finishedBeforeCancel() {
    var state = running()
    _ = state.receiveHead()
    _ = state.receive([1, 2, 3])
    #expect(describe(state.finish(nil)) == "nothing")
    #expect(describe(state.cancel(Reason(name: "late"))) == "nothing")
    #expect(describe(state.awaitBody(2)) == "2 gets [1, 2, 3]")
    #expect(describe(state.awaitBody(3)) == "3 is at the end")
  }

  @Test func failureComesAfterTheBytesBeforeIt() {
    var state = running()
    _ = state.receiveHead()
    _ = state.receive([1, 2])
    #expect(describe(state.finish(Reason(name: "cut"))) == "nothing")
    #expect(describe(state.awaitBody(2)) == "2 gets [1, 2]")
    #expect(describe(state.awaitBody(3)) == "3 fails with cut")
    #expect(describe(state.awaitBody(4)) == "4 fails with cut")
  }

  @Test func failureBeforeTheHead() {
    var state = running()
    #expect(describe(state.finish(Reason(name: "refused"))) == "head 1 fails with refused")
  }

  @Test func successWithoutHeadIsAFailure() {
    var state = running()
    let ending = state.finish(nil)
    #expect(ending.headWaiter == 1)
    #expect((ending.error as? CurlError)?.kind == .truncatedResponse)
    #expect((ending.error as? CurlError)?.exposure == .unknown)
  }

  @Test func abandonedBodyIsDroppedUpToALimit() {
    var state = running()
    _ = state.receiveHead()
    _ = state.receive([1, 2, 3])
    #expect(state.abandon() == false)
    #expect(describe(state.receive([4, 5, 6, 7])) == "taken")
    #expect(describe(state.receive([8, 9, 10, 11])) == "taken")
    #expect(describe(state.receive([12])) == "refuse")
    #expect(state.peakBuffered == 3)
  }

  @Test func abandoningAPausedBodyResumesIt() {
    var state = running(high: 1)
    _ = state.receiveHead()
    _ = state.receive([1])
    _ = state.receive([2])
    #expect(state.abandon() == true)
    #expect(state.abandon() == false)
    #expect(describe(state.cancel(Reason(name: "shut down"))) == "stops")
  }

  @Test func abandoningAFinishedBodyDoesNothing() {
    var state = running()
    _ = state.receiveHead()
    _ = state.finish(nil)
    #expect(state.abandon() == false)
  }

  @Test func secondReaderAtTheSameTimeIsRefused() {
    var state = running()
    _ = state.receiveHead()
    _ = state.awaitBody(2)
    guard case .fail(3, let error as CurlError) = state.awaitBody(3) else {
      Issue.record("The second reader was not refused.")
      return
    }
    #expect(error.kind == .invalidRequest)
    #expect(describe(state.receive([1])) == "2 gets [1]")
  }

  // MARK: Actions as text

  private func describe(_ error: any Error) -> String { (error as? Reason)?.name ?? "\(error)" }

  private func describe(_ action: State.HeadAction) -> String {
    switch action {
    case .wait: "wait"
    case .fail(let waiter, let error): "\(waiter) fails with \(describe(error))"
    }
  }

  private func describe(_ bytes: [UInt8]) -> String { bytes.count < 8 ? "\(bytes)" : "\(bytes.count) bytes" }

  private func describe(_ action: State.BodyAction) -> String {
    switch action {
    case .wait: "wait"
    case .chunk(let waiter, let bytes, let resumes):
      "\(waiter) gets \(describe(bytes))" + (resumes ? ", resumes" : "")
    case .end(let waiter): "\(waiter) is at the end"
    case .fail(let waiter, let error): "\(waiter) fails with \(describe(error))"
    }
  }

  private func describe(_ receipt: State.Receipt) -> String {
    switch receipt {
    case .taken: "taken"
    case .delivered(let waiter, let bytes): "\(waiter) gets \(describe(bytes))"
    case .pause: "pause"
    case .refuse: "refuse"
    }
  }

  private func describe(_ ending: State.Ending) -> String {
    let outcome = ending.error.map { "fails with \(describe($0))" } ?? "ends"
    let parts = [
      ending.headWaiter.map { "head \($0) \(outcome)" }, ending.bodyWaiter.map { "body \($0) \(outcome)" },
      ending.stopsTransfer ? "stops" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
