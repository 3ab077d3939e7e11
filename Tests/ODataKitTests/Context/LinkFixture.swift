import ODataKit
import ODataTestSupport

/// Orders and their lines over a scripted transport.
struct LinkFixture {
  struct Order: Codable, Sendable, Equatable {
    var id: Int32
    var customer: String
    enum CodingKeys: String, CodingKey {
      case id = "ID"
      case customer = "Customer"
    }
  }
  struct Line: Codable, Sendable, Equatable {
    var id: Int32
    var text: String
    enum CodingKeys: String, CodingKey {
      case id = "ID"
      case text = "Text"
    }
  }

  let transport: ScriptedTransport
  var context: ObjectContext
  let orders: EntitySet<Order>
  let lines: EntitySet<Line>

  init(
    _ dialect: Dialect = .v4, _ steps: [ScriptedTransport.Step] = [], format: PayloadFormat = .automatic,
    batchFormat: BatchFormat = .multipart, targets: BatchTargetForm = .absolute
  ) throws {
    transport = ScriptedTransport(steps)
    var service = try ODataService(
      root: "http://shop.test/svc", dialect: dialect, format: format, transport: transport)
    service.batchFormat = batchFormat
    service.batchTargets = targets
    context = ObjectContext(service)
    orders = try context.entitySet("Orders", of: Order.self, key: \.id)
    lines = try context.entitySet("Lines", of: Line.self, key: \.id)
  }

  func order(_ id: Int32) throws -> Tracked<Order> { try orders.attach(Order(id: id, customer: "c")) }
  func line(_ id: Int32) throws -> Tracked<Line> { try lines.attach(Line(id: id, text: "t")) }

  /// `METHOD target body` of each request.
  var requests: [String] {
    transport.requests.map {
      "\($0.method) \($0.url.target)" + ($0.bodyText.isEmpty ? "" : " " + $0.bodyText)
    }
  }
}

extension HTTPRequest {
  /// The lines of the body, with names in place of the boundaries.
  var batchLines: [String] {
    var text = bodyText
    for (name, prefix) in [("B", "batch_"), ("C", "changeset_")] {
      while let start = text.firstRange(of: prefix) {
        // A GUID follows.
        let end = text.index(start.upperBound, offsetBy: 36)
        text.replaceSubrange(start.lowerBound..<end, with: name)
      }
    }
    return text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension HTTPResponse {
  /// The answer to a batch whose items are HTTP messages, or, as arrays, change sets of such.
  static func multipart(_ items: [[String]], status: Int = 200) -> HTTPResponse {
    var body = ""
    for item in items {
      if item.count == 1, item[0].hasPrefix("alone ") {
        body += "--b\r\nContent-Type: application/http\r\n\r\n" + item[0].dropFirst(6) + "\r\n"
        continue
      }
      body += "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
      for message in item { body += "--c\r\nContent-Type: application/http\r\n\r\n\(message)\r\n" }
      body += "--c--\r\n"
    }
    return .text(status, body + "--b--\r\n", type: "multipart/mixed; boundary=b")
  }

  static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    .text(status, text, type: "application/json")
  }
}

extension OperationOutcome {
  /// The result in one word.
  var word: String {
    switch result {
    case .done: "done"
    case .failed: "failed"
    case .unknown: "unknown"
    case .rolledBack: "rolledBack"
    case .notTried: "notTried"
    }
  }
}
