// Associations of OData 1 to 3 ([MS-CSDL] 2.1.17 to 2.1.24) say apart what navigation properties of OData 4 say
// themselves.
extension MetadataLinker {
  /// An end of an association, seen from the entities that have the navigation property.
  struct AssociationRole: Hashable {
    let association: ByteName
    let role: ByteName

    init(_ association: String, _ role: String) {
      self.association = ByteName(association)
      self.role = ByteName(role)
    }
  }

  /// A navigation property and the type that declares it.
  private struct Declaration {
    let type: EdmType
    let name: String
  }

  /// Gives navigation properties the type, multiplicity, partner and dependent properties of their association.
  mutating func resolveAssociations() {
    var associations: [ByteName: AssociationDraft] = [:]
    for association in draft.schemas.lazy.flatMap(\.associations) {
      guard associations.updateValue(association, forKey: ByteName(association.name)) == nil else {
        remarks.append(
          "The association \(association.name) is declared twice; the last declaration was read.")
        continue
      }
    }
    let declarations = navigationProperties()
    for schema in schemas.indices {
      for type in schemas[schema].entityTypes.indices {
        for index in schemas[schema].entityTypes[type].declaredNavigationProperties.indices {
          let property = schemas[schema].entityTypes[type].declaredNavigationProperties[index]
          guard let end = property.association else { continue }
          guard let association = associations[ByteName(end.name)],
            let target = association.end(end.toRole)
          else {
            let owner = schemas[schema].entityTypes[type].type
            remarks.append(
              "\(property.name) of \(owner) belongs to the association \(end.name), whose role \(end.toRole) this document does not declare."
            )
            continue
          }
          schemas[schema].entityTypes[type].declaredNavigationProperties[index] = resolved(
            property, end, association, target,
            partner: declarations[AssociationRole(end.name, end.toRole)]?.name)
        }
      }
    }
  }

  private func resolved(
    _ property: ServiceMetadata.NavigationProperty,
    _ end: ServiceMetadata.NavigationProperty.AssociationEnd, _ association: AssociationDraft,
    _ target: AssociationDraft.End, partner: String?
  ) -> ServiceMetadata.NavigationProperty {
    var property = property
    property.type = target.type
    property.isCollection = target.multiplicity.spells("*")
    property.isNullable = target.multiplicity.spells("0..1")
    property.partner = partner
    property.onDelete = association.end(end.fromRole)?.onDelete
    if let constraint = association.constraint,
      constraint.dependentRole.utf8.elementsEqual(end.fromRole.utf8)
    {
      property.referentialConstraints = zip(constraint.dependent, constraint.principal).map {
        ServiceMetadata.NavigationProperty.ReferentialConstraint(property: $0, referencedProperty: $1)
      }
    }
    return property
  }

  /// The navigation properties by the end they lead from.
  private func navigationProperties() -> [AssociationRole: Declaration] {
    var declarations: [AssociationRole: Declaration] = [:]
    for type in schemas.lazy.flatMap(\.entityTypes) {
      for property in type.declaredNavigationProperties {
        guard let end = property.association else { continue }
        let role = AssociationRole(end.name, end.fromRole)
        if declarations[role] == nil {
          declarations[role] = Declaration(type: type.type, name: property.name)
        }
      }
    }
    return declarations
  }

  /// Makes bindings of the entity sets out of association sets.
  mutating func bindAssociationSets(_ types: [ByteName: ServiceMetadata.StructuredType]) {
    let declarations = navigationProperties()
    let bindings = draft.schemas.lazy.flatMap(\.associationSets).flatMap { set in
      set.ends.indices.lazy.compactMap { index -> (container: String, set: String, binding: Binding)? in
        guard set.ends.count == 2, let role = set.ends[index].role,
          let declaration = declarations[AssociationRole(set.association, role)]
        else { return nil }
        return (
          set.container, set.ends[index].entitySet,
          Binding(declaration: declaration, target: set.ends[1 - index].entitySet)
        )
      }
    }
    var bySet: [ByteName: [Binding]] = [:]
    for entry in bindings {
      bySet[ByteName("\(entry.container)/\(entry.set)"), default: []].append(entry.binding)
    }
    for schema in schemas.indices {
      for container in schemas[schema].entityContainers.indices {
        for index in schemas[schema].entityContainers[container].entitySets.indices {
          let name = schemas[schema].entityContainers[container].name
          let set = schemas[schema].entityContainers[container].entitySets[index]
          for binding in bySet[ByteName("\(name)/\(set.name)")] ?? [] {
            guard let path = path(to: binding.declaration, from: set.entityType, types) else { continue }
            schemas[schema].entityContainers[container].entitySets[index].navigationPropertyBindings.append(
              ServiceMetadata.NavigationPropertyBinding(path: path, target: binding.target))
          }
        }
      }
    }
  }

  private struct Binding {
    let declaration: Declaration
    let target: String
  }

  /// The path of a navigation property from the entities of a set: with the name of the type in front, where only a
  /// derived type has it.
  private func path(
    to declaration: Declaration, from type: EdmType, _ types: [ByteName: ServiceMetadata.StructuredType]
  ) -> String? {
    if types[ByteName(type.rawValue)]?.isKind(of: declaration.type) ?? false { return declaration.name }
    guard types[ByteName(declaration.type.rawValue)]?.isKind(of: type) ?? false else { return nil }
    return "\(declaration.type)/\(declaration.name)"
  }
}
