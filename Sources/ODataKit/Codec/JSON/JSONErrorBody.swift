/// Reads the error a service answers with: `{"odata.error":{…}}` (OData 3), `{"error":{…}}` (OData 2 and 4),
/// with a message that is a text or `{"lang":…,"value":…}`.
package enum JSONErrorBody {
  /// What the service says, or `nil` where the bytes are no such body. What is missing in a body that is cut short is
  /// empty.
  package static func read(_ bytes: [UInt8]) -> ServiceErrorBody? {
    var tokenizer = JSONTokenizer(limits: PayloadLimits())
    return bytes.withUnsafeBufferPointer { bytes in
      var builder = JSONTreeBuilder()
      var isError = false
      var isCollecting = false
      var tree: JSONTree?
      do {
        while tree == nil, let token = try tokenizer.next(in: bytes, isFinal: true) {
          if isCollecting {
            tree = builder.take(token, text: String(decoding: tokenizer.text, as: UTF8.self))
          } else if token == .name, tokenizer.depth == 1 {
            let name = tokenizer.text
            isError =
              name.elementsEqual("odata.error".utf8) || name.elementsEqual("error".utf8)
              || name.elementsEqual("@odata.error".utf8)
          } else if isError, token == .beginObject {
            isCollecting = true
            _ = builder.take(token, text: "")
          }
        }
      } catch {
        // A body that breaks off may still have told what went wrong.
      }
      guard isCollecting, let tree = tree ?? builder.close(),
        tree["code"]?.lexical != nil || message(of: tree) != nil
      else { return nil }
      return read(tree)
    }
  }

  /// What the object of an error says.
  static func read(_ error: JSONTree) -> ServiceErrorBody {
    var body = ServiceErrorBody(
      code: error["code"]?.lexical ?? "", message: message(of: error) ?? "",
      target: error["target"]?.string)
    body.details = details(error["details"])
    if let inner = error["innererror"] {
      // SAP's Gateway tells here what OData 4 tells in `details`.
      body.details += details(inner["errordetails"])
      readInner(inner, into: &body.innerErrors)
    }
    return body
  }

  private static func message(of error: JSONTree) -> String? {
    error["message"]?.string ?? error["message"]?["value"]?.string
  }

  private static func details(_ list: JSONTree?) -> [ODataError.Detail] {
    (list?.elements ?? []).compactMap { detail in
      guard detail["code"]?.lexical != nil || message(of: detail) != nil else { return nil }
      let target = [detail["target"], detail["propertyref"]].compactMap { $0?.string }.first { !$0.isEmpty }
      return ODataError.Detail(
        code: detail["code"]?.lexical ?? "", message: message(of: detail) ?? "", target: target)
    }
  }

  /// An inner error and the ones that caused it (MS-ODATA § 2.2.8.1; OData 4 JSON Format § 21.1, where services put in
  /// what they like).
  private static func readInner(_ inner: JSONTree, into errors: inout [ODataError.InnerError]) {
    var inner: JSONTree? = inner
    // As deep as the limits of the payload let them be nested.
    while let error = inner {
      let message = message(of: error)
      let type = error["type"]?.string
      let trace = error["stacktrace"]?.string
      if message != nil || type != nil || trace != nil {
        errors.append(ODataError.InnerError(message: message ?? "", typeName: type, stackTrace: trace))
      }
      inner = error["internalexception"] ?? error["innererror"]
    }
  }
}
