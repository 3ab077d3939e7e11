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

extension EdmValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case type
    case value
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(), container.decodeNil() {
      self = .null
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(EdmType.self, forKey: .type)
    var text = try container.decode(String.self, forKey: .value)
    do {
      self = try text.withUTF8 { bytes in try EdmValue(lexical: bytes, type: type) }
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .value, in: container, debugDescription: "The text is not a valid \(type).")
    }
  }

  /// Writes type and text, so that no coder's own idea of numbers and dates touches the value; null as nil.
  public func encode(to encoder: any Encoder) throws {
    guard let type else {
      var container = encoder.singleValueContainer()
      return try container.encodeNil()
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .type)
    try container.encode(String(appending: appendLexical(to:)), forKey: .value)
  }
}

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
