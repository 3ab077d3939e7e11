import Testing

@testable import TableEmulator

struct StoreKeyTests {
  /// In the order of UTF-16 code units, which is the service's: surrogates before U+E000 to U+FFFF.
  private static let ordered = [
    "", "\0", "\0\0", "\u{1}", "A", "A\0", "AA", "a", "e\u{301}", "é", "ÿ", "Ā", "\u{D7FF}", "🦊", "🦊a",
    "\u{10FFFF}",
    "\u{E000}", "\u{FF21}", "\u{FFFF}",
  ]

  @Test func bytesOrderAsCodeUnitsDo() {
    for (a, b) in zip(Self.ordered, Self.ordered.dropFirst()) {
      #expect(StoreKey.encode(a).lexicographicallyPrecedes(StoreKey.encode(b)), "\(a.utf16.map(\.self))")
    }
  }

  @Test(arguments: ordered) func textComesBack(_ text: String) {
    #expect(StoreKey.decode(StoreKey.encode(text)).utf8.elementsEqual(text.utf8))
  }

  @Test func partitionsCountBeforeRows() {
    #expect(StoreKey("a", "z") < StoreKey("b", "a"))
    #expect(StoreKey("a", "a") < StoreKey("a", "b"))
    #expect(StoreKey.first < StoreKey("", "a"))
    #expect(!(StoreKey("a", "b") < StoreKey("a", "b")))
  }

  @Test func nothingLiesBetweenATextAndItsSuccessor() {
    #expect(StoreKey.decode(StoreKey.successor(of: StoreKey.encode("a"))) == "a\0")
  }
}
