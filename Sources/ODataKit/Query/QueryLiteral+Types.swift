public import Foundation

extension EdmConvertible {
  /// The same conversion as in writing an entity. OData 4 writes a DateTime as the DateTimeOffset it has instead, and the
  /// renderer brings small types into what tables have, so one dialect does for all.
  fileprivate func converted() throws(ODataError) -> EdmValue {
    do throws(ConversionFault) {
      return try edmValue(for: .v3)
    } catch {
      throw ODataError(
        .invalidValue, "A constant in the query is outside of what the Edm type of \(Self.self) can hold.")
    }
  }
}

extension EdmValue: QueryLiteral {
  /// The value itself, for properties whose type only the program knows.
  public func queryValue() -> EdmValue { self }
}

extension EdmEnumeration: QueryLiteral {
  /// The member; it needs the name of its type, which stands in the literal.
  public func queryValue() -> EdmValue { .enumeration(self) }
}

extension EdmSpatial: QueryLiteral {
  /// The value, for the functions of `geo`.
  public func queryValue() -> EdmValue { .spatial(self) }
}

extension Optional: QueryLiteral where Wrapped: QueryLiteral {
  /// The constant, or null.
  public func queryValue() throws(ODataError) -> EdmValue {
    switch self {
    case .some(let value): try value.queryValue()
    case .none: .null
    }
  }
}

extension Optional: OrderedQueryLiteral where Wrapped: OrderedQueryLiteral {}
extension Optional: NumericQueryLiteral where Wrapped: NumericQueryLiteral {}
extension Optional: TextQueryLiteral where Wrapped: TextQueryLiteral {}
extension Optional: TimeQueryLiteral where Wrapped: TimeQueryLiteral {}

extension Bool: QueryLiteral {
  /// `Edm.Boolean`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension String: TextQueryLiteral {
  /// `Edm.String`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension URL: QueryLiteral {
  /// `Edm.String`, the absolute text.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension UUID: QueryLiteral {
  /// `Edm.Guid`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Data: QueryLiteral {
  /// `Edm.Binary`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Array: QueryLiteral where Element == UInt8 {
  /// `Edm.Binary`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

// MARK: - Numbers

extension Int: NumericQueryLiteral {
  /// `Edm.Int64`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Int64: NumericQueryLiteral {
  /// `Edm.Int64`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Int32: NumericQueryLiteral {
  /// `Edm.Int32`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Int16: NumericQueryLiteral {
  /// `Edm.Int16`, in Azure tables `Edm.Int32`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Int8: NumericQueryLiteral {
  /// `Edm.SByte`, in Azure tables `Edm.Int32`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension UInt8: NumericQueryLiteral {
  /// `Edm.Byte`, in Azure tables `Edm.Int32`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension UInt16: NumericQueryLiteral {
  /// `Edm.Int32`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension UInt32: NumericQueryLiteral {
  /// `Edm.Int64`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension UInt64: NumericQueryLiteral {
  /// `Edm.Int64`, if it fits.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension UInt: NumericQueryLiteral {
  /// `Edm.Int64`, if it fits.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Double: NumericQueryLiteral {
  /// `Edm.Double`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Float: NumericQueryLiteral {
  /// `Edm.Single`, in Azure tables `Edm.Double`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension EdmDecimal: NumericQueryLiteral {
  /// `Edm.Decimal`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Decimal: NumericQueryLiteral {
  /// `Edm.Decimal`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

// MARK: - Time

extension Date: TimeQueryLiteral {
  /// `Edm.DateTime`, in OData 4 `Edm.DateTimeOffset`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension EdmDateTime: TimeQueryLiteral {
  /// `Edm.DateTime`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension EdmDateTimeOffset: TimeQueryLiteral {
  /// `Edm.DateTimeOffset`, in Azure tables `Edm.DateTime`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension Duration: OrderedQueryLiteral {
  /// `Edm.Duration`, in OData 2 and 3 `Edm.Time`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension EdmDuration: OrderedQueryLiteral {
  /// `Edm.Duration`, in OData 2 and 3 `Edm.Time`.
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension EdmDate: OrderedQueryLiteral {
  /// `Edm.Date`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}

extension EdmTimeOfDay: OrderedQueryLiteral {
  /// `Edm.TimeOfDay`
  public func queryValue() throws(ODataError) -> EdmValue { try converted() }
}
