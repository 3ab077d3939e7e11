/// What a service says about itself under `$metadata`: its types, its entity sets and its operations.
///
/// All generations of CSDL are read into this one model: the EDMX of OData 1 to 3 with its associations, the XML of
/// OData 4.0 and 4.01, and the JSON of 4.01.
///
/// ```swift
/// let metadata = try await service.loadMetadata()
/// for property in metadata.entityType(ofSet: "Books")?.properties ?? [] { print(property.name, property.type) }
/// ```
///
/// Names of types are qualified with the namespace of their schema; what a document writes with an alias comes out
/// with the namespace (OData CSDL XML 4.01 § 5.1). A name that no schema of the document declares stays as it is:
/// it may belong to a document that is referenced, and none of those is ever fetched. Names compare byte for byte.
public struct ServiceMetadata: Sendable, Equatable {
  let model: MetadataModel

  /// Reads a metadata document, in XML or in JSON, whichever it is.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` where it is neither or breaks a rule that leaves no meaning (an element
  /// without its name, types that inherit from each other in a circle), with the line and the element, and
  /// ``ODataError/Code/payloadTooLarge`` where a limit is exceeded. What is wrong in a lesser way is passed over and
  /// told in ``remarks``.
  public init(reading bytes: [UInt8], limits: PayloadLimits = PayloadLimits()) throws(ODataError) {
    let reader = MetadataReader(limits: limits)
    try reader.read(bytes)
    self = try reader.finish()
  }

  init(model: MetadataModel) { self.model = model }

  /// The version of the protocol: `1.0`, `2.0`, `3.0`, `4.0` or `4.01`, as the document says.
  public var version: String { model.version }
  /// The protocol generation that ``version`` belongs to.
  public var dialect: Dialect { model.dialect }
  /// Documents that this one builds on; they are not fetched.
  public var references: [Reference] { model.references }
  /// The schemas in the order of the document.
  public var schemas: [Schema] { model.schemas }
  /// The entity container that requests are made to: the default one (`m:IsDefaultEntityContainer`) where there are
  /// several; `nil` in a document that holds types only.
  public var entityContainer: EntityContainer? { model.defaultContainer }
  /// What the document says wrongly or twice and was read all the same, in full sentences; empty for a sound one.
  public var remarks: [String] { model.remarks }

  /// Same version, references, schemas and default container.
  public static func == (a: Self, b: Self) -> Bool {
    a.model === b.model
      || (a.version == b.version && a.references == b.references && a.schemas == b.schemas
        && a.entityContainer == b.entityContainer)
  }
}

extension ServiceMetadata {
  /// The namespaces, types and operations of one `Schema` element (OData CSDL XML 4.01 § 5; [MS-CSDL] 2.1.2).
  public struct Schema: Sendable, Equatable {
    /// The namespace that its names are qualified with.
    public internal(set) var namespace: String
    /// A short word that may stand for the namespace within the document.
    public internal(set) var alias: String?
    /// The entity types.
    public internal(set) var entityTypes: [StructuredType] = []
    /// The complex types.
    public internal(set) var complexTypes: [StructuredType] = []
    /// The enumeration types.
    public internal(set) var enumTypes: [EnumType] = []
    /// The type definitions.
    public internal(set) var typeDefinitions: [TypeDefinition] = []
    /// The actions, each overload by itself.
    public internal(set) var actions: [Operation] = []
    /// The functions, each overload by itself.
    public internal(set) var functions: [Operation] = []
    /// The entity containers; OData 4 has one in the whole document.
    public internal(set) var entityContainers: [EntityContainer] = []
    /// Annotations of the schema itself.
    public internal(set) var annotations: [Annotation] = []

    init(namespace: String) { self.namespace = namespace }
  }

  /// A document that the metadata refers to (OData CSDL XML 4.01 § 4.1). It is never fetched.
  public struct Reference: Sendable, Hashable {
    /// Where the document is, as it stands there.
    public internal(set) var uri: String
    /// The schemas of it that this document uses.
    public internal(set) var includes: [Include] = []

    /// A schema of a referenced document (OData CSDL XML 4.01 § 4.2).
    public struct Include: Sendable, Hashable {
      /// The namespace.
      public internal(set) var namespace: String
      /// The word that stands for it in this document.
      public internal(set) var alias: String?
    }
  }
}
