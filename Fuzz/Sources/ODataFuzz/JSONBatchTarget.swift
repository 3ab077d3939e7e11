import ODataKit

/// The answer to a batch in JSON: the same whole and in pieces; and every response in it, once it stands in a document of
/// its own, is read as the same.
@Sendable func fuzzJSONBatch(_ input: FuzzInput) {
  let whole = Outcome { try read([input.bytes]) }
  let cut = Outcome { try read(input.pieces) }
  whole.demandSame(as: cut, "whole and cut in pieces of \(input.pieces.map(\.count))")
  guard case .value(let reading) = whole, reading.isComplete else { return }
  for response in reading.responses.map(\.withSingleFields) {
    demand(response.contentID != nil && !response.isTruncated, "half a response in a complete document")
    guard let document = document(of: response) else { continue }
    let again = Outcome { try read([document], limits: PayloadLimits()) }
    demand(
      again == .value(Reading(responses: [response], isComplete: true)),
      "\(response)\nwas written as\n\(String(decoding: document, as: UTF8.self))\nand read as\n\(again)")
  }
}

private struct Reading: Equatable {
  var responses: [BatchOperationResponse] = []
  var isComplete = false
}

private func read(_ pieces: [[UInt8]], limits: PayloadLimits = FuzzInput.limits) throws -> Reading {
  var reader = JSONBatchReader(limits: limits)
  var reading = Reading()
  for piece in pieces { reading.responses += try reader.read(piece) }
  reading.responses += try reader.finish()
  reading.isComplete = reader.isComplete
  return reading
}

/// A document with one response, whose body is JSON as it stands, text, or bytes in base64url, as its type says. The
/// writer of requests has the same rules for bodies and fields; only what stands in front of them is a request's.
private func document(of response: BatchOperationResponse) -> [UInt8]? {
  var writer = JSONBatchWriter()
  do {
    try writer.add(
      BatchOperation(
        contentID: response.contentID, method: .get, url: "", headers: response.headers, body: response.body))
  } catch {
    demand(String(validating: response.body, as: UTF8.self) == nil, "a response cannot be written: \(error)")
    return nil
  }
  let requestOpening = Array(#"{"requests":[{"#.utf8)
  let opening = Array(#"{"responses":[{"status":\#(response.status),"#.utf8)
  return opening + writer.finish().dropFirst(requestOpening.count)
}

extension BatchOperationResponse {
  /// The response with every field once, as the writer writes them.
  fileprivate var withSingleFields: BatchOperationResponse {
    var response = self
    response.headers = HeaderFields()
    for field in headers.fields
    where response.headers[field.name] == nil && field.name != .contentLength && field.name != .contentID {
      response.headers.append(field.name, headers[field.name] ?? "")
    }
    return response
  }
}
