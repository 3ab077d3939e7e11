import Foundation

// Conditions on collections: properties that hold several values, and related entities.

extension EntityProperties where Entity: Collection, Entity.Element: Decodable {
  /// Whether at least one element meets a condition: `$0.lines.any { $0.quantity > 5 }` is
  /// `lines/any(x:x/quantity gt 5)`. OData 3 and 4 only.
  @_disfavoredOverload
  public func any(
    _ condition: (EntityProperties<Entity.Element>) throws -> TypedExpression<Bool>
  ) rethrows -> TypedExpression<Bool> {
    try quantified(.any) {
      try condition(EntityProperties<Entity.Element>(naming: naming, prefix: .success([$0])))
    }
  }

  /// Whether each element meets a condition; of an empty collection each one does. OData 3 and 4 only.
  @_disfavoredOverload
  public func all(
    _ condition: (EntityProperties<Entity.Element>) throws -> TypedExpression<Bool>
  ) rethrows -> TypedExpression<Bool> {
    try quantified(.all) {
      try condition(EntityProperties<Entity.Element>(naming: naming, prefix: .success([$0])))
    }
  }
}

extension EntityProperties where Entity: Collection, Entity.Element: QueryLiteral {
  /// Whether at least one element meets a condition: `$0.tags.any { $0 == "new" }` is `tags/any(x:x eq 'new')`. OData 3
  /// and 4 only.
  public func any(
    _ condition: (TypedExpression<Entity.Element>) throws -> TypedExpression<Bool>
  ) rethrows -> TypedExpression<Bool> {
    try quantified(.any) { try condition(TypedExpression(unchecked: .property([$0]))) }
  }

  /// Whether each element meets a condition; of an empty collection each one does. OData 3 and 4 only.
  public func all(
    _ condition: (TypedExpression<Entity.Element>) throws -> TypedExpression<Bool>
  ) rethrows -> TypedExpression<Bool> {
    try quantified(.all) { try condition(TypedExpression(unchecked: .property([$0]))) }
  }
}

extension EntityProperties where Entity: Collection {
  /// Whether there is an element at all: `lines/any()`. OData 3 and 4 only.
  public func any() -> TypedExpression<Bool> {
    TypedExpression(
      result: prefix.map { .lambda(.any, collection: $0, variable: nil, condition: nil) })
  }

  /// The number of elements: `lines/$count`. OData 4 only (URL Conventions § 4.8).
  public var count: TypedExpression<Int64> {
    TypedExpression(result: prefix.map { .property($0 + ["$count"]) })
  }

  fileprivate func quantified(
    _ quantifier: QueryExpression.Quantifier, _ condition: (String) throws -> TypedExpression<Bool>
  ) rethrows -> TypedExpression<Bool> {
    // Which name is free is known when the condition is complete; no name begins with this character.
    let placeholder = "\u{0}" + UUID().uuidString
    let condition = try condition(placeholder)
    return TypedExpression { () throws(ODataError) in
      let collection = try prefix.get()
      let expression = try condition.expression()
      try expression.checkHeight()
      let taken = expression.leadingNames
      var variable = "x"
      while taken.contains(variable) { variable += "x" }
      return .lambda(
        quantifier, collection: collection, variable: variable,
        condition: expression.replacing(leading: placeholder, by: variable))
    }
  }
}

extension QueryExpression {
  /// The first names of all paths, and the variables.
  fileprivate var leadingNames: Set<String> {
    switch self {
    case .literal: []
    case .property(let path): Set(path.prefix(1))
    case .unary(_, let operand): operand.leadingNames
    case .binary(_, let left, let right): left.leadingNames.union(right.leadingNames)
    case .call(_, let arguments): arguments.reduce(into: []) { $0.formUnion($1.leadingNames) }
    case .lambda(_, let collection, let variable, let condition):
      Set(collection.prefix(1)).union(variable.map { [$0] } ?? []).union(condition?.leadingNames ?? [])
    }
  }

  /// The tree with another first name in the paths that begin with `name`.
  fileprivate func replacing(leading name: String, by variable: String) -> QueryExpression {
    func replaced(_ path: [String]) -> [String] {
      path.first?.hasSameBytes(as: name) == true ? [variable] + path.dropFirst() : path
    }
    switch self {
    case .literal: return self
    case .property(let path): return .property(replaced(path))
    case .unary(let unary, let operand): return .unary(unary, operand.replacing(leading: name, by: variable))
    case .binary(let binary, let left, let right):
      return .binary(
        binary, left.replacing(leading: name, by: variable), right.replacing(leading: name, by: variable))
    case .call(let function, let arguments):
      return .call(function, arguments.map { $0.replacing(leading: name, by: variable) })
    case .lambda(let quantifier, let collection, let inner, let condition):
      return .lambda(
        quantifier, collection: replaced(collection), variable: inner,
        condition: condition?.replacing(leading: name, by: variable))
    }
  }
}
