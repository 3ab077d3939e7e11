// The functions and operators that make a value of others. Azure tables have none of them, except that a prefix match
// is sent to them as a range.

extension TypedExpression where Value: TextQueryLiteral {
  /// `startswith`; in Azure tables the range of strings that begin with `prefix`.
  public func hasPrefix(_ prefix: String) -> TypedExpression<Bool> {
    called("startswith", [.literal(.string(prefix))])
  }
  /// `endswith`
  public func hasSuffix(_ suffix: String) -> TypedExpression<Bool> {
    called("endswith", [.literal(.string(suffix))])
  }
  /// `contains`, in OData 2 and 3 `substringof`.
  public func contains(_ part: String) -> TypedExpression<Bool> {
    called("contains", [.literal(.string(part))])
  }
  /// `tolower`
  public func lowercased() -> TypedExpression<String> { called("tolower") }
  /// `toupper`
  public func uppercased() -> TypedExpression<String> { called("toupper") }
  /// `trim`
  public func trimmed() -> TypedExpression<String> { called("trim") }
  /// `length`, as the service counts characters.
  public var length: TypedExpression<Int32> { called("length") }
}

extension TypedExpression where Value: TimeQueryLiteral {
  /// `year`
  public var year: TypedExpression<Int32> { called("year") }
  /// `month`, from 1.
  public var month: TypedExpression<Int32> { called("month") }
  /// `day` of the month, from 1.
  public var day: TypedExpression<Int32> { called("day") }
  /// `hour`
  public var hour: TypedExpression<Int32> { called("hour") }
  /// `minute`
  public var minute: TypedExpression<Int32> { called("minute") }
  /// `second`
  public var second: TypedExpression<Int32> { called("second") }
}

extension TypedExpression where Value: NumericQueryLiteral {
  /// `add`
  public static func + (left: Self, right: Value) -> Self { .joined(.add, left, Self(right)) }
  /// `add`
  public static func + (left: Self, right: Self) -> Self { .joined(.add, left, right) }
  /// `sub`
  public static func - (left: Self, right: Value) -> Self { .joined(.subtract, left, Self(right)) }
  /// `sub`
  public static func - (left: Self, right: Self) -> Self { .joined(.subtract, left, right) }
  /// `mul`
  public static func * (left: Self, right: Value) -> Self { .joined(.multiply, left, Self(right)) }
  /// `mul`
  public static func * (left: Self, right: Self) -> Self { .joined(.multiply, left, right) }
  /// `div`; of two integers it is an integer.
  public static func / (left: Self, right: Value) -> Self { .joined(.divide, left, Self(right)) }
  /// `div`; of two integers it is an integer.
  public static func / (left: Self, right: Self) -> Self { .joined(.divide, left, right) }
  /// `mod`
  public static func % (left: Self, right: Value) -> Self { .joined(.modulo, left, Self(right)) }
  /// `mod`
  public static func % (left: Self, right: Self) -> Self { .joined(.modulo, left, right) }
  /// `-`
  public static prefix func - (operand: Self) -> Self {
    Self { () throws(ODataError) in .unary(.negate, try operand.expression()) }
  }
}
