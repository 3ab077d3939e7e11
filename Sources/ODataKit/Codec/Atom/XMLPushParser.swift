internal import CLibXML

/// What takes the events of an ``XMLPushParser``. Comments, processing instructions and the XML declaration raise none.
protocol XMLEventHandler: AnyObject {
  /// An element begins. Name and attributes are valid within this call; see ``XMLName`` for what may be kept.
  func startElement(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) throws(ODataError)
  /// A piece of character data, in UTF-8, references resolved and CDATA included. One text arrives in any number of
  /// pieces.
  func characters(_ bytes: UnsafeBufferPointer<UInt8>)
  /// The element that began last and is still open ends.
  func endElement(at position: XMLPosition) throws(ODataError)
}

/// Parses XML that arrives in chunks cut anywhere, on top of libxml2's SAX2 push parser. One parser for one document.
///
/// Nothing outside the document is ever read: a DOCTYPE is refused, so there are no entities but the five of XML
/// itself, and the parser runs with `XML_PARSE_NONET` and without the options that load or substitute. Bytes may be in
/// any encoding libxml2 knows, UTF-8 and UTF-16 with or without a byte order mark among them; names and text come out in
/// UTF-8. Errors name the line and the rule, never what stood there.
final class XMLPushParser {
  /// libxml2 looks at this many bytes to tell the encoding, so it is given no fewer the first time.
  private static let encodingLength = 4
  /// The most that goes into libxml2 at once. It bounds both the copy libxml2 makes and the work done after an error:
  /// a callback cannot stop the parser without freeing the buffer that is being read, so that waits for the end of the
  /// slice.
  private static let sliceLength = 32 << 10
  /// Global set-up of libxml2, needed before a second thread may use it.
  private static let initialized: Void = xmlInitParser()

  private let handler: any XMLEventHandler
  private let limits: PayloadLimits
  private var opening: [UInt8] = []
  private var total = 0
  // Unchecked, because these are touched in each of the dozens of events of an entity, where the run-time check for
  // exclusive access would cost as much as the work itself; and because none of them is ever passed inout.
  @exclusivity(unchecked) private var context: xmlParserCtxtPtr?
  @exclusivity(unchecked) private var failure: ODataError?
  @exclusivity(unchecked) private var depth = 0
  @exclusivity(unchecked) private var textLength = 0
  @exclusivity(unchecked) private var rootIsClosed = false
  @exclusivity(unchecked) private var isFinishing = false

  /// Makes a parser; `handler` is kept as long as the parser.
  init(handler: some XMLEventHandler, limits: PayloadLimits) {
    _ = Self.initialized
    self.handler = handler
    self.limits = limits
  }

  deinit {
    if let context { xmlFreeParserCtxt(context) }
  }

  /// Parses the next bytes. Once it has thrown, it throws the same again.
  func feed(_ bytes: [UInt8]) throws(ODataError) {
    try admit(bytes.count)
    try bytes.withUnsafeBufferPointer { bytes throws(ODataError) in try parse(bytes) }
  }

  /// Counts bytes that are about to come; throws where the document becomes larger than it may.
  func admit(_ count: Int) throws(ODataError) {
    if let failure { throw failure }
    total += count
    guard total <= limits.totalLength else {
      throw fail(.payloadTooLarge, "The body is larger than the limit of \(limits.totalLength) bytes.")
    }
  }

  /// Parses bytes that were admitted.
  func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(ODataError) {
    if context == nil {
      opening += bytes
      guard opening.count >= Self.encodingLength else { return }
      try open()
    } else {
      parseSlices(bytes)
    }
    if let failure { throw failure }
  }

  /// Whether the bytes are UTF-8, and all that were parsed have become events.
  var isDrained: Bool {
    guard failure == nil, let input = context?.pointee.input, let source = input.pointee.buf else {
      return false
    }
    return source.pointee.encoder == nil && input.pointee.cur == input.pointee.end
  }

  /// Counts lines that went past the parser.
  func pass(lines: Int) {
    guard lines > 0, let input = context?.pointee.input else { return }
    input.pointee.line &+= CInt(truncatingIfNeeded: lines)
  }

  /// Says that the document is complete; throws ``ODataError/Code/malformedPayload`` if it is not.
  func finish() throws(ODataError) {
    if let failure { throw failure }
    guard total > 0 else {
      throw fail(.malformedPayload, "The body is empty where an XML document was expected.")
    }
    if context == nil { try open() }
    isFinishing = true
    if failure == nil { silently { xmlParseChunk(context, nil, 0, 1) } }
    if let failure { throw failure }
    guard rootIsClosed else {
      throw fail(.malformedPayload, "The XML document ends before its root element does.")
    }
  }

  private func open() throws(ODataError) {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.internalSubset = { user, _, _, _ in XMLPushParser.of(user) { $0.refuseDocumentType() } }
    sax.startElementNs = { user, local, _, namespace, _, _, count, _, attributes in
      XMLPushParser.of(user) {
        $0.start(local, namespace, XMLAttributes(base: attributes, count: Int(count)))
      }
    }
    sax.endElementNs = { user, _, _, _ in XMLPushParser.of(user) { $0.end() } }
    sax.characters = { user, text, count in XMLPushParser.of(user) { $0.characters(text, count) } }
    // Without these two libxml2 drops blank-only text and CDATA sections that it deems ignorable.
    sax.ignorableWhitespace = sax.characters
    sax.cdataBlock = sax.characters
    // The error became a pointer to const in libxml2 2.12, so its type is left to inference.
    sax.serror = { user, error in
      guard let error, error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
      let (code, line) = (error.pointee.code, Int(error.pointee.line))
      XMLPushParser.of(user) { $0.fail(code: code, line: line) }
    }
    // libxml2 copies the table, so it need not outlive this call.
    context = xmlCreatePushParserCtxt(&sax, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
    guard let context else {
      throw fail(.malformedPayload, "libxml2 could not make a parser: out of memory.")
    }
    xmlCtxtUseOptions(context, CInt(XML_PARSE_NONET.rawValue))
    let bytes = opening
    opening = []
    bytes.withUnsafeBufferPointer(parseSlices)
  }

  private func parseSlices(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[...]
    while failure == nil, !rest.isEmpty {
      let slice = UnsafeBufferPointer(rebasing: rest.prefix(Self.sliceLength))
      rest = rest.dropFirst(slice.count)
      slice.withMemoryRebound(to: CChar.self) { chars in
        silently { xmlParseChunk(context, chars.baseAddress, CInt(chars.count), 0) }
      }
    }
  }

  /// Keeps libxml2 from printing what it does not report to the parser. The result of a chunk says no more than
  /// `failure` does, unless an encoding broke without a report.
  private func silently(_ body: () -> CInt) {
    let handlers = cxml_silence_errors()
    defer { cxml_restore_errors(handlers) }
    _ = body()
  }

  @discardableResult
  private func fail(_ code: ODataError.Code, _ message: String) -> ODataError {
    let error = failure ?? ODataError(code, message)
    failure = error
    return error
  }
}

// The callbacks. No Swift error may cross the C code below: the first is kept, and those that follow do nothing.
extension XMLPushParser {
  private static func of(_ user: UnsafeMutableRawPointer?, _ body: (XMLPushParser) -> Void) {
    guard let user else { return }
    // feed(_:) holds the parser while libxml2 runs, so the reference needs no count of its own.
    Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
  }

  private var line: Int { XMLPosition(context: context).line }

  private func start(
    _ local: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?, _ attributes: XMLAttributes
  ) {
    guard failure == nil, let local else { return }
    depth += 1
    textLength = 0
    guard depth <= limits.depth else {
      fail(
        .payloadTooLarge,
        "The XML document nests elements deeper than the limit of \(limits.depth) (line \(line)).")
      return
    }
    for index in 0..<attributes.count where attributes.rawValue(index).count > limits.textLength {
      fail(
        .payloadTooLarge,
        "An attribute is longer than the limit of \(limits.textLength) bytes (line \(line)).")
      return
    }
    do {
      try handler.startElement(
        XMLName(local: local, namespace: namespace), attributes, at: XMLPosition(context: context))
    } catch { failure = error }
  }

  private func end() {
    guard failure == nil else { return }
    depth -= 1
    textLength = 0
    if depth == 0 { rootIsClosed = true }
    do { try handler.endElement(at: XMLPosition(context: context)) } catch { failure = error }
  }

  private func characters(_ text: UnsafePointer<UInt8>?, _ count: CInt) {
    guard failure == nil, let text else { return }
    textLength += Int(count)
    guard textLength <= limits.textLength else {
      fail(.payloadTooLarge, "A text is longer than the limit of \(limits.textLength) bytes (line \(line)).")
      return
    }
    handler.characters(UnsafeBufferPointer(start: text, count: Int(count)))
  }

  private func refuseDocumentType() {
    fail(
      .malformedPayload,
      "The XML document declares a document type (line \(line)), as HTML pages do and OData payloads never; it is refused."
    )
    // Here nothing of libxml2's buffer is in use, and stopping now keeps it from reading the declarations that follow.
    xmlStopParser(context)
  }

  private func fail(code: CInt, line: Int) {
    // The limits of libxml2 itself: 1 is what releases before 2.13 say, 114 (XML_ERR_RESOURCE_LIMIT) what later ones do.
    // At the end of the bytes the former also stands for what is cut off.
    if !isFinishing, code == XML_ERR_INTERNAL_ERROR.rawValue || code == 114 {
      fail(
        .payloadTooLarge,
        "An attribute, a CDATA section or a comment is longer than the 10 MB that libxml2 takes (line \(line))."
      )
      return
    }
    let rule =
      switch xmlParserErrors(rawValue: numericCast(code)) {
      case XML_ERR_DOCUMENT_EMPTY: "it does not begin with an element"
      case XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED:
        "it ends too early, or text follows its root element"
      case XML_ERR_TAG_NAME_MISMATCH: "an end tag does not match its start tag"
      case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF: "it holds a character that XML does not allow"
      case XML_ERR_INVALID_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING:
        "its bytes do not fit its encoding, or the encoding is unknown"
      case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY:
        "it refers to an entity that XML does not define"
      case XML_ERR_ATTRIBUTE_REDEFINED: "an element has the same attribute twice"
      case XML_NS_ERR_UNDEFINED_NAMESPACE: "it uses a prefix without a namespace"
      // What libxml2 misses at the end, a bracket or a quote, is only where it was when the bytes ran out.
      default:
        isFinishing ? "it ends too early, or text follows its root element" : "error \(code) of libxml2"
      }
    fail(.malformedPayload, "The body is not well-formed XML (line \(line)): \(rule).")
  }
}
