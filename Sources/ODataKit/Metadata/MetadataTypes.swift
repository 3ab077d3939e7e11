extension ServiceMetadata {
  /// An enumeration type (OData CSDL XML 4.01 § 10; [MS-CSDL] 2.1.26).
  public struct EnumType: Sendable, Equatable {
    /// The qualified name.
    public internal(set) var type: EdmType
    /// The integer type of the values.
    public internal(set) var underlyingType = EdmType.int32
    /// Whether several members may be chosen at once.
    public internal(set) var isFlags = false
    /// The members in the order of the document.
    public internal(set) var members: [Member] = []
    /// Annotations.
    public internal(set) var annotations: [Annotation] = []

    init(type: EdmType) { self.type = type }

    /// A name and what it stands for.
    public struct Member: Sendable, Equatable {
      /// The name.
      public internal(set) var name: String
      /// The value; where the document gives none, one more than that of the member before, from zero on (OData CSDL XML
      /// 4.01 § 10.3).
      public internal(set) var value: Int64
      /// Annotations.
      public internal(set) var annotations: [Annotation] = []
    }

    /// The value of a member; `nil` where there is none of the name.
    public func value(of name: String) -> Int64? {
      members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
  }

  /// A primitive type under another name, with facets of its own (OData CSDL XML 4.01 § 11).
  public struct TypeDefinition: Sendable, Equatable {
    /// The qualified name.
    public internal(set) var type: EdmType
    /// The primitive type it stands for, with its facets.
    public internal(set) var underlyingType: TypeReference
    /// Annotations.
    public internal(set) var annotations: [Annotation] = []
  }

  /// One overload of an action or function (OData CSDL XML 4.01 § 12), or what a function import of OData 1 to 3 calls.
  public struct Operation: Sendable, Equatable {
    /// Whether calling it may change something.
    public enum Kind: String, Sendable, Hashable {
      /// It may; called with POST.
      case action
      /// It does not; called with GET.
      case function
    }

    /// Action or function.
    public internal(set) var kind: Kind
    /// The qualified name; the mere name for a function import of OData 1 to 3.
    public internal(set) var name: String
    /// Whether it is called on an entity, collection or value, its first parameter.
    public internal(set) var isBound = false
    /// Whether more segments and query options may follow it in a URL.
    public internal(set) var isComposable = false
    /// The way from the binding parameter to the entity set of what is returned.
    public internal(set) var entitySetPath: String?
    /// The parameters in order; the binding parameter first.
    public internal(set) var parameters: [Parameter] = []
    /// What it returns; `nil` for nothing.
    public internal(set) var returnType: TypeReference?
    /// Annotations, vendor attributes among them.
    public internal(set) var annotations: [Annotation] = []

    init(_ kind: Kind, name: String) {
      self.kind = kind
      self.name = name
    }

    /// The parameter it is bound to.
    public var bindingParameter: Parameter? { isBound ? parameters.first : nil }

    /// One parameter.
    public struct Parameter: Sendable, Equatable {
      /// The name.
      public internal(set) var name: String
      /// The type and its facets.
      public internal(set) var type: TypeReference
      /// Annotations, vendor attributes among them.
      public internal(set) var annotations: [Annotation] = []
    }
  }
}
