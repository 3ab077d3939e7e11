/// Takes the events of a metadata document in XML and interprets each child of a schema as soon as it is complete, so
/// that never more than one is held as elements.
///
/// Elements outside of the schema's own namespace are a vendor's, and passed over with everything inside.
final class CSDLXMLReader: XMLEventHandler {
  private enum Place { case document, edmx, dataServices, reference, schema, schemaChild }

  private var draft = MetadataDraft()
  private var place = Place.document
  private var schema: CSDLSchemaReader?
  private var schemaNamespace: UnsafePointer<UInt8>?
  /// The elements that are open below the schema, outermost first.
  private var open: [CSDLElement] = []
  /// Levels of elements that are passed over.
  private var passedOver = 0

  func startElement(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) throws(ODataError)
  {
    guard passedOver == 0 else {
      passedOver += 1
      return
    }
    switch place {
    case .document: try startDocument(name, attributes, at: position)
    case .edmx:
      if name.isCalled("DataServices") {
        // The lower of the two is what reading the document takes, the higher what the service speaks.
        let element = CSDLElement(name, attributes, at: position)
        draft.version = element["m:MaxDataServiceVersion"] ?? element["m:DataServiceVersion"] ?? draft.version
        place = .dataServices
      } else if name.isCalled("Reference") {
        let element = CSDLElement(name, attributes, at: position)
        draft.references.append(
          ServiceMetadata.Reference(uri: element["Uri"] ?? element["Url"] ?? ""))
        place = .reference
      } else {
        passedOver = 1
      }
    case .reference:
      if name.isCalled("Include") {
        let element = CSDLElement(name, attributes, at: position)
        let include = ServiceMetadata.Reference.Include(
          namespace: try element.required("Namespace"), alias: element["Alias"])
        draft.references[draft.references.count - 1].includes.append(include)
      }
      passedOver = 1
    case .dataServices:
      if name.isCalled("Schema") {
        try startSchema(name, attributes, at: position)
      } else {
        passedOver = 1
      }
    case .schema, .schemaChild:
      guard name.namespace == schemaNamespace else {
        passedOver = 1
        return
      }
      if let last = open.indices.last { open[last].text = [] }
      open.append(CSDLElement(name, attributes, at: position))
      place = .schemaChild
    }
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard passedOver == 0, place == .schemaChild, let last = open.indices.last else { return }
    if open[last].children.isEmpty { open[last].text.append(contentsOf: bytes) }
  }

  func endElement(at position: XMLPosition) throws(ODataError) {
    guard passedOver == 0 else {
      passedOver -= 1
      return
    }
    switch place {
    case .document, .edmx: place = .document
    case .dataServices, .reference: place = .edmx
    case .schema:
      if let schema {
        draft.schemas.append(schema.draft)
        draft.remarks += schema.remarks
      }
      schema = nil
      place = .dataServices
    case .schemaChild:
      let element = open.removeLast()
      if let parent = open.indices.last {
        open[parent].children.append(element)
      } else {
        try schema?.read(element)
        place = .schema
      }
    }
  }

  /// What was read. The parser has made sure that the document is complete.
  func finish() throws(ODataError) -> MetadataDraft {
    guard !draft.schemas.isEmpty else {
      throw ODataError(.malformedPayload, "The metadata has no schema, so it says nothing of the service.")
    }
    return draft
  }

  private func startDocument(
    _ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    if name.isCalled("Edmx") {
      // `1.0` is the version of EDMX itself, which says nothing of the service; see the attribute of DataServices.
      let version = CSDLElement(name, attributes, at: position)["Version"]
      draft.version = version == "1.0" ? nil : version
      place = .edmx
    } else if name.isCalled("Schema") {
      try startSchema(name, attributes, at: position)
    } else {
      throw Self.foreignRoot(name)
    }
  }

  private func startSchema(
    _ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition
  ) throws(ODataError) {
    let element = CSDLElement(name, attributes, at: position)
    schemaNamespace = name.namespace
    if draft.version == nil { draft.version = Self.version(of: name) }
    schema = try CSDLSchemaReader(element)
    place = .schema
  }

  /// The protocol version that a namespace of CSDL came with ([MS-CSDL] 1.1), for documents that do not name it.
  private static func version(of schema: XMLName) -> String {
    if schema.isIn("http://docs.oasis-open.org/odata/ns/edm") { return "4.0" }
    if schema.isIn("http://schemas.microsoft.com/ado/2009/11/edm") { return "3.0" }
    return "2.0"
  }

  private static func foreignRoot(_ name: XMLName) -> ODataError {
    let root = String(cString: name.local).prefix(64)
    let what =
      switch root.lowercased() {
      case "html": "is an HTML page"
      case "error": "is an error message of the service"
      case "service": "is a service document, which stands at the root of a service"
      case "feed", "entry": "holds entities"
      default: "begins with the element \(root)"
      }
    return ODataError(
      .malformedPayload, "The body \(what), not its metadata; check the address of the service.")
  }
}
