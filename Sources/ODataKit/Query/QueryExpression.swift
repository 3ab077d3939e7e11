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
  /// A function of the protocol with its arguments, e.g. `startswith`.
  case call(String, [QueryExpression])

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
}
