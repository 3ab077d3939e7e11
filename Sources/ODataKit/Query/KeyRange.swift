/// The stretch of a table's keys outside of which a filter takes nothing, so that a store reads that stretch only.
///
/// Keys are pairs, ordered by PartitionKey and then RowKey in the order of ``KeyOrder``. The stretch may hold entities
/// that the filter does not take, but it never leaves one out that it takes.
package struct KeyRange: Sendable {
  /// A place in the order of keys.
  package struct Key: Sendable {
    /// The PartitionKey.
    package var partitionKey: String
    /// The RowKey.
    package var rowKey: String

    package init(partitionKey: String, rowKey: String) {
      self.partitionKey = partitionKey
      self.rowKey = rowKey
    }

    /// Whether the key comes before another.
    package func precedes(_ other: Key) -> Bool {
      let order = KeyOrder.compare(partitionKey, other.partitionKey)
      return order == 0 ? KeyOrder.compare(rowKey, other.rowKey) < 0 : order < 0
    }
  }

  /// The least key that can match.
  package let lower: Key
  /// The first key behind those that can match; `nil` where the stretch goes to the end.
  package let upper: Key?

  /// Whether nothing can match.
  package var isEmpty: Bool { upper.map { !lower.precedes($0) } ?? false }

  /// Whether a key lies in the stretch.
  package func contains(_ key: Key) -> Bool {
    !key.precedes(lower) && upper.map { key.precedes($0) } ?? true
  }

  /// The stretch of a filter; all keys where there is none.
  ///
  /// Comparisons of PartitionKey and RowKey with strings narrow it, `and` takes what both sides allow, `or` what
  /// reaches from the one to the other; any other condition leaves all keys.
  package static func extract(from filter: QueryExpression?) -> KeyRange {
    let cover = filter.map { Cover($0, isNegated: false) } ?? .everything
    let (partition, row) = (cover.partition, cover.row)
    guard !cover.isEmpty else {
      let first = Key(partitionKey: "", rowKey: "")
      return KeyRange(lower: first, upper: first)
    }
    let lower = Key(partitionKey: partition.lower, rowKey: row.lower)
    guard let end = partition.upper else { return KeyRange(lower: lower, upper: nil) }
    // A bound `text + U+0000` has `text` itself right before it: the last partition, whose rows end where rows end.
    if let rowEnd = row.upper, end.unicodeScalars.last == "\u{0}" {
      let last = String(end.unicodeScalars.dropLast())
      return KeyRange(lower: lower, upper: Key(partitionKey: last, rowKey: rowEnd))
    }
    return KeyRange(lower: lower, upper: Key(partitionKey: end, rowKey: ""))
  }
}

/// Strings from `lower` on and before `upper`. Half open suffices for all four comparisons, since the string right
/// behind `text` is `text` with U+0000 appended.
private struct Interval {
  var lower = ""
  var upper: String?

  static func successor(_ text: String) -> String { text + "\u{0}" }

  var isEmpty: Bool { upper.map { KeyOrder.compare($0, lower) <= 0 } ?? false }

  /// What both have.
  func intersection(_ other: Interval) -> Interval {
    let upper =
      if let a = upper, let b = other.upper { KeyOrder.compare(a, b) < 0 ? a : b } else {
        self.upper ?? other.upper
      }
    return Interval(lower: KeyOrder.compare(lower, other.lower) > 0 ? lower : other.lower, upper: upper)
  }

  /// What reaches over both.
  func hull(_ other: Interval) -> Interval {
    let upper: String? =
      if let a = upper, let b = other.upper { KeyOrder.compare(a, b) > 0 ? a : b } else { nil }
    return Interval(lower: KeyOrder.compare(lower, other.lower) < 0 ? lower : other.lower, upper: upper)
  }

  /// The strings that stand in a relation to `text`.
  init(_ comparison: QueryExpression.BinaryOperator, _ text: String) {
    switch comparison {
    case .equal: self.init(lower: text, upper: Self.successor(text))
    case .greaterThan: self.init(lower: Self.successor(text))
    case .greaterOrEqual: self.init(lower: text)
    case .lessThan: self.init(upper: text)
    case .lessOrEqual: self.init(upper: Self.successor(text))
    default: self.init()
    }
  }

  init(lower: String = "", upper: String? = nil) {
    self.lower = lower
    self.upper = upper
  }
}

/// The partition keys and row keys that a condition allows.
private struct Cover {
  var partition: Interval
  var row: Interval

  static let everything = Cover(partition: Interval(), row: Interval())
  static let nothing = Cover(partition: Interval(upper: ""), row: Interval(upper: ""))

  var isEmpty: Bool { partition.isEmpty || row.isEmpty }

  init(partition: Interval, row: Interval) {
    self.partition = partition
    self.row = row
  }

  /// The cover of a condition, or of its opposite. Conditions are true or false and never unknown, so an opposite
  /// moves inwards: `not (a and b)` is `not a or not b`.
  init(_ condition: QueryExpression, isNegated: Bool) {
    switch condition {
    case .literal(.boolean(let value)):
      self = value != isNegated ? .everything : .nothing
    case .unary(.not, let operand):
      self.init(operand, isNegated: !isNegated)
    case .binary(let link, let left, let right) where link == .and || link == .or:
      let left = Cover(left, isNegated: isNegated)
      let right = Cover(right, isNegated: isNegated)
      if (link == .and) != isNegated {
        self.init(
          partition: left.partition.intersection(right.partition), row: left.row.intersection(right.row))
      } else if left.isEmpty || right.isEmpty {
        self = left.isEmpty ? right : left
      } else {
        self.init(partition: left.partition.hull(right.partition), row: left.row.hull(right.row))
      }
    case .binary(let comparison, .property(let path), .literal(let value)):
      self.init(comparison, path, value, isNegated: isNegated)
    case .binary(let comparison, .literal(let value), .property(let path)):
      self.init(comparison.mirrored, path, value, isNegated: isNegated)
    default:
      self = .everything
    }
  }

  private init(
    _ comparison: QueryExpression.BinaryOperator, _ path: [String], _ value: EdmValue, isNegated: Bool
  ) {
    self = .everything
    guard comparison.isComparison, path.count == 1, path[0] == "PartitionKey" || path[0] == "RowKey" else {
      return
    }
    // Keys are strings that every entity has, so a constant of another type matches none of them.
    guard case .string(let text) = value else {
      if !isNegated { self = .nothing }
      return
    }
    let interval = Interval(isNegated ? comparison.opposite : comparison, text)
    if path[0] == "PartitionKey" { partition = interval } else { row = interval }
  }
}

extension QueryExpression.BinaryOperator {
  /// The comparison that holds where this one does not, for values that can be compared.
  fileprivate var opposite: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .greaterThan: .lessOrEqual
    case .greaterOrEqual: .lessThan
    case .lessThan: .greaterOrEqual
    case .lessOrEqual: .greaterThan
    default: self
    }
  }
}
