import Foundation
import ODataKit
import Testing

/// Random trees, written and read back. The generator makes only constants whose literal tells their type in the
/// dialect; OData 4, for one, writes Int32 and Int64 alike.
@Suite struct FilterRoundTripTests {
  @Test(arguments: Dialect.allCases)
  func renderedTreesReadBack(dialect: Dialect) throws {
    var generator = TreeGenerator(dialect: dialect, seed: 0x5EED)
    for number in 0..<12_000 {
      let tree = dialect == .azureTable ? generator.tableCondition(depth: 3) : generator.tree(depth: 5)
      let text = try tree.rendered(for: dialect)
      let again = try FilterParser.parse(text, dialect: dialect)
      guard again == tree, try again.rendered(for: dialect) == text else {
        Issue.record("tree \(number) of \(dialect): \(text)\n  was  \(tree.outline)\n  read \(again.outline)")
        return
      }
    }
  }
}

/// SplitMix64, so that a failure can be seen again.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

struct TreeGenerator {
  let dialect: Dialect
  var random: SeededGenerator

  init(dialect: Dialect, seed: UInt64) {
    self.dialect = dialect
    random = SeededGenerator(state: seed)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func pick<Element>(_ items: [Element]) -> Element {
    items[Int.random(in: 0..<items.count, using: &random)]
  }

  // MARK: Trees

  mutating func tree(depth: Int) -> QueryExpression {
    guard depth > 0, !chance(15) else { return chance(50) ? .literal(literal()) : .property(path()) }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .unary(.negate, tree(depth: depth - 1))
    case 1, 2: return .unary(.not, tree(depth: depth - 1))
    case 3, 4:
      let (name, count) = pick(functions)
      return .call(name, (0..<count).map { _ in tree(depth: depth - 1) })
    case 5 where dialect == .v3 || dialect == .v4:
      if chance(20) { return .lambda(.any, collection: path(), variable: nil, condition: nil) }
      return .lambda(
        pick(QueryExpression.Quantifier.allCases), collection: path(), variable: pick(["i", "x"]),
        condition: tree(depth: depth - 1))
    default:
      return .binary(
        pick(QueryExpression.BinaryOperator.allCases), tree(depth: depth - 1), tree(depth: depth - 1))
    }
  }

  private var functions: [(String, Int)] {
    let common = [
      ("contains", 2), ("startswith", 2), ("length", 1), ("substring", 3), ("substring", 2), ("year", 1),
    ]
    return common + (dialect == .v4 ? [("now", 0), ("geo.length", 1)] : [("replace", 3)])
  }

  private mutating func path() -> [String] {
    let names = ["A", "Name", "eq", "and", "著者", "Größe", "_x1", "datetime", "X", "e\u{301}t", "any"]
    return (0..<pick([1, 1, 1, 2, 3])).map { _ in pick(names) }
  }

  /// A condition in the form of the table service, so that nothing is rewritten.
  mutating func tableCondition(depth: Int) -> QueryExpression {
    guard depth > 0, !chance(20) else {
      if chance(8) { return .literal(.boolean(chance(50))) }
      let sides: [QueryExpression] = [
        .property([pick(["A", "PartitionKey", "著者", "and", "X"])]), .literal(literal()),
      ]
      let comparison = pick(QueryExpression.BinaryOperator.allCases.filter(\.isComparison))
      return chance(30) ? .binary(comparison, sides[1], sides[0]) : .binary(comparison, sides[0], sides[1])
    }
    if chance(20) { return .unary(.not, tableCondition(depth: depth - 1)) }
    return .binary(pick([.and, .or]), tableCondition(depth: depth - 1), tableCondition(depth: depth - 1))
  }

  // MARK: Constants

  mutating func literal() -> EdmValue {
    var kinds: [(inout TreeGenerator) -> EdmValue] = [
      { .boolean($0.chance(50)) },
      { .int32($0.pick([0, 1, -1, .max, .min, Int32.random(in: .min ... .max, using: &$0.random)])) },
      { .double($0.double()) },
      { .string($0.text()) }, { .string($0.text()) },
      { generator in
        .binary(
          (0..<Int.random(in: 0..<9, using: &generator.random)).map { _ in
            UInt8.random(in: 0...255, using: &generator.random)
          })
      },
      { .guid($0.guid()) },
    ]
    switch dialect {
    case .v4:
      kinds.append { _ in .null }
      kinds.append { .int64($0.pick([.max, .min, 4_294_967_296])) }
      kinds.append { .dateTimeOffset($0.dateTimeOffset()) }
      kinds.append { .duration(EdmDuration(ticks: $0.ticks(1 << 60))) }
      kinds.append { .date(EdmDate("20\(Int.random(in: 10...99, using: &$0.random))-02-28")!) }
      kinds.append { .timeOfDay(EdmTimeOfDay("\(Int.random(in: 10...23, using: &$0.random)):59:07.5")!) }
    case .v2, .v3:
      kinds.append { _ in .null }
      kinds.append { .int64(Int64.random(in: .min ... .max, using: &$0.random)) }
      kinds.append { .single($0.pick([0.5, -2.5, .infinity, -.infinity, .nan, 0.1, 1e30])) }
      kinds.append { .decimal(EdmDecimal($0.pick(["1.5", "-7", "12345678901234567890.12", "0.10"]))!) }
      kinds.append { .dateTime($0.dateTime()) }
      kinds.append { .dateTimeOffset($0.dateTimeOffset()) }
      kinds.append { .duration(EdmDuration(ticks: $0.ticks(1 << 60))) }
    case .azureTable:
      kinds.append { .int64(Int64.random(in: .min ... .max, using: &$0.random)) }
      kinds.append { .dateTime($0.dateTime()) }
    }
    return pick(kinds)(&self)
  }

  private mutating func double() -> Double {
    pick([
      0, -0.5, 5, 1e21, 1e-7, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random)),
    ])
  }

  mutating func text() -> String {
    let pieces = [
      "a", "'", "''", " ", "é", "e\u{301}", "🦊", "夏", "and", "(", ")", ",", "\r\n", "\u{0}", "%27", "+", "/",
    ]
    return (0..<Int.random(in: 0..<6, using: &random)).map { _ in pick(pieces) }.joined()
  }

  private mutating func guid() -> UUID {
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
  }

  private mutating func ticks(_ bound: Int64) -> Int64 { Int64.random(in: -bound...bound, using: &random) }

  private mutating func dateTime() -> EdmDateTime {
    EdmDateTime(
      ticks: Int64.random(in: EdmDateTime.minimum.ticks...EdmDateTime.maximum.ticks, using: &random))!
  }

  private mutating func dateTimeOffset() -> EdmDateTimeOffset {
    let middle = EdmDateTime(
      ticks: Int64.random(in: 500_000_000_000_000_000...700_000_000_000_000_000, using: &random))!
    return EdmDateTimeOffset(middle, offset: pick([0, 60, -510, 840, -840]))!
  }
}
