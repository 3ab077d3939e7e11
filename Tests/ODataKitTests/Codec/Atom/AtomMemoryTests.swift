import ODataKit
import Testing

/// That a reader lets go of what it read and did not keep.
struct AtomMemoryTests {
  /// The shape of the records in a link; the reader gives rows with the same names the same one.
  private static func shape(of record: EntityRecord) -> RecordShape? {
    guard case .complex(let related)? = record["Room"] else { return nil }
    return related.shape
  }

  @Test func theFirstOfTwoEntriesInALinkIsLetGo() throws {
    let inner = "<entry><content><m:properties><d:A>1</d:A></m:properties></content></entry>"
    let other = inner.replacing("d:A", with: "d:B")
    func outer(_ entries: String) -> String {
      """
      <entry><link rel="\(AtomLinkTests.related)/Room" type="application/atom+xml;type=entry">\
      <m:inline>\(entries)</m:inline></link></entry>
      """
    }
    var reader: AtomReader? = AtomReader()
    weak var shape: RecordShape?
    var rows = try #require(
      try reader?.read(Array("<feed \(AtomLinkTests.namespaces)>\(outer(inner))".utf8)))
    shape = Self.shape(of: try #require(rows.first))
    #expect(shape?.names == ["A"])
    rows = try #require(try reader?.read(Array("\(outer(inner + other))</feed>".utf8)))
    // Of several the last counts, and the reader gave the one before it the shape of the first row.
    #expect(Self.shape(of: try #require(rows.first))?.names == ["B"])
    #expect(shape != nil)
    reader = nil
    #expect(shape == nil)
  }

  @Test func ofTwoNextLinksTheLastCounts() throws {
    let summary = try readAtom(
      "<feed \(AtomLinkTests.namespaces)><link rel=\"next\" href=\"a\"/><link rel=\"next\" href=\"b\"/></feed>"
    ).summary
    #expect(summary.nextLink == "b")
  }
}
