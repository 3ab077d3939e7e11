/// Makes the declarations of one schema out of CSDL JSON: OData CSDL JSON 4.01 § 5.
struct CSDLJSONSchemaReader {
  var draft: SchemaDraft
  var remarks: [String] = []

  init(namespace: String) { draft = SchemaDraft(schema: ServiceMetadata.Schema(namespace: namespace)) }

  /// Takes one member of the schema object.
  mutating func read(_ name: String, _ value: JSONTree) throws(ODataError) {
    if name.isAnnotationName {
      if let annotation = annotation(name, value) { draft.schema.annotations.append(annotation) }
    } else if name.spells("$Alias") {
      draft.schema.alias = value.string
    } else if name.spells("$Annotations") {
      for target in value.members {
        draft.targetedAnnotations.append(
          SchemaDraft.TargetedAnnotations(
            target: target.name, annotations: annotations(of: target.value)))
      }
    } else if case .array(let overloads) = value {
      for overload in overloads { try operation(name, overload) }
    } else {
      try declaration(name, value)
    }
  }

  private mutating func declaration(_ name: String, _ value: JSONTree) throws(ODataError) {
    let qualified = "\(draft.schema.namespace).\(name)"
    let type = EdmType(rawValue: qualified)
    switch value["$Kind"]?.string {
    case "EntityType": draft.schema.entityTypes.append(try structuredType(.entity, type, value))
    case "ComplexType": draft.schema.complexTypes.append(try structuredType(.complex, type, value))
    case "EnumType": draft.schema.enumTypes.append(try enumType(type, value))
    case "TypeDefinition":
      guard value["$UnderlyingType"]?.string != nil else {
        throw unreadableMetadata(qualified, "it has no $UnderlyingType")
      }
      var underlying = typeReference(value, at: qualified, type: "$UnderlyingType")
      underlying.isNullable = true
      draft.schema.typeDefinitions.append(
        ServiceMetadata.TypeDefinition(
          type: type, underlyingType: underlying, annotations: annotations(of: value)))
    case "EntityContainer": draft.schema.entityContainers.append(try container(qualified, value))
    // Terms say nothing of the service's data, and a later version may have more kinds.
    default: break
    }
  }

  // MARK: Types

  private mutating func structuredType(
    _ kind: ServiceMetadata.StructuredType.Kind, _ name: EdmType, _ value: JSONTree
  ) throws(ODataError) -> ServiceMetadata.StructuredType {
    var type = ServiceMetadata.StructuredType(kind, type: name)
    type.baseType = value["$BaseType"]?.string.map(EdmType.init(rawValue:))
    type.isAbstract = flag(value, "$Abstract", at: name.rawValue)
    type.declaresOpen = flag(value, "$OpenType", at: name.rawValue)
    type.declaresStream = flag(value, "$HasStream", at: name.rawValue)
    for item in value["$Key"]?.elements ?? [] {
      switch item {
      case .string(let path): type.declaredKey.append(ServiceMetadata.KeyProperty(path: path))
      case .object(let members) where members.count == 1:
        guard let path = members[0].value.string else { fallthrough }
        type.declaredKey.append(ServiceMetadata.KeyProperty(path: path, alias: members[0].name))
      default:
        throw unreadableMetadata("\(name)/$Key", "an item is neither a name nor an alias with its path")
      }
    }
    for member in value.members where !member.name.isCSDLKeyword && !member.name.utf8.contains(Self.at) {
      let place = "\(name)/\(member.name)"
      guard case .object = member.value else {
        throw unreadableMetadata(place, "a property is an object")
      }
      if member.value["$Kind"]?.string == "NavigationProperty" {
        type.declaredNavigationProperties.append(
          try navigationProperty(member.name, member.value, at: place))
      } else {
        type.declaredProperties.append(
          ServiceMetadata.Property(
            name: member.name, type: typeReference(member.value, at: place),
            defaultValue: member.value["$DefaultValue"]?.lexical, annotations: annotations(of: member.value)))
      }
    }
    type.annotations = annotations(of: value)
    return type
  }

  private mutating func navigationProperty(
    _ name: String, _ value: JSONTree, at place: String
  ) throws(ODataError) -> ServiceMetadata.NavigationProperty {
    guard let type = value["$Type"]?.string else { throw unreadableMetadata(place, "it has no $Type") }
    var property = ServiceMetadata.NavigationProperty(name: name, type: EdmType(rawValue: type))
    property.isCollection = flag(value, "$Collection", at: place)
    property.isNullable = property.isCollection ? false : flag(value, "$Nullable", at: place)
    property.partner = value["$Partner"]?.string
    property.containsTarget = flag(value, "$ContainsTarget", at: place)
    for member in value["$ReferentialConstraint"]?.members ?? [] {
      guard !member.name.utf8.contains(Self.at), let referenced = member.value.string else { continue }
      property.referentialConstraints.append(
        ServiceMetadata.NavigationProperty.ReferentialConstraint(
          property: member.name, referencedProperty: referenced))
    }
    property.onDelete = value["$OnDelete"]?.string
    property.annotations = annotations(of: value)
    return property
  }

  private mutating func enumType(
    _ name: EdmType, _ value: JSONTree
  ) throws(ODataError) -> ServiceMetadata.EnumType {
    var type = ServiceMetadata.EnumType(type: name)
    if let underlying = value["$UnderlyingType"]?.string {
      type.underlyingType = EdmType(rawValue: underlying)
    }
    type.isFlags = flag(value, "$IsFlags", at: name.rawValue)
    var positions: [ByteName: Int] = [:]
    for member in value.members where !member.name.isCSDLKeyword && !member.name.isAnnotationName {
      guard !member.name.utf8.contains(Self.at) else { continue }
      // With `IEEE754Compatible=true` numbers of 64 bits stand in quotes.
      guard let number = member.value.lexical.flatMap({ Int64($0) }) else {
        throw unreadableMetadata("\(name)/\(member.name)", "its value is no 64-bit integer")
      }
      positions[ByteName(member.name)] = type.members.count
      type.members.append(ServiceMetadata.EnumType.Member(name: member.name, value: number))
    }
    // A member is a number here, so its annotations stand beside it: `Read@Core.Description`.
    for member in value.members where !member.name.isAnnotationName {
      guard let at = member.name.utf8.firstIndex(of: Self.at),
        let position = positions[ByteName(String(member.name[..<at]))],
        let annotation = annotation(String(member.name[at...]), member.value)
      else { continue }
      type.members[position].annotations.append(annotation)
    }
    type.annotations = annotations(of: value)
    return type
  }

  // MARK: What several kinds have in common

  static let at = UInt8(ascii: "@")

  mutating func typeReference(
    _ value: JSONTree, at place: String, type: StaticString = "$Type"
  ) -> ServiceMetadata.TypeReference {
    // No type means a string (OData CSDL JSON 4.01 § 7.1), and nothing is nullable that does not say so (§ 7.2).
    var reference = ServiceMetadata.TypeReference(
      value[type]?.string.map(EdmType.init(rawValue:)) ?? .string,
      isCollection: flag(value, "$Collection", at: place), isNullable: flag(value, "$Nullable", at: place))
    if value["$MaxLength"]?.string?.lowercased() == "max" {
      reference.maxLength = .max
    } else {
      reference.maxLength = number(value, "$MaxLength", at: place).map { .units($0) }
    }
    reference.precision = number(value, "$Precision", at: place)
    switch value["$Scale"]?.string {
    case "variable": reference.scale = .variable
    case "floating": reference.scale = .floating
    default: reference.scale = number(value, "$Scale", at: place).map { .digits($0) }
    }
    if value["$Unicode"] != nil { reference.isUnicode = flag(value, "$Unicode", at: place) }
    if value["$SRID"]?.string == "variable" {
      reference.srid = .variable
    } else {
      reference.srid = number(value, "$SRID", at: place).map { .number($0) }
    }
    return reference
  }

  /// The truth of a member; false where it is not there.
  mutating func flag(_ value: JSONTree, _ name: StaticString, at place: String) -> Bool {
    switch value[name] {
    case nil: return false
    case .boolean(let flag): return flag
    default:
      remarks.append("\(name) is neither true nor false and was passed over (\(place)).")
      return false
    }
  }

  private mutating func number(_ value: JSONTree, _ name: StaticString, at place: String) -> Int? {
    guard let member = value[name] else { return nil }
    guard let number = member.lexical.flatMap({ Int($0) }), number >= 0 else {
      remarks.append("\(name) is no number and was passed over (\(place)).")
      return nil
    }
    return number
  }
}
