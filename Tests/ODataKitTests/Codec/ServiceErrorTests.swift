import Foundation
import ODataKit
import ODataTestSupport
import Testing

/// What becomes of an answer that is an error.
struct ServiceErrorTests {
  private func read(_ status: Int, _ body: String, _ headers: HeaderFields = [:]) -> ODataError {
    ServiceError.read(status: status, headers: headers, body: Array(body.utf8))
  }

  private static let tableExists = """
    <?xml version="1.0" encoding="utf-8" standalone="yes"?>\r
    <error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">\r
      <code>TableAlreadyExists</code>\r
      <message xml:lang="en-US">The table specified already exists.
    RequestId:ebcc9f6b-0000-4f22-b4a9-078a393394eb
    Time:2013-05-30T20:57:11.1474844Z</message>\r
    </error>
    """

  @Test func anErrorOfATableInXML() {
    let error = read(409, Self.tableExists, ["Content-Type": "application/json"])
    #expect(error.code == .alreadyExists)
    #expect(error.message == "The table specified already exists.")
    #expect(error.serviceCode == "TableAlreadyExists")
    #expect(error.requestID == "ebcc9f6b-0000-4f22-b4a9-078a393394eb")
    #expect(error.httpStatus == 409)
    #expect(error.failedOperation == nil)
    #expect(
      error.description == """
        The table specified already exists. (HTTP 409, TableAlreadyExists, request ebcc9f6b-0000-4f22-b4a9-078a393394eb)
        """)
  }

  @Test func whatAServiceSaysCannotSteerATerminal() {
    let error = read(
      400,
      #"{"odata.error":{"code":"X\u001b[31m","message":{"lang":"en","value":"a\u001b[2Jb\u009b\u202ec"}}}"#,
      ["x-ms-request-id": "1\u{1B}2"])
    #expect(
      error.description
        == #"a\u{1B}[2Jb\u{9B}\u{202E}c (HTTP 400, X\u{1B}[31m, request 1\u{1B}2)"#)
  }

  private static let forms: [(String, String)] = [
    ("the namespace as default", "<error xmlns='urn:m'><code>C</code><message>M</message></error>"),
    ("a prefix", "<m:error xmlns:m='urn:m'><m:code>C</m:code><m:message>M</m:message></m:error>"),
    ("the storage services' form", "<Error><Code>C</Code><Message>M</Message></Error>"),
    (
      "details that may hold a signature",
      "<Error><Code>C</Code><Message>M</Message><AuthenticationErrorDetail>sig</AuthenticationErrorDetail></Error>"
    ),
    (
      "inner errors",
      "<error><code>C</code><innererror><code>X</code><message>Y</message></innererror><message>M</message></error>"
    ),
    ("a byte order mark", "\u{FEFF}<error><code>C</code><message>M</message></error>"),
    ("blanks in front", "\r\n <error><code>C</code><message>M</message></error>"),
    ("an end that is missing", "<error><code>C</code><message>M</message>"),
    ("JSON of OData 3", #"{"odata.error":{"code":"C","message":{"lang":"en-US","value":"M"}}}"#),
    ("JSON of OData 4", #"{"error":{"code":"C","message":"M"}}"#),
    ("JSON behind a byte order mark", "\u{FEFF} " + #"{"error":{"code":"C","message":"M"}}"#),
  ]

  @Test("Every form of error body tells code and message", arguments: forms)
  func bodies(_ form: String, _ body: String) {
    let error = read(400, body)
    #expect(error.serviceCode == "C", "\(form)")
    #expect(error.message == "M", "\(form)")
    #expect(error.code == .service)
  }

  @Test func anErrorInUTF16() {
    let bytes = "\u{FEFF}<error><code>C</code><message>é</message></error>".utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    #expect(ServiceError.read(status: 400, headers: [:], body: bytes).message == "é")
  }

  @Test(
    "A status has one meaning",
    arguments: [
      (400, "InvalidInput", ODataError.Code.service), (401, "", .unauthorized),
      (403, "AuthenticationFailed", .unauthorized), (404, "ResourceNotFound", .notFound),
      (409, "EntityAlreadyExists", .alreadyExists), (409, "ResourceAlreadyExists", .alreadyExists),
      (409, "TableBeingDeleted", .service), (409, "", .service),
      (412, "UpdateConditionNotSatisfied", .concurrencyConflict),
      (413, "RequestBodyTooLarge", .payloadTooLarge),
      (415, "AtomFormatNotSupported", .unsupported), (429, "TooManyRequests", .service),
      (500, "InternalError", .service), (501, "NotImplemented", .unsupported), (503, "ServerBusy", .service),
    ])
  func statuses(_ status: Int, _ code: String, _ expected: ODataError.Code) {
    let error = read(status, "<error><code>\(code)</code><message>M</message></error>")
    #expect(error.code == expected)
    #expect(error.httpStatus == status)
    #expect(error.serviceCode == (code.isEmpty ? nil : code))
  }

  @Test(
    "The message is freed of what stands around it",
    arguments: [
      (
        "3:The entity already exists.\nRequestId:a-1\nTime:2024-05-06T07:08:09Z",
        "3:The entity already exists.", "a-1"
      ),
      ("12:30 is no valid time\n\nRequestID:b-2\r\n", "12:30 is no valid time", "b-2"),
      ("Not supported\r\nActivityId: c-3, sdk/1\nRequestID:c-3\n", "Not supported", "c-3"),
      ("Two\nlines.", "Two lines.", nil),
      ("The time: noon\nTimely", "The time: noon Timely", nil),
    ] as [(String, String, String?)])
  func messages(_ raw: String, _ text: String, _ requestID: String?) {
    let error = read(400, "<error><code>C</code><message>\(raw)</message></error>")
    #expect(error.message == text)
    #expect(error.failedOperation == nil)
    #expect(error.requestID == requestID)
  }

  @Test func theHeaderGivesWhatTheBodyLeavesOut() {
    let headers: HeaderFields = ["x-ms-error-code": "ResourceNotFound", "X-MS-Request-ID": "r-1"]
    let error = read(404, "", headers)
    #expect(error.message == "The service refused the request with the code ResourceNotFound.")
    #expect(error.serviceCode == "ResourceNotFound")
    #expect(error.requestID == "r-1")
    #expect(read(409, Self.tableExists, headers).requestID == "r-1")
    #expect(read(409, Self.tableExists, headers).serviceCode == "TableAlreadyExists")
    #expect(read(502, " \r\n").message == "The service answered with status 502 and no explanation.")
  }

  @Test(
    "A body of something else is shown by its beginning",
    arguments: [
      (
        "<html><body>\r\n  <h1>502 Bad Gateway</h1>\u{1B}[31m",
        "<html><body> <h1>502 Bad Gateway</h1>\\u{1B}[31m"
      ),
      ("<!DOCTYPE html><html>", "<!DOCTYPE html><html>"),
      ("upstream connect error\u{202E}", "upstream connect error\\u{202E}"),
      (#"{"message":"no OData"}"#, #"{"message":"no OData"}"#),
      (String(repeating: "é", count: 70), String(repeating: "é", count: 60) + "…"),
      ("x" + String(repeating: "é", count: 70), "x" + String(repeating: "é", count: 59) + "…"),
    ])
  func otherBodies(_ body: String, _ excerpt: String) {
    let error = read(502, body)
    #expect(
      error.message
        == "The service answered with status 502 and a body that is no OData error; it begins with: \(excerpt)"
    )
    #expect(error.serviceCode == nil)
    #expect(error.code == .service)
  }

  @Test func bytesThatAreNoTextAreHarmless() {
    let error = ServiceError.read(status: 500, headers: [:], body: [0x1F, 0x8B, 0x08, 0x00, 0xFF, 0x41])
    #expect(error.message.hasSuffix("\\u{1F}\u{FFFD}\\u{8}\\u{0}\u{FFFD}A"))
  }

  @Test func aRedirectTellsWhereTo() {
    let error = read(302, "", ["Location": "https://svc.example/odata/?sig=secret"])
    #expect(
      error.message == """
        The service answered with status 302 and no explanation. It redirects to https://svc.example/odata/, which is \
        not followed; use that address from the start.
        """)
  }

  @Test func aClockThatIsWrongIsNamed() throws {
    let body =
      "<error><code>AuthenticationFailed</code><message>Server failed to authenticate.</message></error>"
    let now = try #require(EdmDateTime("2024-05-06T08:00:00Z"))
    func message(_ status: Int, _ date: String?) -> String {
      var headers: HeaderFields = [:]
      headers[.date] = date
      return ServiceError.read(status: status, headers: headers, body: Array(body.utf8), now: now).message
    }
    #expect(
      message(403, "Mon, 06 May 2024 07:08:09 GMT") == """
        Server failed to authenticate. The clock of this machine is 51 minutes away from the service's: it is \
        Mon, 06 May 2024 08:00:00 GMT here and Mon, 06 May 2024 07:08:09 GMT there, and beyond 15 minutes signatures are \
        refused; set the clock.
        """)
    #expect(message(403, "Mon, 06 May 2024 08:15:01 GMT").contains("set the clock"))
    #expect(message(403, "Mon, 06 May 2024 08:15:00 GMT") == "Server failed to authenticate.")
    #expect(message(403, "yesterday") == "Server failed to authenticate.")
    #expect(message(403, nil) == "Server failed to authenticate.")
    #expect(message(404, "Mon, 06 May 2024 07:08:09 GMT") == "Server failed to authenticate.")
  }

  @Test(
    "Cut short anywhere, an error body still gives an error",
    arguments: [
      tableExists, #"{"odata.error":{"code":"C","message":{"lang":"en-US","value":"3:M\nRequestId:1"}}}"#,
      "<!DOCTYPE html [<!ENTITY a 'b'>]><html>&a;</html>",
    ])
  func cutShort(_ body: String) {
    let bytes = Array(body.utf8)
    for length in 0...bytes.count {
      let error = ServiceError.read(status: 500, headers: [:], body: Array(bytes[..<length]))
      #expect(error.code == .service && error.httpStatus == 500 && !error.message.isEmpty)
    }
  }
}

/// Error bodies recorded from live services.
@Suite(.enabled(if: SharedFolder.url != nil, "The folder of recordings is not beside this checkout."))
struct ServiceErrorRecordingTests {
  @Test(
    "Recorded errors",
    arguments: [
      (
        409, "atom/raw/error-409-TableAlreadyExists.xml", "TableAlreadyExists",
        "The table specified already exists."
      ),
      (
        412, "atom/raw/error-412-UpdateConditionNotSatisfied.xml", "UpdateConditionNotSatisfied",
        "The update condition specified in the request was not satisfied."
      ),
      (
        415, "atom/raw/error-415-AtomFormatNotSupported.xml", "AtomFormatNotSupported",
        "Atom format is not supported."
      ),
      (
        415, "cosmos/error-415-MediaTypeNotSupported.json", "MediaTypeNotSupported",
        "None of the provided media types are supported"
      ),
      (
        404, "odata/error-json-light-storage-404.json", "ResourceNotFound",
        "The specified resource does not exist."
      ),
    ])
  func recorded(_ status: Int, _ path: String, _ code: String, _ message: String) throws {
    let error = ServiceError.read(
      status: status, headers: [:], body: try SharedFolder.bytes("recordings/" + path))
    #expect(error.serviceCode == code)
    #expect(error.message == message)
    #expect(error.requestID?.isEmpty == false)
  }

  @Test(
    "Every refusal in the recorded conversations is understood",
    arguments: [
      "atom/tableservice-2011-08-18", "json/service-and-entities-2017-04-17",
      "json/insert-400-PropertiesNeedValue",
      "json-full/create-table-400-name", "json-full/create-table-409", "json-full/delete-404",
      "json-full/insert-409", "json-full/put-412", "cosmos/create-table-201-409",
    ])
  func conversations(_ name: String) throws {
    struct Conversation: Decodable {
      struct Group: Decodable { let exchanges: [Exchange] }
      struct Exchange: Decodable { let response: Response }
      struct Response: Decodable {
        let status: Int
        let body: String?
      }
      let groups: [Group]
    }
    let bytes = try SharedFolder.bytes("recordings/\(name).json")
    let recording = try JSONDecoder().decode(Conversation.self, from: Data(bytes))
    let refusals = recording.groups.flatMap(\.exchanges).map(\.response).filter { $0.status >= 400 }
    #expect(!refusals.isEmpty)
    for refusal in refusals {
      guard let body = refusal.body, !body.isEmpty else { continue }
      let error = ServiceError.read(status: refusal.status, headers: [:], body: Array(body.utf8))
      let code = try #require(error.serviceCode)
      #expect(body.contains(code))
      #expect(error.httpStatus == refusal.status)
      #expect(error.requestID?.utf8.count == 36)
      let expected: [Int: ODataError.Code] = [404: .notFound, 409: .alreadyExists, 412: .concurrencyConflict]
      #expect(error.code == (code == "TableBeingDeleted" ? .service : expected[refusal.status] ?? .service))
      #expect(
        !error.message.isEmpty && !error.message.contains("Request") && !error.message.contains("Time:"))
    }
  }
}
