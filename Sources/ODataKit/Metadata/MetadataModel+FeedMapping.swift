extension ServiceMetadata: FeedMappingCatalog {
  package var feedMapping: ODataKit.FeedMapping { model.feedMapping }
}

// Where the properties of entities stand in Atom, as readers and writers want to know it.
extension MetadataModel {
  /// The rules of all entity types that have any, each type with those it inherits.
  static func feedMapping(
    _ schemas: [ServiceMetadata.Schema],
    property: (_ name: String, _ type: EdmType) -> DeclaredProperty?
  ) -> FeedMapping {
    let types = schemas.flatMap(\.entityTypes)
    let areMapped = types.contains { type in
      !type.typeFeedMappings.isEmpty || type.declaredProperties.contains { !$0.feedMappings.isEmpty }
    }
    guard areMapped else { return FeedMapping() }
    var rules: [EdmType: [FeedMapping.Rule]] = [:]
    for type in types {
      let own = type.feedMappings.compactMap { rule(of: $0, in: type.type, property: property) }
      if !own.isEmpty { rules[type.type] = own }
    }
    return FeedMapping(rules)
  }

  /// `nil` for a mapping that Atom has no single element for, or of a property that is no single primitive value.
  private static func rule(
    of mapping: ServiceMetadata.FeedMapping, in type: EdmType,
    property: (_ name: String, _ type: EdmType) -> DeclaredProperty?
  ) -> FeedMapping.Rule? {
    let path = mapping.sourcePath.split(separator: "/").map(String.init)
    var owner = type
    var found: DeclaredProperty?
    for name in path {
      found = property(name, owner)
      guard let found else { return nil }
      owner = found.type
    }
    guard let found, found.kind == .primitive, !found.isCollection,
      let target = FeedMapping.Target(
        path: mapping.targetPath, namespace: mapping.namespaceURI, prefix: mapping.namespacePrefix)
    else { return nil }
    return FeedMapping.Rule(
      property: path, type: found.type, target: target, contentKind: mapping.contentKind,
      keepsInContent: mapping.keepsInContent)
  }
}
