extension MetadataLinker {
  /// Links every structured type with its base type, and gives all of them by name.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for types that inherit from each other in a circle (OData CSDL XML 4.01
  /// § 6.1), and ``ODataError/Code/payloadTooLarge`` for a line of inheritance longer than the limit of nesting.
  mutating func linkTypes() throws(ODataError) -> [ByteName: ServiceMetadata.StructuredType] {
    let declared = Dictionary(
      schemas.flatMap { $0.entityTypes + $0.complexTypes }.map { (ByteName($0.type.rawValue), $0) }
    ) { first, _ in first }
    var linked: [ByteName: ServiceMetadata.StructuredType] = [:]
    var depths: [ByteName: Int] = [:]
    var bases: [ByteName: ServiceMetadata.StructuredType.Base] = [:]
    for schema in schemas.indices {
      for type in schemas[schema].entityTypes + schemas[schema].complexTypes {
        // The way up to a type that is linked already or has no base here; then down again, linking.
        var way = [type]
        var onTheWay: Set<ByteName> = [ByteName(type.type.rawValue)]
        while let next = declaredBase(of: way[way.count - 1], in: declared) {
          let name = ByteName(next.type.rawValue)
          if linked[name] != nil { break }
          guard onTheWay.insert(name).inserted else {
            throw unreadableMetadata(
              "\(next.kind == .entity ? "EntityType" : "ComplexType") \(next.type)",
              "its base types lead back to itself")
          }
          way.append(next)
        }
        for var type in way.reversed() where linked[ByteName(type.type.rawValue)] == nil {
          let name = ByteName(type.type.rawValue)
          depths[name] = 1
          if let base = declaredBase(of: type, in: declared) {
            let baseName = ByteName(base.type.rawValue)
            let depth = (depths[baseName] ?? 0) + 1
            guard depth <= limits.depth else {
              throw ODataError(
                .payloadTooLarge, "\(type.type) inherits deeper than the limit of \(limits.depth).")
            }
            depths[name] = depth
            let link = bases[baseName] ?? linked[baseName].map(ServiceMetadata.StructuredType.Base.init)
            bases[baseName] = link
            type.link = link
          } else if let missing = type.baseType, !isIncluded(missing) {
            remarks.append(
              "\(type.type) inherits from \(missing), which this document does not declare; what it inherits is not known."
            )
          }
          linked[name] = type
        }
      }
      for index in schemas[schema].entityTypes.indices {
        let name = ByteName(schemas[schema].entityTypes[index].type.rawValue)
        if let type = linked[name] { schemas[schema].entityTypes[index] = type }
      }
      for index in schemas[schema].complexTypes.indices {
        let name = ByteName(schemas[schema].complexTypes[index].type.rawValue)
        if let type = linked[name] { schemas[schema].complexTypes[index] = type }
      }
    }
    return linked
  }

  private func declaredBase(
    of type: ServiceMetadata.StructuredType, in declared: [ByteName: ServiceMetadata.StructuredType]
  ) -> ServiceMetadata.StructuredType? {
    guard let name = type.baseType, let base = declared[ByteName(name.rawValue)], base.kind == type.kind
    else { return nil }
    return base
  }

  /// Whether a name belongs to a schema of a referenced document, which this one need not have.
  private func isIncluded(_ type: EdmType) -> Bool {
    let namespace = type.rawValue.utf8.lastIndex(of: UInt8(ascii: ".")).map { type.rawValue[..<$0] } ?? ""
    return type.rawValue.utf8.starts(with: "Edm.".utf8) || names.includes(String(namespace))
  }
}
