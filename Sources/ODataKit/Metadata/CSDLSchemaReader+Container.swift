// Entity containers and operations: OData CSDL XML 4.01 §§ 12, 13; [MS-CSDL] 2.1.13 to 2.1.18.
extension CSDLSchemaReader {
  mutating func container(_ element: CSDLElement) throws(ODataError) -> ServiceMetadata.EntityContainer {
    let name = "\(draft.schema.namespace).\(try element.required("Name"))"
    var container = ServiceMetadata.EntityContainer(name: name)
    container.extends = element["Extends"]
    container.isDefault = flag(element, "m:IsDefaultEntityContainer") ?? false
    for child in element.children {
      if child.isCalled("EntitySet") {
        var set = ServiceMetadata.EntitySet(
          name: try child.required("Name"), entityType: EdmType(rawValue: try child.required("EntityType")))
        set.navigationPropertyBindings = try bindings(child)
        set.isInServiceDocument = flag(child, "IncludeInServiceDocument") ?? true
        set.annotations = try annotations(child)
        container.entitySets.append(set)
      } else if child.isCalled("Singleton") {
        var singleton = ServiceMetadata.Singleton(
          name: try child.required("Name"), type: EdmType(rawValue: try child.required("Type")))
        singleton.isNullable = flag(child, "Nullable") ?? false
        singleton.navigationPropertyBindings = try bindings(child)
        singleton.annotations = try annotations(child)
        container.singletons.append(singleton)
      } else if child.isCalled("FunctionImport") {
        container.functionImports.append(
          child["Function"] == nil
            ? try serviceOperation(child) : try operationImport(.function, child, attribute: "Function"))
      } else if child.isCalled("ActionImport") {
        container.actionImports.append(try operationImport(.action, child, attribute: "Action"))
      } else if child.isCalled("AssociationSet") {
        draft.associationSets.append(try associationSet(child, in: name))
      }
    }
    container.annotations = try annotations(element)
    return container
  }

  private func bindings(
    _ element: CSDLElement
  ) throws(ODataError) -> [ServiceMetadata.NavigationPropertyBinding] {
    var bindings: [ServiceMetadata.NavigationPropertyBinding] = []
    for child in element.children where child.isCalled("NavigationPropertyBinding") {
      bindings.append(
        ServiceMetadata.NavigationPropertyBinding(
          path: try child.required("Path"), target: try child.required("Target")))
    }
    return bindings
  }

  private mutating func operationImport(
    _ kind: ServiceMetadata.Operation.Kind, _ element: CSDLElement, attribute: StaticString
  ) throws(ODataError) -> ServiceMetadata.OperationImport {
    var entry = ServiceMetadata.OperationImport(name: try element.required("Name"), kind: kind)
    entry.operation = try element.required(attribute)
    entry.entitySet = element["EntitySet"]
    entry.isInServiceDocument = flag(element, "IncludeInServiceDocument") ?? false
    entry.annotations = try annotations(element)
    return entry
  }

  /// A function import of OData 1 to 3, which declares what it calls on the spot.
  private mutating func serviceOperation(
    _ element: CSDLElement
  ) throws(ODataError) -> ServiceMetadata.OperationImport {
    let method = element["m:HttpMethod"]
    // OData 3 has no verb but says whether there are side effects, and there are if nothing is said.
    let isFunction = method.map { $0.uppercased() == "GET" } ?? (flag(element, "IsSideEffecting") == false)
    var operation = try operation(isFunction ? .function : .action, element)
    operation.name = try element.required("Name")
    operation.isBound = flag(element, "IsBindable") ?? false
    var entry = ServiceMetadata.OperationImport(name: operation.name, kind: operation.kind)
    if let method { entry.httpMethod = HTTPMethod(rawValue: method) }
    entry.entitySet = element["EntitySet"] ?? element.child("ReturnType")?["EntitySet"]
    entry.annotations = operation.annotations
    operation.annotations = []
    entry.overloads = [operation]
    return entry
  }

  mutating func operation(
    _ kind: ServiceMetadata.Operation.Kind, _ element: CSDLElement
  ) throws(ODataError) -> ServiceMetadata.Operation {
    var operation = ServiceMetadata.Operation(
      kind, name: "\(draft.schema.namespace).\(try element.required("Name"))")
    operation.isBound = flag(element, "IsBound") ?? false
    operation.isComposable = flag(element, "IsComposable") ?? false
    operation.entitySetPath = element["EntitySetPath"]
    for child in element.children where child.isCalled("Parameter") {
      // The type of a parameter of [MS-CSDL] may be a row or a reference, which no OData service has.
      guard child["Type"] != nil else {
        remarks.append("A parameter without a type was passed over (\(child.place)).")
        continue
      }
      operation.parameters.append(
        ServiceMetadata.Operation.Parameter(
          name: try child.required("Name"), type: try typeReference(child),
          annotations: try annotations(child)))
    }
    if let result = element.child("ReturnType"), result["Type"] != nil {
      operation.returnType = try typeReference(result)
    } else if let name = element["ReturnType"] {
      operation.returnType = facets(element, of: Self.elementType(name))
    }
    operation.annotations = try annotations(element)
    return operation
  }

  private func associationSet(
    _ element: CSDLElement, in container: String
  ) throws(ODataError) -> AssociationSetDraft {
    var set = AssociationSetDraft(container: container, association: try element.required("Association"))
    for child in element.children where child.isCalled("End") {
      set.ends.append(
        AssociationSetDraft.End(role: child["Role"], entitySet: try child.required("EntitySet")))
    }
    return set
  }
}
