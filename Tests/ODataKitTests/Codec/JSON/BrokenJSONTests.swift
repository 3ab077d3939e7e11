import ODataTestSupport
import Testing

@testable import ODataKit

/// JSON that must be refused: broken, cut short, too large, or an error in disguise.
struct BrokenJSONTests {
  @Test(
    "Whatever is not JSON is refused, wherever it is cut",
    arguments: [
      "", " ", "{", "}", "[", "[]", "5", "null", "\"x\"", "{]", "{\"A\"}", "{\"A\":}", "{\"A\":1,}", "{,}",
      "{\"A\" 1}",
      "{\"A\":1 \"B\":2}", "{A:1}", "{'A':1}", "{\"A\":01}", "{\"A\":1.}", "{\"A\":.5}", "{\"A\":+1}",
      "{\"A\":1e}",
      "{\"A\":-}", "{\"A\":--1}", "{\"A\":0x10}", "{\"A\":1_0}", "{\"A\":NaN}", "{\"A\":Infinity}",
      "{\"A\":tru}",
      "{\"A\":nul", "{\"A\":truely}", "{\"A\":1e400}", "{\"A\":\"x}", "{\"A\":\"\\x\"}",
      "{\"A\":\"\\u12G4\"}",
      "{\"A\":\"\\u12\"}", "{\"A\":\"a\nb\"}", "{\"A\":\"a\u{0}b\"}", "{\"A\\", "{}{}", "{} x", "{}]",
      "{\"A\":[1,]}",
      "{\"A\":[1 2]}", "{\"A\":[}", "{\"A\":{]}", "{\"value\":[1]}", "{\"value\":[null]}", "{\"value\":[[]]}",
      "{\"value\":[{}", "{\"value\":[{},]}", "{\"value\":[{}]", "<html></html>",
      "<?xml version=\"1.0\"?><feed/>",
      "// c\n{}", "\u{FEFF}", "{\"odata.count\":\"many\",\"value\":[]}", "{\"A\":1,\"A\":2}",
      "{\"A\":{},\"A\":2}",
      "{\"A\":1,\"\\u0041\":2}", "{\"A@odata.type\":\"Edm.Guid\",\"A\":\"x\"}",
      "{\"A\":\"x\",\"A@odata.type\":\"Edm.Int64\"}", "{\"A@odata.type\":\"Edm.Int64\",\"A\":1.5}",
      "{\"A@odata.type\":\"Edm.Int64\",\"A\":9223372036854775808}",
      "{\"A@odata.type\":\"Edm.Boolean\",\"A\":1}",
      "{\"A@odata.type\":\"Edm.String\",\"A\":1}", "{\"A@odata.type\":\"Edm.Int32\",\"A\":true}",
      "{\"A\":true,\"A@odata.type\":\"Edm.Int32\"}",
      "{\"A@odata.type\":\"Edm.DateTime\",\"A\":\"2013-13-01T00:00:00Z\"}",
    ])
  func refused(text: String) {
    for chunks in cuts(of: Array(text.utf8)) {
      expectError(.malformedPayload, "\(text.debugDescription)") { try read(chunks) }
    }
  }

  @Test("The end of a feed missing anywhere is an error for the whole")
  func truncated() throws {
    let text =
      #"{"odata.metadata":"m","value":[{"odata.etag":"W/\"1\"","PartitionKey":"\ud83c\udf56","N@odata.type":"Edm.Int64","N":"7","D":-1.5e3,"B":true,"X":null,"E":{"a":[{}]}},{"PartitionKey":"q"}],"odata.nextLink":"n"}"#
    let bytes = Array(text.utf8)
    #expect(try read([bytes]).records.count == 2)
    for end in 0..<bytes.count {
      expectError(.malformedPayload, "cut at \(end)") { try read([Array(bytes[..<end])]) }
    }
  }

  @Test("Every byte of a payload replaced by every kind of byte is an answer or an error, never a crash")
  func mutations() throws {
    let text = #"{"odata.etag":"\u00e9","A@odata.type":"Edm.Int64","A":"7","B":[1.5e3,{"C":null}],"D":true}"#
    let bytes = Array(text.utf8)
    var refused = 0
    for index in bytes.indices {
      for byte: UInt8 in [
        0, 0x0A, 0x22, 0x2C, 0x2D, 0x30, 0x3A, 0x5B, 0x5C, 0x5D, 0x65, 0x7B, 0x7D, 0x80, 0xC3, 0xFF,
      ] {
        var mutant = bytes
        mutant[index] = byte
        do {
          let whole = try read([mutant])
          #expect(try read(mutant.map { [$0] }) == whole)
        } catch {
          refused += 1
          #expect((error as? ODataError)?.code == .malformedPayload)
        }
      }
    }
    #expect(refused > bytes.count)
  }

  @Test("Text that is not UTF-8 is refused")
  func encodings() {
    for bytes: [UInt8] in [
      [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] {
      let quoted = [0x22] + bytes + [0x22]
      expectError(.malformedPayload) { try read([Array("{\"A\":".utf8) + quoted + [0x7D]]) }
      expectError(.malformedPayload) { try read([Array("{".utf8) + quoted + Array(":1}".utf8)]) }
      expectError(.malformedPayload) { try read([Array("{\"odata.etag\":".utf8) + quoted + [0x7D]]) }
    }
    let utf16: [UInt8] = [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]
    #expect(expectError(.malformedPayload) { try read([utf16]) }?.message.contains("UTF-8") == true)
  }

  @Test("Messages say where, and never show a value")
  func messages() {
    let secret = expectError(.malformedPayload) {
      try read([Array(#"{"Key":1,"P@odata.type":"Edm.Guid","P":"s3cret"}"#.utf8)])
    }
    #expect(
      secret?.message
        == "The JSON payload cannot be read at byte 47: the value of “P” is not the Edm.Guid that its annotation says."
    )
    let html = expectError(.malformedPayload) { try read([Array("<html>".utf8)]) }
    #expect(html?.message == "The JSON payload cannot be read at byte 0: it is XML or HTML, not JSON.")
    let short = expectError(.malformedPayload) { try read([Array("{\"value\":[".utf8), Array("{}".utf8)]) }
    #expect(short?.message == "The JSON payload cannot be read at byte 12: it ends too early.")
  }

  @Test("A reader that failed keeps failing")
  func failure() {
    let reader = JSONReader()
    expectError(.malformedPayload) { try reader.read(Array("{\"value\":[{\"A\":1},!".utf8)) }
    expectError(.malformedPayload) { try reader.read(Array("]}".utf8)) }
    expectError(.malformedPayload) { try reader.finish() }
  }

  @Test("Depth, texts and the whole are bounded")
  func limits() throws {
    let deep = "{\"A\":" + String(repeating: "[", count: 200_000)
    expectError(.payloadTooLarge) { try read([Array(deep.utf8)]) }
    var limits = PayloadLimits()
    limits.depth = 3
    #expect(try read([Array("{\"A\":[[]]}".utf8)], limits: limits).records.count == 1)
    expectError(.payloadTooLarge) { try read([Array("{\"A\":[[[]]]}".utf8)], limits: limits) }
    limits = PayloadLimits()
    limits.textLength = 10
    let chunks = { (text: String) in [Array(text.utf8), text.utf8.map { [$0] }.flatMap(\.self)] }
    for chunk in chunks("{\"A\":\"0123456789\"}") {
      #expect(try read([chunk], limits: limits).records.count == 1)
    }
    expectError(.payloadTooLarge) { try read([Array("{\"A\":\"0123456789a\"}".utf8)], limits: limits) }
    expectError(.payloadTooLarge) { try read("{\"A\":\"0123456789ab".utf8.map { [$0] }, limits: limits) }
    limits = PayloadLimits()
    limits.totalLength = 8
    #expect(try read([Array("{\"A\":1}".utf8)], limits: limits).records.count == 1)
    expectError(.payloadTooLarge) { try read("{\"A\":12}\n".utf8.map { [$0] }, limits: limits) }
    expectError(.malformedPayload) {
      try read([Array("{\"A\":".utf8), Array(repeating: UInt8(ascii: "1"), count: 5000)])
    }
  }

  @Test("A text of a megabyte is read in chunks, with and without escapes")
  func longText() throws {
    let plain = String(repeating: "0123456789abcdef", count: 1 << 16)
    let escaped = String(repeating: #"é\n\ud83c\udf56 "#, count: 1 << 16)
    let bytes = Array("{\"A\":\"\(plain)\",\"B\":\"\(escaped)\"}".utf8)
    let chunks = stride(from: 0, to: bytes.count, by: 1500).map {
      Array(bytes[$0..<min($0 + 1500, bytes.count)])
    }
    let record = try #require(try read(chunks).records.first)
    #expect(record["A"] == .string(plain))
    #expect(record["B"] == .string(String(repeating: "é\n🍖 ", count: 1 << 16)))
  }

  @Test(
    "A second list of entities is refused, since two readers might choose differently",
    arguments: [
      #"{"value":[{"A":1}],"value":[{"A":2}]}"#, #"{"d":{"results":[{"A":1}],"results":[{"A":2}]}}"#,
    ])
  func secondList(_ text: String) {
    for chunks in cuts(of: Array(text.utf8)) { expectError(.malformedPayload) { try read(chunks) } }
  }

  @Test("Ten thousand different names do not take ten thousand squared comparisons to be read")
  func manyNames() throws {
    let members = (0..<10_000).map { "\"P\($0)\":\($0)" }.joined(separator: ",")
    let reversed = (0..<10_000).reversed().map { "\"P\($0)\":\($0)" }.joined(separator: ",")
    let records = try read([Array("{\"value\":[{\(members)},{\(reversed)}]}".utf8)]).records
    #expect(records.map(\.count) == [10_000, 10_000])
    #expect(records[1].values.first == .int32(9999))
  }

  @Test(
    "An error that arrives behind a 200 is thrown",
    arguments: [
      #"{"odata.metadata":"m","value":[{"A":1}],"odata.error":{"code":"Timeout","message":{"lang":"en-US","value":"It took too long."}}}"#,
      #"{"odata.error":{"code":"Timeout","message":{"lang":"en-US","value":"It took too long."},"innererror":{"message":"no","code":"no"}}}"#,
      #"{"value":[{"A":1},{"A":2,"odata.error":{"message":{"value":"It took too long."},"code":"Timeout"}"#,
      #"{"value":[{"A":1}],"error":{"code":"Timeout","message":"It took too long.","details":[{"code":"x","message":"y"}]}}"#,
      #"{"error":{"code":"Timeout","message":"It took too long."}}"#,
    ])
  func errors(text: String) {
    for chunks in cuts(of: Array(text.utf8)) {
      let error = expectError(.service) { try read(chunks) }
      #expect(error?.serviceCode == "Timeout")
      #expect(error?.message == "The service broke off its answer with an error: It took too long.")
    }
  }
}
