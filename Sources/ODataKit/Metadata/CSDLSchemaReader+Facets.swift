// What several kinds of elements have in common: types with facets, flags, feed mappings.
extension CSDLSchemaReader {
  /// The type that an element names in an attribute, with its facets.
  mutating func typeReference(
    _ element: CSDLElement, attribute: StaticString = "Type"
  ) throws(ODataError) -> ServiceMetadata.TypeReference {
    facets(element, of: Self.elementType(try element.required(attribute)))
  }

  /// A type by its name in CSDL, with the facets beside it.
  mutating func facets(
    _ element: CSDLElement, of type: (name: String, isCollection: Bool)
  ) -> ServiceMetadata.TypeReference {
    var reference = ServiceMetadata.TypeReference(
      EdmType(rawValue: type.name), isCollection: type.isCollection)
    // `CollectionKind` was the way of [MS-CSDL] before OData 3 had `Collection(…)`.
    if let kind = element["CollectionKind"], !kind.spells("None") { reference.isCollection = true }
    reference.isNullable = flag(element, "Nullable") ?? true
    if let text = element["MaxLength"] {
      // OData 3 writes `Max`, OData 4 `max`.
      reference.maxLength =
        text.lowercased() == "max" ? .max : number(element, "MaxLength").map { .units($0) }
    }
    reference.precision = number(element, "Precision")
    if let text = element["Scale"]?.lowercased() {
      reference.scale =
        switch text {
        case "variable": .variable
        case "floating": .floating
        default: number(element, "Scale").map { .digits($0) }
        }
    }
    reference.isUnicode = flag(element, "Unicode")
    reference.isFixedLength = flag(element, "FixedLength")
    if let text = element["SRID"] {
      reference.srid =
        text.lowercased() == "variable" ? .variable : number(element, "SRID").map { .number($0) }
    }
    return reference
  }

  /// The name inside of `Collection(…)`, and whether there is one.
  static func elementType(_ name: String) -> (name: String, isCollection: Bool) {
    guard name.hasPrefix("Collection("), name.hasSuffix(")") else { return (name, false) }
    return (String(name.dropFirst("Collection(".count).dropLast()), true)
  }

  /// The truth of an attribute; `nil` where it is not there. One that is misspelt counts as not there, with a remark:
  /// a slip in a facet is no reason to be without the metadata.
  mutating func flag(_ element: CSDLElement, _ name: StaticString) -> Bool? {
    guard let text = element[name] else { return nil }
    switch text.lowercased() {
    case "true", "1": return true
    case "false", "0": return false
    default:
      remarks.append("\(name) is neither true nor false and was passed over (\(element.place)).")
      return nil
    }
  }

  private mutating func number(_ element: CSDLElement, _ name: StaticString) -> Int? {
    guard let text = element[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      remarks.append("\(name) is no number and was passed over (\(element.place)).")
      return nil
    }
    return number
  }

  /// The feed mappings among an element's attributes ([MS-ODATA] 2.2.3.7.2): those of a property, or of an entity type,
  /// where each names its property. Several at one element end in `_1`, `_2` and so on.
  func feedMappings(_ element: CSDLElement, of property: String?) -> [ServiceMetadata.FeedMapping] {
    let prefix = "m:FC_TargetPath"
    let mappings = element.attributes.compactMap { attribute -> (Int, ServiceMetadata.FeedMapping)? in
      guard attribute.name.hasPrefix(prefix) else { return nil }
      let suffix = attribute.name.dropFirst(prefix.count)
      func value(_ name: String) -> String? {
        let key = "m:FC_\(name)\(suffix)"
        return element.attributes.first { $0.name.utf8.elementsEqual(key.utf8) }?.value
      }
      let source = [property, value("SourcePath")].compactMap(\.self).joined(separator: "/")
      // A mapping at a type that names no property maps nothing.
      guard !source.isEmpty else { return nil }
      return (
        Int(suffix.dropFirst()) ?? 0,
        ServiceMetadata.FeedMapping(
          sourcePath: source, targetPath: attribute.value,
          keepsInContent: value("KeepInContent")?.lowercased() != "false", namespaceURI: value("NsUri"),
          namespacePrefix: value("NsPrefix"), contentKind: value("ContentKind"))
      )
    }
    return mappings.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
