/// The primitive types an ``EdmValue`` can hold, as a closed set for the readers of payloads: looked up once for each
/// column of a feed, then switched over for each value.
package enum EdmPrimitive: UInt8, Sendable, CaseIterable {
  case binary, boolean, byte, date, dateTime, dateTimeOffset, decimal, double, duration, guid, int16, int32,
    int64
  case sbyte, single, string, time, timeOfDay

  /// The type with its qualified name.
  package var type: EdmType {
    switch self {
    case .binary: .binary
    case .boolean: .boolean
    case .byte: .byte
    case .date: .date
    case .dateTime: .dateTime
    case .dateTimeOffset: .dateTimeOffset
    case .decimal: .decimal
    case .double: .double
    case .duration: .duration
    case .guid: .guid
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .sbyte: .sbyte
    case .single: .single
    case .string: .string
    case .time: .time
    case .timeOfDay: .timeOfDay
    }
  }

  /// Finds a type by its qualified name; `nil` for types that are none of these.
  package init?(_ type: EdmType) {
    var name = type.rawValue
    guard let found = name.withUTF8(EdmPrimitive.init(name:)) else { return nil }
    self = found
  }

  /// Finds a type by the bytes of its qualified name, `Edm.` included.
  package init?(name: UnsafeBufferPointer<UInt8>) {
    guard name.count >= 8, let last = name.last else { return nil }
    // Length and two letters leave one candidate, which is then compared in full.
    let candidate: EdmPrimitive? =
      switch (name.count - 4, name[4], last) {
      case (4, UInt8(ascii: "B"), _): .byte
      case (4, UInt8(ascii: "D"), _): .date
      case (4, UInt8(ascii: "G"), _): .guid
      case (4, UInt8(ascii: "T"), _): .time
      case (5, UInt8(ascii: "S"), _): .sbyte
      case (5, _, UInt8(ascii: "6")): .int16
      case (5, _, UInt8(ascii: "2")): .int32
      case (5, _, UInt8(ascii: "4")): .int64
      case (6, UInt8(ascii: "B"), _): .binary
      case (6, UInt8(ascii: "D"), _): .double
      case (6, _, UInt8(ascii: "e")): .single
      case (6, _, UInt8(ascii: "g")): .string
      case (7, UInt8(ascii: "B"), _): .boolean
      case (7, _, _): .decimal
      case (8, _, UInt8(ascii: "e")): .dateTime
      case (8, _, _): .duration
      case (9, _, _): .timeOfDay
      case (14, _, _): .dateTimeOffset
      default: nil
      }
    guard let candidate else { return nil }
    var spelling = candidate.type.rawValue
    guard spelling.withUTF8(name.equals) else { return nil }
    self = candidate
  }
}
