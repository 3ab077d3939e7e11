/// What is known of the type of a value: from what the payload says of it (`m:type`, `odata.type`), else from the metadata.
struct PayloadType: Equatable {
  /// The type, or that of the elements; `nil` where nothing is known, which means `Edm.String` for what is a text.
  var type: EdmType?
  /// What kind of type it is, where the metadata tells.
  var kind: DeclaredProperty.Kind?
  /// Whether the value is a collection.
  var isCollection = false

  /// Nothing is known.
  static let unknown = PayloadType()

  init(type: EdmType? = nil, kind: DeclaredProperty.Kind? = nil, isCollection: Bool = false) {
    self.type = type
    self.kind = kind
    self.isCollection = isCollection
  }

  /// What the metadata declares.
  init(_ declared: DeclaredProperty) {
    self.init(type: declared.type, kind: declared.kind, isCollection: declared.isCollection)
  }

  /// Reads the value of `m:type` or `odata.type`: `Edm.Int32`, `Collection(Edm.String)`, and in OData 4 `Int32`, `#Model.Color`,
  /// `#Collection(String)` or a URL in front of the sharp sign (OData Atom Format 4.0 § 6.3; JSON Format 4.01 § 4.6.3).
  init(name text: UnsafeBufferPointer<UInt8>) {
    var name = text[...]
    if let hash = name.lastIndex(of: UInt8(ascii: "#")) { name = name[(hash + 1)...] }
    // The drafts of version 3 called collections bags.
    for start in ["Collection(", "Bag("] where name.starts(with: start.utf8) && name.last == UInt8(ascii: ")")
    {
      isCollection = true
      name = name.dropFirst(start.utf8.count).dropLast()
      break
    }
    let spelling = String(decoding: name, as: UTF8.self)
    guard !spelling.isEmpty else { return }
    type = EdmType(rawValue: name.contains(UInt8(ascii: ".")) ? spelling : "Edm." + spelling)
  }

  /// Reads the qualified name of a type as metadata and programs spell it.
  init(_ type: EdmType) {
    self.init(type: type.element ?? type, isCollection: type.element != nil)
  }

  /// The type of the elements of a collection.
  var element: PayloadType { PayloadType(type: type, kind: kind) }

  /// Whether values of the type are texts of the service's metadata or of Edm, rather than structures.
  private var isOfEdm: Bool { type?.rawValue.hasPrefix("Edm.") == true }

  /// The primitive type that the text of a value is read as; `nil` for what no primitive type is known for.
  var primitive: EdmPrimitive? {
    guard !isCollection else { return nil }
    guard let type else { return .string }
    return EdmPrimitive(type)
  }

  /// This type as the payload names it, with what the metadata knows of it.
  func completed(by declared: PayloadType) -> PayloadType {
    guard let type else { return declared }
    // A type definition is named in the payload, and only the metadata knows what it is made of.
    if declared.kind == .primitive, !isOfEdm, declared.isCollection == isCollection { return declared }
    return PayloadType(type: type, kind: isOfEdm ? nil : declared.kind, isCollection: isCollection)
  }

  /// The value of an element that holds text alone.
  func value(of text: UnsafeBufferPointer<UInt8>) throws(ODataError) -> EdmValue {
    if isCollection { return .collection(EdmCollection(elementType: type)) }
    if let primitive { return try EdmValue(lexical: text, primitive) }
    guard let type else { return try EdmValue(lexical: text, .string) }
    var trimmed = text[...]
    while trimmed.first?.isBlank == true { trimmed.removeFirst() }
    while trimmed.last?.isBlank == true { trimmed.removeLast() }
    let word = String(decoding: trimmed, as: UTF8.self)
    if type.isSpatial { return .spatial(EdmSpatial(type: type, text: word)) }
    switch kind {
    case .complex, .entity:
      return .complex(EntityRecord(control: ControlInformation(typeName: type.rawValue)))
    case .enumeration: return .enumeration(EdmEnumeration(type: type, member: word))
    case .stream: return .stream(EdmStream(readLink: word.isEmpty ? nil : word))
    case .primitive: return try EdmValue(lexical: text, .string)
    case nil:
      if isOfEdm { return try EdmValue(lexical: text, .string) }
      // A complex type without members is not a text, whatever blanks a printer has put into it.
      return word.isEmpty
        ? .complex(EntityRecord(control: ControlInformation(typeName: type.rawValue)))
        : .enumeration(EdmEnumeration(type: type, member: word))
    }
  }
}
