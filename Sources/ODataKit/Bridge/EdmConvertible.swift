import Foundation

/// Why a value and a Swift type do not fit each other; whoever knows the property puts it into words.
enum ConversionFault: Error {
  /// The type of the value cannot become the Swift type, or the other way round.
  case mismatch
  /// The types fit, the value does not.
  case outOfRange
}

/// The Swift types that one ``EdmValue`` becomes and comes from.
///
/// Writing gives the exact type a dialect has for the Swift type. Reading is wider: any value that becomes the Swift type
/// without loss is taken, and text is read as the Swift type, since some services and payloads leave out the types.
protocol EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Self
  func edmValue(for dialect: Dialect) throws(ConversionFault) -> EdmValue
}

extension EdmValue: EdmConvertible {
  static func reading(_ value: EdmValue) -> EdmValue { value }
  func edmValue(for dialect: Dialect) -> EdmValue { self }

  /// Reads text as a value of `type`; anything that is not text does not fit.
  fileprivate func readingText(as type: EdmPrimitive) throws(ConversionFault) -> EdmValue {
    guard case .string(var text) = self else { throw .mismatch }
    do {
      return try text.withUTF8 { bytes in try EdmValue(lexical: bytes, type) }
    } catch {
      throw .mismatch
    }
  }
}

extension Bool: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Bool {
    if case .boolean(let bool) = value { return bool }
    guard case .boolean(let bool) = try value.readingText(as: .boolean) else { throw .mismatch }
    return bool
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .boolean(self) }
}

extension String: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> String {
    switch value {
    case .string(let text): return text
    case .enumeration(let member): return member.member
    default: throw .mismatch
    }
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .string(self) }
}

extension URL: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> URL {
    guard case .string(let text) = value, let url = URL(string: text) else { throw .mismatch }
    return url
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .string(absoluteString) }
}

extension EntityTag: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EntityTag {
    EntityTag(rawValue: try String.reading(value))
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .string(rawValue) }
}

extension UUID: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> UUID {
    if case .guid(let guid) = value { return guid }
    guard case .guid(let guid) = try value.readingText(as: .guid) else { throw .mismatch }
    return guid
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .guid(self) }
}

extension [UInt8]: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> [UInt8] {
    if case .binary(let bytes) = value { return bytes }
    guard case .binary(let bytes) = try value.readingText(as: .binary) else { throw .mismatch }
    return bytes
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .binary(self) }
}

extension Data: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Data { Data(try [UInt8].reading(value)) }
  func edmValue(for dialect: Dialect) -> EdmValue { .binary([UInt8](self)) }
}

// MARK: - Time

extension EdmDateTime: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmDateTime {
    switch value {
    case .dateTime(let time): return time
    case .dateTimeOffset(let time): return time.instant
    default:
      guard case .dateTime(let time) = try value.readingText(as: .dateTime) else { throw .mismatch }
      return time
    }
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .dateTime(self) }
}

extension EdmDateTimeOffset: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmDateTimeOffset {
    switch value {
    case .dateTimeOffset(let time): return time
    case .dateTime(let time): return EdmDateTimeOffset(utc: time)
    default:
      guard case .dateTimeOffset(let time) = try value.readingText(as: .dateTimeOffset) else {
        throw .mismatch
      }
      return time
    }
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .dateTimeOffset(self) }
}

extension Date: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Date {
    try EdmDateTime.reading(value).date
  }
  func edmValue(for dialect: Dialect) throws(ConversionFault) -> EdmValue {
    guard let time = EdmDateTime(self) else { throw .outOfRange }
    return dialect == .v4 ? .dateTimeOffset(EdmDateTimeOffset(utc: time)) : .dateTime(time)
  }
}

extension EdmDuration: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmDuration {
    if case .duration(let duration) = value { return duration }
    guard case .duration(let duration) = try value.readingText(as: .duration) else { throw .mismatch }
    return duration
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .duration(self) }
}

extension Duration: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> Duration {
    try EdmDuration.reading(value).duration
  }
  func edmValue(for dialect: Dialect) throws(ConversionFault) -> EdmValue {
    guard dialect != .azureTable else { throw .mismatch }
    guard let duration = EdmDuration(self) else { throw .outOfRange }
    return .duration(duration)
  }
}

extension EdmDate: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmDate {
    if case .date(let date) = value { return date }
    guard case .date(let date) = try value.readingText(as: .date) else { throw .mismatch }
    return date
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .date(self) }
}

extension EdmTimeOfDay: EdmConvertible {
  static func reading(_ value: EdmValue) throws(ConversionFault) -> EdmTimeOfDay {
    if case .timeOfDay(let time) = value { return time }
    guard case .timeOfDay(let time) = try value.readingText(as: .timeOfDay) else { throw .mismatch }
    return time
  }
  func edmValue(for dialect: Dialect) -> EdmValue { .timeOfDay(self) }
}
