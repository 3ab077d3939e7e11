// How values and records look to other coders, e.g. in a file or a cache as JSON: with their exact types, so that they are
// read back equal. The bridge to records does not come by here; it passes them through as they are.

extension EdmValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case type
    case value
    case enumeration
    case stream
    case complex
    case collection
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(), container.decodeNil() {
      self = .null
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let member = try container.decodeIfPresent(EdmEnumeration.self, forKey: .enumeration) {
      self = .enumeration(member)
    } else if let stream = try container.decodeIfPresent(EdmStream.self, forKey: .stream) {
      self = .stream(stream)
    } else if let record = try container.decodeIfPresent(EntityRecord.self, forKey: .complex) {
      self = .complex(record)
    } else if let collection = try container.decodeIfPresent(EdmCollection.self, forKey: .collection) {
      self = .collection(collection)
    } else {
      let type = try container.decode(EdmType.self, forKey: .type)
      let text = try container.decode(String.self, forKey: .value)
      guard let value = Self(text, type) else {
        throw DecodingError.dataCorruptedError(
          forKey: .value, in: container, debugDescription: "The text is not a valid \(type).")
      }
      self = value
    }
  }

  private init?(_ text: String, _ type: EdmType) {
    if type.isSpatial {
      self = .spatial(EdmSpatial(type: type, text: text))
      return
    }
    var text = text
    guard let value = try? text.withUTF8({ bytes in try EdmValue(lexical: bytes, type: type) }) else {
      return nil
    }
    self = value
  }

  /// Writes a single value as its type and its text, so that no coder's own idea of numbers and dates touches it, null as
  /// nil, and anything else under the name of its kind.
  public func encode(to encoder: any Encoder) throws {
    if isNull {
      var container = encoder.singleValueContainer()
      return try container.encodeNil()
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .enumeration(let member): try container.encode(member, forKey: .enumeration)
    case .stream(let stream): try container.encode(stream, forKey: .stream)
    case .complex(let record): try container.encode(record, forKey: .complex)
    case .collection(let collection): try container.encode(collection, forKey: .collection)
    default:
      try container.encode(type, forKey: .type)
      try container.encode(String(appending: appendLexical(to:)), forKey: .value)
    }
  }
}

extension EntityRecord: Codable {
  private enum CodingKeys: String, CodingKey {
    case names
    case values
    case control
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let names = try container.decode([String].self, forKey: .names)
    let values = try container.decode([EdmValue].self, forKey: .values)
    guard names.count == values.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .values, in: container, debugDescription: "There is not one value for each name.")
    }
    let control = try container.decodeIfPresent(ControlInformation.self, forKey: .control)
    self.init(
      shape: RecordShape(names: names), values: values, control: control ?? ControlInformation())
  }

  /// Writes names and values in order, and the control information where there is any.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(shape.names, forKey: .names)
    try container.encode(values, forKey: .values)
    if control != ControlInformation() { try container.encode(control, forKey: .control) }
  }
}

extension ControlInformation: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, entityTag, editLink, readLink, typeName, base, media, links, change
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decodeIfPresent(String.self, forKey: .id),
      entityTag: try container.decodeIfPresent(EntityTag.self, forKey: .entityTag),
      editLink: try container.decodeIfPresent(String.self, forKey: .editLink),
      typeName: try container.decodeIfPresent(String.self, forKey: .typeName))
    base = try container.decodeIfPresent(String.self, forKey: .base)
    // Most records have none of these, and setting one costs a place for them.
    if let link = try container.decodeIfPresent(String.self, forKey: .readLink) { readLink = link }
    if let media = try container.decodeIfPresent(EdmStream.self, forKey: .media) { self.media = media }
    if let links = try container.decodeIfPresent([NavigationLink].self, forKey: .links) { self.links = links }
    if let change = try container.decodeIfPresent(DeltaChange.self, forKey: .change) { self.change = change }
  }

  /// Writes what there is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encodeIfPresent(entityTag, forKey: .entityTag)
    try container.encodeIfPresent(editLink, forKey: .editLink)
    try container.encodeIfPresent(readLink, forKey: .readLink)
    try container.encodeIfPresent(typeName, forKey: .typeName)
    try container.encodeIfPresent(base, forKey: .base)
    try container.encodeIfPresent(media, forKey: .media)
    if !links.isEmpty { try container.encode(links, forKey: .links) }
    try container.encodeIfPresent(change, forKey: .change)
  }
}
