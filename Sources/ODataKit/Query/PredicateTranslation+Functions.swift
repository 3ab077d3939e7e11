internal import Foundation

// MARK: - Arithmetic

extension PredicateExpressions.Arithmetic: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    let binary: QueryExpression.BinaryOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default:
        throw ODataError(.unsupported, "The predicate has a calculation that is not known here.")
      }
    return .binary(binary, try translation.expression(lhs), try translation.expression(rhs))
  }
}

extension PredicateExpressions.FloatDivision: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .binary(.divide, try translation.expression(lhs), try translation.expression(rhs))
  }
}

extension PredicateExpressions.IntDivision: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .binary(.divide, try translation.expression(lhs), try translation.expression(rhs))
  }
}

extension PredicateExpressions.IntRemainder: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .binary(.modulo, try translation.expression(lhs), try translation.expression(rhs))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatablePredicate {
  /// The macro takes `-5` apart into a minus and a constant; a service that has no arithmetic has negative constants.
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    if let constant = wrapped as? PredicateExpressions.Value<Wrapped.Output> {
      return try PredicateTranslation.literal(0 - constant.value)
    }
    return .unary(.negate, try translation.expression(wrapped))
  }
}

// MARK: - Strings and collections

extension PredicateExpressions.SequenceStartsWith: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .call("startswith", [try translation.expression(base), try translation.expression(prefix)])
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .call("contains", [try translation.expression(base), try translation.expression(other)])
  }
}

extension PredicateExpressions.SequenceContains: TranslatablePredicate {
  /// `[1, 2].contains($0.rate)`, as comparisons with `or` between them.
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    guard let constants = sequence as? PredicateExpressions.Value<LHS.Output> else {
      throw ODataError(
        .unsupported, "The predicate looks into a collection of the entity, which no query can say.")
    }
    let element = try translation.expression(element)
    var whole = Disjunction()
    for value in constants.value {
      try whole.add(.binary(.equal, element, try PredicateTranslation.literal(value)))
    }
    return whole.expression
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    let element = try translation.expression(element)
    if let range = range as? any TranslatableRange {
      let (lower, upper) = try range.bounds(translation)
      return .binary(
        .and, .binary(.greaterOrEqual, element, lower),
        .binary(range.isClosed ? .lessOrEqual : .lessThan, element, upper))
    }
    throw ODataError(.unsupported, "The predicate has a range that is not written with both of its bounds.")
  }
}

/// A range whose bounds are parts of the predicate.
private protocol TranslatableRange {
  var isClosed: Bool { get }
  func bounds(_ translation: PredicateTranslation) throws -> (QueryExpression, QueryExpression)
}

extension PredicateExpressions.Range: TranslatableRange {
  fileprivate var isClosed: Bool { false }
  fileprivate func bounds(_ translation: PredicateTranslation) throws -> (QueryExpression, QueryExpression) {
    (try translation.expression(lower), try translation.expression(upper))
  }
}

extension PredicateExpressions.ClosedRange: TranslatableRange {
  fileprivate var isClosed: Bool { true }
  fileprivate func bounds(_ translation: PredicateTranslation) throws -> (QueryExpression, QueryExpression) {
    (try translation.expression(lower), try translation.expression(upper))
  }
}
