/// A part of a query whose Swift type the compiler knows: a property, a comparison, a function of one. Operators are
/// there only where the types fit, so `$0.rate == "4"` does not compile, and each constant takes the type of the property
/// it is compared with.
///
/// ```swift
/// query.filter { $0.author == "夏目漱石" && $0.rate >= 4 && !$0.isLent }
/// ```
///
/// It is a struct and not a protocol, so that an operator has one overload and long conditions type-check fast. What
/// goes wrong while it is built, such as a property whose name cannot be found, is kept and thrown by ``expression()``.
public struct TypedExpression<Value>: Sendable {
  let result: Result<QueryExpression, ODataError>

  init(result: Result<QueryExpression, ODataError>) { self.result = result }

  init(_ build: () throws(ODataError) -> QueryExpression) {
    do throws(ODataError) {
      result = .success(try build())
    } catch {
      result = .failure(error)
    }
  }

  /// Takes a tree at its word; the type is the caller's claim.
  public init(unchecked expression: QueryExpression) { result = .success(expression) }

  /// The tree. Throws what went wrong while it was built: ``ODataError/Code/invalidQuery``,
  /// ``ODataError/Code/invalidArgument`` for a key path without a name on the wire, or
  /// ``ODataError/Code/invalidValue`` for a constant no Edm type holds.
  public func expression() throws(ODataError) -> QueryExpression { try result.get() }

  static func joined<A, B>(
    _ binary: QueryExpression.BinaryOperator, _ left: TypedExpression<A>, _ right: TypedExpression<B>
  ) -> Self {
    Self { () throws(ODataError) in .binary(binary, try left.expression(), try right.expression()) }
  }

  func called<Result>(_ function: String, _ arguments: [QueryExpression] = []) -> TypedExpression<Result> {
    TypedExpression<Result> { () throws(ODataError) in .call(function, [try expression()] + arguments) }
  }
}

extension TypedExpression where Value: QueryLiteral {
  /// A constant.
  public init(_ value: Value) {
    self.init { () throws(ODataError) in .literal(try value.queryValue()) }
  }
}

// MARK: - Equality

extension TypedExpression where Value: QueryLiteral {
  /// `eq`; an optional property may be compared with `nil` where the service has null.
  public static func == (left: Self, right: Value) -> TypedExpression<Bool> {
    .joined(.equal, left, Self(right))
  }
  /// `eq`
  public static func == (left: Value, right: Self) -> TypedExpression<Bool> {
    .joined(.equal, Self(left), right)
  }
  /// `eq`
  public static func == (left: Self, right: Self) -> TypedExpression<Bool> { .joined(.equal, left, right) }
  /// `ne`; an optional property may be compared with `nil` where the service has null.
  public static func != (left: Self, right: Value) -> TypedExpression<Bool> {
    .joined(.notEqual, left, Self(right))
  }
  /// `ne`
  public static func != (left: Value, right: Self) -> TypedExpression<Bool> {
    .joined(.notEqual, Self(left), right)
  }
  /// `ne`
  public static func != (left: Self, right: Self) -> TypedExpression<Bool> { .joined(.notEqual, left, right) }

  /// Whether the value is one of those given, written as comparisons with `or` between them, which every service takes;
  /// of none it never is.
  public func isIn(_ values: some Sequence<Value>) -> TypedExpression<Bool> {
    TypedExpression<Bool> { () throws(ODataError) in
      let left = try expression()
      var whole = Disjunction()
      for value in values { try whole.add(.binary(.equal, left, .literal(try value.queryValue()))) }
      return whole.expression
    }
  }
}

// MARK: - Order

extension TypedExpression where Value: OrderedQueryLiteral {
  /// `lt`
  public static func < (left: Self, right: Value) -> TypedExpression<Bool> {
    .joined(.lessThan, left, ordered(right))
  }
  /// `lt`
  public static func < (left: Value, right: Self) -> TypedExpression<Bool> {
    .joined(.lessThan, ordered(left), right)
  }
  /// `lt`
  public static func < (left: Self, right: Self) -> TypedExpression<Bool> { .joined(.lessThan, left, right) }
  /// `le`
  public static func <= (left: Self, right: Value) -> TypedExpression<Bool> {
    .joined(.lessOrEqual, left, ordered(right))
  }
  /// `le`
  public static func <= (left: Value, right: Self) -> TypedExpression<Bool> {
    .joined(.lessOrEqual, ordered(left), right)
  }
  /// `le`
  public static func <= (left: Self, right: Self) -> TypedExpression<Bool> {
    .joined(.lessOrEqual, left, right)
  }
  /// `gt`
  public static func > (left: Self, right: Value) -> TypedExpression<Bool> {
    .joined(.greaterThan, left, ordered(right))
  }
  /// `gt`
  public static func > (left: Value, right: Self) -> TypedExpression<Bool> {
    .joined(.greaterThan, ordered(left), right)
  }
  /// `gt`
  public static func > (left: Self, right: Self) -> TypedExpression<Bool> {
    .joined(.greaterThan, left, right)
  }
  /// `ge`
  public static func >= (left: Self, right: Value) -> TypedExpression<Bool> {
    .joined(.greaterOrEqual, left, ordered(right))
  }
  /// `ge`
  public static func >= (left: Value, right: Self) -> TypedExpression<Bool> {
    .joined(.greaterOrEqual, ordered(left), right)
  }
  /// `ge`
  public static func >= (left: Self, right: Self) -> TypedExpression<Bool> {
    .joined(.greaterOrEqual, left, right)
  }

  /// A constant that is something: null has no place in an order, and services answer such a comparison differently.
  private static func ordered(_ value: Value) -> Self {
    Self { () throws(ODataError) in
      let constant = try value.queryValue()
      guard !constant.isNull else {
        throw ODataError(.invalidQuery, "The query asks whether a property is less or greater than nil.")
      }
      return .literal(constant)
    }
  }
}

// MARK: - Logic

extension TypedExpression where Value == Bool {
  /// `and`
  public static func && (left: Self, right: Self) -> Self { .joined(.and, left, right) }
  /// `or`
  public static func || (left: Self, right: Self) -> Self { .joined(.or, left, right) }
  /// `not`
  public static prefix func ! (operand: Self) -> Self {
    Self { () throws(ODataError) in .unary(.not, try operand.expression()) }
  }
}
