/// Reads a `multipart/mixed` body whose parts are HTTP messages or multiparts of such messages, as OData
/// batches are (OData 3 Batch Processing § 2; RFC 2046 § 5.1). The input may be cut anywhere.
///
/// It takes what services really send: CRLF and bare LF, also mixed; text in front of the first boundary and
/// behind the last; blank lines between headers and payload; a missing last boundary. A `Content-Length` that
/// leads to a boundary is believed, so a body may hold the boundary's text; one that does not is ignored.
package struct MultipartReader {
  /// What was found, in the order of the input.
  package enum Event: Sendable, Hashable {
    /// A multipart inside the multipart begins: a change set.
    case beginNested
    /// A message is complete, or as complete as it will get.
    case message(EmbeddedMessage)
    /// The inner multipart is over.
    case endNested
  }

  /// An HTTP message that is one part of a multipart.
  package struct EmbeddedMessage: Sendable, Hashable {
    /// The header fields of the part around the message.
    package var partHeaders: HeaderFields = [:]
    /// The request line or status line.
    package var startLine = ""
    /// The header fields of the message.
    package var headers: HeaderFields = [:]
    /// The body. Without a usable `Content-Length`, blank lines in front of it are not part of it.
    package var body: [UInt8] = []
    /// Whether the message ends early; see ``BatchOperationResponse/isTruncated``.
    package var isTruncated = false
  }

  private enum State { case skipping, partHead, messageHead, messageBody, ended }

  private let limits: PayloadLimits
  private var state = State.skipping
  /// The delimiters of the open multiparts, outermost first, each with its two hyphens.
  private var delimiters: [[UInt8]]
  private var message = EmbeddedMessage()
  private var events: [Event] = []

  private var buffer: [UInt8] = []
  /// Where the bytes begin that belong to nothing yet.
  private var position = 0
  /// Where the search for the end of a body goes on; a line begins there.
  private var scan = 0
  /// Up to where that line is known to have no end, so that a long one is not searched again with every chunk.
  private var searched = 0
  private var totalLength = 0
  /// The bytes of the current header block, held against its limit.
  private var headLength = 0
  /// What the message says about the length of its body, and whether that still has to be tried.
  private var declaredLength: Int?
  private var triesDeclaredLength = false
  /// Where the search for a boundary behind the declared length goes on; a line begins there.
  private var probe = 0
  private var sawDelimiter = false

  /// Whether the last boundary of the outermost multipart was seen; if not, messages may be missing at the
  /// end.
  package var isClosed: Bool { state == .ended }

  package init(boundary: String, limits: PayloadLimits = PayloadLimits()) {
    delimiters = [Array("--".utf8) + boundary.utf8]
    self.limits = limits
  }

  /// Makes a reader for the boundary in a `Content-Type`; throws ``ODataError/Code/malformedPayload`` where
  /// the type is another one or has no boundary.
  package init(contentType: String?, limits: PayloadLimits = PayloadLimits()) throws(ODataError) {
    guard let contentType, let type = MediaType(contentType), type.name == "multipart/mixed",
      let boundary = type["boundary"], !boundary.isEmpty
    else {
      throw Self.malformed("a body of type multipart/mixed with a boundary was expected")
    }
    self.init(boundary: boundary, limits: limits)
  }

  /// Takes the next bytes and gives what became complete with them.
  package mutating func read(_ bytes: [UInt8]) throws(ODataError) -> [Event] {
    totalLength += bytes.count
    guard totalLength <= limits.totalLength else {
      throw ODataError(.payloadTooLarge, "The batch is larger than the limit of \(limits.totalLength) bytes.")
    }
    if state == .ended { return [] }
    if position == buffer.count {
      buffer = bytes
      scan = 0
      searched = 0
      probe = 0
      position = 0
    } else {
      if position > buffer.count / 2 {
        buffer.removeFirst(position)
        scan = max(0, scan - position)
        searched = max(0, searched - position)
        probe = max(0, probe - position)
        position = 0
      }
      buffer += bytes
    }
    try advance(isFinal: false)
    return takeEvents()
  }

  /// Says that the input is over and gives what was left; see ``isClosed`` for whether something may be
  /// missing.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` where there was no boundary at all.
  package mutating func finish() throws(ODataError) -> [Event] {
    try advance(isFinal: true)
    guard sawDelimiter else {
      throw Self.malformed("the boundary that its Content-Type names does not occur")
    }
    if state == .messageHead, !message.startLine.isEmpty {
      message.isTruncated = true
      emitMessage()
    }
    while delimiters.count > 1 { endNested() }
    return takeEvents()
  }

  private mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }
}

// MARK: - The machine

extension MultipartReader {
  private mutating func advance(isFinal: Bool) throws(ODataError) {
    while true {
      switch state {
      case .skipping:
        guard let line = try nextLine(isFinal) else { return }
        headLength = 0
        if let delimiter = delimiter(in: line.range) { meet(delimiter) }
      case .partHead:
        guard let line = try nextLine(isFinal) else { return }
        if delimiter(in: line.range) != nil { throw Self.malformed("a part ends within its header fields") }
        if !line.isTerminated { return }
        if isBlank(line.range) { try openPart() } else { try appendField(line.range, to: \.partHeaders) }
      case .messageHead:
        guard let line = try nextLine(isFinal) else { return }
        if let delimiter = delimiter(in: line.range) {
          guard !message.startLine.isEmpty else { throw Self.malformed("a part holds no HTTP message") }
          emitMessage()
          meet(delimiter)
        } else if !line.isTerminated {
          return  // Half a line says nothing, least of all half a status line.
        } else if message.startLine.isEmpty {
          if !isBlank(line.range) { message.startLine = text(line.range) }
        } else if isBlank(line.range) {
          openBody()
        } else {
          try appendField(line.range, to: \.headers)
        }
      case .messageBody:
        guard readBody(isFinal) else {
          guard buffer.count - position <= limits.partLength else {
            throw ODataError(
              .payloadTooLarge, "A part of the batch is larger than the limit of \(limits.partLength) bytes.")
          }
          return
        }
      case .ended:
        position = buffer.count
        return
      }
    }
  }

  private mutating func openPart() throws(ODataError) {
    headLength = 0
    let type = message.partHeaders[.contentType].flatMap(MediaType.init)
    switch type?.name {
    case "multipart/mixed":
      guard delimiters.count == 1 else { throw Self.malformed("a change set holds another one") }
      guard let boundary = type?["boundary"], !boundary.isEmpty else {
        throw Self.malformed("a change set names no boundary")
      }
      delimiters.append(Array("--".utf8) + boundary.utf8)
      events.append(.beginNested)
      state = .skipping
    case "application/http", nil:
      state = .messageHead
    default:
      throw Self.malformed("a part is neither application/http nor multipart/mixed")
    }
  }

  private mutating func openBody() {
    headLength = 0
    scan = position
    declaredLength = message.headers[.contentLength].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil }
    triesDeclaredLength = declaredLength != nil
    probe = position
    state = .messageBody
  }

  /// Reads the body as far as it is there; `false` where more input is needed.
  private mutating func readBody(_ isFinal: Bool) -> Bool {
    if triesDeclaredLength, let length = declaredLength {
      if length <= buffer.count - position {
        switch delimiterBehind(position + length, isFinal) {
        case .found(let delimiter, let next):
          message.body = Array(buffer[position..<(position + length)])
          position = next
          emitMessage()
          meet(delimiter)
          return true
        case .needsMore: return false
        case .absent:
          triesDeclaredLength = false
          // Found out about a later line than the one that is looked at next.
          searched = scan
        }
      } else if isFinal {
        triesDeclaredLength = false
      } else {
        return false
      }
    }
    while let line = line(from: scan, searching: max(scan, searched), isFinal) {
      if let delimiter = delimiter(in: line.range) {
        endBody(at: scan == position ? scan : startOfLineEnd(before: scan))
        // A boundary of an outer multipart says that the inner one was broken off.
        message.isTruncated =
          delimiter.level < delimiters.count - 1
          && declaredLength.map { message.body.count < $0 } ?? false
        position = line.next
        emitMessage()
        meet(delimiter)
        return true
      }
      scan = line.next
    }
    searched = buffer.count
    if isFinal {
      endBody(at: buffer.count)
      position = buffer.count
      // Without a boundary behind it, only a length that was promised and kept shows that the body is whole;
      // a message without a body is whole with its headers.
      message.isTruncated = declaredLength.map { message.body.count < $0 } ?? !message.body.isEmpty
      emitMessage()
      state = .skipping
    }
    return false
  }

  private mutating func endBody(at end: Int) {
    var start = position
    if end - start != declaredLength {
      while start < end {
        if buffer[start] == UInt8(ascii: "\n") {
          start += 1
        } else if buffer[start] == UInt8(ascii: "\r"), start + 1 < end,
          buffer[start + 1] == UInt8(ascii: "\n")
        {
          start += 2
        } else {
          break
        }
      }
    }
    message.body = Array(buffer[start..<end])
  }

  private mutating func emitMessage() {
    events.append(.message(message))
    message = EmbeddedMessage()
  }

  private mutating func endNested() {
    delimiters.removeLast()
    events.append(.endNested)
  }

  private mutating func meet(_ delimiter: (level: Int, isClosing: Bool)) {
    sawDelimiter = true
    while delimiters.count > delimiter.level + 1 { endNested() }
    if !delimiter.isClosing {
      message = EmbeddedMessage()
      state = .partHead
    } else if delimiter.level == 0 {
      state = .ended
    } else {
      endNested()
      state = .skipping
    }
  }
}

// MARK: - Lines

extension MultipartReader {
  private typealias Line = (range: Range<Int>, next: Int, isTerminated: Bool)

  /// The line that begins at `start`, without its line end; at the end of input also one that has none.
  private func line(from start: Int, searching: Int? = nil, _ isFinal: Bool) -> Line? {
    let lineFeed = buffer.withUnsafeBufferPointer { bytes in
      bytes[(searching ?? start)...].firstIndex(of: UInt8(ascii: "\n"))
    }
    if let lineFeed {
      let end = lineFeed > start && buffer[lineFeed - 1] == UInt8(ascii: "\r") ? lineFeed - 1 : lineFeed
      return (start..<end, lineFeed + 1, true)
    }
    return isFinal && start < buffer.count ? (start..<buffer.count, buffer.count, false) : nil
  }

  /// Takes the next line of a header block or of what lies between parts.
  private mutating func nextLine(_ isFinal: Bool) throws(ODataError) -> Line? {
    let line = line(from: position, searching: max(position, searched), isFinal)
    if line == nil { searched = buffer.count }
    let length = (line?.next ?? buffer.count) - position
    guard headLength + length <= limits.headerLength else {
      throw ODataError(
        .payloadTooLarge,
        "A header block in the batch is larger than the limit of \(limits.headerLength) bytes.")
    }
    guard let line else { return nil }
    headLength += length
    position = line.next
    return line
  }

  private func startOfLineEnd(before lineStart: Int) -> Int {
    let lineFeed = lineStart - 1
    return lineFeed > position && buffer[lineFeed - 1] == UInt8(ascii: "\r") ? lineFeed - 1 : lineFeed
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    buffer[range].allSatisfy {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
    }
  }

  private func text(_ range: Range<Int>) -> String {
    var range = range
    while let last = buffer[range].last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    while let first = buffer[range].first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      range = (range.lowerBound + 1)..<range.upperBound
    }
    return String(decoding: buffer[range], as: UTF8.self)
  }

  private mutating func appendField(
    _ range: Range<Int>, to headers: WritableKeyPath<EmbeddedMessage, HeaderFields>
  ) throws(ODataError) {
    guard let colon = buffer[range].firstIndex(of: UInt8(ascii: ":")), !isBlank(range.lowerBound..<colon)
    else {
      throw Self.malformed("a header line of a part has no name in front of a colon")
    }
    let name = text(range.lowerBound..<colon)
    message[keyPath: headers].append(HeaderFields.Name(name), text((colon + 1)..<range.upperBound))
  }

  /// Whether a line is a boundary of an open multipart, the innermost first; blanks behind it are allowed.
  private func delimiter(in range: Range<Int>) -> (level: Int, isClosing: Bool)? {
    guard range.count > 2, buffer[range.lowerBound] == UInt8(ascii: "-") else { return nil }
    for level in delimiters.indices.reversed() where buffer[range].starts(with: delimiters[level]) {
      let rest = (range.lowerBound + delimiters[level].count)..<range.upperBound
      if isBlank(rest) { return (level, false) }
      if buffer[rest].starts(with: "--".utf8), isBlank((rest.lowerBound + 2)..<rest.upperBound) {
        return (level, true)
      }
    }
    return nil
  }

  private enum Probe {
    case found((level: Int, isClosing: Bool), next: Int)
    case absent
    case needsMore
  }

  /// Whether nothing but line ends stands between `end` and a boundary. What was looked at is not looked at again when
  /// more input is there.
  private mutating func delimiterBehind(_ end: Int, _ isFinal: Bool) -> Probe {
    probe = max(probe, end)
    while let line = line(from: probe, searching: max(probe, searched), isFinal) {
      if let delimiter = delimiter(in: line.range) {
        let beginsLine = probe == position || buffer[probe - 1] == UInt8(ascii: "\n")
        return beginsLine ? .found(delimiter, next: line.next) : .absent
      }
      guard isBlank(line.range) else { return .absent }
      probe = line.next
    }
    // So many line ends lead to no boundary, and no line of one is that long.
    if isFinal || buffer.count - end > limits.headerLength { return .absent }
    searched = buffer.count
    return .needsMore
  }

  fileprivate static func malformed(_ what: String) -> ODataError {
    ODataError(.malformedPayload, "The batch cannot be read: \(what).")
  }
}
