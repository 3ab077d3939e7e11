/// Reads the error a service answers with in XML: `<error>` or `<m:error>` of OData with `code` and `message`, or the
/// `<Error>` of Azure's storage services with `Code` and `Message`.
enum XMLErrorBody {
  /// The service's code and message, or `nil` where the bytes are no such body. What is missing in a body that is cut
  /// short is empty.
  static func read(_ bytes: [UInt8]) -> (code: String, message: String)? {
    let handler = Handler()
    let parser = XMLPushParser(handler: handler, limits: PayloadLimits())
    do {
      try parser.feed(bytes)
      try parser.finish()
    } catch {
      // A body that breaks off may still have told what went wrong.
    }
    guard handler.code != nil || handler.message != nil else { return nil }
    return (handler.code ?? "", handler.message ?? "")
  }

  private final class Handler: XMLEventHandler {
    private enum Member { case code, message }

    private(set) var code: String?
    private(set) var message: String?
    private var depth = 0
    private var isError = false
    private var member: Member?
    private var text: [UInt8] = []

    func startElement(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
      depth += 1
      switch depth {
      case 1: isError = name.isCalled("error") || name.isCalled("Error")
      case 2 where isError:
        text.removeAll(keepingCapacity: true)
        // The other members (inner errors, details of a refused signature) may hold what nobody should see.
        member =
          name.isCalled("code") || name.isCalled("Code")
          ? .code : name.isCalled("message") || name.isCalled("Message") ? .message : nil
      default: break
      }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
      if member != nil, depth == 2 { text.append(contentsOf: bytes) }
    }

    func endElement(at position: XMLPosition) {
      if depth == 2 {
        switch member {
        case .code: code = String(decoding: text, as: UTF8.self)
        case .message: message = String(decoding: text, as: UTF8.self)
        case nil: break
        }
        member = nil
      }
      depth -= 1
    }
  }
}
