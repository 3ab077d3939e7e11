/// One request inside a batch.
package struct BatchOperation: Sendable, Hashable {
  /// The name by which the answer, or a later operation of the change set (`$1/Lines`), refers to this one.
  package var contentID: String?
  /// The verb.
  package var method: HTTPMethod
  /// The target exactly as it stands in the request line: absolute, an absolute path, or `$1/Lines`.
  package var url: String
  /// The header fields without `Content-ID` and `Content-Length`, which are written from the members beside.
  package var headers: HeaderFields
  /// The body; empty for none.
  package var body: [UInt8]

  package init(
    contentID: String? = nil, method: HTTPMethod, url: String, headers: HeaderFields = [:], body: [UInt8] = []
  ) {
    self.contentID = contentID
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What stands directly under the boundary of a batch request.
package enum BatchRequestPart: Sendable, Hashable {
  /// A query, outside of any change set.
  case query(BatchOperation)
  /// Changes that are applied together or not at all.
  case changeSet([BatchOperation])
}

/// One response inside a batch.
package struct BatchOperationResponse: Sendable, Hashable {
  /// The name the request had, where the service echoes it.
  package var contentID: String?
  /// The status of this operation; the status of the batch around it says nothing about it.
  package var status: Int
  /// The header fields.
  package var headers: HeaderFields
  /// The body; empty for none.
  package var body: [UInt8]
  /// Whether the response ends early: the input, or the multipart around it, ended within it. A `Content-Length` that is
  /// too large for a part with its boundary behind it means nothing; servers keep one that they have measured too early.
  /// The status can be relied on even then; headers and body cannot.
  package var isTruncated: Bool

  /// Whether the status is one of the 200s.
  package var isSuccess: Bool { (200..<300).contains(status) }

  package init(
    contentID: String? = nil, status: Int, headers: HeaderFields = [:], body: [UInt8] = [],
    isTruncated: Bool = false
  ) {
    self.contentID = contentID
    self.status = status
    self.headers = headers
    self.body = body
    self.isTruncated = isTruncated
  }
}

/// What stands directly under the boundary of a batch response.
package enum BatchResponsePart: Sendable, Hashable {
  /// The answer to a query, or a failure outside of any change set.
  case operation(BatchOperationResponse)
  /// The answers to a change set in the order in which the service gave them, or the one answer that says why it failed.
  case changeSet([BatchOperationResponse])
}
