/// Takes the events of a parser for an ``AtomGrammar``.
///
/// The grammar is a value within this class, so that its fields need no check for exclusive access.
final class AtomDocument: XMLEventHandler {
  // Unchecked, because events come one after the other from a parser that only this document's reader holds, and none of
  // the methods below calls out of the grammar but for the metadata, which knows nothing of it.
  @exclusivity(unchecked) private var grammar: AtomGrammar

  init(
    _ content: AtomGrammar.Content, types: PayloadTypes, mapping: FeedMapping = FeedMapping(),
    limits: PayloadLimits
  ) {
    grammar = AtomGrammar(content, types: types, mapping: mapping, limits: limits)
  }

  /// The entities complete since the last call.
  func takeFinished() -> [EntityRecord] { grammar.takeFinished() }

  /// How many entities are complete since the last call of ``takeFinished()``, and the last of them.
  var finishedCount: Int { grammar.finished.count }
  var lastFinished: EntityRecord? { grammar.finished.last }

  /// Whether the document is a feed, of which neither an entity nor anything else is open.
  var isBetweenEntries: Bool { grammar.isBetweenEntries }

  /// Takes an entity that was read by other means.
  func append(_ record: EntityRecord) { grammar.emit(record) }

  /// What is known of the document at its end.
  var summary: PayloadSummary { grammar.summary }

  /// The value of a document that holds one.
  var value: EdmValue? { grammar.rootValue }

  func startElement(
    _ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    try grammar.startElement(name, attributes, at: position)
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) { grammar.characters(bytes) }

  func endElement(at position: XMLPosition) throws(ODataError) { try grammar.endElement(at: position) }
}
