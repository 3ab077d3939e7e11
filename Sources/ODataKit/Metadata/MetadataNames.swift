/// Replaces aliases by the namespaces they stand for: OData CSDL XML 4.01 § 5.1, [MS-CSDL] 2.1.2 and 2.1.34 (`Using`).
struct MetadataNames {
  /// The aliases of the document.
  private(set) var aliases: [ByteName: String] = [:]
  /// Those that stand for something else in one schema.
  private var local: [ByteName: String] = [:]
  private let namespaces: Set<ByteName>
  /// The namespaces that are taken over from referenced documents.
  private let included: Set<ByteName>
  private let hasShortNames: Bool

  /// Takes the aliases of a document; the ones of its own schemas go before those of referenced ones.
  init(_ draft: MetadataDraft, dialect: Dialect, remarks: inout [String]) {
    namespaces = Set(draft.schemas.map { ByteName($0.schema.namespace) })
    included = Set(draft.references.flatMap { $0.includes.map { ByteName($0.namespace) } })
    hasShortNames = dialect != .v4
    let own = draft.schemas.map { ($0.schema.alias, $0.schema.namespace) }
    let others = draft.references.flatMap { $0.includes.map { ($0.alias, $0.namespace) } }
    for case (let alias?, let namespace) in own + others {
      let taken = aliases.updateValue(aliases[ByteName(alias)] ?? namespace, forKey: ByteName(alias))
      if let taken, ByteName(taken) != ByteName(namespace) {
        remarks.append("The alias \(alias) stands for two namespaces; it was read as \(taken).")
      }
    }
  }

  /// Whether a namespace belongs to a referenced document.
  func includes(_ namespace: String) -> Bool { included.contains(ByteName(namespace)) }

  /// The same with the aliases of one schema.
  func using(_ includes: [ServiceMetadata.Reference.Include]) -> Self {
    var names = self
    for include in includes {
      if let alias = include.alias { names.local[ByteName(alias)] = include.namespace }
    }
    return names
  }

  /// A qualified name with its namespace.
  func resolve(_ name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      // CSDL before OData 4 allows `String` for `Edm.String` ([MS-CSDL] 2.2.1).
      let primitive = EdmType(rawValue: "Edm." + name)
      return hasShortNames && EdmPrimitive(primitive) != nil ? primitive.rawValue : name
    }
    let prefix = ByteName(String(name[..<dot]))
    guard !namespaces.contains(prefix), let namespace = local[prefix] ?? aliases[prefix] else { return name }
    return namespace + name[dot...]
  }

  func resolve(_ type: EdmType) -> EdmType { EdmType(rawValue: resolve(type.rawValue)) }

  /// A path whose segments may be qualified names.
  func resolve(path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.utf8.contains(UInt8(ascii: ".")) ? resolve(String($0)) : String($0) }
      .joined(separator: "/")
  }

  func resolve(_ annotations: inout [ServiceMetadata.Annotation]) {
    for index in annotations.indices {
      // The term of a vendor's attribute is a URI and no qualified name.
      guard !annotations[index].term.utf8.contains(UInt8(ascii: "/")) else { continue }
      annotations[index].term = resolve(annotations[index].term)
      annotations[index].value = resolve(annotations[index].value)
    }
  }

  private func resolve(_ value: ServiceMetadata.AnnotationValue) -> ServiceMetadata.AnnotationValue {
    switch value {
    case .collection(let values): .collection(values.map { resolve($0) })
    case .record(let type, let members):
      .record(
        type: type.map { resolve($0) },
        members.map { ServiceMetadata.PropertyValue(name: $0.name, value: resolve($0.value)) })
    case .null, .boolean, .number, .text, .path, .expression: value
    }
  }

  // MARK: Declarations

  func resolve(_ type: inout ServiceMetadata.StructuredType) {
    type.baseType = type.baseType.map { resolve($0) }
    for index in type.declaredProperties.indices {
      type.declaredProperties[index].type.name = resolve(type.declaredProperties[index].type.name)
      resolve(&type.declaredProperties[index].annotations)
    }
    for index in type.declaredNavigationProperties.indices {
      let property = type.declaredNavigationProperties[index]
      type.declaredNavigationProperties[index].type = resolve(property.type)
      type.declaredNavigationProperties[index].partner = property.partner.map(resolve(path:))
      type.declaredNavigationProperties[index].association?.name =
        property.association
        .map { resolve($0.name) } ?? ""
      resolve(&type.declaredNavigationProperties[index].annotations)
    }
    resolve(&type.annotations)
  }

  func resolve(_ operation: inout ServiceMetadata.Operation) {
    operation.entitySetPath = operation.entitySetPath.map(resolve(path:))
    for index in operation.parameters.indices {
      operation.parameters[index].type.name = resolve(operation.parameters[index].type.name)
      resolve(&operation.parameters[index].annotations)
    }
    if let type = operation.returnType { operation.returnType?.name = resolve(type.name) }
    resolve(&operation.annotations)
  }

  func resolve(_ container: inout ServiceMetadata.EntityContainer) {
    container.extends = container.extends.map { resolve($0) }
    for index in container.entitySets.indices {
      container.entitySets[index].entityType = resolve(container.entitySets[index].entityType)
      resolve(&container.entitySets[index].navigationPropertyBindings)
      resolve(&container.entitySets[index].annotations)
    }
    for index in container.singletons.indices {
      container.singletons[index].type = resolve(container.singletons[index].type)
      resolve(&container.singletons[index].navigationPropertyBindings)
      resolve(&container.singletons[index].annotations)
    }
    for index in container.functionImports.indices { resolve(&container.functionImports[index]) }
    for index in container.actionImports.indices { resolve(&container.actionImports[index]) }
    resolve(&container.annotations)
  }

  private func resolve(_ entry: inout ServiceMetadata.OperationImport) {
    entry.operation = entry.operation.map { resolve($0) }
    for index in entry.overloads.indices { resolve(&entry.overloads[index]) }
    resolve(&entry.annotations)
  }

  private func resolve(_ bindings: inout [ServiceMetadata.NavigationPropertyBinding]) {
    for index in bindings.indices {
      bindings[index].path = resolve(path: bindings[index].path)
      bindings[index].target = resolve(path: bindings[index].target)
    }
  }
}
