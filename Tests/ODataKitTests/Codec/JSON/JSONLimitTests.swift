import Testing

@testable import ODataKit

/// Each limit stops its own kind of excess, one step beyond it, and says which limit it was.
struct JSONLimitTests {
  private func nested(_ depth: Int) -> [UInt8] {
    let arrays = depth - 1
    return Array(
      "{\"A\":\(String(repeating: "[", count: arrays))\(String(repeating: "]", count: arrays))}".utf8)
  }

  @Test("128 levels are read, 129 are not")
  func depth() throws {
    #expect(try read([nested(128)]).records.count == 1)
    let error = expectError(.payloadTooLarge) { try read([nested(129)]) }
    #expect(error?.message == "The JSON payload is nested deeper than the limit of 128.")
    let objects = String(repeating: "{\"A\":", count: 129)
    expectError(.payloadTooLarge) { try read([Array(objects.utf8)]) }
  }

  @Test("A text, a name and an annotation are held against the limit of a text")
  func text() throws {
    var limits = PayloadLimits()
    limits.textLength = 12
    #expect(try read([Array(#"{"A":"123456789012"}"#.utf8)], limits: limits).records.count == 1)
    for payload in [#"{"A":"1234567890123"}"#, #"{"N234567890123":1}"#, #"{"odata.etag":"1234567890123"}"#] {
      let error = expectError(.payloadTooLarge) { try read([Array(payload.utf8)], limits: limits) }
      #expect(error?.message == "A text in the JSON payload is longer than the limit of 12 bytes.")
    }
  }

  @Test("A payload that was too large stays refused, even where what was read before is complete")
  func whole() throws {
    var limits = PayloadLimits()
    limits.totalLength = 7
    let reader = JSONReader(limits: limits)
    #expect(try reader.read(Array(#"{"A":1}"#.utf8)).count == 1)
    let error = expectError(.payloadTooLarge) { try reader.read(Array(" ".utf8)) }
    #expect(error?.message == "The JSON payload is larger than the limit of 7 bytes.")
    expectError(.payloadTooLarge) { try reader.read([]) }
    expectError(.payloadTooLarge) { try reader.finish() }
  }

  @Test(
    "One entity, with its names and all that is in it, is held against its own limit, a feed of many is not")
  func entity() throws {
    var limits = PayloadLimits()
    limits.entityLength = 200
    let row = #"{"A":"\#(String(repeating: "x", count: 100))"}"#
    let feed = #"{"value":[\#(Array(repeating: row, count: 20).joined(separator: ","))]}"#
    for chunks in [[Array(feed.utf8)], feed.utf8.map { [$0] }] {
      #expect(try read(chunks, limits: limits).records.count == 20)
    }
    let numbers = Array(repeating: "1", count: 20).joined(separator: ",")
    let names = (0..<5).map { #""\#(String(repeating: "n", count: 40))\#($0)":1"# }.joined(separator: ",")
    for inside in [
      #""A":"\#(String(repeating: "x", count: 190))""#, #""A":[\#(numbers)]"#, names,
      #""@odata.error":{"message":"\#(String(repeating: "x", count: 190))"}"#,
    ] {
      for text in ["{\(inside)", "{\"value\":[{\(inside)}]}"] {
        let error = expectError(.payloadTooLarge) { try read([Array(text.utf8)], limits: limits) }
        #expect(error?.message == "An entity of the JSON payload is larger than the limit of 200 bytes.")
      }
    }
  }

  @Test("A reply that breaks off between two entities is an error, and not a shorter list")
  func cutOff() throws {
    let reader = JSONReader()
    let start = Array(#"{"value":[{"PartitionKey":"p","RowKey":"1"},"#.utf8)
    #expect(try reader.read(start).count == 1)
    expectError(.malformedPayload) { try reader.finish() }
  }
}
