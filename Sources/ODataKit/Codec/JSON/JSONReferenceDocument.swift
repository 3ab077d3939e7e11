extension EntityReferenceDocument {
  /// Reads references to entities in JSON, a whole document: `{"d":{"uri":…}}` of OData 1 and 2 (MS-ODATA § 2.2.6.3.14),
  /// `{"url":…}` of OData 3 (JSON Format § 11), `{"@odata.id":…}` of OData 4 (JSON Format § 13), and lists of them.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for what is no such document, ``ODataError/Code/payloadTooLarge`` beyond
  /// a limit, and ``ODataError/Code/service`` where the document is an error of the service.
  package init(json bytes: [UInt8], limits: PayloadLimits = PayloadLimits()) throws(ODataError) {
    self.init()
    guard bytes.count <= limits.totalLength else {
      throw ODataError(
        .payloadTooLarge, "The JSON payload is larger than the limit of \(limits.totalLength) bytes.")
    }
    if let error = JSONErrorBody.read(bytes) { throw ServiceError.breakingOff(error) }
    let root = try JSONTree(reading: bytes, limits: limits)
    guard case .object = root else { throw Self.holdsNone }
    let base = Self.text(["odata.context", "context", "odata.metadata"], of: root)
    let content = root["d"] ?? root
    count = (Self.member(["odata.count", "count"], of: root) ?? content["__count"])?.lexical.flatMap {
      Int64($0)
    }
    nextLink =
      Self.text(["odata.nextLink", "nextLink"], of: root).map { URLReference.resolve($0, against: base) }
      ?? content["__next"]?.string ?? content["__next"]?["uri"]?.string
    var items = [content]
    if case .array(let list) = content { items = list }
    if case .array(let list)? = content["results"] ?? content["value"] { items = list }
    for item in items {
      let told = item["uri"] ?? item["url"] ?? Self.member(["odata.id", "id"], of: item)
      guard let told = told?.string else {
        throw Self.holdsNone
      }
      references.append(URLReference.resolve(told, against: base))
    }
  }

  private static var holdsNone: ODataError {
    ODataError(.malformedPayload, "The body is JSON, but holds no references to entities.")
  }

  /// A member with an annotation's name, with or without the sign in front of it.
  private static func member(_ names: [String], of tree: JSONTree) -> JSONTree? {
    tree.members.first { member in
      names.contains { name in
        let plain =
          member.name.utf8.first == UInt8(ascii: "@") ? member.name.utf8.dropFirst() : member.name.utf8[...]
        guard plain.elementsEqual(name.utf8) else { return false }
        return name.hasPrefix("odata.") || member.name.isAnnotationName
      }
    }?.value
  }

  private static func text(_ names: [String], of tree: JSONTree) -> String? {
    member(names, of: tree)?.string
  }
}
