import ODataTestSupport
import Testing

@testable import ODataKit

/// Reads chunks to their end.
func read(
  _ chunks: [[UInt8]], limits: PayloadLimits = PayloadLimits(), types: PayloadTypes = PayloadTypes()
) throws -> (records: [EntityRecord], summary: PayloadSummary) {
  let reader = JSONReader(limits: limits, types: types)
  var records: [EntityRecord] = []
  for chunk in chunks { records += try reader.read(chunk) }
  return (records, try reader.finish())
}

/// Reads a text whole and cut at every byte, and expects the same.
func readAlike(
  _ text: String, types: PayloadTypes = PayloadTypes()
) throws -> (records: [EntityRecord], summary: PayloadSummary) {
  let bytes = Array(text.utf8)
  let whole = try read([bytes], types: types)
  for chunks in cuts(of: bytes) {
    let again = try read(chunks, types: types)
    #expect(again == whole)
  }
  return whole
}

/// The one entity of a text.
func readEntity(_ text: String, types: PayloadTypes = PayloadTypes()) throws -> EntityRecord {
  let (records, summary) = try readAlike(text, types: types)
  #expect(!summary.isFeed)
  return try #require(records.first)
}

/// The entities of a text that is a feed.
func readFeed(
  _ text: String, types: PayloadTypes = PayloadTypes()
) throws -> (records: [EntityRecord], summary: PayloadSummary) {
  let result = try readAlike(text, types: types)
  #expect(result.summary.isFeed)
  return result
}
