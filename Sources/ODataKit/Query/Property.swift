/// A property by its name on the wire, for entities without a Swift type of their own: what it is compared with decides
/// on the type of the constant, so write `Int32(4)` where the service stores an Int32.
///
/// ```swift
/// query.filter(Property("title") == "坊っちゃん" && Property("rate") >= Int32(4))
/// ```
public struct Property: Sendable {
  let result: Result<[String], ODataError>

  init(result: Result<[String], ODataError>) { self.result = result }

  /// A property, or the path to one (`Address/City`).
  public init(_ path: String) { result = .success(Self.names(path)) }

  static func names(_ path: String) -> [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  /// The property as an expression of a type, for functions and for comparing it with another: the caller's claim.
  public func typed<Value>(as _: Value.Type = Value.self) -> TypedExpression<Value> {
    TypedExpression(result: result.map { .property($0) })
  }

  /// `eq`
  public static func == <Value: QueryLiteral>(left: Property, right: Value) -> TypedExpression<Bool> {
    left.typed() == right
  }
  /// `ne`
  public static func != <Value: QueryLiteral>(left: Property, right: Value) -> TypedExpression<Bool> {
    left.typed() != right
  }
  /// `lt`
  public static func < <Value: QueryLiteral>(left: Property, right: Value) -> TypedExpression<Bool> {
    left.compared(.lessThan, right)
  }
  /// `le`
  public static func <= <Value: QueryLiteral>(left: Property, right: Value) -> TypedExpression<Bool> {
    left.compared(.lessOrEqual, right)
  }
  /// `gt`
  public static func > <Value: QueryLiteral>(left: Property, right: Value) -> TypedExpression<Bool> {
    left.compared(.greaterThan, right)
  }
  /// `ge`
  public static func >= <Value: QueryLiteral>(left: Property, right: Value) -> TypedExpression<Bool> {
    left.compared(.greaterOrEqual, right)
  }

  /// `startswith`; in Azure tables the range of strings that begin with `prefix`.
  public func hasPrefix(_ prefix: String) -> TypedExpression<Bool> {
    typed(as: String.self).hasPrefix(prefix)
  }
  /// `endswith`
  public func hasSuffix(_ suffix: String) -> TypedExpression<Bool> {
    typed(as: String.self).hasSuffix(suffix)
  }
  /// `contains`, in OData 2 and 3 `substringof`.
  public func contains(_ part: String) -> TypedExpression<Bool> { typed(as: String.self).contains(part) }
  /// Whether the value is one of those given.
  public func isIn<Value: QueryLiteral>(_ values: some Sequence<Value>) -> TypedExpression<Bool> {
    typed(as: Value.self).isIn(values)
  }

  /// Any relation with any type: whether the two fit is for the service to say.
  private func compared<Value: QueryLiteral>(
    _ comparison: QueryExpression.BinaryOperator, _ value: Value
  ) -> TypedExpression<Bool> {
    .joined(comparison, typed(as: Value.self), TypedExpression<Value>(value))
  }
}

/// Conditions in words, one property each; they join with `&&`, `||` and `!`.
///
/// ```swift
/// query.filter(Queries.with("title", eq: text) && Queries.with("rate", ge: Int32(4)))
/// ```
public enum Queries {
  /// The property equals the value.
  public static func with(_ name: String, eq value: some QueryLiteral) -> TypedExpression<Bool> {
    Property(name) == value
  }
  /// The property does not equal the value.
  public static func with(_ name: String, ne value: some QueryLiteral) -> TypedExpression<Bool> {
    Property(name) != value
  }
  /// The property is less than the value.
  public static func with(_ name: String, lt value: some QueryLiteral) -> TypedExpression<Bool> {
    Property(name) < value
  }
  /// The property is less than the value or equals it.
  public static func with(_ name: String, le value: some QueryLiteral) -> TypedExpression<Bool> {
    Property(name) <= value
  }
  /// The property is greater than the value.
  public static func with(_ name: String, gt value: some QueryLiteral) -> TypedExpression<Bool> {
    Property(name) > value
  }
  /// The property is greater than the value or equals it.
  public static func with(_ name: String, ge value: some QueryLiteral) -> TypedExpression<Bool> {
    Property(name) >= value
  }
  /// The property begins with a text.
  public static func with(_ name: String, prefix: String) -> TypedExpression<Bool> {
    Property(name).hasPrefix(prefix)
  }
}
