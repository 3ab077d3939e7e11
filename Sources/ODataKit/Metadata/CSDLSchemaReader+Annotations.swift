// Annotations and the expressions in them: OData CSDL XML 4.01 § 14. `ValueAnnotation` and `TypeAnnotation` are what
// OData 3 calls them ([MS-CSDL] 2.1.35, 2.1.36).
extension CSDLSchemaReader {
  /// The annotations inside of an element, then its documentation and a vendor's attributes.
  func annotations(_ element: CSDLElement) throws(ODataError) -> [ServiceMetadata.Annotation] {
    var annotations: [ServiceMetadata.Annotation] = []
    for child in element.children {
      if let annotation = try annotation(child) { annotations.append(annotation) }
    }
    if let documentation = element.child("Documentation") {
      for (name, term) in [("Summary", "Description"), ("LongDescription", "LongDescription")] {
        let text = documentation.children.first { $0.name.utf8.elementsEqual(name.utf8) }?.trimmedText
        guard let text, !text.isEmpty else { continue }
        annotations.append(
          ServiceMetadata.Annotation(term: "Org.OData.Core.V1.\(term)", value: .text(text)))
      }
    }
    return annotations + element.vendorAnnotations
  }

  /// The annotation that an element is; `nil` for other elements.
  func annotation(_ element: CSDLElement) throws(ODataError) -> ServiceMetadata.Annotation? {
    if element.isCalled("Annotation") || element.isCalled("ValueAnnotation") {
      ServiceMetadata.Annotation(
        term: try element.required("Term"), qualifier: element["Qualifier"],
        value: try Self.value(of: element) ?? .boolean(true))
    } else if element.isCalled("TypeAnnotation") {
      ServiceMetadata.Annotation(
        term: try element.required("Term"), qualifier: element["Qualifier"],
        value: try Self.record(element))
    } else {
      nil
    }
  }

  /// The value that an element gives in an attribute or in an element inside; `nil` for none.
  private static func value(
    of element: CSDLElement
  ) throws(ODataError) -> ServiceMetadata.AnnotationValue? {
    for attribute in element.attributes {
      if let value = constant(attribute.name, attribute.value) { return value }
    }
    for child in element.children where !child.isCalled("Annotation") { return try expression(child) }
    return nil
  }

  private static func expression(
    _ element: CSDLElement
  ) throws(ODataError) -> ServiceMetadata.AnnotationValue {
    if element.isCalled("Null") { return .null }
    if element.isCalled("Record") { return try record(element) }
    if element.isCalled("Collection") {
      var values: [ServiceMetadata.AnnotationValue] = []
      for child in element.children where !child.isCalled("Annotation") {
        values.append(try expression(child))
      }
      return .collection(values)
    }
    return constant(element.name, element.trimmedText, whole: element.text)
      ?? .expression(element.name)
  }

  private static func record(
    _ element: CSDLElement
  ) throws(ODataError) -> ServiceMetadata.AnnotationValue {
    var members: [ServiceMetadata.PropertyValue] = []
    for child in element.children where child.isCalled("PropertyValue") {
      members.append(
        ServiceMetadata.PropertyValue(
          name: try child.required("Property"), value: try value(of: child) ?? .boolean(true)))
    }
    let type = element.isCalled("Record") ? element["Type"].map(EdmType.init(rawValue:)) : nil
    return .record(type: type, members)
  }

  /// A constant or a path by the name of its attribute or element (OData CSDL XML 4.01 §§ 14.3, 14.4.1).
  private static func constant(
    _ kind: String, _ text: String, whole: [UInt8]? = nil
  ) -> ServiceMetadata.AnnotationValue? {
    switch kind {
    case "String": .text(whole.map { String(decoding: $0, as: UTF8.self) } ?? text)
    case "Bool": .boolean(text.lowercased() == "true" || text == "1")
    case "Int", "Decimal", "Float": ["INF", "-INF", "NaN"].contains(text) ? .text(text) : .number(text)
    case "Binary", "Date", "DateTimeOffset", "DateTime", "Time", "Duration", "Guid", "TimeOfDay",
      "AnnotationPath", "ModelElementPath", "NavigationPropertyPath", "PropertyPath":
      .text(text)
    // The names alone, as JSON has them: `Sample.Access/Read Sample.Access/Write` becomes `Read,Write`.
    case "EnumMember":
      .text(
        text.split(separator: " ").map { $0.split(separator: "/").last ?? $0 }.joined(separator: ","))
    case "Path": .path(text)
    default: nil
    }
  }
}

extension CSDLElement {
  /// The attributes of other namespaces, as annotations.
  var vendorAnnotations: [ServiceMetadata.Annotation] {
    attributes.compactMap { attribute in
      guard attribute.name.utf8.contains(UInt8(ascii: "/")) else { return nil }
      return ServiceMetadata.Annotation(term: attribute.name, value: .text(attribute.value))
    }
  }
}
