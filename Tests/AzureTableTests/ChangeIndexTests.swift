import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("What has changed")
struct ChangeIndexTests {
  /// A linear congruential generator: the same sequence each time.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test("is known after any sequence of changes and saves", arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func sequences(seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let fixture = try TableContextFixture()
    let (context, books) = (fixture.context, fixture.books)
    var seen: Set<EntityState> = []
    for step in 0..<200 {
      let entries = context.entries.compactMap { $0 as? Tracked<ShelfBook> }
      let entry = entries.randomElement(using: &dice)
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: try books.add(ShelfBook("p", "\(step)", title: "t"))
      case 1: try fixture.attached("\(step)")
      case 2: entry?.title = "\(step)"
      case 3: if let entry, entry.entityState != .deleted { try context.update(entry) }
      case 4: if let entry { try context.delete(entry) }
      case 5: if let entry, step % 3 == 0 { try context.detach(entry) }
      case 6:
        if let entry, entry.entityState == .deleted {
          try books.add(ShelfBook("p", entry.rowKey, title: "again"))
        }
      default:
        for _ in context.changes {
          let isDone = Bool.random(using: &dice)
          fixture.transport.add(.respond(isDone ? .noContent(tag: "W/\"1\"") : .text(412)))
        }
        _ = try? await context.saveChanges(.continueOnError)
      }
      let walked = context.entries.filter { $0.entityState != .unchanged }
      seen.formUnion(context.entries.map(\.entityState))
      #expect(Set(context.changes.map(\.entryID)) == Set(walked.map(\.entryID)))
      #expect(context.hasChanges == !walked.isEmpty)
    }
    #expect(seen == [.added, .modified, .deleted, .unchanged])
  }
}
