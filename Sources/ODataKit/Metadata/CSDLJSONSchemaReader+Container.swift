// Operations, containers and annotations: OData CSDL JSON 4.01 §§ 12 to 14.
extension CSDLJSONSchemaReader {
  /// Takes one overload of an action or function.
  mutating func operation(_ name: String, _ value: JSONTree) throws(ODataError) {
    let place = "\(draft.schema.namespace).\(name)"
    let kind: ServiceMetadata.Operation.Kind
    switch value["$Kind"]?.string {
    case "Action": kind = .action
    case "Function": kind = .function
    default: return
    }
    var operation = ServiceMetadata.Operation(kind, name: place)
    operation.isBound = flag(value, "$IsBound", at: place)
    operation.isComposable = flag(value, "$IsComposable", at: place)
    operation.entitySetPath = value["$EntitySetPath"]?.string
    for item in value["$Parameter"]?.elements ?? [] {
      guard let name = item["$Name"]?.string else {
        throw unreadableMetadata(place, "a parameter has no $Name")
      }
      operation.parameters.append(
        ServiceMetadata.Operation.Parameter(
          name: name, type: typeReference(item, at: "\(place)/\(name)"), annotations: annotations(of: item)))
    }
    if let result = value["$ReturnType"] {
      operation.returnType = typeReference(result, at: "\(place)/$ReturnType")
    }
    operation.annotations = annotations(of: value)
    switch kind {
    case .action: draft.schema.actions.append(operation)
    case .function: draft.schema.functions.append(operation)
    }
  }

  mutating func container(
    _ name: String, _ value: JSONTree
  ) throws(ODataError) -> ServiceMetadata.EntityContainer {
    var container = ServiceMetadata.EntityContainer(name: name)
    container.extends = value["$Extends"]?.string
    for member in value.members where !member.name.isCSDLKeyword && !member.name.utf8.contains(Self.at) {
      let (child, place) = (member.value, "\(name)/\(member.name)")
      if let action = child["$Action"]?.string {
        container.actionImports.append(operationImport(.action, action, member.name, child, at: place))
      } else if let function = child["$Function"]?.string {
        container.functionImports.append(operationImport(.function, function, member.name, child, at: place))
      } else if let type = child["$Type"]?.string {
        // A set is a collection; what is none is a singleton (§§ 13.2, 13.3).
        if flag(child, "$Collection", at: place) {
          var set = ServiceMetadata.EntitySet(name: member.name, entityType: EdmType(rawValue: type))
          set.navigationPropertyBindings = bindings(child)
          if child["$IncludeInServiceDocument"] != nil {
            set.isInServiceDocument = flag(child, "$IncludeInServiceDocument", at: place)
          }
          set.annotations = annotations(of: child)
          container.entitySets.append(set)
        } else {
          var singleton = ServiceMetadata.Singleton(name: member.name, type: EdmType(rawValue: type))
          singleton.isNullable = flag(child, "$Nullable", at: place)
          singleton.navigationPropertyBindings = bindings(child)
          singleton.annotations = annotations(of: child)
          container.singletons.append(singleton)
        }
      } else {
        throw unreadableMetadata(place, "it has neither $Type, $Action nor $Function")
      }
    }
    container.annotations = annotations(of: value)
    return container
  }

  private mutating func operationImport(
    _ kind: ServiceMetadata.Operation.Kind, _ operation: String, _ name: String, _ value: JSONTree,
    at place: String
  ) -> ServiceMetadata.OperationImport {
    var entry = ServiceMetadata.OperationImport(name: name, kind: kind)
    entry.operation = operation
    entry.entitySet = value["$EntitySet"]?.string
    entry.isInServiceDocument = flag(value, "$IncludeInServiceDocument", at: place)
    entry.annotations = annotations(of: value)
    return entry
  }

  private func bindings(_ value: JSONTree) -> [ServiceMetadata.NavigationPropertyBinding] {
    (value["$NavigationPropertyBinding"]?.members ?? []).compactMap { member in
      member.value.string.map {
        ServiceMetadata.NavigationPropertyBinding(path: member.name, target: $0)
      }
    }
  }

  /// The annotations among the members of an object.
  func annotations(of value: JSONTree) -> [ServiceMetadata.Annotation] {
    value.members.compactMap { $0.name.isAnnotationName ? annotation($0.name, $0.value) : nil }
  }

  /// The annotation `@Term` or `@Term#Qualifier`; `nil` for one of another annotation, which has a second `@`.
  func annotation(_ name: String, _ value: JSONTree) -> ServiceMetadata.Annotation? {
    let name = name.dropFirst()
    guard !name.utf8.contains(Self.at) else { return nil }
    let parts = name.split(separator: "#", maxSplits: 1)
    guard let term = parts.first else { return nil }
    return ServiceMetadata.Annotation(
      term: String(term), qualifier: parts.count > 1 ? String(parts[1]) : nil,
      value: Self.annotationValue(value))
  }

  private static func annotationValue(_ value: JSONTree) -> ServiceMetadata.AnnotationValue {
    switch value {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .number(let text): return .number(text)
    case .string(let text): return .text(text)
    case .array(let elements): return .collection(elements.map(annotationValue))
    case .object(let members):
      if let path = value["$Path"]?.string { return .path(path) }
      if let expression = members.first(where: { $0.name.isCSDLKeyword && !$0.name.spells("$Type") }) {
        return .expression(String(expression.name.dropFirst()))
      }
      let type = (value["@type"] ?? value["@odata.type"])?.string.map { text in
        // The type of a record is a URL whose fragment is the name (OData CSDL JSON 4.01 § 14.4.12).
        EdmType(rawValue: text.split(separator: "#").last.map(String.init) ?? text)
      }
      return .record(
        type: type,
        members.filter { !$0.name.utf8.contains(at) }
          .map { ServiceMetadata.PropertyValue(name: $0.name, value: annotationValue($0.value)) })
    }
  }
}
