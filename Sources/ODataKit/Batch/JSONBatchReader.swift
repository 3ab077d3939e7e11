/// Reads the answer to a batch in JSON while it arrives (OData JSON Format 4.01 § 19.5). The responses may come in any
/// order; `contentID` of each is its id.
///
/// Whatever the service adds to the document is passed over. The input may be cut anywhere.
package struct JSONBatchReader {
  private let limits: PayloadLimits
  private var machine: Machine
  private var buffer: [UInt8] = []
  private var totalLength = 0

  /// Makes a reader. More answers than there were operations are refused, so that no service can make a client hold
  /// what it never asked for.
  package init(operationCount: Int = .max, limits: PayloadLimits = PayloadLimits()) {
    self.limits = limits
    machine = Machine(limits: limits, expected: operationCount)
  }

  /// Whether the document was read to its end. If not after ``finish()``, operations without a response have an unknown
  /// outcome.
  package var isComplete: Bool { machine.tokenizer.isComplete }

  /// Takes the next bytes and gives the responses that became complete with them. Throws
  /// ``ODataError/Code/malformedPayload`` for what is no answer to a batch and ``ODataError/Code/payloadTooLarge`` for
  /// one over the limits.
  package mutating func read(_ bytes: [UInt8]) throws(ODataError) -> [BatchOperationResponse] {
    totalLength += bytes.count
    guard totalLength <= limits.totalLength else {
      throw ODataError(.payloadTooLarge, "The batch is larger than the limit of \(limits.totalLength) bytes.")
    }
    buffer += bytes
    let consumed = try buffer.withUnsafeBufferPointer { bytes throws(ODataError) in
      try machine.advance(over: bytes)
    }
    buffer.removeFirst(consumed)
    return machine.takeResponses()
  }

  /// Says that the body is over and gives a response that was cut off, if its id and status had come.
  package mutating func finish() throws(ODataError) -> [BatchOperationResponse] {
    guard machine.hasBegun else { throw Machine.malformed("it is no object with responses") }
    machine.cutOff()
    return machine.takeResponses()
  }
}

extension JSONBatchReader {
  /// Tokens to responses. The depths: 1 the document, 2 the array of responses, 3 a response, 4 its header fields.
  private struct Machine {
    private enum Member { case responses, id, status, headers, body, other }

    var tokenizer: JSONTokenizer
    private let limits: PayloadLimits
    private var expected: Int
    private(set) var hasBegun = false
    private var isInResponses = false
    private var member = Member.other
    private var headerName: HeaderFields.Name?
    private var current = Response()
    private var responses: [BatchOperationResponse] = []

    /// One response while its members come, in whatever order.
    private struct Response {
      var isOpen = false
      var id: String?
      var status: Int?
      var headers = HeaderFields()
      /// The bytes of names and values in the header fields.
      var headerLength = 0
      /// The body as it stands in the document.
      var body: [UInt8] = []
      /// The body without quotes and escapes, where it is a string.
      var text: [UInt8]?
      var isNull = false
    }

    init(limits: PayloadLimits, expected: Int) {
      tokenizer = JSONTokenizer(limits: limits)
      self.limits = limits
      self.expected = expected
    }

    mutating func takeResponses() -> [BatchOperationResponse] {
      defer { responses = [] }
      return responses
    }

    /// Reads as far as the bytes go, and gives the number of those that are used up.
    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) throws(ODataError) -> Int {
      var start = tokenizer.position
      while let token = try tokenizer.next(in: bytes) {
        let end = tokenizer.position
        if isInBody { try keep(bytes[start..<end]) }
        try take(token)
        start = end
      }
      // Blanks behind the last token are used up too, as the tokenizer says.
      let consumed = tokenizer.position
      if isInBody { try keep(bytes[start..<consumed]) }
      tokenizer.drop(consumed)
      return consumed
    }

    private var isInBody: Bool { isInResponses && current.isOpen && member == .body }

    private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(ODataError) {
      guard current.body.count + bytes.count <= limits.partLength else {
        throw ODataError(
          .payloadTooLarge, "A part of the batch is larger than the limit of \(limits.partLength) bytes.")
      }
      current.body += bytes
    }

    private mutating func take(_ token: JSONTokenizer.Token) throws(ODataError) {
      switch (tokenizer.depth, token) {
      case (1, .beginObject) where !hasBegun: hasBegun = true
      case (1, .name): member = tokenizer.text.elementsEqual("responses".utf8) ? .responses : .other
      case (2, .beginArray) where member == .responses: isInResponses = true
      case (1, .endArray) where isInResponses:
        isInResponses = false
        member = .other
      case (3, .beginObject) where isInResponses && !current.isOpen: current.isOpen = true
      case (2, .endObject) where isInResponses: try close()
      case (2, _) where isInResponses: throw Self.malformed("a response in it is no object")
      case (3, _) where isInResponses, (4, _) where isInResponses: try takeMember(token)
      case (0, _) where !hasBegun: throw Self.malformed("it is no object with responses")
      case (1, _) where !hasBegun: throw Self.malformed("it is no object with responses")
      default: break
      }
    }

    private mutating func takeMember(_ token: JSONTokenizer.Token) throws(ODataError) {
      switch (tokenizer.depth, token, member) {
      case (3, .name, _): try begin(tokenizer.text)
      case (3, .string, .id), (3, .number, .id): current.id = text
      case (3, .number, .status), (3, .string, .status):
        current.status = Int(text)
      case (4, .name, .headers): headerName = HeaderFields.Name(text)
      case (4, .string, .headers), (4, .number, .headers):
        if let headerName { try append(headerName, text) }
        headerName = nil
      case (3, .string, .body):
        current.text = Array(tokenizer.text)
        member = .other
      case (3, .null, .body):
        current.isNull = true
        member = .other
      case (3, _, _): member = .other
      default: break
      }
    }

    private mutating func append(_ name: HeaderFields.Name, _ value: String) throws(ODataError) {
      // As many as on a line of its own, so that empty ones count as well.
      current.headerLength += name.rawName.utf8.count + value.utf8.count + 4
      guard current.headerLength <= limits.headerLength else {
        throw ODataError(
          .payloadTooLarge,
          "The header fields of a response in the batch are larger than the limit of \(limits.headerLength) bytes."
        )
      }
      current.headers.append(name, value)
    }

    private var text: String { String(decoding: tokenizer.text, as: UTF8.self) }

    private mutating func begin(_ name: UnsafeBufferPointer<UInt8>) throws(ODataError) {
      member =
        if name.elementsEqual("id".utf8) {
          .id
        } else if name.elementsEqual("status".utf8) {
          .status
        } else if name.elementsEqual("headers".utf8) {
          .headers
        } else if name.elementsEqual("body".utf8) {
          .body
        } else {
          .other
        }
      guard member != .body || current.body.isEmpty else {
        throw Self.malformed("a response in it has two bodies")
      }
    }

    /// Ends a response.
    private mutating func close() throws(ODataError) {
      guard let id = current.id, let status = current.status, (100..<1000).contains(status) else {
        throw Self.malformed("a response in it has no id or no status")
      }
      guard expected > 0 else {
        throw Self.malformed("it has more responses than the batch has operations")
      }
      expected -= 1
      var response = BatchOperationResponse(contentID: id, status: status, headers: current.headers)
      response.body = try body(of: &response.headers)
      responses.append(response)
      current = Response()
      member = .other
    }

    /// The body by the rules of its media type, which is `application/json` where the response names none.
    private func body(of headers: inout HeaderFields) throws(ODataError) -> [UInt8] {
      guard !current.isNull, !current.body.isEmpty else { return [] }
      let kind = JSONBatchBody(contentType: headers[.contentType])
      if headers[.contentType] == nil { headers[.contentType] = "application/json" }
      guard let text = current.text, kind != .json else {
        // What stands between the member's name and its value belongs to neither.
        return Array(current.body.drop { $0 == UInt8(ascii: ":") || $0.isBlank })
      }
      if kind == .text { return text }
      guard let bytes = text.withUnsafeBufferPointer(Base64.decode) else {
        throw Self.malformed("a body in it is not base64url")
      }
      return bytes
    }

    /// Gives what there is of a response that the end of the input has cut off.
    mutating func cutOff() {
      guard current.isOpen, let id = current.id, let status = current.status, expected > 0 else { return }
      responses.append(
        BatchOperationResponse(contentID: id, status: status, headers: current.headers, isTruncated: true))
      current = Response()
    }

    static func malformed(_ what: String) -> ODataError {
      ODataError(.malformedPayload, "The service's answer to the batch cannot be read: \(what).")
    }
  }
}
