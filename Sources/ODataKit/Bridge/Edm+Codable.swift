// How Edm's types look to other coders, e.g. in a page token as JSON: as the text of the protocol. The bridge to records
// does not come by here; it passes them through as the values they are.

extension EdmDateTime: Codable {
  /// Reads the text of the protocol.
  public init(from decoder: any Decoder) throws { self = try decoder.edmText() }
  /// Writes the text of the protocol.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(edmText: self) }
}

extension EdmDateTimeOffset: Codable {
  /// Reads the text of the protocol.
  public init(from decoder: any Decoder) throws { self = try decoder.edmText() }
  /// Writes the text of the protocol.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(edmText: self) }
}

extension EdmDecimal: Codable {
  /// Reads the text of the protocol.
  public init(from decoder: any Decoder) throws { self = try decoder.edmText() }
  /// Writes the text of the protocol.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(edmText: self) }
}

extension EdmDuration: Codable {
  /// Reads the text of the protocol.
  public init(from decoder: any Decoder) throws { self = try decoder.edmText() }
  /// Writes the text of the protocol.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(edmText: self) }
}

extension EdmDate: Codable {
  /// Reads the text of the protocol.
  public init(from decoder: any Decoder) throws { self = try decoder.edmText() }
  /// Writes the text of the protocol.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(edmText: self) }
}

extension EdmTimeOfDay: Codable {
  /// Reads the text of the protocol.
  public init(from decoder: any Decoder) throws { self = try decoder.edmText() }
  /// Writes the text of the protocol.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(edmText: self) }
}

extension EdmType: Codable {}
extension EntityTag: Codable {}

extension Decoder {
  fileprivate func edmText<Value: LosslessStringConvertible>() throws -> Value {
    let container = try singleValueContainer()
    guard let value = Value(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not a valid \(Value.self).")
    }
    return value
  }
}

extension Encoder {
  fileprivate func encode(edmText value: some LosslessStringConvertible) throws {
    var container = singleValueContainer()
    try container.encode(value.description)
  }
}
