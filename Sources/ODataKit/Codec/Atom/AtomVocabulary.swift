/// The namespaces of OData's Atom format. Version 4 gave the same elements new ones.
enum AtomNamespace {
  static let atom: StaticString = "http://www.w3.org/2005/Atom"
  static let data: StaticString = "http://schemas.microsoft.com/ado/2007/08/dataservices"
  static let metadata: StaticString = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
  static let scheme: StaticString = "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"
  static let dataV4: StaticString = "http://docs.oasis-open.org/odata/ns/data"
  static let metadataV4: StaticString = "http://docs.oasis-open.org/odata/ns/metadata"
  static let schemeV4: StaticString = "http://docs.oasis-open.org/odata/ns/scheme"
  /// What relations of links begin with: `…/related/Category` names a navigation property.
  static let relation: StaticString = "http://schemas.microsoft.com/ado/2007/08/dataservices/"
  static let relationV4: StaticString = "http://docs.oasis-open.org/odata/ns/"
  /// Relations that are registered may be written in full (RFC 4287 § 4.2.7.2).
  static let registered: StaticString = "http://www.iana.org/assignments/relation/"
  static let gml: StaticString = "http://www.opengis.net/gml"
  static let gml3: StaticString = "http://www.opengis.net/gml/3.2"
  static let tombstones: StaticString = "http://purl.org/atompub/tombstones/1.0"
  static let xml: StaticString = "http://www.w3.org/XML/1998/namespace"
}

/// Which of the vocabularies an element or attribute belongs to.
enum AtomVocabulary: UInt8 {
  case atom, data, metadata, xml, gml, tombstones
  /// Another namespace, or none.
  case foreign
}

/// Tells vocabularies apart. A document uses a few namespaces, thousands of times, and the parser gives each the same
/// address every time: so the bytes are compared once and the addresses from then on.
struct AtomVocabularyCache {
  private var atom: UnsafePointer<UInt8>?
  private var data: UnsafePointer<UInt8>?
  private var metadata: UnsafePointer<UInt8>?
  /// The others that were met.
  private var others: [(uri: UnsafePointer<UInt8>, vocabulary: AtomVocabulary)] = []

  /// The vocabulary of an element or attribute.
  mutating func vocabulary(of name: XMLName) -> AtomVocabulary {
    guard let uri = name.namespace else { return .foreign }
    if uri == data { return .data }
    if uri == metadata { return .metadata }
    if uri == atom { return .atom }
    if let known = others.first(where: { $0.uri == uri }) { return known.vocabulary }
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
    let vocabulary: AtomVocabulary =
      name.isIn(AtomNamespace.xml)
      ? .xml
      : name.isIn(AtomNamespace.gml) || name.isIn(AtomNamespace.gml3)
        ? .gml : name.isIn(AtomNamespace.tombstones) ? .tombstones : .foreign
    // A document that declares namespaces without end must not make each element slower than the one before.
    if others.count < 16 { others.append((uri, vocabulary)) }
    return vocabulary
  }
}

/// What the relation of a link says.
enum AtomRelation: Equatable {
  case edit, readOnly, editMedia, next, delta
  /// A navigation property.
  case related(String)
  /// The links of a navigation property themselves.
  case relatedLinks(String)
  /// A property that is a stream: where it is read, and where it is written.
  case mediaResource(String)
  case editMediaResource(String)
  case other

  /// Whether it leads to related entities.
  var isOfNavigation: Bool {
    switch self {
    case .related, .relatedLinks: true
    default: false
    }
  }

  /// Reads the value of `rel`.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    // The commonest by far, and the only ones of most entities.
    if text.spells("edit") {
      self = .edit
    } else if text.spells("self") {
      self = .readOnly
    } else if let rest = text.dropping(AtomNamespace.relation) ?? text.dropping(AtomNamespace.relationV4) {
      if let name = rest.dropping("related/") {
        self = .related(String(decoding: name, as: UTF8.self))
      } else if let name = rest.dropping("relatedlinks/") {
        self = .relatedLinks(String(decoding: name, as: UTF8.self))
      } else if let name = rest.dropping("mediaresource/") {
        self = .mediaResource(String(decoding: name, as: UTF8.self))
      } else if let name = rest.dropping("edit-media/") {
        self = .editMediaResource(String(decoding: name, as: UTF8.self))
      } else {
        self = rest.spells("delta") ? .delta : .other
      }
    } else {
      let short = text.dropping(AtomNamespace.registered) ?? text
      let known: [(StaticString, AtomRelation)] = [
        ("edit", .edit), ("self", .readOnly), ("edit-media", .editMedia), ("next", .next), ("delta", .delta),
      ]
      self = known.first { short.spells($0.0) }?.1 ?? .other
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// What stands behind `prefix`, or `nil` where the bytes begin otherwise.
  func dropping(_ prefix: StaticString) -> UnsafeBufferPointer<UInt8>? {
    let length = prefix.utf8CodeUnitCount
    guard count >= length, UnsafeBufferPointer(rebasing: self[..<length]).spells(prefix) else { return nil }
    return UnsafeBufferPointer(rebasing: self[length...])
  }
}
