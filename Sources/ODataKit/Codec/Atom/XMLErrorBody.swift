/// Reads the error a service answers with in XML: `<error>` or `<m:error>` of OData with `code` and `message`, or the
/// `<Error>` of Azure's storage services with `Code` and `Message`.
enum XMLErrorBody {
  /// What the service says, or `nil` where the bytes are no such body. What is missing in a body that is cut short is
  /// empty.
  static func read(_ bytes: [UInt8]) -> ServiceErrorBody? {
    let handler = Handler()
    let parser = XMLPushParser(handler: handler, limits: PayloadLimits())
    do {
      try parser.feed(bytes)
      try parser.finish()
    } catch {
      // A body that breaks off may still have told what went wrong.
    }
    guard let collector = handler.collector, collector.isTelling else { return nil }
    return collector.body
  }

  private final class Handler: XMLEventHandler {
    private(set) var collector: XMLErrorCollector?
    private var isRoot = true

    func startElement(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
      if isRoot {
        isRoot = false
        if name.isCalled("error") || name.isCalled("Error") { collector = XMLErrorCollector() }
      } else {
        collector?.startElement(name)
      }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) { collector?.characters(bytes) }

    func endElement(at position: XMLPosition) { _ = collector?.endElement() }
  }
}

/// Picks what is told out of the elements of an error, from behind its start tag (OData Atom Format 4.0 § 19; MS-ODATA
/// § 2.2.8.2).
struct XMLErrorCollector {
  /// Elements nobody may see are ignored by not being listed: Azure's `AuthenticationErrorDetail`, which repeats a
  /// refused signature and the text it is made of, and whatever else a service invents.
  private enum Member {
    case code, message, target, details, detail, innerError, typeName, stackTrace, ignored
  }

  private(set) var body = ServiceErrorBody(code: "", message: "")
  /// Whether there was a code or a message at all.
  private(set) var isTelling = false
  /// The elements that are open inside of the error.
  private var open: [Member] = []
  private var text: [UInt8] = []

  mutating func startElement(_ name: XMLName) {
    let member = member(name, in: open.last)
    open.append(member)
    if member != .ignored { text.removeAll(keepingCapacity: true) }
    switch member {
    case .detail: body.details.append(ODataError.Detail(code: "", message: ""))
    case .innerError: body.innerErrors.append(ODataError.InnerError(message: ""))
    default: break
    }
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    switch open.last {
    case .code, .message, .target, .typeName, .stackTrace: text.append(contentsOf: bytes)
    default: break
    }
  }

  /// Ends an element; `true` where it was the error itself.
  mutating func endElement() -> Bool {
    guard let member = open.popLast() else { return true }
    let told = String(decoding: text, as: UTF8.self)
    switch (open.last, member) {
    case (nil, .code): body.code = told
    case (nil, .message): body.message = told
    case (nil, .target): body.target = told
    case (.detail, .code): change(&body.details) { $0.code = told }
    case (.detail, .message): change(&body.details) { $0.message = told }
    case (.detail, .target): change(&body.details) { $0.target = told }
    case (.innerError, .message): change(&body.innerErrors) { $0.message = told }
    case (.innerError, .typeName): change(&body.innerErrors) { $0.typeName = told }
    case (.innerError, .stackTrace): change(&body.innerErrors) { $0.stackTrace = told }
    default: return false
    }
    if open.isEmpty { isTelling = isTelling || member == .code || member == .message }
    return false
  }

  private func member(_ name: XMLName, in parent: Member?) -> Member {
    switch parent {
    case nil:
      if name.isCalled("code") || name.isCalled("Code") { return .code }
      if name.isCalled("message") || name.isCalled("Message") { return .message }
      if name.isCalled("target") { return .target }
      if name.isCalled("details") { return .details }
      if name.isCalled("innererror") { return .innerError }
    case .details: if name.isCalled("detail") { return .detail }
    case .detail:
      if name.isCalled("code") { return .code }
      if name.isCalled("message") { return .message }
      if name.isCalled("target") { return .target }
    case .innerError:
      // Members of an error stand before the one that caused it.
      if name.isCalled("message") { return .message }
      if name.isCalled("type") { return .typeName }
      if name.isCalled("stacktrace") { return .stackTrace }
      if name.isCalled("internalexception") || name.isCalled("innererror") { return .innerError }
    default: break
    }
    return .ignored
  }

  private func change<Element>(_ elements: inout [Element], _ body: (inout Element) -> Void) {
    guard !elements.isEmpty else { return }
    body(&elements[elements.count - 1])
  }
}
