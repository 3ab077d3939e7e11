/// Makes the declarations of one schema out of the elements of CSDL in XML: OData CSDL XML 4.01 § 5, [MS-CSDL] 2.1.2.
struct CSDLSchemaReader {
  var draft: SchemaDraft
  var remarks: [String] = []

  init(_ element: CSDLElement) throws(ODataError) {
    // Nothing can be named without a namespace, so a schema without one is a document of something else.
    var schema = ServiceMetadata.Schema(namespace: try element.required("Namespace"))
    schema.alias = element["Alias"]
    schema.annotations = element.vendorAnnotations
    draft = SchemaDraft(schema: schema)
  }

  private var namespace: String { draft.schema.namespace }

  private func qualified(_ name: String) -> String { "\(namespace).\(name)" }

  /// Takes one child of the schema.
  mutating func read(_ element: CSDLElement) throws(ODataError) {
    if element.isCalled("EntityType") {
      draft.schema.entityTypes.append(try structuredType(.entity, element))
    } else if element.isCalled("ComplexType") {
      draft.schema.complexTypes.append(try structuredType(.complex, element))
    } else if element.isCalled("EnumType") {
      draft.schema.enumTypes.append(try enumType(element))
    } else if element.isCalled("TypeDefinition") {
      var underlying = try typeReference(element, attribute: "UnderlyingType")
      underlying.isNullable = true
      draft.schema.typeDefinitions.append(
        ServiceMetadata.TypeDefinition(
          type: EdmType(rawValue: qualified(try element.required("Name"))), underlyingType: underlying,
          annotations: try annotations(element)))
    } else if element.isCalled("Association") {
      draft.associations.append(try association(element))
    } else if element.isCalled("Function") {
      draft.schema.functions.append(try operation(.function, element))
    } else if element.isCalled("Action") {
      draft.schema.actions.append(try operation(.action, element))
    } else if element.isCalled("EntityContainer") {
      draft.schema.entityContainers.append(try container(element))
    } else if element.isCalled("Using") {
      draft.usings.append(
        ServiceMetadata.Reference.Include(
          namespace: try element.required("Namespace"), alias: element["Alias"]))
    } else if element.isCalled("Annotations") {
      var annotations = try annotations(element)
      let qualifier = element["Qualifier"]
      for index in annotations.indices where annotations[index].qualifier == nil {
        annotations[index].qualifier = qualifier
      }
      draft.targetedAnnotations.append(
        SchemaDraft.TargetedAnnotations(
          target: try element.required("Target"), annotations: annotations))
    } else if let annotation = try annotation(element) {
      draft.schema.annotations.append(annotation)
    }
  }

  // MARK: Types

  private mutating func structuredType(
    _ kind: ServiceMetadata.StructuredType.Kind, _ element: CSDLElement
  ) throws(ODataError) -> ServiceMetadata.StructuredType {
    var type = ServiceMetadata.StructuredType(
      kind, type: EdmType(rawValue: qualified(try element.required("Name"))))
    type.baseType = element["BaseType"].map(EdmType.init(rawValue:))
    type.isAbstract = flag(element, "Abstract") ?? false
    type.declaresOpen = flag(element, "OpenType") ?? false
    type.declaresStream = flag(element, "HasStream") ?? flag(element, "m:HasStream") ?? false
    for child in element.children {
      if child.isCalled("Property") {
        type.declaredProperties.append(try property(child))
      } else if child.isCalled("NavigationProperty") {
        type.declaredNavigationProperties.append(try navigationProperty(child))
      } else if child.isCalled("Key") {
        for reference in child.children where reference.isCalled("PropertyRef") {
          type.declaredKey.append(
            ServiceMetadata.KeyProperty(path: try reference.required("Name"), alias: reference["Alias"]))
        }
      }
    }
    type.typeFeedMappings = feedMappings(element, of: nil)
    type.annotations = try annotations(element)
    return type
  }

  private mutating func property(_ element: CSDLElement) throws(ODataError) -> ServiceMetadata.Property {
    let name = try element.required("Name")
    return ServiceMetadata.Property(
      name: name, type: try typeReference(element), defaultValue: element["DefaultValue"],
      isConcurrencyToken: element["ConcurrencyMode"].map { $0.spells("Fixed") } ?? false,
      feedMappings: feedMappings(element, of: name), annotations: try annotations(element))
  }

  private mutating func navigationProperty(
    _ element: CSDLElement
  ) throws(ODataError) -> ServiceMetadata.NavigationProperty {
    let name = try element.required("Name")
    var property: ServiceMetadata.NavigationProperty
    if let relationship = element["Relationship"] {
      property = ServiceMetadata.NavigationProperty(name: name, type: EdmType(rawValue: "Edm.EntityType"))
      property.association = ServiceMetadata.NavigationProperty.AssociationEnd(
        name: relationship, fromRole: try element.required("FromRole"),
        toRole: try element.required("ToRole"))
    } else {
      let type = Self.elementType(try element.required("Type"))
      property = ServiceMetadata.NavigationProperty(name: name, type: EdmType(rawValue: type.name))
      property.isCollection = type.isCollection
      property.isNullable = type.isCollection ? false : flag(element, "Nullable") ?? true
    }
    property.partner = element["Partner"]
    property.containsTarget = flag(element, "ContainsTarget") ?? false
    for child in element.children {
      if child.isCalled("ReferentialConstraint") {
        property.referentialConstraints.append(
          ServiceMetadata.NavigationProperty.ReferentialConstraint(
            property: try child.required("Property"),
            referencedProperty: try child.required("ReferencedProperty")))
      } else if child.isCalled("OnDelete") {
        property.onDelete = child["Action"]
      }
    }
    property.annotations = try annotations(element)
    return property
  }

  private mutating func enumType(_ element: CSDLElement) throws(ODataError) -> ServiceMetadata.EnumType {
    var type = ServiceMetadata.EnumType(type: EdmType(rawValue: qualified(try element.required("Name"))))
    if let underlying = element["UnderlyingType"] { type.underlyingType = EdmType(rawValue: underlying) }
    type.isFlags = flag(element, "IsFlags") ?? false
    for child in element.children where child.isCalled("Member") {
      let value: Int64
      if let text = child["Value"] {
        guard let number = Int64(text) else { throw child.malformed("its Value is no 64-bit integer") }
        value = number
      } else {
        let (next, overflow) = (type.members.last?.value ?? -1).addingReportingOverflow(1)
        guard !overflow else { throw child.malformed("its value would exceed 64 bits") }
        value = next
      }
      type.members.append(
        ServiceMetadata.EnumType.Member(
          name: try child.required("Name"), value: value, annotations: try annotations(child)))
    }
    type.annotations = try annotations(element)
    return type
  }

  private func association(_ element: CSDLElement) throws(ODataError) -> AssociationDraft {
    var association = AssociationDraft(name: qualified(try element.required("Name")))
    for child in element.children {
      if child.isCalled("End") {
        let type = try child.required("Type")
        association.ends.append(
          AssociationDraft.End(
            // Without a role the end has the name of its type ([MS-CSDL] 2.1.20).
            role: child["Role"] ?? String(type.split(separator: ".").last ?? ""),
            type: EdmType(rawValue: type),
            multiplicity: child["Multiplicity"] ?? "*", onDelete: child.child("OnDelete")?["Action"]))
      } else if child.isCalled("ReferentialConstraint"), let principal = child.child("Principal"),
        let dependent = child.child("Dependent")
      {
        association.constraint = AssociationDraft.Constraint(
          dependentRole: try dependent.required("Role"),
          dependent: dependent.children.compactMap { $0["Name"] },
          principal: principal.children.compactMap { $0["Name"] })
      }
    }
    return association
  }
}
