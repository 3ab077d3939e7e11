extension MetadataLinker {
  /// Puts annotations that stand apart to what they are of (OData CSDL XML 4.01 § 5.2). What targets something else than
  /// a declaration of this document is passed over.
  mutating func attachAnnotations() {
    var targets: [ByteName: [ServiceMetadata.Annotation]] = [:]
    for entry in draft.schemas.lazy.flatMap(\.targetedAnnotations) {
      targets[ByteName(entry.target), default: []] += entry.annotations
    }
    guard !targets.isEmpty else { return }
    func attach(_ annotations: inout [ServiceMetadata.Annotation], _ target: String) {
      if let more = targets[ByteName(target)] { annotations += more }
    }
    func attach(_ type: inout ServiceMetadata.StructuredType) {
      attach(&type.annotations, type.type.rawValue)
      for index in type.declaredProperties.indices {
        attach(
          &type.declaredProperties[index].annotations,
          "\(type.type)/\(type.declaredProperties[index].name)")
      }
      for index in type.declaredNavigationProperties.indices {
        attach(
          &type.declaredNavigationProperties[index].annotations,
          "\(type.type)/\(type.declaredNavigationProperties[index].name)")
      }
    }
    func attach(_ operation: inout ServiceMetadata.Operation) {
      attach(&operation.annotations, operation.name)
      for index in operation.parameters.indices {
        attach(
          &operation.parameters[index].annotations, "\(operation.name)/\(operation.parameters[index].name)")
      }
    }
    func attach(_ container: inout ServiceMetadata.EntityContainer) {
      attach(&container.annotations, container.name)
      for index in container.entitySets.indices {
        attach(
          &container.entitySets[index].annotations,
          "\(container.name)/\(container.entitySets[index].name)")
      }
      for index in container.singletons.indices {
        attach(
          &container.singletons[index].annotations,
          "\(container.name)/\(container.singletons[index].name)")
      }
      for index in container.functionImports.indices {
        attach(
          &container.functionImports[index].annotations,
          "\(container.name)/\(container.functionImports[index].name)")
      }
      for index in container.actionImports.indices {
        attach(
          &container.actionImports[index].annotations,
          "\(container.name)/\(container.actionImports[index].name)")
      }
    }
    for schema in schemas.indices {
      attach(&schemas[schema].annotations, schemas[schema].namespace)
      for index in schemas[schema].entityTypes.indices { attach(&schemas[schema].entityTypes[index]) }
      for index in schemas[schema].complexTypes.indices { attach(&schemas[schema].complexTypes[index]) }
      for index in schemas[schema].enumTypes.indices {
        let name = schemas[schema].enumTypes[index].type.rawValue
        attach(&schemas[schema].enumTypes[index].annotations, name)
        for member in schemas[schema].enumTypes[index].members.indices {
          attach(
            &schemas[schema].enumTypes[index].members[member].annotations,
            "\(name)/\(schemas[schema].enumTypes[index].members[member].name)")
        }
      }
      for index in schemas[schema].typeDefinitions.indices {
        attach(
          &schemas[schema].typeDefinitions[index].annotations,
          schemas[schema].typeDefinitions[index].type.rawValue)
      }
      for index in schemas[schema].functions.indices { attach(&schemas[schema].functions[index]) }
      for index in schemas[schema].actions.indices { attach(&schemas[schema].actions[index]) }
      for index in schemas[schema].entityContainers.indices {
        attach(&schemas[schema].entityContainers[index])
      }
    }
  }
}
