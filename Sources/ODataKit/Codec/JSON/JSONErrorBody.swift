/// Reads the error a service answers with: `{"odata.error":{…}}` (OData 3), `{"error":{…}}` (OData 2 and 4),
/// with a message that is a text or `{"lang":…,"value":…}`.
package enum JSONErrorBody {
  /// What the service says, or `nil` where the bytes are no such body. What is missing in a body that is cut short is
  /// empty.
  package static func read(_ bytes: [UInt8]) -> ServiceErrorBody? {
    var tokenizer = JSONTokenizer(limits: PayloadLimits())
    return bytes.withUnsafeBufferPointer { bytes in
      var collector: JSONErrorCollector?
      var isError = false
      do {
        while let token = try tokenizer.next(in: bytes, isFinal: true) {
          if collector != nil {
            if collector?.take(token, tokenizer.text) == true { break }
          } else if token == .name, tokenizer.depth == 1 {
            let name = tokenizer.text
            isError =
              name.elementsEqual("odata.error".utf8) || name.elementsEqual("error".utf8)
              || name.elementsEqual("@odata.error".utf8)
          } else if isError, token == .beginObject {
            collector = JSONErrorCollector()
          }
        }
      } catch {
        // A body that breaks off may still have told what went wrong.
      }
      guard let collector, collector.code != nil || collector.message != nil else { return nil }
      return ServiceErrorBody(code: collector.code ?? "", message: collector.message ?? "")
    }
  }
}

/// Picks code and message out of the tokens of an error object, from behind its brace.
struct JSONErrorCollector {
  private enum Member { case code, message, other }

  private(set) var code: String?
  private(set) var message: String?
  private var depth = 1
  private var member = Member.other
  private var isValueOfMessage = false

  /// Takes the next token; `true` once the object is complete.
  mutating func take(_ token: JSONTokenizer.Token, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch token {
    case .beginObject, .beginArray: depth += 1
    case .endObject, .endArray: depth -= 1
    case .name where depth == 1:
      member =
        text.elementsEqual("code".utf8) ? .code : text.elementsEqual("message".utf8) ? .message : .other
    case .name:
      isValueOfMessage = depth == 2 && member == .message && text.elementsEqual("value".utf8)
    case .string, .number:
      if depth == 1, member == .code {
        code = String(decoding: text, as: UTF8.self)
      } else if member == .message, depth == 1 || isValueOfMessage {
        message = String(decoding: text, as: UTF8.self)
        isValueOfMessage = false
      }
    case .boolean, .null: break
    }
    return depth == 0
  }
}
