internal import Foundation

/// What surrounds the operations of a batch: boundaries, and how many bytes they cost.
package struct BatchFraming: Sendable {
  package let contentIDPlacement: BatchRequestWriter.ContentIDPlacement

  /// A boundary unlike any text of the parts between: it holds a GUID, as with all clients of the field.
  static func boundary() -> String { "batch_" + UUID().uuidString.lowercased() }

  static func changeSetBoundary() -> String { "changeset_" + UUID().uuidString.lowercased() }

  /// The bytes of a batch of one change set around its operations.
  package var envelopeByteCount: Int {
    BatchRequestWriter.envelopeByteCount(
      boundary: Self.boundary(), changeSetBoundary: Self.changeSetBoundary())
  }

  /// The bytes that an operation adds to its change set, with the longest number it may get there.
  package func byteCount(of part: BatchOperation) throws(ODataError) -> Int {
    var part = part
    part.contentID = "1000000"
    return try BatchRequestWriter.byteCount(
      of: part, changeSetBoundary: Self.changeSetBoundary(), contentIDPlacement: contentIDPlacement)
  }
}
