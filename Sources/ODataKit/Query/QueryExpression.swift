/// A filter or a part of one, as a tree: what builders build, the parser reads, renderers write and the emulator
/// evaluates.
public indirect enum QueryExpression: Sendable, Hashable {
  /// A typed constant.
  case literal(EdmValue)
  /// A property, or a path of navigation and complex properties to one.
  case property([String])
  /// `not x` or `-x`.
  case unary(UnaryOperator, QueryExpression)
  /// Two operands around an operator.
  case binary(BinaryOperator, QueryExpression, QueryExpression)
  /// A function of the protocol with its arguments, e.g. `startswith`. Whether a string is part of another is
  /// `contains(whole, part)` in every tree; OData 1 to 3 spell it `substringof(part, whole)`.
  case call(String, [QueryExpression])
  /// `Items/any(i:i/Price gt 5)`: whether some or all members of a collection meet a condition that calls the
  /// member by the variable's name. Without a variable and a condition, `any` asks whether there is a member.
  case lambda(Quantifier, collection: [String], variable: String?, condition: QueryExpression?)

  /// Operators before their operand.
  public enum UnaryOperator: String, Sendable, Hashable, CaseIterable {
    /// Logical negation.
    case not
    /// Arithmetic negation.
    case negate = "-"
  }

  /// Operators between their operands, with the words of the protocol as raw values.
  public enum BinaryOperator: String, Sendable, Hashable, CaseIterable {
    /// Equal.
    case equal = "eq"
    /// Not equal.
    case notEqual = "ne"
    /// Greater than.
    case greaterThan = "gt"
    /// Greater than or equal.
    case greaterOrEqual = "ge"
    /// Less than.
    case lessThan = "lt"
    /// Less than or equal.
    case lessOrEqual = "le"
    /// Both.
    case and
    /// At least one.
    case or
    /// Sum.
    case add
    /// Difference.
    case subtract = "sub"
    /// Product.
    case multiply = "mul"
    /// Quotient.
    case divide = "div"
    /// Remainder.
    case modulo = "mod"
  }

  /// How many members of a collection have to meet a condition.
  public enum Quantifier: String, Sendable, Hashable, CaseIterable {
    /// At least one; none of an empty collection does.
    case any
    /// Each one; of an empty collection each one does.
    case all
  }
}

extension QueryExpression.BinaryOperator {
  /// How strongly the operator binds; a greater number binds first. Operators of one strength group from the left
  /// (OData 4.01 URL Conventions § 5.1.1.16, the same as in OData 2).
  package var precedence: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .notEqual: 3
    case .greaterThan, .greaterOrEqual, .lessThan, .lessOrEqual: 4
    case .add, .subtract: 5
    case .multiply, .divide, .modulo: 6
    }
  }

  /// Whether the operator compares two values.
  package var isComparison: Bool { precedence == 3 || precedence == 4 }

  /// The comparison that says the same with the operands exchanged: `5 lt x` is `x gt 5`.
  package var mirrored: Self {
    switch self {
    case .greaterThan: .lessThan
    case .greaterOrEqual: .lessOrEqual
    case .lessThan: .greaterThan
    case .lessOrEqual: .greaterOrEqual
    default: self
    }
  }
}

extension QueryExpression {
  /// The greatest height of a tree that is parsed or rendered. Trees are walked by recursion, so a bound keeps any
  /// text and any loop of a program from running out of stack; the URL of such a filter is longer than most servers
  /// take anyway.
  package static let maximumHeight = 512

  /// Throws for a tree above ``maximumHeight``; walks with a stack of its own, so any tree can be asked.
  func checkHeight() throws(ODataError) {
    var pending: [(QueryExpression, Int)] = [(self, 1)]
    while let (expression, level) = pending.popLast() {
      guard level <= Self.maximumHeight else { throw Self.tooHigh }
      switch expression {
      case .literal, .property: break
      case .unary(_, let operand): pending.append((operand, level + 1))
      case .binary(_, let left, let right):
        pending.append((left, level + 1))
        pending.append((right, level + 1))
      case .call(_, let arguments):
        for argument in arguments { pending.append((argument, level + 1)) }
      case .lambda(_, _, _, let condition):
        if let condition { pending.append((condition, level + 1)) }
      }
    }
  }

  fileprivate static var tooHigh: ODataError {
    ODataError(
      .invalidQuery,
      "The filter nests or chains more than \(maximumHeight) operators; split it over several queries.")
  }
}

/// Conditions with `or` between them, one after the other; none of them is `false`.
struct Disjunction {
  private var whole: QueryExpression?
  private var count = 0

  var expression: QueryExpression { whole ?? .literal(.boolean(false)) }

  /// Adds a condition. Throws once the chain is too long to be sent, rather than when it is: the tree of a list of a
  /// million values would run out of stack when it is let go.
  mutating func add(_ condition: QueryExpression) throws(ODataError) {
    guard count < QueryExpression.maximumHeight else { throw QueryExpression.tooHigh }
    count += 1
    whole = whole.map { .binary(.or, $0, condition) } ?? condition
  }
}
