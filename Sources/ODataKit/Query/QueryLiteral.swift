/// A Swift value that can stand as a constant in a query. It becomes the Edm value of the type a property of the Swift
/// type is stored as, so `rate >= 4` compares with an Int32 or an Int64 as the property is one.
///
/// An enumeration of strings or numbers takes part by declaring it:
///
/// ```swift
/// enum Binding: String, Codable, QueryLiteral { case hardback, paperback }
/// ```
public protocol QueryLiteral: Sendable {
  /// The constant. Throws ``ODataError/Code/invalidValue`` for a value that no Edm type holds, such as a date beyond the
  /// year 9999.
  func queryValue() throws(ODataError) -> EdmValue
}

/// A constant of a type that has an order, so that `<` and its kin can compare it.
public protocol OrderedQueryLiteral: QueryLiteral {}

/// A constant of a type one can calculate with.
public protocol NumericQueryLiteral: OrderedQueryLiteral {}

/// Text, present or optional, so that the functions for strings can work on it.
public protocol TextQueryLiteral: OrderedQueryLiteral {}

/// A point in time, present or optional, so that the functions for its parts can work on it.
public protocol TimeQueryLiteral: OrderedQueryLiteral {}

extension QueryLiteral where Self: RawRepresentable, RawValue: QueryLiteral {
  /// The constant of the raw value.
  public func queryValue() throws(ODataError) -> EdmValue { try rawValue.queryValue() }
}
