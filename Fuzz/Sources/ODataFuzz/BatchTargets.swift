import ODataKit

/// The answer to a batch: the same whole and in pieces; and what was read, once it is written, reads the same.
@Sendable func fuzzBatchResponse(_ input: FuzzInput) {
  let contentType = "multipart/mixed; boundary=\(input.boundary)"
  let whole = Outcome { try readResponse([input.bytes], contentType) }
  let cut = Outcome { try readResponse(input.pieces, contentType) }
  whole.demandSame(as: cut, "whole and cut in pieces of \(input.pieces.map(\.count))")
  guard case .value(let reading) = whole, reading.isComplete else { return }
  let boundaries = input.absentBoundaries
  var writer = BatchResponseWriter(boundary: boundaries.batch)
  // The writer gives no lengths, so that bodies that begin with a line end cannot be told from a blank line.
  let parts = reading.parts.map(\.withoutFrame)
  do {
    for part in parts { try writer.add(part, changeSetBoundary: boundaries.changeSet) }
  } catch { return }
  let bytes = writer.finish()
  // What is written may be longer than what was read: bytes that are no UTF-8 have become replacement characters.
  let again = Outcome {
    try readResponse([bytes], "multipart/mixed; boundary=\(boundaries.batch)", limits: PayloadLimits())
  }
  let expected = Outcome.value(ResponseReading(parts: parts, isComplete: true))
  demand(
    parts.isEmpty || again == expected,
    "\(expected)\nwas written as\n\(String(decoding: bytes, as: UTF8.self))\nand read as\n\(again)")
}

/// A batch as a server reads it; and what was read, once it is written, reads the same.
@Sendable func fuzzBatchRequest(_ input: FuzzInput) {
  let contentType = "multipart/mixed; boundary=\(input.boundary)"
  let whole = Outcome {
    try BatchRequestReader.read(input.bytes, contentType: contentType, limits: FuzzInput.limits)
  }
  guard case .value(var parts) = whole, !parts.isEmpty else { return }
  parts = parts.map(\.withTrimmedIDs)
  let boundaries = input.absentBoundaries
  for placement in [BatchRequestWriter.ContentIDPlacement.request, .part] {
    var writer = BatchRequestWriter(boundary: boundaries.batch, contentIDPlacement: placement)
    do {
      for part in parts { try writer.add(part, changeSetBoundary: boundaries.changeSet) }
    } catch { continue }
    let bytes = writer.finish()
    let again = Outcome {
      try BatchRequestReader.read(bytes, contentType: "multipart/mixed; boundary=\(boundaries.batch)")
    }
    demand(
      again == .value(parts),
      "\(parts)\nwas written as\n\(String(decoding: bytes, as: UTF8.self))\nand read as\n\(again)")
  }
}

private struct ResponseReading: Equatable {
  var parts: [BatchResponsePart]
  var isComplete: Bool
}

private func readResponse(
  _ pieces: [[UInt8]], _ contentType: String, limits: PayloadLimits = FuzzInput.limits
) throws -> ResponseReading {
  var reader = try BatchResponseReader(contentType: contentType, limits: limits)
  var parts: [BatchResponsePart] = []
  for piece in pieces { parts += try reader.read(piece) }
  parts += try reader.finish()
  return ResponseReading(parts: parts, isComplete: reader.isComplete)
}

extension BatchResponsePart {
  /// The part as a server would write it: whole, with an id that is trimmed as every field is, a body that begins where
  /// the blank line ends, and without a length that may not be its own.
  fileprivate var withoutFrame: BatchResponsePart {
    func bare(_ response: BatchOperationResponse) -> BatchOperationResponse {
      var response = response
      response.isTruncated = false
      response.headers[.contentLength] = nil
      response.contentID = response.contentID?.trimmed
      response.body = Array(response.body.drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
      return response
    }
    return switch self {
    case .operation(let response): .operation(bare(response))
    case .changeSet(let responses): .changeSet(responses.map(bare))
    }
  }
}

extension BatchRequestPart {
  /// The part without the blanks that are left at the ends where several fields, one of them empty, are read as one.
  fileprivate var withTrimmedIDs: BatchRequestPart {
    func trimmed(_ operation: BatchOperation) -> BatchOperation {
      var operation = operation
      operation.contentID = operation.contentID?.trimmed
      return operation
    }
    return switch self {
    case .query(let query): .query(trimmed(query))
    case .changeSet(let operations): .changeSet(operations.map(trimmed))
    }
  }
}

extension String {
  /// The text without the blanks at its ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension FuzzInput {
  /// The boundary that the input begins with, or `b`.
  fileprivate var boundary: String {
    guard bytes.starts(with: "--".utf8) else { return "b" }
    let line = bytes.dropFirst(2).prefix(40).prefix { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3B }
    return line.isEmpty ? "b" : "\"" + String(decoding: line.filter { $0 != 0x5C }, as: UTF8.self) + "\""
  }

  /// Boundaries that do not occur in the input.
  fileprivate var absentBoundaries: (batch: String, changeSet: String) {
    var number = 0
    while contains("batch\(number)") || contains("changes\(number)") { number += 1 }
    return ("batch\(number)", "changes\(number)")
  }

  private func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: text) }
  }
}
