/// Reads entities out of an Atom document, an entry or a feed, that arrives in chunks.
///
/// The format is OData 1 to 3's and 4's (MS-ODATA § 2.2.6.2; OData Atom Format 4.0). An entity comes out as soon as
/// its `</entry>` has arrived, so a feed is read in the memory of one entity. Text is kept to the letter: blanks are
/// never trimmed, and only `m:null` makes a null.
///
/// Related entities that are expanded in a link (`m:inline`) are the value of the property that the link names; each
/// link to related entities, expanded or not, is one of ``ControlInformation/links``. The links of a stream are the
/// value of the property they name. A value without `m:type` is read as the metadata declares it, or else as a string.
/// In the answer to a delta link, what is gone is a record with a ``ControlInformation/change`` and no properties.
package final class AtomReader: PayloadReader {
  private let document: AtomDocument
  private let parser: XMLPushParser
  private var rows: AtomRowPrediction

  /// Makes a reader for one document: `types` tells what the payload leaves open, `mapping` which properties stand
  /// outside of the content, where that is not as the metadata in `types` says.
  package init(
    limits: PayloadLimits = PayloadLimits(), types: PayloadTypes = PayloadTypes(),
    mapping: FeedMapping? = nil
  ) {
    let mapping = mapping ?? types.feedMapping
    document = AtomDocument(.entities, types: types, mapping: mapping, limits: limits)
    parser = XMLPushParser(handler: document, limits: limits)
    rows = AtomRowPrediction(limits: limits, isOff: !mapping.isEmpty)
  }

  package var isFeed: Bool { document.summary.isFeed }

  /// Takes the next bytes; gives the entities that became complete with them, in order.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for what is no Atom, ``ODataError/Code/payloadTooLarge`` beyond a
  /// limit, and ``ODataError/Code/service`` where the service put an error into the document.
  package func read(_ bytes: [UInt8]) throws(ODataError) -> [EntityRecord] {
    try parser.admit(bytes.count)
    try bytes.withUnsafeBufferPointer { bytes throws(ODataError) in try rows.read(bytes, parser, document) }
    return document.takeFinished()
  }

  /// Says that the body is complete; throws ``ODataError/Code/malformedPayload`` if the document is not.
  package func finish() throws(ODataError) -> PayloadSummary {
    try parser.finish()
    return document.summary
  }
}
