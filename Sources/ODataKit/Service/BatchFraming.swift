internal import Foundation

/// What surrounds the operations of a batch: boundaries, and how many bytes they cost.
package struct BatchFraming: Sendable {
  package let format: BatchFormat
  package let contentIDPlacement: BatchRequestWriter.ContentIDPlacement

  /// A boundary unlike any text of the parts between: it holds a GUID, as with all clients of the field.
  static func boundary() -> String { "batch_" + UUID().uuidString.lowercased() }

  static func changeSetBoundary() -> String { "changeset_" + UUID().uuidString.lowercased() }

  /// The name of a change set in JSON, by the number of its first operation.
  static func group(at firstContentID: Int) -> String { "g\(firstContentID)" }

  /// Longer than any number that an operation may get.
  private static let longestNumber = 1_000_000

  /// The bytes of a batch of one change set around its operations.
  package var envelopeByteCount: Int {
    switch format {
    case .multipart:
      BatchRequestWriter.envelopeByteCount(
        boundary: Self.boundary(), changeSetBoundary: Self.changeSetBoundary())
    case .json: JSONBatchWriter.envelopeByteCount
    }
  }

  /// The bytes that an operation adds to its change set, with the longest number it may get there.
  package func byteCount(of part: BatchOperation, references: Int = 0) throws(ODataError) -> Int {
    var part = part
    part.contentID = String(Self.longestNumber)
    switch format {
    case .multipart:
      return try BatchRequestWriter.byteCount(
        of: part, changeSetBoundary: Self.changeSetBoundary(), contentIDPlacement: contentIDPlacement)
    case .json:
      return try JSONBatchWriter.byteCount(
        of: part, group: Self.group(at: Self.longestNumber),
        dependsOn: Array(repeating: String(Self.longestNumber), count: references))
    }
  }
}
