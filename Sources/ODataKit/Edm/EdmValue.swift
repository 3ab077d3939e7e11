public import Foundation

/// One value of the Entity Data Model, with its exact type: `int32(4)`, `int64(4)` and `double(4)` are
/// three different values, as they are to a service.
///
/// Strings compare by code units, so that the NFC and NFD spellings of a key are two keys; NaN equals NaN, so that
/// a record equals its copy.
public enum EdmValue: Sendable {
  /// No value. Azure tables never store it; see the documentation of each write for what sending it means.
  case null
  /// `Edm.Boolean`
  case boolean(Bool)
  /// `Edm.Byte`
  case byte(UInt8)
  /// `Edm.SByte`
  case sbyte(Int8)
  /// `Edm.Int16`
  case int16(Int16)
  /// `Edm.Int32`
  case int32(Int32)
  /// `Edm.Int64`
  case int64(Int64)
  /// `Edm.Single`
  case single(Float)
  /// `Edm.Double`
  case double(Double)
  /// `Edm.Decimal`, every digit kept.
  case decimal(EdmDecimal)
  /// `Edm.String`
  case string(String)
  /// `Edm.Binary`
  case binary([UInt8])
  /// `Edm.Guid`
  case guid(UUID)
  /// `Edm.DateTime`, in ticks of 100 ns.
  case dateTime(EdmDateTime)
  /// `Edm.DateTimeOffset`, in ticks of 100 ns with the offset as it was written.
  case dateTimeOffset(EdmDateTimeOffset)
  /// `Edm.Duration` of OData 4 and `Edm.Time` of OData 1 to 3.
  case duration(EdmDuration)
  /// `Edm.Date`
  case date(EdmDate)
  /// `Edm.TimeOfDay`
  case timeOfDay(EdmTimeOfDay)
  /// A value of an enumeration type of the service.
  indirect case enumeration(EdmEnumeration)
  /// A value of a spatial type, opaque.
  indirect case spatial(EdmSpatial)
  /// A property of the type `Edm.Stream`: its links.
  indirect case stream(EdmStream)
  /// A value of a complex type, or a related entity that came along with the one it belongs to. The name of the type
  /// and, for an entity, id, tag and links are in the record's control information.
  indirect case complex(EntityRecord)
  /// Several values in order: a collection property, or related entities that came along.
  indirect case collection(EdmCollection)

  /// The type; `nil` for null, which has none, and for a value of a type of the service that the payload did not name.
  /// A duration reports `Edm.Duration`.
  public var type: EdmType? {
    switch self {
    case .null: nil
    case .boolean: .boolean
    case .byte: .byte
    case .sbyte: .sbyte
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .single: .single
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .binary: .binary
    case .guid: .guid
    case .dateTime: .dateTime
    case .dateTimeOffset: .dateTimeOffset
    case .duration: .duration
    case .date: .date
    case .timeOfDay: .timeOfDay
    case .enumeration(let value): value.type
    case .spatial(let value): value.type
    case .stream: .stream
    case .complex(let record): record.control.typeName.map(EdmType.init)
    case .collection(let collection): collection.elementType?.collection
    }
  }

  /// Whether this is a complex value, a collection or a stream, which no text and no literal stands for.
  package var isStructured: Bool {
    switch self {
    case .complex, .collection, .stream: true
    default: false
    }
  }

  /// Whether this is ``null``.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension EdmValue: Hashable {
  /// Same type and same value; strings by code units, NaN equal to NaN.
  public static func == (a: EdmValue, b: EdmValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.byte(let a), .byte(let b)): a == b
    case (.sbyte(let a), .sbyte(let b)): a == b
    case (.int16(let a), .int16(let b)): a == b
    case (.int32(let a), .int32(let b)): a == b
    case (.int64(let a), .int64(let b)): a == b
    case (.single(let a), .single(let b)): a == b || (a.isNaN && b.isNaN)
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.decimal(let a), .decimal(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.binary(let a), .binary(let b)): a == b
    case (.guid(let a), .guid(let b)): a == b
    case (.dateTime(let a), .dateTime(let b)): a == b
    case (.dateTimeOffset(let a), .dateTimeOffset(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.timeOfDay(let a), .timeOfDay(let b)): a == b
    case (.enumeration(let a), .enumeration(let b)): a == b
    case (.spatial(let a), .spatial(let b)): a == b
    case (.stream(let a), .stream(let b)): a == b
    case (.complex(let a), .complex(let b)): a == b
    case (.collection(let a), .collection(let b)): a == b
    default: false
    }
  }

  /// Hashes type and value. Canonically equivalent strings share a hash, which is allowed.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .boolean(let value): hasher.combine(value)
    case .byte(let value): hasher.combine(value)
    case .sbyte(let value): hasher.combine(value)
    case .int16(let value): hasher.combine(value)
    case .int32(let value): hasher.combine(value)
    case .int64(let value): hasher.combine(value)
    case .single(let value): if !value.isNaN { hasher.combine(value) }
    case .double(let value): if !value.isNaN { hasher.combine(value) }
    case .decimal(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .binary(let value): hasher.combine(value)
    case .guid(let value): hasher.combine(value)
    case .dateTime(let value): hasher.combine(value)
    case .dateTimeOffset(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .timeOfDay(let value): hasher.combine(value)
    case .enumeration(let value): hasher.combine(value)
    case .spatial(let value): hasher.combine(value)
    case .stream(let value): hasher.combine(value)
    case .complex(let value): hasher.combine(value)
    case .collection(let value): hasher.combine(value)
    }
  }
}
