extension MetadataLinker {
  /// Gives imports the overloads of what they call: the unbound ones (OData CSDL XML 4.01 §§ 13.5, 13.6).
  mutating func attachOverloads() {
    let unbound = schemas.flatMap { $0.functions + $0.actions }.filter { !$0.isBound }
    let overloads = Dictionary(grouping: unbound) { ByteName($0.name) }
    for schema in schemas.indices {
      for container in schemas[schema].entityContainers.indices {
        for index in schemas[schema].entityContainers[container].functionImports.indices {
          let operation = schemas[schema].entityContainers[container].functionImports[index].operation
          guard let operation else { continue }
          schemas[schema].entityContainers[container].functionImports[index].overloads =
            overloads[ByteName(operation)] ?? []
        }
        for index in schemas[schema].entityContainers[container].actionImports.indices {
          let operation = schemas[schema].entityContainers[container].actionImports[index].operation
          guard let operation else { continue }
          schemas[schema].entityContainers[container].actionImports[index].overloads =
            overloads[ByteName(operation)] ?? []
        }
      }
    }
  }

  /// The container that requests are made to, with the members of those it extends in front of its own.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for containers that extend each other in a circle (OData CSDL XML 4.01
  /// § 13.1).
  mutating func defaultContainer() throws(ODataError) -> ServiceMetadata.EntityContainer? {
    let all = schemas.flatMap(\.entityContainers)
    let byName = Dictionary(all.map { (ByteName($0.name), $0) }) { first, _ in first }
    let extended = Set(all.compactMap { $0.extends.map(ByteName.init) })
    let named = draft.containerName.flatMap { byName[ByteName(names.resolve($0))] }
    guard
      var container = named ?? all.first(where: \.isDefault)
        ?? all.first(where: { !extended.contains(ByteName($0.name)) }) ?? all.first
    else { return nil }
    var chain = [container]
    var seen: Set<ByteName> = [ByteName(container.name)]
    while let name = chain[chain.count - 1].extends {
      guard let next = byName[ByteName(name)] else {
        remarks.append("\(container.name) extends \(name), which this document does not declare.")
        break
      }
      guard seen.insert(ByteName(name)).inserted else {
        throw unreadableMetadata("EntityContainer \(name)", "the containers it extends lead back to itself")
      }
      chain.append(next)
    }
    for base in chain.dropFirst() {
      container.entitySets = Self.merging(base.entitySets, container.entitySets, name: \.name)
      container.singletons = Self.merging(base.singletons, container.singletons, name: \.name)
      container.functionImports = Self.merging(
        base.functionImports, container.functionImports, name: \.name)
      container.actionImports = Self.merging(base.actionImports, container.actionImports, name: \.name)
    }
    return container
  }

  private static func merging<Member>(
    _ base: [Member], _ own: [Member], name: KeyPath<Member, String>
  ) -> [Member] {
    let names = Set(own.map { ByteName($0[keyPath: name]) })
    return base.filter { !names.contains(ByteName($0[keyPath: name])) } + own
  }
}
