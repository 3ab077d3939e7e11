/// How the operations of a batch are put into one request.
public enum BatchFormat: String, Sendable, Hashable, CaseIterable {
  /// `multipart/mixed`, which all services with batches speak (OData 2 to 4).
  case multipart
  /// JSON (OData JSON Format 4.01 § 19); services of OData 4 only, and not all of those.
  case json
}

/// How the operations of a batch name their targets. Services differ in which of these they take.
public enum BatchTargetForm: String, Sendable, Hashable, CaseIterable {
  /// `http://host/service/Books(1)`. In JSON batches, which have no such form, an absolute path.
  case absolute
  /// `/service/Books(1)`, with the host in a header field of the operation.
  case absolutePath
  /// `Books(1)`, below the root of the service.
  case relative

  /// The target of an operation, from its URL and the root of its service. What is no URL below that root is left as it
  /// is: a reference (`$1/Lines`), or an entity that the service keeps elsewhere.
  func target(of url: String, root: RequestURL) -> String {
    let origin = "\(root.scheme)://\(root.authority)"
    guard self != .absolute, url.utf8.starts(with: (origin + "/").utf8) else { return url }
    let path = String(url.utf8.dropFirst(origin.utf8.count)) ?? url
    let folder = root.path.utf8.last == UInt8(ascii: "/") ? root.path : root.path + "/"
    guard self == .relative, path.utf8.starts(with: folder.utf8) else { return path }
    return String(path.utf8.dropFirst(folder.utf8.count)) ?? path
  }
}
