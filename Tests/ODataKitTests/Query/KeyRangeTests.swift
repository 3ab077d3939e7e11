import ODataKit
import Testing

@Suite struct KeyRangeTests {
  /// A stretch as `[lower … upper)` with U+0000 shown as `+`.
  private func stretch(_ text: String) throws -> String {
    let range = KeyRange.extract(from: try FilterParser.parse(text, dialect: .azureTable))
    if range.isEmpty { return "nothing" }
    func show(_ key: KeyRange.Key) -> String {
      "\(key.partitionKey)/\(key.rowKey)".replacing("\0", with: "+")
    }
    // One key alone: the stretch ends at the key's successor, which has a U+0000 more.
    if let upper = range.upper, show(upper) == show(range.lower) + "+" { return "only \(show(range.lower))" }
    return "[\(show(range.lower)) … \(range.upper.map(show) ?? "end"))"
  }

  @Test(arguments: [
    ("PartitionKey eq 'p' and RowKey eq 'r'", "only p/r"),
    ("'p' eq PartitionKey and 'r' eq RowKey", "only p/r"),
    ("PartitionKey eq '' and RowKey eq ''", "only /"), ("PartitionKey eq 'p'", "[p/ … p+/)"),
    ("PartitionKey eq 'p' and RowKey ge 'a' and RowKey lt 'b'", "[p/a … p/b)"),
    ("PartitionKey eq 'p' and RowKey gt 'a' and RowKey le 'b'", "[p/a+ … p/b+)"),
    ("PartitionKey ge 'a' and PartitionKey lt 'b'", "[a/ … b/)"), ("PartitionKey gt 'a'", "[a+/ … end)"),
    ("PartitionKey le 'b' and RowKey eq 'r'", "[/r … b/r+)"), ("RowKey eq 'r'", "[/r … end)"),
    ("PartitionKey eq 'p' and Rate eq 4", "[p/ … p+/)"), ("PartitionKey eq 'p' or Rate eq 4", "[/ … end)"),
    ("PartitionKey eq 'a' or PartitionKey eq 'c'", "[a/ … c+/)"),
    ("PartitionKey eq 'p' and (RowKey eq 'a' or RowKey eq 'c')", "[p/a … p/c+)"),
    ("PartitionKey eq 'a' and PartitionKey eq 'b'", "nothing"), ("PartitionKey lt ''", "nothing"),
    ("PartitionKey eq 5", "nothing"), ("PartitionKey eq 5 or PartitionKey eq 'p'", "[p/ … p+/)"),
    ("not (PartitionKey eq 5)", "[/ … end)"), ("false", "nothing"), ("true", "[/ … end)"),
    ("not true", "nothing"),
    ("not (PartitionKey lt 'a' or PartitionKey ge 'b')", "[a/ … b/)"), ("PartitionKey ne 'p'", "[/ … end)"),
    ("not (PartitionKey ne 'p')", "[p/ … p+/)"), ("'b' gt PartitionKey", "[/ … b/)"),
    ("Rate eq 4", "[/ … end)"),
    ("partitionkey eq 'p'", "[/ … end)"),
  ])
  func extracted(text: String, expected: String) throws { #expect(try stretch(text) == expected) }

  @Test func withoutFilter() {
    let range = KeyRange.extract(from: nil)
    #expect(
      range.lower.partitionKey.isEmpty && range.lower.rowKey.isEmpty && range.upper == nil && !range.isEmpty)
  }

  /// No entity that a filter takes lies outside of the stretch, over random filters and a grid of keys.
  @Test func neverLosesAnEntity() throws {
    var generator = TreeGenerator(dialect: .azureTable, seed: 0xCAFE)
    let texts = ["", "\0", "a", "a\0", "b", "ba", "\u{E000}", "🦊"]
    let records = texts.flatMap { partition in
      texts.flatMap { row in
        [1, 2].map { rate in
          EntityRecord(["PartitionKey": .string(partition), "RowKey": .string(row), "Rate": .int32(rate)])
        }
      }
    }
    func condition(_ depth: Int) -> QueryExpression {
      if depth == 0 || generator.chance(25) {
        if generator.chance(5) { return .literal(.boolean(generator.chance(50))) }
        let comparison = generator.pick(QueryExpression.BinaryOperator.allCases.filter(\.isComparison))
        let name = generator.pick(["PartitionKey", "PartitionKey", "RowKey", "Rate"])
        let value: EdmValue =
          name == "Rate" || generator.chance(5)
          ? .int32(generator.pick([1, 2])) : .string(generator.pick(texts))
        let sides = [QueryExpression.property([name]), .literal(value)]
        return generator.chance(30)
          ? .binary(comparison, sides[1], sides[0]) : .binary(comparison, sides[0], sides[1])
      }
      if generator.chance(20) { return .unary(.not, condition(depth - 1)) }
      return .binary(generator.pick([.and, .and, .or]), condition(depth - 1), condition(depth - 1))
    }
    var narrowed = 0
    for _ in 0..<3_000 {
      let filter = condition(3)
      let evaluator = try QueryEvaluator(filter)
      let range = KeyRange.extract(from: filter)
      for record in records {
        guard case .string(let partition) = record["PartitionKey"], case .string(let row) = record["RowKey"]
        else { continue }
        let isInside = range.contains(.init(partitionKey: partition, rowKey: row))
        if !isInside { narrowed += 1 }
        guard isInside || !evaluator.matches(record) else {
          Issue.record("\(filter.outline) takes \(partition.debugDescription)/\(row.debugDescription)")
          return
        }
      }
    }
    #expect(narrowed > 50_000, "the stretches hardly leave anything out")
  }
}
