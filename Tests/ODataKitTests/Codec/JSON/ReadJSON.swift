@testable import ODataKit

/// Reads chunks to their end.
func read(
  _ chunks: [[UInt8]], limits: PayloadLimits = PayloadLimits(), declaredTypes: [String: EdmType] = [:]
) throws -> (records: [EntityRecord], summary: PayloadSummary) {
  let reader = JSONReader(limits: limits, declaredTypes: declaredTypes)
  var records: [EntityRecord] = []
  for chunk in chunks { records += try reader.read(chunk) }
  return (records, try reader.finish())
}
