extension ServiceDocument {
  /// Reads a document of any generation, in Atom or JSON; `address` is where it stands.
  init(reading bytes: [UInt8], at address: String, limits: PayloadLimits) throws(ODataError) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    switch start.first(where: { !$0.isBlank }) {
    case UInt8(ascii: "<"): try self.init(xml: bytes, at: address, limits: limits)
    case UInt8(ascii: "{"): try self.init(json: Array(start), at: address, limits: limits)
    default: throw Self.isNone
    }
  }

  private static var isNone: ODataError {
    ODataError(
      .malformedPayload,
      "What stands at the root of the service is no service document; check the address of the service.")
  }

  /// `<service>` of the Atom Publishing Protocol (RFC 5023 § 8), with what OData 4 adds to it (OData Atom Format 4.0 § 5).
  private init(xml bytes: [UInt8], at address: String, limits: PayloadLimits) throws(ODataError) {
    let root = try XMLElement.read(bytes, limits: limits)
    guard root.name.spells("service") else { throw Self.isNone }
    let base = root.base(within: address)
    resources = []
    for workspace in root.children("workspace") {
      let base = workspace.base(within: base)
      for element in workspace.children {
        guard let kind = Self.kind(of: element), let href = element.attribute("href") else { continue }
        let title = element.child("title")?.trimmedText
        // In OData 4 the name is apart from the title, before it is the title.
        let name = element.attribute("name", namespace: "\(AtomNamespace.metadataV4)") ?? title ?? href
        resources.append(
          Resource(
            kind, name, title: title?.hasSameBytes(as: name) == true ? nil : title,
            url: URLReference.resolve(href, against: element.base(within: base))))
      }
    }
  }

  private static func kind(of element: XMLElement) -> Kind? {
    switch element.name {
    case "collection": .entitySet
    case "singleton": .singleton
    case "function-import": .functionImport
    case "service-document": .serviceDocument
    default: nil
    }
  }

  /// `{"d":{"EntitySets":[…]}}` of OData 1 and 2 (MS-ODATA § 2.2.6.3.13), `{"value":[…]}` of OData 3 (JSON Format § 5) and
  /// 4 (JSON Format § 5).
  private init(json bytes: [UInt8], at address: String, limits: PayloadLimits) throws(ODataError) {
    let root = try JSONTree(reading: bytes, limits: limits)
    if let names = root["d"]?["EntitySets"] {
      resources = names.elements.compactMap(\.string).map { name in
        Resource(.entitySet, name, url: URLReference.resolve(PercentEncoding.encode(name), against: address))
      }
      return
    }
    guard case .array(let entries)? = root["value"] else { throw Self.isNone }
    // Relative addresses are seen from the context URL (OData 4 JSON Format § 4.5.1).
    let context = root["@odata.context"] ?? root["@context"] ?? root["odata.metadata"]
    let base = context?.string.map { URLReference.resolve($0, against: address) } ?? address
    resources = []
    for entry in entries {
      guard let name = entry["name"]?.string else { throw Self.isNone }
      let title = entry["title"]?.string
      resources.append(
        Resource(
          entry["kind"]?.string.map(Kind.init(rawValue:)) ?? .entitySet, name,
          title: title?.hasSameBytes(as: name) == true ? nil : title,
          url: URLReference.resolve(
            entry["url"]?.string ?? PercentEncoding.encode(name), against: base)))
    }
  }
}

extension XMLElement {
  /// The base of relative addresses within this element (XML Base § 3).
  fileprivate func base(within outer: String) -> String {
    attribute("base", namespace: "\(AtomNamespace.xml)").map { URLReference.resolve($0, against: outer) }
      ?? outer
  }
}
