import ODataKit
import Testing

/// Large feeds come out entity by entity, with what is expanded in them.
struct AtomStreamingTests {
  private static func entry(_ number: Int) -> String {
    let items = (0..<3).map { item in
      """
      <entry><id>Items(\(item))</id><content><m:properties><d:Line m:type="Edm.Int32">\(item)</d:Line>\
      <d:Home m:type="M.Home"><d:City>C</d:City></d:Home></m:properties></content></entry>
      """
    }.joined()
    return """
      <entry><id>Orders(\(number))</id><link rel="\(AtomLinkTests.related)/Items" type="application/atom+xml;type=feed">\
      <m:inline><feed><m:count>3</m:count>\(items)</feed></m:inline></link><content><m:properties>\
      <d:Number m:type="Edm.Int32">\(number)</d:Number></m:properties></content></entry>
      """
  }

  @Test func tenThousandEntriesWithFeedsInThem() throws {
    let reader = AtomReader()
    var count = try reader.read(Array("<feed \(AtomLinkTests.namespaces)>".utf8)).count
    var shapes: Set<ObjectIdentifier> = []
    for number in 0..<10_000 {
      // An entity is out with its own last byte, so nothing of an earlier one is kept back.
      let records = try reader.read(Array(Self.entry(number).utf8))
      guard records.count == 1, case .int32(Int32(number))? = records[0]["Number"],
        case .collection(let items)? = records[0]["Items"], items.elements.count == 3, items.count == 3,
        case .complex(let first) = items.elements[0]
      else {
        Issue.record("Entity \(number) is not what was written.")
        return
      }
      count += 1
      shapes.insert(ObjectIdentifier(records[0].shape))
      shapes.insert(ObjectIdentifier(first.shape))
    }
    #expect(try reader.read(Array("</feed>".utf8)).isEmpty)
    #expect(try reader.finish() == PayloadSummary(isFeed: true))
    #expect(count == 10_000)
    // All orders share their names, and so do all items.
    #expect(shapes.count == 2)
  }

  @Test func entriesExpandedAsDeepAsTheLimitAllows() throws {
    func nested(_ levels: Int) -> String {
      levels == 0
        ? "<entry/>"
        : "<entry><link rel=\"\(AtomLinkTests.related)/A\"><m:inline>\(nested(levels - 1))</m:inline></link></entry>"
    }
    func document(_ levels: Int) -> [UInt8] {
      Array("<feed \(AtomLinkTests.namespaces)>\(nested(levels))</feed>".utf8)
    }
    var record = try #require(try readAtom([document(42)]).records.first)
    var depth = 0
    while case .complex(let inner)? = record["A"] {
      record = inner
      depth += 1
    }
    #expect(depth == 42)
    #expect(throws: ODataError.self) { _ = try readAtom([document(43)]) }
  }

  @Test func theWholeIsBoundedWithFeedsInside() throws {
    var limits = PayloadLimits()
    limits.totalLength = 1000
    let document = Array("<feed \(AtomLinkTests.namespaces)>\(Self.entry(1))\(Self.entry(2))</feed>".utf8)
    let error = #expect(throws: ODataError.self) { _ = try readAtom([document], limits: limits) }
    #expect(error?.message == "The body is larger than the limit of 1000 bytes.")
  }
}
