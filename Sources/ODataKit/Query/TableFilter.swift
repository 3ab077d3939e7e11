/// What the table service takes as a filter: comparisons of one property with one constant, `and`, `or` and `not`;
/// at most 15 comparisons, no functions, no null (Azure documentation, "Querying tables and entities").
///
/// A tree that says more is brought into that form where the form says exactly the same:
/// - a Boolean property as a condition becomes `X eq true`;
/// - `startswith(X,'abc')` becomes `X ge 'abc' and X lt 'abd'` (see ``KeyOrder/successor(ofPrefix:)``);
/// - constants of smaller types become the table types that hold the same value: 8 and 16 bits Int32, Single Double,
///   DateTimeOffset DateTime.
enum TableFilter {
  /// The documented limit of one filter.
  static let maximumComparisons = 15

  /// The tree for a client to send.
  static func lowered(_ expression: QueryExpression) throws(ODataError) -> QueryExpression {
    var walk = Walk(isServer: false)
    return try walk.condition(expression)
  }

  /// Throws where the service would answer with an error: ``ODataError/Code/unsupported`` for what it has not
  /// implemented (501), ``ODataError/Code/invalidQuery`` for what is wrong (400). Nothing is rewritten.
  static func check(_ expression: QueryExpression) throws(ODataError) {
    var walk = Walk(isServer: true)
    _ = try walk.condition(expression)
  }

  private struct Walk {
    let isServer: Bool
    var comparisons = 0

    mutating func condition(_ expression: QueryExpression) throws(ODataError) -> QueryExpression {
      switch expression {
      case .literal(.boolean):
        return expression
      case .literal:
        throw ODataError(.invalidQuery, "A constant that is not true or false stands alone as a condition.")
      case .property:
        guard !isServer else {
          throw ODataError(.invalidQuery, "A property stands alone as a condition; compare it with true.")
        }
        return try comparison(.equal, expression, .literal(.boolean(true)))
      case .unary(.not, let operand):
        return .unary(.not, try condition(operand))
      case .unary(.negate, _):
        throw Self.lacking(operator: "-")
      case .binary(let binary, let left, let right):
        if binary == .and || binary == .or {
          return .binary(binary, try condition(left), try condition(right))
        }
        guard binary.isComparison else { throw Self.lacking(operator: binary.rawValue) }
        return try comparison(binary, left, right)
      case .call("startswith", let arguments) where !isServer && arguments.count == 2:
        return try prefix(arguments[0], arguments[1])
      case .call(let name, _):
        throw Self.lacking(function: name)
      case .lambda(let quantifier, _, _, _):
        throw Self.lacking(operator: quantifier.rawValue)
      }
    }

    private mutating func comparison(
      _ binary: QueryExpression.BinaryOperator, _ left: QueryExpression, _ right: QueryExpression
    ) throws(ODataError) -> QueryExpression {
      comparisons += 1
      guard comparisons <= TableFilter.maximumComparisons else {
        throw ODataError(
          .invalidQuery,
          "The filter has more than \(TableFilter.maximumComparisons) comparisons, the limit of the table service; "
            + "split it over several queries.")
      }
      let left = try side(left)
      let right = try side(right)
      switch (left, right) {
      case (.property, .literal), (.literal, .property): return .binary(binary, left, right)
      default:
        throw ODataError(
          .invalidQuery,
          "The operator '\(binary.rawValue)' stands between two \(isProperty(left) ? "properties" : "constants"); "
            + "the table service compares a property with a constant.")
      }
    }

    private func isProperty(_ side: QueryExpression) -> Bool {
      if case .property = side { true } else { false }
    }

    /// One side of a comparison.
    private func side(_ expression: QueryExpression) throws(ODataError) -> QueryExpression {
      switch expression {
      case .literal(let value): return .literal(isServer ? try present(value) : try tableValue(value))
      case .property(let path):
        guard path.count == 1 else {
          throw ODataError(
            .unsupported,
            "The path '\(path.joined(separator: "/"))' leads into a property; table properties are flat.")
        }
        return expression
      case .unary(let unary, _): throw Self.lacking(operator: unary.rawValue, within: true)
      case .binary(let binary, _, _): throw Self.lacking(operator: binary.rawValue, within: true)
      case .call(let name, _): throw Self.lacking(function: name)
      case .lambda(let quantifier, _, _, _): throw Self.lacking(operator: quantifier.rawValue, within: true)
      }
    }

    private func present(_ value: EdmValue) throws(ODataError) -> EdmValue {
      guard !value.isNull else {
        throw ODataError(
          .invalidQuery,
          "The filter compares with null, which the table service refuses; it stores no nulls, and a comparison with "
            + "a property that an entity does not have is false.")
      }
      return value
    }

    private func tableValue(_ value: EdmValue) throws(ODataError) -> EdmValue {
      switch try present(value) {
      case .byte(let number): return .int32(Int32(number))
      case .sbyte(let number): return .int32(Int32(number))
      case .int16(let number): return .int32(Int32(number))
      case .single(let number): return .double(Double(number))
      case .dateTimeOffset(let date): return .dateTime(date.instant)
      case .decimal, .duration, .date, .timeOfDay, .enumeration, .spatial, .stream, .complex, .collection:
        throw ODataError(
          .unsupported,
          "The filter has a constant of the type \(value.kindName), which tables do not have."
        )
      default: return value
      }
    }

    private mutating func prefix(
      _ whole: QueryExpression, _ prefix: QueryExpression
    ) throws(ODataError) -> QueryExpression {
      guard case .property = whole, case .literal(.string(let text)) = prefix else {
        throw ODataError(
          .unsupported,
          "The function 'startswith' can be sent to the table service only for a property and a constant string."
        )
      }
      let lower = try comparison(.greaterOrEqual, whole, prefix)
      guard let successor = KeyOrder.successor(ofPrefix: text) else { return lower }
      return .binary(.and, lower, try comparison(.lessThan, whole, .literal(.string(successor))))
    }

    private static func lacking(operator word: String, within: Bool = false) -> ODataError {
      ODataError(
        .unsupported,
        "The operator '\(word)' cannot be \(within ? "part of a comparison in" : "sent to") the table service, which "
          + "has comparisons of a property with a constant, 'and', 'or' and 'not'.")
    }

    private static func lacking(function name: String) -> ODataError {
      ODataError(
        .unsupported,
        "The function '\(name.prefix(40))' cannot be sent to the table service, which has no functions.")
    }
  }
}
