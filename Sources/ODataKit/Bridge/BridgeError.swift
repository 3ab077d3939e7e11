extension ODataError.Code {
  /// An entity and the Swift type it is read into do not fit each other.
  public static let typeMismatch = ODataError.Code("typeMismatch")
}

/// What the bridge found wrong, as the end of a sentence that begins with the property.
///
/// It travels inside of `DecodingError` and `EncodingError`, so that a type's own coding code can catch what it expects
/// to catch; only what comes out at the top is put into a sentence. Unlike the messages of those errors it never
/// holds a value.
struct BridgeFault: Error {
  var words: String
  var code = ODataError.Code.invalidValue

  static let missing = BridgeFault(words: "is missing and not optional")
  static let noCollection = BridgeFault(words: "is read as a collection, but is an entity or a complex value")
  static let collectionOfCollections = BridgeFault(
    words: "is a collection within a collection, which OData does not have", code: .unsupported)
  static let noSingleValue = BridgeFault(words: "is an entity, not a single value")
}

extension DecodingError.Context {
  init(_ fault: BridgeFault, at path: [any CodingKey]) {
    self.init(codingPath: path, debugDescription: fault.words, underlyingError: fault)
  }
}

extension DecodingError {
  init(_ fault: ConversionFault, reading type: Any.Type, from value: EdmValue, at path: [any CodingKey]) {
    guard !value.isNull else {
      self = .valueNotFound(type, .init(BridgeFault(words: "is null, but \(type) is not optional"), at: path))
      return
    }
    let edm = value.kindName
    let article = edm.hasPrefix("Edm.") ? "an" : "a"
    self =
      switch fault {
      case .mismatch:
        .typeMismatch(
          type, .init(BridgeFault(words: "is \(article) \(edm) that \(type) cannot be read from"), at: path))
      case .outOfRange:
        .dataCorrupted(
          .init(BridgeFault(words: "is \(article) \(edm) that \(type) cannot hold without loss"), at: path))
      }
  }
}

extension EncodingError {
  /// The error holds the type in place of the value, which may be a secret.
  init(_ fault: BridgeFault, writing type: Any.Type, at path: [any CodingKey]) {
    self = .invalidValue(type, .init(codingPath: path, debugDescription: fault.words, underlyingError: fault))
  }

  init(_ fault: ConversionFault, writing type: Any.Type, for dialect: Dialect, at path: [any CodingKey]) {
    let fault =
      switch fault {
      case .mismatch:
        BridgeFault(words: "is a \(type), which \(dialect.name) has no type for", code: .unsupported)
      case .outOfRange:
        BridgeFault(words: "has a value outside of the range that \(dialect.name) has for \(type)")
      }
    self.init(fault, writing: type, at: path)
  }
}

extension BridgeFault {
  static func nesting(_ dialect: Dialect) -> BridgeFault {
    BridgeFault(
      words: "is a nested value; nested values are not supported by \(dialect.name)", code: .unsupported)
  }

  static func collection(_ dialect: Dialect) -> BridgeFault {
    BridgeFault(
      words: "is a collection; collections are not supported by \(dialect.name)", code: .unsupported)
  }

  static let notAnEntity = BridgeFault(words: "is a collection, not an entity")
}

extension ODataError {
  /// Puts a decoding error into a sentence about the entity's property.
  init(reading type: Any.Type, naming: PropertyNaming, _ error: DecodingError) {
    var (path, fault): ([any CodingKey], BridgeFault?)
    switch error {
    case .keyNotFound(let key, let context):
      (path, fault) = (context.codingPath + [key], .missing)
    case .valueNotFound(let expected, let context):
      path = context.codingPath
      fault = context.fault ?? BridgeFault(words: "is null, but \(expected) is not optional")
    case .typeMismatch(let expected, let context):
      path = context.codingPath
      fault = context.fault ?? BridgeFault(words: "cannot be read as \(expected)")
    case .dataCorrupted(let context):
      (path, fault) = (context.codingPath, context.fault)
    @unknown default:
      (path, fault) = ([], nil)
    }
    // A type's own message may quote the value, so it stays in the underlying error.
    let words = fault?.words ?? "has a value that its type refuses"
    self.init(
      .typeMismatch, "\(type) cannot be read: \(Self.subject(path, naming)) \(words).", underlying: error)
  }

  /// Puts an encoding error into a sentence about the entity's property.
  init(writing type: Any.Type, naming: PropertyNaming, _ error: EncodingError) {
    guard case .invalidValue(_, let context) = error else {
      self.init(.invalidValue, "\(type) cannot be written as an entity.", underlying: error)
      return
    }
    let fault = context.underlyingError as? BridgeFault
    let words = fault?.words ?? "has a value that its type refuses to write"
    self.init(
      fault?.code ?? .invalidValue,
      "\(type) cannot be written: \(Self.subject(context.codingPath, naming)) \(words).", underlying: error)
  }

  private static func subject(_ path: [any CodingKey], _ naming: PropertyNaming) -> String {
    guard !path.isEmpty else { return "it" }
    var text = ""
    for key in path {
      if key is ElementKey {
        text += key.stringValue
      } else {
        text += (text.isEmpty ? "" : ".") + naming.wireName(of: key.stringValue)
      }
    }
    return "the property '\(text)'"
  }
}

extension DecodingError.Context {
  fileprivate var fault: BridgeFault? { underlyingError as? BridgeFault }
}
