/// The namespaces of OData's Atom format. Version 4 gave the same elements new ones.
enum AtomNamespace {
  static let atom: StaticString = "http://www.w3.org/2005/Atom"
  static let data: StaticString = "http://schemas.microsoft.com/ado/2007/08/dataservices"
  static let metadata: StaticString = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
  static let scheme: StaticString = "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"
  static let dataV4: StaticString = "http://docs.oasis-open.org/odata/ns/data"
  static let metadataV4: StaticString = "http://docs.oasis-open.org/odata/ns/metadata"
  static let schemeV4: StaticString = "http://docs.oasis-open.org/odata/ns/scheme"
}

/// Which of the vocabularies an element or attribute belongs to.
enum AtomVocabulary: UInt8 {
  case atom, data, metadata, none
}

/// Tells vocabularies apart. A document uses three namespaces, thousands of times, and the parser gives each the same
/// address every time: so the bytes are compared once and the addresses from then on.
struct AtomVocabularyCache {
  private var atom: UnsafePointer<UInt8>?
  private var data: UnsafePointer<UInt8>?
  private var metadata: UnsafePointer<UInt8>?

  /// The vocabulary of an element or attribute.
  mutating func vocabulary(of name: XMLName) -> AtomVocabulary {
    guard let uri = name.namespace else { return .none }
    if uri == data { return .data }
    if uri == metadata { return .metadata }
    if uri == atom { return .atom }
    return learn(uri, name)
  }

  private mutating func learn(_ uri: UnsafePointer<UInt8>, _ name: XMLName) -> AtomVocabulary {
    if name.isIn(AtomNamespace.atom) {
      atom = uri
      return .atom
    }
    if name.isIn(AtomNamespace.data) || name.isIn(AtomNamespace.dataV4) {
      data = uri
      return .data
    }
    if name.isIn(AtomNamespace.metadata) || name.isIn(AtomNamespace.metadataV4) {
      metadata = uri
      return .metadata
    }
    return .none
  }
}

/// The type a property element declares.
enum AtomPropertyType: Equatable {
  /// A primitive type of the Entity Data Model; also where no type is declared, which means `Edm.String`.
  case primitive(EdmPrimitive)
  /// Anything else: a complex type, an enumeration, a collection, or a primitive type without a value of its own here.
  case other

  /// Reads the value of `m:type`: `Edm.Int32`, and in OData 4 `Int32` or `#Model.Color`.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    if let primitive = EdmPrimitive(name: text) {
      self = .primitive(primitive)
      return
    }
    var name = Array(text)
    if name.first == UInt8(ascii: "#") { name.removeFirst() }
    if !name.contains(UInt8(ascii: ".")) { name.insert(contentsOf: "Edm.".utf8, at: 0) }
    self = name.withUnsafeBufferPointer { EdmPrimitive(name: $0) }.map(AtomPropertyType.primitive) ?? .other
  }
}
