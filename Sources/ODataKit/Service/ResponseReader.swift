/// Reads the payload of one response, and adds to what is wrong with it which response it was: status, the service's id
/// of the request, and for a body that is no payload at all (the page of a proxy) how it begins.
final class ResponseReader: PayloadReader {
  private static let openingLength = 256

  private let reader: any PayloadReader
  private let status: Int
  private let headers: HeaderFields
  private var opening: [UInt8] = []

  init(_ reader: any PayloadReader, of response: HTTPResponse) {
    self.reader = reader
    status = response.status
    headers = response.headers
  }

  var isFeed: Bool { reader.isFeed }

  func read(_ bytes: [UInt8]) throws -> [EntityRecord] {
    if opening.count < Self.openingLength { opening += bytes.prefix(Self.openingLength - opening.count) }
    return try located { try reader.read(bytes) }
  }

  func finish() throws -> PayloadSummary { try located { try reader.finish() } }

  private func located<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var error as ODataError {
      error.httpStatus = error.httpStatus ?? status
      error.requestID = error.requestID ?? ServiceError.requestID(headers)
      if error.code == .malformedPayload, isForeign, let excerpt = ServiceError.excerpt(of: opening) {
        error.message += " The body begins with: \(excerpt)"
      }
      throw error
    }
  }

  /// Whether the body is no payload of any kind. Of a payload nothing may be shown: its values are private.
  private var isForeign: Bool {
    let start = opening.drop { $0.isBlank }
    guard let first = start.first else { return false }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    if letters.contains(first | 0x20) { return true }
    let word = String(decoding: start.prefix(14), as: UTF8.self).lowercased()
    return word.hasPrefix("<html") || word.hasPrefix("<!doctype html")
  }
}
