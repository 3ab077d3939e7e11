import ODataTestSupport
import Testing

@testable import ODataKit

/// What is read, and written back without a change, keeps its types and its names.
struct JSONRoundTripTests {
  private func written(_ record: EntityRecord) throws -> String {
    var writer = JSONEntityWriter()
    try writer.requestEntity(record)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("A small Int64 stays an Int64 when its entity is replaced")
  func smallInt64() throws {
    let text = #"{"odata.etag":"W/\"1\"","B@odata.type":"Edm.Int64","B":"5"}"#
    let record = try #require(try read([Array(text.utf8)]).records.first)
    #expect(try written(record) == #"{"B@odata.type":"Edm.Int64","B":"5"}"#)
  }

  @Test("NaN and the infinities, beside a string that only looks like one")
  func specials() throws {
    let text =
      #"{"D1@odata.type":"Edm.Double","D1":"NaN","D2@odata.type":"Edm.Double","D2":"Infinity","D3@odata.type":"Edm.Double","D3":"-Infinity","S":"NaN"}"#
    for chunks in cuts(of: Array(text.utf8)) {
      let record = try #require(try read(chunks).records.first)
      #expect(try written(record) == text)
      #expect(record["S"] == .string("NaN"))
    }
  }

  @Test("Names that look like the system's are ordinary, and the entity tag is another thing")
  func names() throws {
    let text =
      #"{"ETag":"mine","etag":"other","default":1,"self":true,"Type":"t","id":"i","type":"u","value":"v","odata":"o","error":"e"}"#
    let answer = #"{"odata.metadata":"m","odata.etag":"W/\"1\"","# + text.dropFirst()
    for chunks in cuts(of: Array(answer.utf8)) {
      let record = try #require(try read(chunks).records.first)
      #expect(record.control.entityTag == EntityTag(rawValue: "W/\"1\""))
      #expect(try written(record) == text)
    }
  }

  @Test("Names that differ in their case or in their Unicode form are different properties")
  func distinctNames() throws {
    let text = "{\"a\":1,\"A\":2,\"\u{E9}\":3,\"e\u{301}\":4}"
    let record = try #require(try read([Array(text.utf8)]).records.first)
    #expect(record.count == 4)
    #expect(try written(record).utf8.elementsEqual(text.utf8))
  }

  @Test(
    "The total of verbose JSON is read on either side of the results",
    arguments: [
      #"{"d":{"__count":"12","results":[{"A":1}],"__next":"n"}}"#,
      #"{"d":{"__next":"n","__count":"12","results":[{"A":1}]}}"#,
      #"{"d":{"results":[{"A":1}],"__next":"n","__count":"12"}}"#,
      // Some services put the link into an object.
      #"{"d":{"results":[{"A":1}],"__next":{"uri":"n"},"__count":"12"}}"#,
      #"{"d":{"__count":"12","__next":{"x":[{}],"uri":"n"},"results":[{"A":1}]}}"#,
    ])
  func verboseTotal(text: String) throws {
    for chunks in cuts(of: Array(text.utf8)) {
      let (records, summary) = try read(chunks)
      #expect(records == [EntityRecord(["A": .int32(1)])])
      #expect(summary == PayloadSummary(isFeed: true, count: 12, nextLink: "n"))
    }
  }
}
