/// Reads a metadata document that arrives in chunks cut anywhere; tells by the first bytes whether it is XML or JSON.
/// One reader for one document.
package final class MetadataReader {
  /// The two forms of a document.
  private enum Form {
    case xml(XMLPushParser, CSDLXMLReader)
    case json(CSDLJSONReader)
  }

  private let limits: PayloadLimits
  private var opening: [UInt8] = []
  private var form: Form?

  package init(limits: PayloadLimits) { self.limits = limits }

  /// Takes the next bytes. Throws as ``ServiceMetadata/init(reading:limits:)`` does.
  package func read(_ bytes: [UInt8]) throws(ODataError) {
    if form == nil {
      opening += bytes
      guard let form = try recognize() else {
        // Blanks alone are no document, however many there are.
        guard opening.count <= 4096 else { throw Self.foreign }
        return
      }
      self.form = form
      let opening = opening
      self.opening = []
      try feed(opening)
    } else {
      try feed(bytes)
    }
  }

  /// Says that the document is complete, and gives what it says.
  package func finish() throws(ODataError) -> ServiceMetadata {
    let draft: MetadataDraft
    switch form {
    case .xml(let parser, let reader):
      try parser.finish()
      draft = try reader.finish()
    case .json(let reader): draft = try reader.finish()
    case nil:
      guard opening.allSatisfy(\.isBlank) else { throw Self.foreign }
      throw ODataError(.malformedPayload, "The body is empty where a metadata document was expected.")
    }
    var linker = MetadataLinker(draft, limits: limits)
    return ServiceMetadata(model: try linker.link())
  }

  private func feed(_ bytes: [UInt8]) throws(ODataError) {
    switch form {
    case .xml(let parser, _): try parser.feed(bytes)
    case .json(let reader): try reader.read(bytes)
    case nil: break
    }
  }

  /// XML begins with a bracket, or with the marks and zero bytes of UTF-16, JSON with a brace; `nil` where more has to
  /// come before it can be told.
  private func recognize() throws(ODataError) -> Form? {
    var start = opening[...]
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if start.starts(with: mark) {
      start = start.dropFirst(mark.count)
    } else if mark.starts(with: start) {
      return nil
    }
    start = start.drop { $0.isBlank }
    switch start.first {
    case nil: return nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json(CSDLJSONReader(limits: limits))
    case UInt8(ascii: "<"), 0xFE, 0xFF, 0x00:
      let reader = CSDLXMLReader()
      return .xml(XMLPushParser(handler: reader, limits: limits), reader)
    default: throw Self.foreign
    }
  }

  private static let foreign = ODataError(
    .malformedPayload,
    "The body is neither XML nor JSON, so it is no metadata; check the address of the service.")
}
