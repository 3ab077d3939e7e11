/// Reads the answer to a batch while it arrives.
///
/// The status around it is 202 whatever happened; what became of each operation stands in here. A change set
/// that failed has exactly one response, with the status of the operation that failed.
package struct BatchResponseReader {
  private var multipart: MultipartReader
  private var changeSet: [BatchOperationResponse]?
  /// How many answers there may still be.
  private var expected: Int
  /// How many change sets there may still be.
  private var expectedChangeSets: Int

  /// Whether the last boundary was seen. If not after ``finish()``, operations without a response have an
  /// unknown outcome: the service may have stopped in the middle of its answer.
  package var isComplete: Bool { multipart.isClosed }

  /// Makes a reader for the `Content-Type` of the response; throws ``ODataError/Code/malformedPayload`` where
  /// that is not a multipart with a boundary. More answers than there were operations, and more change sets than there
  /// were items, are refused, so that no service can make a client hold what it never asked for.
  package init(
    contentType: String?, operationCount: Int = .max, itemCount: Int = .max,
    limits: PayloadLimits = PayloadLimits()
  ) throws(ODataError) {
    multipart = try MultipartReader(contentType: contentType, limits: limits)
    expected = operationCount
    expectedChangeSets = itemCount
  }

  /// Takes the next bytes and gives the parts that became complete with them; a change set comes as one.
  package mutating func read(_ bytes: [UInt8]) throws(ODataError) -> [BatchResponsePart] {
    try parts(of: multipart.read(bytes))
  }

  /// Says that the body is complete and gives what was left, the last response possibly truncated.
  package mutating func finish() throws(ODataError) -> [BatchResponsePart] {
    try parts(of: multipart.finish())
  }

  private mutating func parts(of events: [MultipartReader.Event]) throws(ODataError) -> [BatchResponsePart] {
    var parts: [BatchResponsePart] = []
    for event in events {
      switch event {
      case .beginNested:
        guard expectedChangeSets > 0 else {
          throw ODataError(
            .malformedPayload,
            "The service's answer to the batch has more change sets than the batch has items.")
        }
        expectedChangeSets -= 1
        changeSet = []
      case .message(let message):
        let response = try Self.response(of: message)
        // An interim answer says nothing of the outcome, and the final one follows (RFC 9110 § 15.2).
        if (100..<200).contains(response.status) { continue }
        guard expected > 0 else {
          throw ODataError(
            .malformedPayload,
            "The service's answer to the batch has more parts than the batch has operations.")
        }
        expected -= 1
        if changeSet != nil { changeSet?.append(response) } else { parts.append(.operation(response)) }
      case .endNested:
        parts.append(.changeSet(changeSet ?? []))
        changeSet = nil
      }
    }
    return parts
  }

  private static func response(
    of message: MultipartReader.EmbeddedMessage
  ) throws(ODataError) -> BatchOperationResponse {
    let words = message.startLine.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
      let status = Int(String(decoding: words[1], as: UTF8.self)), status >= 100
    else {
      throw ODataError(
        .malformedPayload,
        "The batch cannot be read: a response in it does not begin with an HTTP status line.")
    }
    var headers = message.headers
    let contentID = headers[.contentID] ?? message.partHeaders[.contentID]
    headers[.contentID] = nil
    return BatchOperationResponse(
      contentID: contentID, status: status, headers: headers, body: message.body,
      isTruncated: message.isTruncated)
  }
}
