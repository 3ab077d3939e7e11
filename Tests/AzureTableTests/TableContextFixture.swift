import AzureTable
import ODataKit
import ODataTestSupport

/// A context over a scripted transport, with everything that varies pinned.
struct TableContextFixture {
  let transport: ScriptedTransport
  let service: TableService
  let context: TableContext
  let books: EntitySet<ShelfBook>

  init(
    _ steps: [ScriptedTransport.Step] = [], format: PayloadFormat = .json, retryPolicy: RetryPolicy = .none
  ) throws {
    transport = ScriptedTransport(steps)
    var service = try TableService(
      endpoint: RequestURL(scheme: "http", authority: "127.0.0.1:10002", path: "/devstoreaccount1"),
      accountName: "devstoreaccount1", credential: .none, format: format, transport: transport)
    service.retryPolicy = retryPolicy
    self.service = service
    context = TableContext(service)
    books = try context.table("Books", of: ShelfBook.self)
  }

  /// An entity that the service has, tracked at a version.
  @discardableResult
  func attached(_ rowKey: String, title: String = "t", rate: Int32? = 1, tag: String = "W/\"1\"") throws
    -> Tracked<ShelfBook>
  {
    try books.attach(
      ShelfBook("p", rowKey, title: title, rate: rate), entityTag: EntityTag(rawValue: tag))
  }
}

extension HTTPResponse {
  /// An error as the service writes it.
  static func tableError(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
    text(
      status,
      #"{"odata.error":{"code":"\#(code)","message":{"lang":"en-US","value":"\#(message)\nRequestId:7\nTime:2026-01-01T00:00:00.0000000Z"}}}"#,
      type: "application/json")
  }

  /// The answer to a change set: its parts as HTTP messages.
  static func changeSet(_ parts: [String]) -> HTTPResponse {
    var body = "--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_1\r\n\r\n"
    for part in parts {
      body +=
        "--changesetresponse_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
      body += part + "\r\n"
    }
    body += "--changesetresponse_1--\r\n--batchresponse_1--\r\n"
    return text(202, body, type: "multipart/mixed; boundary=batchresponse_1")
  }

  /// The parts of a change set of which every operation was done, with the tags `W/"n"`.
  static func doneChangeSet(_ count: Int) -> HTTPResponse {
    changeSet((0..<count).map { "HTTP/1.1 204 No Content\r\nETag: W/\"b\($0)\"\r\n\r\n" })
  }

  static func failedChangeSet(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
    changeSet([
      "HTTP/1.1 \(status) Error\r\nContent-Type: application/json\r\n\r\n"
        + #"{"odata.error":{"code":"\#(code)","message":{"lang":"en-US","value":"\#(message)"}}}"# + "\r\n"
    ])
  }
}
