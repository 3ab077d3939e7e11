/// Addresses and payloads of links between entities, and references to what a change set creates.
extension RequestBuilder {
  /// The target of an operation as it stands in a request: a whole URL, or `$1…` for what an earlier operation of the
  /// change set creates. Such a reference is the first segment, never behind the root of the service.
  func target(of address: EntityAddress, _ firstContentID: Int) throws(ODataError) -> String {
    switch address {
    case .set, .key, .link: try url(of: address).description
    case .created(_, let index): "$\(firstContentID + index)"
    case .related(_, let source, let property):
      try target(of: source, firstContentID) + "/" + Self.encoded(path: property)
    }
  }

  /// Where a link is changed: `Set(key)/$links/Property` (OData 2 and 3), `Set(key)/Property/$ref` (OData 4 Protocol
  /// § 11.4.6). To be removed from a collection, a link is named by its other end's key, in OData 4 by its id.
  func target(
    of link: EntityLink, _ operation: ChangeOperation, _ firstContentID: Int
  ) throws(ODataError) -> String {
    let source = try target(of: operation.address, firstContentID)
    let property = Self.encoded(path: link.navigationProperty)
    let removed = operation.kind == .deleteLink ? link.target : nil
    guard conventions.dialect != .v4 else {
      let id = try removed.map { end throws(ODataError) in
        "?$id=" + PercentEncoding.encode(try target(of: end, firstContentID))
      }
      return "\(source)/\(property)/$ref\(id ?? "")"
    }
    let key = try removed.map { end throws(ODataError) in try keyPredicate(of: end) }
    return "\(source)/$links/\(property)\(key ?? "")"
  }

  private func keyPredicate(of address: EntityAddress) throws(ODataError) -> String {
    if case .key(_, let key) = address { return try key.predicate(for: conventions.dialect) }
    // An edit link ends with the key.
    let path = try url(of: address).path.utf8
    let segment = path[(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)...]
    guard let open = segment.firstIndex(of: UInt8(ascii: "(")), segment.last == UInt8(ascii: ")"),
      let predicate = String(segment[open...])
    else {
      throw ODataError(
        .invalidState,
        "The key of a \(address.set) entity is not known, so its link cannot be removed; name the key when the set "
          + "is made.")
    }
    return predicate
  }

  /// The body that names the other end of a link: `{"@odata.id":…}` (OData 4 JSON § 14), `{"url":…}` (OData 3),
  /// `{"uri":…}` (OData 2); `metadata:ref` (OData 4 Atom § 13) or `uri`.
  func reference(to target: String) throws(ODataError) -> [UInt8] {
    var bytes: [UInt8] = []
    switch format {
    case .json:
      var writer = JSONEntityWriter(annotations: JSONAnnotations(conventions.dialect))
      writer.reference(to: target)
      return writer.bytes
    case .atom:
      // A target consists of printable ASCII, all of which XML can carry.
      bytes.append(markup: "<?xml version=\"1.0\" encoding=\"utf-8\"?>")
      if conventions.dialect == .v4 {
        bytes.append(markup: "<metadata:ref xmlns:metadata=\"")
        bytes.append(markup: AtomNamespace.metadataV4)
        bytes.append(markup: "\" id=\"")
        _ = bytes.append(xmlAttribute: target)
        bytes.append(markup: "\"/>")
      } else {
        bytes.append(markup: "<uri xmlns=\"")
        bytes.append(markup: AtomNamespace.data)
        bytes.append(markup: "\">")
        _ = bytes.append(xmlText: target)
        bytes.append(markup: "</uri>")
      }
    }
    return bytes
  }

  /// The segments of a navigation path, each encoded.
  static func encoded(path: String) -> String {
    path.split(separator: "/").map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
  }
}
