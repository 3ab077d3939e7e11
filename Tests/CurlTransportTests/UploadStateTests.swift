import Testing

@testable import CurlTransport

@Suite struct UploadStateTests {
  private func state(length: Int64? = nil) -> UploadState<Int> {
    UploadState(length: length, highWatermark: 4, lowWatermark: 1)
  }

  /// Reads up to `count` bytes as libcurl would.
  private func read(_ state: inout UploadState<Int>, _ count: Int) -> String {
    var buffer = [UInt8](repeating: 0, count: count)
    let action = buffer.withUnsafeMutableBytes { state.read(into: $0) }
    return switch action {
    case .copied(let count, let writer): "\(buffer[..<count])" + (writer.map { ", wakes \($0)" } ?? "")
    case .pause: "pause"
    case .abort: "abort"
    }
  }

  private func room(_ state: inout UploadState<Int>, _ writer: Int) -> String {
    switch state.awaitRoom(writer) {
    case .wait: "wait"
    case .go: "go"
    case .closed: "closed"
    }
  }

  @Test func bytesGoThroughInOrder() {
    var state = state()
    #expect(state.write([1, 2]) == .taken(resumes: false))
    #expect(state.write([3]) == .taken(resumes: false))
    #expect(read(&state, 2) == "[1, 2]")
    #expect(read(&state, 2) == "[3]")
    #expect(state.end() == .taken(resumes: false))
    #expect(read(&state, 2) == "[]")
  }

  @Test func writerWaitsAboveTheHighMarkUntilTheLow() {
    var state = state()
    _ = state.write([1, 2, 3])
    #expect(room(&state, 7) == "go")
    _ = state.write([4, 5])
    #expect(room(&state, 8) == "wait")
    #expect(read(&state, 3) == "[1, 2, 3]")
    #expect(read(&state, 1) == "[4], wakes 8")
    #expect(read(&state, 1) == "[5]")
    #expect(state.peakBuffered == 5)
  }

  @Test func starvedReaderIsResumedByBytesAndByTheEnd() {
    var state = state()
    #expect(read(&state, 8) == "pause")
    #expect(state.write([]) == .taken(resumes: false))
    #expect(state.write([1]) == .taken(resumes: true))
    #expect(state.write([2]) == .taken(resumes: false))
    #expect(read(&state, 8) == "[1, 2]")
    #expect(read(&state, 8) == "pause")
    #expect(state.end() == .taken(resumes: true))
    #expect(read(&state, 8) == "[]")
  }

  @Test func bodyLongerThanPromised() {
    var state = state(length: 3)
    _ = state.write([1, 2])
    guard case .mismatch(let error) = state.write([3, 4]) else {
      Issue.record("The bytes were taken.")
      return
    }
    #expect(error.detail == "the request body is longer than its length of 3 bytes")
    #expect(read(&state, 8) == "[1, 2]")
  }

  @Test func bodyShorterThanPromised() {
    var state = state(length: 3)
    _ = state.write([1, 2])
    guard case .mismatch(let error) = state.end() else {
      Issue.record("The end was taken.")
      return
    }
    #expect(error.detail == "the request body ended after 2 of 3 bytes")
  }

  @Test func closingWakesTheWriterAndStopsBothSides() {
    var state = state()
    _ = state.write([1, 2, 3, 4])
    #expect(room(&state, 7) == "wait")
    #expect(state.close() == 7)
    #expect(state.close() == nil)
    #expect(state.write([5]) == .closed)
    #expect(state.end() == .closed)
    #expect(room(&state, 8) == "closed")
    #expect(read(&state, 8) == "abort")
  }
}
