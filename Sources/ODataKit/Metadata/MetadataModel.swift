/// What a document says, with all names resolved, and the tables that look-ups go through. Shared by all copies of a
/// ``ServiceMetadata``.
final class MetadataModel: Sendable {
  let version: String
  let dialect: Dialect
  let references: [ServiceMetadata.Reference]
  let schemas: [ServiceMetadata.Schema]
  let defaultContainer: ServiceMetadata.EntityContainer?
  let remarks: [String]

  /// Namespaces by alias.
  private let aliases: [ByteName: String]
  private let structuredTypes: [ByteName: ServiceMetadata.StructuredType]
  private let enumTypes: [ByteName: ServiceMetadata.EnumType]
  private let typeDefinitions: [ByteName: ServiceMetadata.TypeDefinition]
  private let entitySets: [ByteName: ServiceMetadata.EntitySet]
  private let singletons: [ByteName: ServiceMetadata.Singleton]
  /// The properties that each structured type declares itself, as readers of payloads want to know them.
  private let declarations: [ByteName: [ByteName: DeclaredProperty]]
  /// Where properties stand in Atom.
  let feedMapping: FeedMapping

  init(
    version: String, dialect: Dialect, references: [ServiceMetadata.Reference],
    schemas: [ServiceMetadata.Schema], defaultContainer: ServiceMetadata.EntityContainer?,
    aliases: [ByteName: String], remarks: [String]
  ) {
    self.version = version
    self.dialect = dialect
    self.references = references
    self.schemas = schemas
    self.defaultContainer = defaultContainer
    self.aliases = aliases
    self.remarks = remarks
    structuredTypes = Self.table(schemas.flatMap { $0.entityTypes + $0.complexTypes }) { $0.type.rawValue }
    enumTypes = Self.table(schemas.flatMap(\.enumTypes)) { $0.type.rawValue }
    typeDefinitions = Self.table(schemas.flatMap(\.typeDefinitions)) { $0.type.rawValue }
    // The members of another container than the default one are addressed with its name ([MS-ODATA] 2.2.3.1).
    var entitySets = Self.table(defaultContainer?.entitySets ?? [], name: \.name)
    for container in schemas.lazy.flatMap(\.entityContainers) {
      let shortName = container.name.split(separator: ".").last ?? ""
      for set in container.entitySets { entitySets[ByteName("\(shortName).\(set.name)")] = set }
    }
    self.entitySets = entitySets
    singletons = Self.table(defaultContainer?.singletons ?? [], name: \.name)
    let declarations = Self.declarations(structuredTypes, enumTypes, typeDefinitions)
    self.declarations = declarations
    let structured = structuredTypes
    feedMapping = Self.feedMapping(schemas) { name, type in
      Self.property(ByteName(name), of: structured[ByteName(type.rawValue)], in: declarations)
    }
  }

  private static func table<Element>(
    _ elements: [Element], name: (Element) -> String
  ) -> [ByteName: Element] {
    Dictionary(elements.map { (ByteName(name($0)), $0) }) { first, _ in first }
  }

  private static func declarations(
    _ structuredTypes: [ByteName: ServiceMetadata.StructuredType],
    _ enumTypes: [ByteName: ServiceMetadata.EnumType],
    _ typeDefinitions: [ByteName: ServiceMetadata.TypeDefinition]
  ) -> [ByteName: [ByteName: DeclaredProperty]] {
    func declared(_ type: EdmType, isCollection: Bool) -> DeclaredProperty? {
      let name = ByteName(type.rawValue)
      let kind: DeclaredProperty.Kind
      switch type.rawValue {
      case "Edm.Stream": kind = .stream
      case "Edm.ComplexType": kind = .complex
      case "Edm.EntityType": kind = .entity
      default:
        if type.rawValue.utf8.starts(with: "Edm.".utf8) {
          kind = .primitive
        } else if let definition = typeDefinitions[name] {
          return DeclaredProperty(
            type: definition.underlyingType.name, kind: .primitive, isCollection: isCollection)
        } else if enumTypes[name] != nil {
          kind = .enumeration
        } else if let structured = structuredTypes[name] {
          kind = structured.kind == .entity ? .entity : .complex
        } else {
          // A type of another document: what kind of value it is, the payload has to show.
          return nil
        }
      }
      return DeclaredProperty(type: type, kind: kind, isCollection: isCollection)
    }
    return structuredTypes.mapValues { type in
      var properties: [ByteName: DeclaredProperty] = [:]
      for property in type.declaredProperties {
        properties[ByteName(property.name)] = declared(
          property.type.name, isCollection: property.type.isCollection)
      }
      for property in type.declaredNavigationProperties {
        properties[ByteName(property.name)] = DeclaredProperty(
          type: property.type, kind: .entity, isCollection: property.isCollection)
      }
      return properties
    }
  }

  /// What `table` has under a name, which may be written with an alias.
  private func find<Element>(_ name: String, in table: [ByteName: Element]) -> Element? {
    if let found = table[ByteName(name)] { return found }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      let namespace = aliases[ByteName(String(name[..<dot]))]
    else { return nil }
    return table[ByteName(namespace + name[dot...])]
  }

  func structuredType(_ name: String) -> ServiceMetadata.StructuredType? {
    find(name, in: structuredTypes)
  }

  func enumType(_ name: String) -> ServiceMetadata.EnumType? { find(name, in: enumTypes) }

  func typeDefinition(_ name: String) -> ServiceMetadata.TypeDefinition? { find(name, in: typeDefinitions) }

  func entitySet(_ name: String) -> ServiceMetadata.EntitySet? { entitySets[ByteName(name)] }

  func singleton(_ name: String) -> ServiceMetadata.Singleton? { singletons[ByteName(name)] }

  func property(_ name: String, of type: EdmType) -> DeclaredProperty? {
    Self.property(ByteName(name), of: structuredType(type.rawValue), in: declarations)
  }

  private static func property(
    _ name: ByteName, of type: ServiceMetadata.StructuredType?,
    in declarations: [ByteName: [ByteName: DeclaredProperty]]
  ) -> DeclaredProperty? {
    var next = type
    while let type = next {
      if let property = declarations[ByteName(type.type.rawValue)]?[name] { return property }
      next = type.base
    }
    return nil
  }
}
