/// The qualified name of a type of the Entity Data Model, e.g. `Edm.Int32`; an open set, since services declare
/// their own.
public struct EdmType: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  /// The qualified name.
  public let rawValue: String
  /// Makes a type of a qualified name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The qualified name.
  public var description: String { rawValue }

  /// `Edm.Binary`
  public static let binary = EdmType(rawValue: "Edm.Binary")
  /// `Edm.Boolean`
  public static let boolean = EdmType(rawValue: "Edm.Boolean")
  /// `Edm.Byte`, eight bits without sign.
  public static let byte = EdmType(rawValue: "Edm.Byte")
  /// `Edm.Date` of OData 4.
  public static let date = EdmType(rawValue: "Edm.Date")
  /// `Edm.DateTime` of OData 1 to 3 and of Azure tables.
  public static let dateTime = EdmType(rawValue: "Edm.DateTime")
  /// `Edm.DateTimeOffset`
  public static let dateTimeOffset = EdmType(rawValue: "Edm.DateTimeOffset")
  /// `Edm.Decimal`
  public static let decimal = EdmType(rawValue: "Edm.Decimal")
  /// `Edm.Double`
  public static let double = EdmType(rawValue: "Edm.Double")
  /// `Edm.Duration` of OData 4.
  public static let duration = EdmType(rawValue: "Edm.Duration")
  /// `Edm.Guid`
  public static let guid = EdmType(rawValue: "Edm.Guid")
  /// `Edm.Int16`
  public static let int16 = EdmType(rawValue: "Edm.Int16")
  /// `Edm.Int32`
  public static let int32 = EdmType(rawValue: "Edm.Int32")
  /// `Edm.Int64`
  public static let int64 = EdmType(rawValue: "Edm.Int64")
  /// `Edm.SByte`, eight bits with sign.
  public static let sbyte = EdmType(rawValue: "Edm.SByte")
  /// `Edm.Single`
  public static let single = EdmType(rawValue: "Edm.Single")
  /// `Edm.String`
  public static let string = EdmType(rawValue: "Edm.String")
  /// `Edm.Time` of OData 1 to 3: a duration in spite of its name.
  public static let time = EdmType(rawValue: "Edm.Time")
  /// `Edm.TimeOfDay` of OData 4.
  public static let timeOfDay = EdmType(rawValue: "Edm.TimeOfDay")
}
