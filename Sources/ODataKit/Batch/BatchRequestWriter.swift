/// Writes a batch request into one buffer, with the boundaries it is given.
///
/// ```
/// --batch_1
/// Content-Type: multipart/mixed; boundary=changeset_1
///
/// --changeset_1
/// Content-Type: application/http
/// Content-Transfer-Encoding: binary
///
/// POST /Books HTTP/1.1
/// Content-ID: 1
/// Content-Type: application/json
/// Content-Length: 14
///
/// {"N":"é🍖"}
/// --changeset_1--
/// --batch_1--
/// ```
package struct BatchRequestWriter {
  /// Where the name of an operation goes.
  package enum ContentIDPlacement: Sendable, Hashable {
    /// Among the header fields of the request, as Azure tables have it.
    case request
    /// Among the header fields of the part around it, as OData 3 and 4 have it.
    case part
  }

  private let boundary: String
  private let contentIDPlacement: ContentIDPlacement
  private var changeSetBoundary: String?
  private var bytes: [UInt8] = []

  package init(boundary: String, contentIDPlacement: ContentIDPlacement = .request) {
    self.boundary = boundary
    self.contentIDPlacement = contentIDPlacement
  }

  /// The `Content-Type` of the request that carries the batch.
  package var contentType: String { "multipart/mixed; boundary=" + boundary }

  /// Writes a query, which stands outside of any change set.
  package mutating func addQuery(_ query: BatchOperation) throws(ODataError) {
    precondition(changeSetBoundary == nil, "A query cannot stand inside a change set.")
    try append(query, boundary: boundary)
  }

  /// Begins a change set; ``add(_:)`` fills it.
  package mutating func beginChangeSet(boundary changeSetBoundary: String) {
    precondition(self.changeSetBoundary == nil, "A change set cannot stand inside a change set.")
    self.changeSetBoundary = changeSetBoundary
    bytes += Self.changeSetHead(boundary: boundary, changeSetBoundary: changeSetBoundary)
  }

  /// Adds an operation to the change set. Throws ``ODataError/Code/invalidArgument`` where a target or a
  /// header field holds a line end, which would let it write header fields of its own.
  package mutating func add(_ operation: BatchOperation) throws(ODataError) {
    guard let changeSetBoundary else { preconditionFailure("An operation needs a change set around it.") }
    try append(operation, boundary: changeSetBoundary)
  }

  /// Ends the change set.
  package mutating func endChangeSet() {
    guard let changeSetBoundary else { preconditionFailure("There is no change set to end.") }
    bytes += Self.end(of: changeSetBoundary)
    self.changeSetBoundary = nil
  }

  /// Writes a whole part; the boundary is used where it is a change set.
  package mutating func add(_ part: BatchRequestPart, changeSetBoundary: String) throws(ODataError) {
    switch part {
    case .query(let query): try addQuery(query)
    case .changeSet(let operations):
      beginChangeSet(boundary: changeSetBoundary)
      for operation in operations { try add(operation) }
      endChangeSet()
    }
  }

  /// Ends the batch and gives its bytes.
  package consuming func finish() -> [UInt8] {
    if changeSetBoundary != nil { endChangeSet() }
    bytes += Self.end(of: boundary)
    return bytes
  }

  private mutating func append(_ operation: BatchOperation, boundary: String) throws(ODataError) {
    bytes += try Self.head(of: operation, boundary: boundary, contentIDPlacement: contentIDPlacement)
    bytes += operation.body
    bytes += Self.lineEnd
  }
}

// MARK: - Sizes

extension BatchRequestWriter {
  /// The bytes of a batch with one empty change set in it; with
  /// ``byteCount(of:changeSetBoundary:contentIDPlacement:)`` of each operation, exactly the bytes the batch
  /// will have.
  package static func envelopeByteCount(boundary: String, changeSetBoundary: String) -> Int {
    changeSetHead(boundary: boundary, changeSetBoundary: changeSetBoundary).count
      + end(of: changeSetBoundary).count + end(of: boundary).count
  }

  /// The bytes an operation adds to its change set, boundary included.
  package static func byteCount(
    of operation: BatchOperation, changeSetBoundary: String, contentIDPlacement: ContentIDPlacement = .request
  ) throws(ODataError) -> Int {
    let head = try head(of: operation, boundary: changeSetBoundary, contentIDPlacement: contentIDPlacement)
    return head.count + operation.body.count + lineEnd.count
  }
}

// MARK: - The texts

extension BatchRequestWriter {
  private static let lineEnd = Array("\r\n".utf8)

  private static func changeSetHead(boundary: String, changeSetBoundary: String) -> [UInt8] {
    Array("--\(boundary)\r\nContent-Type: multipart/mixed; boundary=\(changeSetBoundary)\r\n\r\n".utf8)
  }

  private static func end(of boundary: String) -> [UInt8] { Array("--\(boundary)--\r\n".utf8) }

  /// Everything from the boundary to the blank line in front of the body.
  private static func head(
    of operation: BatchOperation, boundary: String, contentIDPlacement: ContentIDPlacement
  ) throws(ODataError) -> [UInt8] {
    var head = BatchHead(boundary: boundary)
    if contentIDPlacement == .part { try head.append(.contentID, operation.contentID) }
    try head.beginMessage("\(operation.method.rawValue) \(operation.url) HTTP/1.1", blanks: 2)
    if contentIDPlacement == .request { try head.append(.contentID, operation.contentID) }
    for field in operation.headers.fields { try head.append(field.name, field.value) }
    // Some servers insist on a length wherever the verb allows a body; it counts bytes, never characters.
    let expectsBody = operation.method != .get && operation.method != .delete && operation.method != .head
    if !operation.body.isEmpty || expectsBody {
      try head.append(.contentLength, String(operation.body.count))
    }
    return head.finish()
  }
}
