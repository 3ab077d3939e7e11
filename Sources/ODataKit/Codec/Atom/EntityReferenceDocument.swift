/// References to entities in XML: `<uri>` and `<links>` of OData 1 to 3 (MS-ODATA § 2.2.6.2.11), `<m:ref>` alone or in a
/// feed of OData 4 (OData Atom Format 4.0 § 12).
package struct EntityReferenceDocument: Sendable, Hashable {
  /// The entities, as ids or URLs; resolved against the document's base where it has one.
  package var references: [String] = []
  /// The number of all, where the service tells it beside the ones that came.
  package var count: Int64?
  /// Where further references are read.
  package var nextLink: String?

  /// Reads a whole document; see ``EntityReferenceReader``.
  package init(_ bytes: [UInt8], limits: PayloadLimits = PayloadLimits()) throws(ODataError) {
    let reader = EntityReferenceReader(limits: limits)
    try reader.read(bytes)
    self = try reader.finish()
  }

  /// A document without references, to be filled.
  init() {}
}

/// Reads a document of references while it arrives.
package final class EntityReferenceReader {
  private let handler = ReferenceHandler()
  private let parser: XMLPushParser

  /// Makes a reader for one document.
  package init(limits: PayloadLimits = PayloadLimits()) {
    parser = XMLPushParser(handler: handler, limits: limits)
  }

  /// Takes the next bytes.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for what is no such document, ``ODataError/Code/payloadTooLarge`` beyond
  /// a limit, and ``ODataError/Code/service`` where the document is, or breaks off with, an error of the service.
  package func read(_ bytes: [UInt8]) throws(ODataError) { try parser.feed(bytes) }

  /// Says that the body is complete; throws ``ODataError/Code/malformedPayload`` if the document is not.
  package func finish() throws(ODataError) -> EntityReferenceDocument {
    try parser.finish()
    return handler.document
  }
}

private final class ReferenceHandler: XMLEventHandler {
  private enum Member { case reference, count, next, other }

  private(set) var document = EntityReferenceDocument()
  private var vocabularies = AtomVocabularyCache()
  private var open: [(member: Member, base: String?)] = []
  private var text: [UInt8] = []
  private var error: XMLErrorCollector?

  func startElement(
    _ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    if error != nil {
      error?.startElement(name)
      return
    }
    let vocabulary = vocabularies.vocabulary(of: name)
    if vocabulary == .metadata, open.count < 2, name.isCalled("error") {
      error = XMLErrorCollector()
      return
    }
    let base = base(attributes)
    var member = Member.other
    switch vocabulary {
    // Services of the first versions put the elements of references into either namespace.
    case .data, .metadata:
      if name.isCalled("uri") { member = .reference }
      if name.isCalled("count") { member = .count }
      if name.isCalled("next") { member = .next }
      if name.isCalled("ref"), let id = attributes.index(of: "id") {
        document.references.append(URLReference.resolve(attributes.string(id), against: base))
      }
    case .atom:
      if name.isCalled("link"), let rel = attributes.index(of: "rel"),
        let href = attributes.index(of: "href"),
        AtomRelation(attributes.rawValue(rel)) == .next
      {
        document.nextLink = URLReference.resolve(attributes.string(href), against: base)
      }
    default: break
    }
    if open.isEmpty, !isRoot(name, vocabulary) {
      let found = String(cString: name.local).prefix(64)
      throw ODataError(
        .malformedPayload,
        "The body is XML, but holds no references to entities: its root element is <\(found)>.")
    }
    open.append((member, base))
    text.removeAll(keepingCapacity: true)
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if error != nil {
      error?.characters(bytes)
    } else if let member = open.last?.member, member != .other {
      text.append(contentsOf: bytes)
    }
  }

  func endElement(at position: XMLPosition) throws(ODataError) {
    if let collector = error {
      if error?.endElement() == true { throw ServiceError.breakingOff(collector.body) }
      return
    }
    guard let (member, base) = open.popLast() else { return }
    let told = String(decoding: text, as: UTF8.self)
    switch member {
    case .reference: document.references.append(URLReference.resolve(told, against: base))
    case .next: document.nextLink = URLReference.resolve(told, against: base)
    case .count: document.count = Int64(told)
    case .other: break
    }
  }

  private func isRoot(_ name: XMLName, _ vocabulary: AtomVocabulary) -> Bool {
    switch vocabulary {
    case .data, .metadata: name.isCalled("uri") || name.isCalled("links") || name.isCalled("ref")
    case .atom: name.isCalled("feed")
    default: false
    }
  }

  private func base(_ attributes: XMLAttributes) -> String? {
    var base = open.last?.base
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.isCalled("base"),
        vocabularies.vocabulary(of: name) == .xml
      else { continue }
      base = URLReference.resolve(attributes.string(index), against: base)
    }
    return base
  }
}
