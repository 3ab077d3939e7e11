package import Foundation

/// The tree of a `#Predicate<Book> { $0.author == "夏目漱石" && $0.rate >= 4 }`.
///
/// Translated are comparisons, logic, arithmetic, `starts(with:)`, `contains` of a string, `count` of a string,
/// `contains` of a constant array or range, optional chaining and `!`. Throws ``ODataError/Code/unsupported`` for anything
/// else a predicate can say, and what ``wireName(of:naming:)`` throws.
package func filterExpression<Entity: Decodable>(
  _ predicate: Predicate<Entity>, naming: PropertyNaming
) throws -> QueryExpression {
  var translation = PredicateTranslation(naming: naming)
  translation.paths[predicate.variable.key] = []
  return try translation.expression(predicate.expression)
}

/// The walk over a predicate; it knows which path each variable stands for.
struct PredicateTranslation {
  let naming: PropertyNaming
  var paths: [PredicateExpressions.VariableID: [String]] = [:]

  init(naming: PropertyNaming) { self.naming = naming }

  func expression(_ part: some PredicateExpression) throws -> QueryExpression {
    guard let part = part as? any TranslatablePredicate else {
      // The first word of the type's name is its kind; the rest spells out the whole predicate.
      let kind = "\(type(of: part))".prefix { $0 != "<" }
      throw ODataError(.unsupported, "The predicate has a part of the kind \(kind), which no query can say.")
    }
    return try part.translated(self)
  }

  /// A comparison; `condition == true`, which optional chaining makes, is the condition itself.
  func comparison(
    _ binary: QueryExpression.BinaryOperator, _ left: some PredicateExpression,
    _ right: some PredicateExpression
  ) throws -> QueryExpression {
    let (left, right) = (try expression(left), try expression(right))
    if binary == .equal, right == .literal(.boolean(true)), !left.isProperty { return left }
    return .binary(binary, left, right)
  }

  func path(_ part: some PredicateExpression) throws -> [String] {
    guard case .property(let path) = try expression(part) else {
      throw ODataError(
        .unsupported, "The predicate takes a property of something that is no property itself.")
    }
    return path
  }

  static func literal(_ value: Any) throws(ODataError) -> QueryExpression {
    guard let value = value as? any QueryLiteral else {
      throw ODataError(
        .unsupported, "The predicate has a constant of the type \(type(of: value)), which Edm does not have.")
    }
    return .literal(try value.queryValue())
  }
}

extension QueryExpression {
  fileprivate var isProperty: Bool { if case .property = self { true } else { false } }
}

/// A part of a predicate that a query can say.
protocol TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression
}

// MARK: - Properties and constants

extension PredicateExpressions.Variable: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    guard let path = translation.paths[key] else {
      throw ODataError(
        .unsupported, "The predicate uses a variable of a closure within it, which no query can say.")
    }
    return .property(path)
  }
}

extension PredicateExpressions.KeyPath: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    if keyPath == \String.count { return .call("length", [try translation.expression(root)]) }
    if keyPath == \String.isEmpty {
      return .binary(.equal, try translation.expression(root), .literal(.string("")))
    }
    guard let type = Root.Output.self as? any Decodable.Type else {
      throw ODataError(
        .unsupported, "The predicate takes a property of \(Root.Output.self), which is not Decodable.")
    }
    return .property(try translation.path(root) + name(in: type, translation.naming))
  }

  private func name<Entity: Decodable>(in _: Entity.Type, _ naming: PropertyNaming) throws -> [String] {
    guard let keyPath = keyPath as? PartialKeyPath<Entity> else { return [] }
    return Property.names(try wireName(of: keyPath, naming: naming))
  }
}

extension PredicateExpressions.Value: TranslatablePredicate {
  func translated(_: PredicateTranslation) throws -> QueryExpression {
    try PredicateTranslation.literal(value)
  }
}

extension PredicateExpressions.NilLiteral: TranslatablePredicate {
  func translated(_: PredicateTranslation) -> QueryExpression { .literal(.null) }
}

extension PredicateExpressions.ForcedUnwrap: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    try translation.expression(inner)
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatablePredicate {
  /// A property that is null or missing makes every comparison false, so chaining needs no words.
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    var inner = translation
    inner.paths[variable.key] = try translation.path(wrapped)
    return try inner.expression(transform)
  }
}

// MARK: - Comparisons and logic

extension PredicateExpressions.Equal: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    try translation.comparison(.equal, lhs, rhs)
  }
}

extension PredicateExpressions.NotEqual: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    try translation.comparison(.notEqual, lhs, rhs)
  }
}

extension PredicateExpressions.Comparison: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    switch op {
    case .lessThan: try translation.comparison(.lessThan, lhs, rhs)
    case .lessThanOrEqual: try translation.comparison(.lessOrEqual, lhs, rhs)
    case .greaterThan: try translation.comparison(.greaterThan, lhs, rhs)
    case .greaterThanOrEqual: try translation.comparison(.greaterOrEqual, lhs, rhs)
    @unknown default: throw ODataError(.unsupported, "The predicate has a comparison that is not known here.")
    }
  }
}

extension PredicateExpressions.Conjunction: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .binary(.and, try translation.expression(lhs), try translation.expression(rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .binary(.or, try translation.expression(lhs), try translation.expression(rhs))
  }
}

extension PredicateExpressions.Negation: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> QueryExpression {
    .unary(.not, try translation.expression(wrapped))
  }
}
