extension ServiceMetadata {
  /// What requests can be made to: sets, singletons and imported operations (OData CSDL XML 4.01 § 13; [MS-CSDL] 2.1.13).
  public struct EntityContainer: Sendable, Equatable {
    /// The qualified name.
    public internal(set) var name: String
    /// The qualified name of the container whose members this one has too. Those of the default container come out
    /// merged; see ``ServiceMetadata/entityContainer``.
    public internal(set) var extends: String?
    /// Whether its members are addressed without its name (`m:IsDefaultEntityContainer` of OData 1 to 3).
    public internal(set) var isDefault = false
    /// The entity sets.
    public internal(set) var entitySets: [EntitySet] = []
    /// The singletons of OData 4.
    public internal(set) var singletons: [Singleton] = []
    /// The function imports; in OData 1 to 3 those that change something as well.
    public internal(set) var functionImports: [OperationImport] = []
    /// The action imports of OData 4.
    public internal(set) var actionImports: [OperationImport] = []
    /// Annotations.
    public internal(set) var annotations: [Annotation] = []

    init(name: String) { self.name = name }
  }

  /// Where the entities behind a navigation property are found (OData CSDL XML 4.01 § 13.4). Association sets of OData 1
  /// to 3 come out as this too.
  public struct NavigationPropertyBinding: Sendable, Hashable {
    /// The navigation property, as a path from the entities of the set; `Sample.Manager/Reports` for one of a derived
    /// type.
    public internal(set) var path: String
    /// The entity set or singleton, as a path.
    public internal(set) var target: String
  }

  /// A set of entities (OData CSDL XML 4.01 § 13.2; [MS-CSDL] 2.1.15).
  public struct EntitySet: Sendable, Equatable {
    /// The name, which is its segment in URLs.
    public internal(set) var name: String
    /// The type of its entities, or the base of their types.
    public internal(set) var entityType: EdmType
    /// Where its navigation properties lead.
    public internal(set) var navigationPropertyBindings: [NavigationPropertyBinding] = []
    /// Whether the service document lists it.
    public internal(set) var isInServiceDocument = true
    /// Annotations, vendor attributes among them.
    public internal(set) var annotations: [Annotation] = []

    init(name: String, entityType: EdmType) {
      self.name = name
      self.entityType = entityType
    }
  }

  /// An entity that is there without a set (OData CSDL XML 4.01 § 13.3).
  public struct Singleton: Sendable, Equatable {
    /// The name, which is its segment in URLs.
    public internal(set) var name: String
    /// The entity's type.
    public internal(set) var type: EdmType
    /// Whether there may be none.
    public internal(set) var isNullable = false
    /// Where its navigation properties lead.
    public internal(set) var navigationPropertyBindings: [NavigationPropertyBinding] = []
    /// Annotations, vendor attributes among them.
    public internal(set) var annotations: [Annotation] = []

    init(name: String, type: EdmType) {
      self.name = name
      self.type = type
    }
  }

  /// A function or action that is called at the root of the service (OData CSDL XML 4.01 §§ 13.5, 13.6; [MS-CSDL]
  /// 2.1.18).
  public struct OperationImport: Sendable, Equatable {
    /// The name, which is its segment in URLs.
    public internal(set) var name: String
    /// Action or function. In OData 1 to 3: function where it is called with GET.
    public internal(set) var kind: Operation.Kind
    /// The verb that calls it: `m:HttpMethod` in OData 1 to 3, where not given POST for what has side effects.
    public internal(set) var httpMethod: HTTPMethod
    /// The qualified name of what is called; `nil` in OData 1 to 3, where it is declared here and nowhere else.
    public internal(set) var operation: String?
    /// What is called. The overloads of a function differ in their parameters; empty where the operation is not
    /// declared in this document.
    public internal(set) var overloads: [Operation] = []
    /// The set that returned entities belong to.
    public internal(set) var entitySet: String?
    /// Whether the service document lists it.
    public internal(set) var isInServiceDocument = false
    /// Annotations, vendor attributes among them.
    public internal(set) var annotations: [Annotation] = []

    init(name: String, kind: Operation.Kind) {
      self.name = name
      self.kind = kind
      httpMethod = kind == .function ? .get : .post
    }
  }
}
