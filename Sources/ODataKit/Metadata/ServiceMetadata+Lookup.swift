// Names of types are qualified, with the namespace or an alias of the document.
extension ServiceMetadata {
  /// The entity type of a name.
  public func entityType(_ name: String) -> StructuredType? { structured(name, .entity) }

  /// The complex type of a name.
  public func complexType(_ name: String) -> StructuredType? { structured(name, .complex) }

  private func structured(_ name: String, _ kind: StructuredType.Kind) -> StructuredType? {
    guard let type = model.structuredType(name), type.kind == kind else { return nil }
    return type
  }

  /// The enumeration type of a name.
  public func enumType(_ name: String) -> EnumType? { model.enumType(name) }

  /// The type definition of a name.
  public func typeDefinition(_ name: String) -> TypeDefinition? { model.typeDefinition(name) }

  /// The overloads of actions and functions of a qualified name, bound ones among them.
  public func operations(_ name: String) -> [Operation] {
    schemas.flatMap { $0.functions + $0.actions }.filter { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The entity sets of the service.
  public var entitySets: [EntitySet] { entityContainer?.entitySets ?? [] }

  /// The entity set of a name; `Container.Set` for one of another container than the default one.
  public func entitySet(_ name: String) -> EntitySet? { model.entitySet(name) }

  /// The singleton of a name.
  public func singleton(_ name: String) -> Singleton? { model.singleton(name) }

  /// The imports of functions under a name: one, or several in OData 3.
  public func functionImports(_ name: String) -> [OperationImport] {
    (entityContainer?.functionImports ?? []).filter { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The import of an action under a name.
  public func actionImport(_ name: String) -> OperationImport? {
    entityContainer?.actionImports.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The type of the entities of a set, or of a singleton.
  public func entityType(ofSet name: String) -> StructuredType? {
    (entitySet(name)?.entityType ?? singleton(name)?.type).flatMap { entityType($0.rawValue) }
  }
}

extension ServiceMetadata: TypeCatalog {
  package func property(_ name: String, of type: EdmType) -> DeclaredProperty? {
    model.property(name, of: type)
  }
}
