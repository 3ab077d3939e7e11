import Testing

@testable import ODataKit

@Suite("State after a change was done")
struct StateTransitionTests {
  @Test(
    "every combination",
    arguments: [
      (.added, .insert, false, .unchanged), (.added, .insert, true, .modified),
      (.deleted, .insert, false, .deleted), (.deleted, .insert, true, .deleted),
      (.modified, .merge, false, .unchanged), (.modified, .merge, true, .modified),
      (.modified, .replace, false, .unchanged), (.modified, .replace, true, .modified),
      (.deleted, .merge, false, .deleted), (.deleted, .replace, true, .deleted),
      (.deleted, .delete, false, .detached), (.deleted, .delete, true, .detached),
      (.detached, .merge, false, .detached), (.detached, .insert, true, .detached),
    ] as [(EntityState, ChangeOperation.Kind, Bool, EntityState)])
  func table(before: EntityState, kind: ChangeOperation.Kind, wasEdited: Bool, after: EntityState) {
    #expect(StateTransition(from: before, kind: kind, wasEdited: wasEdited).state == after)
  }
}

@Suite("Planning change sets")
struct ChangeSetPlannerTests {
  private func plan(
    _ items: [(String, Int)], operations: Int = 100, bytes: Int = .max, framing: Int = 0
  ) -> [[Int]] {
    ChangeSetPlanner(
      limits: ChangeSetLimits(operations: operations, bytes: bytes), framing: framing
    ).plan(items.enumerated().map { .init(position: $0, group: $1.0, byteCount: $1.1) })
  }

  @Test("groups stand in the order of their first change and keep the order within")
  func groups() {
    #expect(plan([("a", 1), ("b", 1), ("a", 1), ("c", 1), ("b", 1)]) == [[0, 2], [1, 4], [3]])
  }

  @Test("a set is full at the limit of operations, not before")
  func operations() {
    #expect(plan(Array(repeating: ("a", 1), count: 5), operations: 2) == [[0, 1], [2, 3], [4]])
  }

  @Test("bytes count the frame, and fill the limit exactly")
  func bytes() {
    #expect(plan([("a", 40), ("a", 50), ("a", 1)], bytes: 100, framing: 10) == [[0, 1], [2]])
  }

  @Test("one that is too large for any set stands alone, for the service to refuse")
  func tooLarge() {
    #expect(plan([("a", 5), ("a", 500), ("a", 5)], bytes: 100) == [[0], [1], [2]])
  }

  @Test("no two groups are mixed up by canonically equal names")
  func codeUnits() {
    #expect(plan([("caf\u{E9}", 1), ("cafe\u{301}", 1)]).count == 2)
  }
}

@Suite("Values in another type")
struct EdmValueConversionTests {
  @Test("what fits without loss is converted, what does not is not")
  func conversions() {
    #expect(EdmValue.int32(4).converted(to: .double) == .double(4))
    #expect(EdmValue.int64(5_000_000_000).converted(to: .int32) == nil)
    #expect(EdmValue.double(4.5).converted(to: .int32) == nil)
    #expect(EdmValue.double(4).converted(to: .int64) == .int64(4))
    #expect(EdmValue.int64(.max).converted(to: .double) == nil)
    #expect(EdmValue.string("4").converted(to: .int32) == nil)
    #expect(EdmValue.string("4").converted(to: .string) == .string("4"))
  }
}
