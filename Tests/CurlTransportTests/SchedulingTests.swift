import Testing

@testable import CurlTransport

@Suite struct HostQueueTests {
  @Test func runsSoManyAndThenInOrder() {
    var queue = HostQueue<Int>(limit: 2)
    #expect([1, 2, 3, 4].map { queue.admit($0, to: "a") } == [true, true, false, false])
    #expect(queue.next(for: "a") == 3)
    #expect(queue.next(for: "a") == 4)
    #expect(queue.next(for: "a") == nil)
    #expect(queue.next(for: "a") == nil)
    #expect([5, 6, 7].map { queue.admit($0, to: "a") } == [true, true, false])
  }

  @Test func hostsDoNotHinderEachOther() {
    var queue = HostQueue<Int>(limit: 1)
    #expect(queue.admit(1, to: "a") == true)
    #expect(queue.admit(2, to: "b") == true)
    #expect(queue.admit(3, to: "b") == false)
    #expect(queue.next(for: "a") == nil)
    #expect(queue.next(for: "b") == 3)
  }

  @Test func longQueueKeepsItsOrder() {
    var queue = HostQueue<Int>(limit: 1)
    for number in 0..<1000 { _ = queue.admit(number, to: "a") }
    #expect((1..<1000).map { _ in queue.next(for: "a") } == Array(1..<1000))
    #expect(queue.next(for: "a") == nil)
  }

  @Test func emptyingGivesWhatWaits() {
    var queue = HostQueue<Int>(limit: 1)
    for number in 1...4 { _ = queue.admit(number, to: "a") }
    #expect(queue.next(for: "a") == 2)
    #expect(queue.removeAll() == [3, 4])
    #expect(queue.next(for: "a") == nil)
  }
}

@Suite struct DeadlinesTests {
  private let start = ContinuousClock.now

  @Test func dueOnesComeOnce() {
    var deadlines = Deadlines()
    deadlines.set(1, at: start + .seconds(1))
    deadlines.set(2, at: start + .seconds(2))
    deadlines.set(3, at: start + .seconds(3))
    #expect(deadlines.popDue(at: start) == [])
    #expect(deadlines.popDue(at: start + .seconds(2)).sorted() == [1, 2])
    #expect(deadlines.popDue(at: start + .seconds(2)) == [])
    #expect(deadlines.popDue(at: start + .seconds(9)) == [3])
  }

  @Test func removedAndMovedOnes() {
    var deadlines = Deadlines()
    deadlines.set(1, at: start + .seconds(1))
    deadlines.set(2, at: start + .seconds(1))
    deadlines.remove(1)
    deadlines.set(2, at: start + .seconds(5))
    #expect(deadlines.popDue(at: start + .seconds(4)) == [])
    #expect(deadlines.popDue(at: start + .seconds(5)) == [2])
  }

  @Test func waitIsRoundedUpAndLimited() {
    var deadlines = Deadlines()
    #expect(deadlines.wait(from: start, limit: 1000) == 1000)
    deadlines.set(1, at: start + .microseconds(1500))
    #expect(deadlines.wait(from: start, limit: 1000) == 2)
    #expect(deadlines.wait(from: start + .seconds(1), limit: 1000) == 0)
    deadlines.remove(1)
    // The removed one costs one look in vain, no more.
    #expect(deadlines.popDue(at: start + .seconds(1)) == [])
    #expect(deadlines.wait(from: start + .seconds(1), limit: 1000) == 1000)
    deadlines.set(2, at: start + .seconds(3600))
    #expect(deadlines.wait(from: start, limit: 1000) == 1000)
  }
}

@Suite struct OriginTests {
  @Test(arguments: [
    ("http://localhost/x", true), ("http://LOCALHOST:80", true), ("https://a.localhost./", true),
    ("http://127.0.0.1:10002/devstoreaccount1", true), ("http://127.9.8.7?x", true),
    ("http://[::1]:8080/", true),
    ("http://128.0.0.1/", false), ("http://127.0.0.1.example.org/", false),
    ("http://localhost.example.org/", false),
    ("http://notlocalhost/", false), ("http://127.example/", false), ("http://[::2]/", false),
  ])
  func loopback(_ url: String, isLoopback: Bool) throws {
    #expect(try #require(Origin(url: url)).isLoopback == isLoopback)
  }

  @Test func keyIsSchemeAndAuthority() {
    #expect(Origin(url: "HTTP://Host.Example:81/Path?q")?.key == "http://host.example:81")
    #expect(Origin(url: "https://[2001:DB8::1]:81/")?.host == "2001:db8::1")
  }

  @Test(arguments: [
    "", "ftp://a/", "http:///x", "http://user@host/", "http://a/ b", "http://a/ü", "file:///etc/passwd",
  ])
  func refused(_ url: String) {
    #expect(Origin(url: url) == nil)
  }
}

@Suite struct ChunkQueueTests {
  @Test func smallPiecesAreGathered() {
    var queue = ChunkQueue()
    queue.append([1, 2])
    queue.append([3])
    #expect(queue.count == 3)
    #expect(queue.popFirst() == [1, 2, 3])
    #expect(queue.popFirst() == nil)
    #expect(queue.count == 0)
  }

  @Test func piecesHaveALimit() {
    var queue = ChunkQueue()
    let piece = [UInt8](repeating: 7, count: 40 << 10)
    for _ in 1...200 { queue.append(piece) }
    #expect(queue.count == 200 * piece.count)
    for left in (0..<200).reversed() {
      #expect(queue.popFirst() == piece)
      #expect(queue.count == left * piece.count)
    }
    #expect(queue.popFirst() == nil)
  }

  @Test(arguments: [97, 1000, 65_536, 1 << 20])
  func readingInAnySizeGivesTheSameBytes(_ size: Int) {
    var queue = ChunkQueue()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for start in stride(from: 0, to: bytes.count, by: 50_000) { queue.append(bytes[start..<start + 50_000]) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while queue.count > 0 {
      let count = buffer.withUnsafeMutableBytes { queue.read(into: $0) }
      all += buffer[..<count]
    }
    #expect(all == bytes)
  }

  @Test func restOfAPieceThatWasReadInPart() {
    var queue = ChunkQueue()
    queue.append([1, 2, 3])
    var buffer: [UInt8] = [0, 0]
    _ = buffer.withUnsafeMutableBytes { queue.read(into: $0) }
    #expect(queue.popFirst() == [3])
  }
}

@Suite struct TraceFilterTests {
  @Test(arguments: [
    ("Authorization: SharedKey account:abc=", "Authorization: …"),
    ("[HTTP/2] [1] [AUTHORIZATION: Bearer abc]", "[HTTP/2] [1] [AUTHORIZATION: …"),
    ("Proxy-Authorization: Basic abc", "Proxy-Authorization: …"), ("Set-Cookie: a=b", "Set-Cookie: …"),
    ("x-csrf-token: abc==", "x-csrf-token: …"),
    ("GET /t?sv=1&sig=abc%3D&se=2 HTTP/1.1", "GET /t?sv=1&sig=…&se=2 HTTP/1.1"),
    ("Location: https://h/t?SIG=abc", "Location: https://h/t?SIG=…"), ("Accept: a", "Accept: a"),
    ("sig", "sig"),
  ])
  func secretsAreMasked(_ line: String, _ masked: String) {
    #expect(TraceFilter.masked(line) == masked)
  }
}
