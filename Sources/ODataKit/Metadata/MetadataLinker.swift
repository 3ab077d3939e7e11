/// Makes the model out of what was read: resolves names, turns associations into navigation properties, attaches
/// annotations, links types with what they inherit.
struct MetadataLinker {
  let limits: PayloadLimits
  let version: String
  let dialect: Dialect
  var draft: MetadataDraft
  var schemas: [ServiceMetadata.Schema] = []
  var remarks: [String]
  let names: MetadataNames

  init(_ draft: MetadataDraft, limits: PayloadLimits) {
    self.limits = limits
    // `DataServiceVersion` may have the name of the software behind a semicolon.
    let stated = draft.version?.split(separator: ";").first ?? ""
    version = String(stated.filter { $0 != " " })
    dialect =
      version.utf8.first == UInt8(ascii: "4") ? .v4 : version.utf8.first == UInt8(ascii: "3") ? .v3 : .v2
    self.draft = draft
    remarks = draft.remarks
    names = MetadataNames(draft, dialect: dialect, remarks: &remarks)
  }

  mutating func link() throws(ODataError) -> MetadataModel {
    resolveNames()
    dropDuplicates()
    resolveAssociations()
    attachAnnotations()
    let types = try linkTypes()
    bindAssociationSets(types)
    attachOverloads()
    return MetadataModel(
      version: version, dialect: dialect, references: draft.references, schemas: schemas,
      defaultContainer: try defaultContainer(), aliases: names.aliases, remarks: remarks)
  }

  private mutating func resolveNames() {
    for index in draft.schemas.indices {
      let names = names.using(draft.schemas[index].usings)
      var schema = draft.schemas[index].schema
      for index in schema.entityTypes.indices { names.resolve(&schema.entityTypes[index]) }
      for index in schema.complexTypes.indices { names.resolve(&schema.complexTypes[index]) }
      for index in schema.enumTypes.indices {
        schema.enumTypes[index].underlyingType = names.resolve(schema.enumTypes[index].underlyingType)
        for member in schema.enumTypes[index].members.indices {
          names.resolve(&schema.enumTypes[index].members[member].annotations)
        }
        names.resolve(&schema.enumTypes[index].annotations)
      }
      for index in schema.typeDefinitions.indices {
        let underlying = schema.typeDefinitions[index].underlyingType.name
        schema.typeDefinitions[index].underlyingType.name = names.resolve(underlying)
        names.resolve(&schema.typeDefinitions[index].annotations)
      }
      for index in schema.actions.indices { names.resolve(&schema.actions[index]) }
      for index in schema.functions.indices { names.resolve(&schema.functions[index]) }
      for index in schema.entityContainers.indices { names.resolve(&schema.entityContainers[index]) }
      names.resolve(&schema.annotations)
      schemas.append(schema)
      for association in draft.schemas[index].associations.indices {
        for end in draft.schemas[index].associations[association].ends.indices {
          let type = draft.schemas[index].associations[association].ends[end].type
          draft.schemas[index].associations[association].ends[end].type = names.resolve(type)
        }
      }
      for set in draft.schemas[index].associationSets.indices {
        let association = draft.schemas[index].associationSets[set].association
        draft.schemas[index].associationSets[set].association = names.resolve(association)
      }
      for entry in draft.schemas[index].targetedAnnotations.indices {
        let target = draft.schemas[index].targetedAnnotations[entry].target
        draft.schemas[index].targetedAnnotations[entry].target = names.resolve(path: target)
        names.resolve(&draft.schemas[index].targetedAnnotations[entry].annotations)
      }
    }
  }

  /// Of declarations with the same name the first one counts.
  private mutating func dropDuplicates() {
    var types: Set<ByteName> = []
    for index in schemas.indices {
      var schema = schemas[index]
      unique(&schema.entityTypes, name: \.type.rawValue, among: &types)
      unique(&schema.complexTypes, name: \.type.rawValue, among: &types)
      unique(&schema.enumTypes, name: \.type.rawValue, among: &types)
      unique(&schema.typeDefinitions, name: \.type.rawValue, among: &types)
      unique(&schema.entityContainers, name: \.name, among: &types)
      for index in schema.entityTypes.indices { dropDuplicates(&schema.entityTypes[index]) }
      for index in schema.complexTypes.indices { dropDuplicates(&schema.complexTypes[index]) }
      for index in schema.enumTypes.indices {
        var names: Set<ByteName> = []
        unique(
          &schema.enumTypes[index].members, name: \.name, among: &names,
          of: schema.enumTypes[index].type.rawValue)
      }
      for index in schema.entityContainers.indices {
        var names: Set<ByteName> = []
        let container = schema.entityContainers[index].name
        unique(&schema.entityContainers[index].entitySets, name: \.name, among: &names, of: container)
        unique(&schema.entityContainers[index].singletons, name: \.name, among: &names, of: container)
        unique(&schema.entityContainers[index].actionImports, name: \.name, among: &names, of: container)
      }
      schemas[index] = schema
    }
  }

  private mutating func dropDuplicates(_ type: inout ServiceMetadata.StructuredType) {
    var names: Set<ByteName> = []
    unique(&type.declaredProperties, name: \.name, among: &names, of: type.type.rawValue)
    unique(&type.declaredNavigationProperties, name: \.name, among: &names, of: type.type.rawValue)
  }

  private mutating func unique<Element>(
    _ elements: inout [Element], name: KeyPath<Element, String>, among taken: inout Set<ByteName>,
    of owner: String? = nil
  ) {
    var doubled: [String] = []
    elements.removeAll { element in
      let isNew = taken.insert(ByteName(element[keyPath: name])).inserted
      if !isNew { doubled.append(element[keyPath: name]) }
      return !isNew
    }
    for name in doubled {
      let place = owner.map { " of \($0)" } ?? ""
      remarks.append("\(name)\(place) is declared twice; the first declaration was read.")
    }
  }
}
