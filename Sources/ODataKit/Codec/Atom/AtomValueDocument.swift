/// Reads a document in XML that holds one value, while it arrives: a property (`<d:Name>`, `<m:value>`), or what a
/// function gives: a primitive or complex value or a collection of such (OData Atom Format 4.0 § 11; MS-ODATA
/// § 2.2.6.5).
package final class AtomValueReader {
  private let document: AtomDocument
  private let parser: XMLPushParser

  /// Makes a reader for one document; `types.root` is the type of the value where the document leaves it open.
  package init(limits: PayloadLimits = PayloadLimits(), types: PayloadTypes = PayloadTypes()) {
    document = AtomDocument(.value, types: types, limits: limits)
    parser = XMLPushParser(handler: document, limits: limits)
  }

  /// Takes the next bytes.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for what is no such document, ``ODataError/Code/payloadTooLarge`` beyond
  /// a limit, and ``ODataError/Code/service`` where the document is an error of the service.
  package func read(_ bytes: [UInt8]) throws(ODataError) { try parser.feed(bytes) }

  /// Says that the body is complete and gives the value, null where the document says so; throws
  /// ``ODataError/Code/malformedPayload`` if the document is not complete.
  package func finish() throws(ODataError) -> EdmValue {
    try parser.finish()
    guard let value = document.value else {
      throw ODataError(.malformedPayload, "The XML document holds no value where one was expected.")
    }
    return value
  }
}

/// Documents in XML that hold one value.
package enum AtomValueDocument {
  /// Reads a whole document; see ``AtomValueReader``.
  package static func read(
    _ bytes: [UInt8], limits: PayloadLimits = PayloadLimits(), types: PayloadTypes = PayloadTypes()
  ) throws(ODataError) -> EdmValue {
    let reader = AtomValueReader(limits: limits, types: types)
    try reader.read(bytes)
    return try reader.finish()
  }
}
