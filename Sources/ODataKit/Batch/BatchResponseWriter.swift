/// Writes the answer to a batch, for servers, framed as Azure's table service frames it: `Content-ID` first
/// among the headers of a response, no inner `Content-Length`, and a blank line more behind a response
/// without a body.
package struct BatchResponseWriter {
  private let boundary: String
  private var bytes: [UInt8] = []

  package init(boundary: String) { self.boundary = boundary }

  /// The `Content-Type` of the response that carries the batch.
  package var contentType: String { "multipart/mixed; boundary=" + boundary }

  /// Writes a whole part; the boundary is used where it is a change set.
  ///
  /// Throws ``ODataError/Code/invalidArgument`` where a header field holds a line end.
  package mutating func add(_ part: BatchResponsePart, changeSetBoundary: String) throws(ODataError) {
    switch part {
    case .operation(let response):
      try append(response, boundary: boundary)
    case .changeSet(let responses):
      bytes += "--\(boundary)\r\nContent-Type: multipart/mixed; boundary=\(changeSetBoundary)\r\n\r\n".utf8
      for response in responses { try append(response, boundary: changeSetBoundary) }
      bytes += "--\(changeSetBoundary)--\r\n".utf8
    }
  }

  /// Ends the batch and gives its bytes.
  package consuming func finish() -> [UInt8] {
    bytes += "--\(boundary)--\r\n".utf8
    return bytes
  }

  private mutating func append(_ response: BatchOperationResponse, boundary: String) throws(ODataError) {
    var head = BatchHead(boundary: boundary)
    try head.beginMessage("HTTP/1.1 \(response.status) \(HTTPReason.phrase(for: response.status))")
    try head.append(.contentID, response.contentID)
    for field in response.headers.fields { try head.append(field.name, field.value) }
    bytes += head.finish()
    bytes += response.body
    bytes += "\r\n".utf8
  }
}
