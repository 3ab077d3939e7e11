/// Reads a batch request, for servers.
package enum BatchRequestReader {
  /// Reads a whole body; `contentType` names its boundary.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for a body that cannot be read to its end (a server must not
  /// apply half of a batch) and ``ODataError/Code/payloadTooLarge`` for one over the limits.
  package static func read(
    _ body: [UInt8], contentType: String?, limits: PayloadLimits = PayloadLimits()
  ) throws(ODataError) -> [BatchRequestPart] {
    var multipart = try MultipartReader(contentType: contentType, limits: limits)
    var parts: [BatchRequestPart] = []
    var changeSet: [BatchOperation]?
    for event in try multipart.read(body) + multipart.finish() {
      switch event {
      case .beginNested:
        changeSet = []
      case .message(let message):
        let operation = try operation(of: message)
        if changeSet != nil { changeSet?.append(operation) } else { parts.append(.query(operation)) }
      case .endNested:
        parts.append(.changeSet(changeSet ?? []))
        changeSet = nil
      }
    }
    guard multipart.isClosed else {
      throw ODataError(.malformedPayload, "The batch cannot be read: its last boundary is missing.")
    }
    return parts
  }

  private static func operation(of message: MultipartReader.EmbeddedMessage) throws(ODataError)
    -> BatchOperation
  {
    let declared = message.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard !message.isTruncated, message.body.count >= declared else {
      throw ODataError(
        .malformedPayload, "The batch cannot be read: a request in it is shorter than its Content-Length.")
    }
    let words = message.startLine.utf8.split(separator: UInt8(ascii: " "))
    guard words.count == 3, words[2].starts(with: "HTTP/".utf8) else {
      throw ODataError(
        .malformedPayload,
        "The batch cannot be read: a request in it does not begin with an HTTP request line.")
    }
    var headers = message.headers
    let contentID = headers[.contentID] ?? message.partHeaders[.contentID]
    headers[.contentID] = nil
    headers[.contentLength] = nil
    return BatchOperation(
      contentID: contentID, method: HTTPMethod(rawValue: String(decoding: words[0], as: UTF8.self)),
      url: String(decoding: words[1], as: UTF8.self), headers: headers, body: message.body)
  }
}
