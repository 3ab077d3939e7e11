import Foundation

/// Tells which entities a filter takes, with the rules of the table service:
///
/// - The constant's type must be the type that is stored; `Rate eq 5` takes no Double and no Int64, and no error is
///   raised ("the constant value must be of the same data type as the property", Azure documentation, "Querying tables
///   and entities"). People saw the live service compare an Int32 constant with a stored Int64 as well; a program that
///   relies on it is wrong by the documentation, so here it finds nothing.
/// - A comparison with a property that the entity does not have, or has with another type, is false, `ne` included.
///   There is no third truth value: `not` of such a comparison is true. Programs use just that,
///   `not (LastNotified ge datetime'…')`, to find entities that lack the property.
/// - Strings, Guids and binary values compare by code units and bytes, so case counts and nothing is normalised. A Guid
///   compares as its text does. `false` is less than `true`. NaN is equal to nothing.
package struct QueryEvaluator: Sendable {
  private let root: Node

  /// Prepares a filter. Throws what the service would answer with an error: ``ODataError/Code/unsupported`` for
  /// operators and functions it does not have (501), ``ODataError/Code/invalidQuery`` for a filter that is wrong in
  /// another way (400), such as a comparison with null or more than 15 of them.
  package init(_ filter: QueryExpression) throws(ODataError) {
    try filter.checkHeight()
    try TableFilter.check(filter)
    root = Node(filter)
  }

  /// Whether the filter takes the entity.
  package func matches(_ record: EntityRecord) -> Bool { root.matches(record) }
}

/// A checked filter, laid out for many records: one look-up a comparison, no recursion along chains.
private indirect enum Node: Sendable {
  case constant(Bool)
  case comparison(QueryExpression.BinaryOperator, String, EdmValue)
  case not(Node)
  case all([Node])
  case any([Node])

  /// The check has let nothing else pass, so what is not of its forms takes nothing.
  init(_ expression: QueryExpression) {
    switch expression {
    case .literal(.boolean(let value)):
      self = .constant(value)
    case .unary(.not, let operand):
      self = .not(Node(operand))
    case .binary(.and, _, _):
      self = .all(Self.chain(.and, expression))
    case .binary(.or, _, _):
      self = .any(Self.chain(.or, expression))
    case .binary(let comparison, .property(let path), .literal(let value)) where path.count == 1:
      self = .comparison(comparison, path[0], value)
    case .binary(let comparison, .literal(let value), .property(let path)) where path.count == 1:
      self = .comparison(comparison.mirrored, path[0], value)
    default:
      self = .constant(false)
    }
  }

  /// The operands of a chain of one operator, which is a tree that leans to the left.
  private static func chain(_ link: QueryExpression.BinaryOperator, _ expression: QueryExpression) -> [Node] {
    var operands: [Node] = []
    var rest = expression
    while case .binary(link, let left, let right) = rest {
      operands.append(Node(right))
      rest = left
    }
    operands.append(Node(rest))
    return operands.reversed()
  }

  func matches(_ record: EntityRecord) -> Bool {
    switch self {
    case .constant(let value): value
    case .comparison(let comparison, let name, let constant):
      record[name].map { comparison.holds($0, constant) } ?? false
    case .not(let operand): !operand.matches(record)
    case .all(let operands): operands.allSatisfy { $0.matches(record) }
    case .any(let operands): operands.contains { $0.matches(record) }
    }
  }
}

extension QueryExpression.BinaryOperator {
  /// Whether a stored value stands in this relation to a constant; never, where their types differ.
  fileprivate func holds(_ stored: EdmValue, _ constant: EdmValue) -> Bool {
    switch (stored, constant) {
    case (.string(let a), .string(let b)):
      switch self {
      case .equal: a.utf8.elementsEqual(b.utf8)
      case .notEqual: !a.utf8.elementsEqual(b.utf8)
      default: holds(KeyOrder.compare(a, b), 0)
      }
    case (.boolean(let a), .boolean(let b)): holds(a ? 1 : 0, b ? 1 : 0)
    case (.int32(let a), .int32(let b)): holds(a, b)
    case (.int64(let a), .int64(let b)): holds(a, b)
    case (.double(let a), .double(let b)): holds(a, b)
    case (.dateTime(let a), .dateTime(let b)): holds(a.ticks, b.ticks)
    case (.binary(let a), .binary(let b)): holds(Self.order(a, b), 0)
    case (.guid(let a), .guid(let b)):
      withUnsafeBytes(of: a.uuid) { a in withUnsafeBytes(of: b.uuid) { b in holds(Self.order(a, b), 0) } }
    default: false
    }
  }

  private static func order(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
    a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }

  private func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    switch self {
    case .equal: a == b
    case .notEqual: a != b
    case .greaterThan: a > b
    case .greaterOrEqual: a >= b
    case .lessThan: a < b
    case .lessOrEqual: a <= b
    default: false
    }
  }
}
