import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Batches in JSON")
struct JSONBatchTests {
  @Test("a request, character by character: JSON as it is, text as text, everything else in base64url")
  func writing() throws {
    var writer = JSONBatchWriter()
    try writer.add(
      BatchOperation(contentID: "1", method: .get, url: "/svc/Books?$filter=Title%20eq%20%27a%26b%27"))
    try writer.add(
      BatchOperation(
        contentID: "2", method: .post, url: "/svc/Orders",
        headers: [
          .contentType: "application/json;odata.metadata=minimal", "Prefer": "a", "prefer": "b",
          .contentLength: "9",
        ],
        body: Array(#"{"N":"é🍖"}"#.utf8)), group: "g2", dependsOn: ["1"])
    try writer.add(
      BatchOperation(
        contentID: "3", method: .put, url: "$2/Note/$value", headers: [.contentType: "text/plain"],
        body: Array("a\"b\n".utf8)), group: "g2", dependsOn: ["1", "2"])
    try writer.add(
      BatchOperation(
        contentID: "4", method: .put, url: "$2/Photo", headers: [.contentType: "image/png"],
        body: [0xFB, 0xEF, 0xBE, 0xFF]),
      group: "g2", dependsOn: ["2"])
    let text =
      #"{"requests":[{"id":"1","method":"GET","url":"/svc/Books?$filter=Title%20eq%20%27a%26b%27"},"#
      + #"{"id":"2","atomicityGroup":"g2","dependsOn":["1"],"method":"POST","url":"/svc/Orders","#
      + #""headers":{"content-type":"application/json;odata.metadata=minimal","prefer":"a, b"},"body":{"N":"é🍖"}},"#
      + #"{"id":"3","atomicityGroup":"g2","dependsOn":["1","2"],"method":"PUT","url":"$2/Note/$value","#
      + #""headers":{"content-type":"text/plain"},"body":"a\"b\n"},"#
      + #"{"id":"4","atomicityGroup":"g2","dependsOn":["2"],"method":"PUT","url":"$2/Photo","#
      + #""headers":{"content-type":"image/png"},"body":"----_w"}]}"#
    #expect(String(decoding: writer.finish(), as: UTF8.self) == text)
  }

  @Test("an operation without an id cannot be written, nor text that is none")
  func refused() {
    var writer = JSONBatchWriter()
    expectError(.invalidArgument) { try writer.add(BatchOperation(method: .get, url: "/svc/Books")) }
    expectError(.invalidValue) {
      try writer.add(
        BatchOperation(
          contentID: "1", method: .put, url: "/a", headers: [.contentType: "text/plain"], body: [0xFF]))
    }
  }

  @Test("sizes are known before anything is written")
  func sizes() throws {
    let operations = (1...3).map {
      BatchOperation(contentID: "\($0)", method: .post, url: "/svc/Books", body: Array(#"{"N":"🍖"}"#.utf8))
    }
    var writer = JSONBatchWriter()
    var expected = JSONBatchWriter.envelopeByteCount - 1
    for operation in operations {
      try writer.add(operation, group: "g", dependsOn: ["0"])
      expected += try JSONBatchWriter.byteCount(of: operation, group: "g", dependsOn: ["0"])
    }
    #expect(writer.finish().count == expected)
  }

  // MARK: Reading

  private func read(
    _ chunks: [[UInt8]], count: Int = .max, limits: PayloadLimits = PayloadLimits()
  ) throws -> (responses: [BatchOperationResponse], isComplete: Bool) {
    var reader = JSONBatchReader(operationCount: count, limits: limits)
    var responses: [BatchOperationResponse] = []
    for chunk in chunks { responses += try reader.read(chunk) }
    responses += try reader.finish()
    return (responses, reader.isComplete)
  }

  private static let answer = #"""
    {"@odata.context":{"responses":[1,{"a":[]}]}, "responses" : [
      {"id":"2","status":404,"headers":{"Content-Type":"application/json;odata.metadata=minimal"},
       "body":{"error":{"code":"x","message":"no {\"id\":\"9\"} é🍖"}}},
      {"body": "a\"b\u00e9\n", "more":[{"id":"7","status":1}], "headers":{"content-type":"text/plain","x":"1"}, "status":200, "id":"1"},
      {"id":"4","atomicityGroup":"g","status":201,"headers":{"etag":"W/\"1\"","location":"/svc/Books(1)"},"body":{ "ID" : 1 , "L":[ "x" ] } },
      {"id":"3","status":200,"headers":{"content-type":"image/png"},"body":"----_w"},
      {"id":"5","status":204,"body":null}, {"id":"6","status":200,"body": [ 1 ] },{"id":"8","status":200,"body":12.5e1}
    ], "@odata.nextLink":"x" }

    """#

  @Test("responses come in any order, with members in any order, cut anywhere")
  func reading() throws {
    let bytes = Array(Self.answer.utf8)
    let whole = try read([bytes])
    #expect(whole.isComplete)
    #expect(whole.responses.map(\.contentID) == ["2", "1", "4", "3", "5", "6", "8"])
    #expect(whole.responses.map(\.status) == [404, 200, 201, 200, 204, 200, 200])
    #expect(
      whole.responses.map { $0.contentID == "3" ? "" : String(decoding: $0.body, as: UTF8.self) } == [
        #"{"error":{"code":"x","message":"no {\"id\":\"9\"} é🍖"}}"#, "a\"bé\n",
        #"{ "ID" : 1 , "L":[ "x" ] }"#, "",
        "", "[ 1 ]", "12.5e1",
      ])
    #expect(whole.responses[3].body == [0xFB, 0xEF, 0xBE, 0xFF])
    #expect(
      whole.responses[2].headers == [
        "etag": "W/\"1\"", "location": "/svc/Books(1)", .contentType: "application/json",
      ])
    for chunks in cuts(of: bytes) {
      let again = try read(chunks)
      #expect(again.responses == whole.responses && again.isComplete)
    }
  }

  @Test(
    "however short the input, what is read is a beginning of the truth, and the rest is said to be missing")
  func truncation() throws {
    let bytes = Array(Self.answer.utf8)
    let whole = try read([bytes]).responses
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
    for length in 0...end {
      do {
        let (responses, isComplete) = try read([Array(bytes[..<length])])
        #expect(!isComplete)
        for (response, full) in zip(responses, whole) {
          #expect(response.contentID == full.contentID && response.status == full.status)
          #expect(response.isTruncated || response == full)
        }
        #expect(responses.dropLast().allSatisfy { !$0.isTruncated })
      } catch {
        #expect((error as? ODataError)?.code == .malformedPayload && length == 0)
      }
    }
  }

  @Test(
    "what is no answer to a batch is refused, cut anywhere",
    arguments: [
      "[]", "1", "<html/>", #"{"responses":[1]}"#, #"{"responses":[[]]}"#, #"{"responses":[{"status":200}]}"#,
      #"{"responses":[{"id":"1"}]}"#, #"{"responses":[{"id":"1","status":99}]}"#,
      #"{"responses":[{"id":"1","status":"x"}]}"#,
      #"{"responses":[{"id":"1","status":200,"body":1,"body":2}]}"#,
      #"{"responses":[{"id":"1","status":200,"headers":{"content-type":"image/png"},"body":"*"}]}"#,
      #"{"responses":[]}x"#, #"{"responses":[{"id":"1","status":200}}"#,
    ])
  func malformed(text: String) {
    for chunks in cuts(of: Array(text.utf8)) {
      expectError(.malformedPayload) { _ = try read(chunks) }
    }
  }

  @Test("the header fields of a response are bounded, empty ones too")
  func headerLimit() throws {
    var limits = PayloadLimits()
    limits.headerLength = 1000
    for field in [#""h":"v","#, #""":"","#, #""h":1,"#] {
      var reader = JSONBatchReader(operationCount: 1, limits: limits)
      _ = try reader.read(Array(#"{"responses":[{"id":"1","status":200,"headers":{"#.utf8))
      for _ in 0..<100 { _ = try reader.read(Array(field.utf8)) }
      expectError(.payloadTooLarge) { for _ in 0..<1000 { _ = try reader.read(Array(field.utf8)) } }
    }
    // Each response has its own.
    let fields = String(repeating: #""h":"v","#, count: 100).dropLast()
    let text = (1...3).map { #"{"id":"\#($0)","status":200,"headers":{\#(fields)}}"# }.joined(separator: ",")
    #expect(try read([Array("{\"responses\":[\(text)]}".utf8)], limits: limits).responses.count == 3)
  }

  @Test("the whole, a part, a text, the depth and the number of answers are bounded")
  func limits() throws {
    let text = #"{"responses":[{"id":"1","status":200,"body":{"a":["xxxxxxxxxx"]}},{"id":"2","status":204}]}"#
    for change: (inout PayloadLimits) -> Void in [
      { $0.totalLength = 50 }, { $0.partLength = 10 }, { $0.textLength = 9 }, { $0.depth = 4 },
    ] {
      var limits = PayloadLimits()
      change(&limits)
      expectError(.payloadTooLarge) { _ = try read([Array(text.utf8)], limits: limits) }
      expectError(.payloadTooLarge) { _ = try read(text.utf8.map { [$0] }, limits: limits) }
    }
    #expect(try read([Array(text.utf8)], count: 2).responses.count == 2)
    expectError(.malformedPayload) { _ = try read([Array(text.utf8)], count: 1) }
  }
}
