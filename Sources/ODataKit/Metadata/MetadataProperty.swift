extension ServiceMetadata {
  /// A type where it is used: its name, whether it is a collection, and the facets that narrow it (OData CSDL XML 4.01
  /// §§ 7.1, 7.2, 3.4; [MS-CSDL] 2.2.1).
  ///
  /// Facets are what the document states, and `nil` where it states nothing.
  public struct TypeReference: Sendable, Hashable, CustomStringConvertible {
    /// The type of the value, or of each element of a collection.
    public internal(set) var name: EdmType
    /// Whether the value is a collection.
    public internal(set) var isCollection = false
    /// Whether the value, or an element of the collection, may be null.
    public internal(set) var isNullable = true
    /// The most characters or bytes.
    public internal(set) var maxLength: MaxLength?
    /// The most digits of a decimal, or the digits of a fraction of a second.
    public internal(set) var precision: Int?
    /// The digits behind the point of a decimal. Where XML leaves it out it is zero by the specification, which
    /// services seldom mean.
    public internal(set) var scale: Scale?
    /// Whether a string may hold more than ASCII.
    public internal(set) var isUnicode: Bool?
    /// Whether every value has the full length (OData 1 to 3).
    public internal(set) var isFixedLength: Bool?
    /// The coordinate system of a spatial value.
    public internal(set) var srid: SRID?

    init(_ name: EdmType, isCollection: Bool = false, isNullable: Bool = true) {
      self.name = name
      self.isCollection = isCollection
      self.isNullable = isNullable
    }

    /// The name as CSDL writes it, `Collection(…)` around the elements of a collection.
    public var description: String { isCollection ? "Collection(\(name))" : name.rawValue }

    /// The facet `MaxLength`.
    public enum MaxLength: Sendable, Hashable {
      /// So many characters or bytes.
      case units(Int)
      /// `max`: as many as the service takes.
      case max
    }

    /// The facet `Scale`.
    public enum Scale: Sendable, Hashable {
      /// So many digits behind the point.
      case digits(Int)
      /// Any number of them up to the precision.
      case variable
      /// A decimal floating point number of OData 4.01.
      case floating
    }

    /// The facet `SRID`.
    public enum SRID: Sendable, Hashable {
      /// The number of a coordinate system.
      case number(Int)
      /// Each value names its own.
      case variable
    }
  }

  /// A structural property: a primitive, enumeration or complex value, or a collection of them (OData CSDL XML 4.01 § 7;
  /// [MS-CSDL] 2.1.3).
  public struct Property: Sendable, Equatable {
    /// The name.
    public internal(set) var name: String
    /// The type and its facets.
    public internal(set) var type: TypeReference
    /// The value that stands for none being given, as text.
    public internal(set) var defaultValue: String?
    /// Whether the value is part of the entity tag (`ConcurrencyMode="Fixed"` of OData 1 to 3).
    public internal(set) var isConcurrencyToken = false
    /// Where the value goes in an Atom entry besides or instead of its content, as declared at the property.
    public internal(set) var feedMappings: [FeedMapping] = []
    /// Annotations, vendor attributes among them.
    public internal(set) var annotations: [Annotation] = []
  }

  /// A navigation property: a way to related entities (OData CSDL XML 4.01 § 8; [MS-CSDL] 2.1.4). Associations of OData 1
  /// to 3 are resolved into it: type, multiplicity, partner and dependent properties.
  public struct NavigationProperty: Sendable, Equatable {
    /// The name.
    public internal(set) var name: String
    /// The type of the related entities; `Edm.EntityType` where the association of it is not declared.
    public internal(set) var type: EdmType
    /// Whether it leads to any number of entities.
    public internal(set) var isCollection = false
    /// Whether there may be no related entity. `false` for a collection, which may be empty instead.
    public internal(set) var isNullable = true
    /// The navigation property that leads back, as a path from the related entity.
    public internal(set) var partner: String?
    /// Whether the related entities are contained in this one, and addressed through it only.
    public internal(set) var containsTarget = false
    /// Properties that hold the same as properties of the related entity.
    public internal(set) var referentialConstraints: [ReferentialConstraint] = []
    /// What happens to related entities when this one is deleted: `Cascade`, `None`, `SetNull` or `SetDefault`.
    public internal(set) var onDelete: String?
    /// The association it is an end of, in OData 1 to 3.
    public internal(set) var association: AssociationEnd?
    /// Annotations, vendor attributes among them.
    public internal(set) var annotations: [Annotation] = []

    /// How many entities it leads to.
    public var multiplicity: Multiplicity { isCollection ? .many : isNullable ? .zeroOrOne : .one }

    init(name: String, type: EdmType) {
      self.name = name
      self.type = type
    }

    /// How many related entities there are.
    public enum Multiplicity: String, Sendable, Hashable {
      /// None or one.
      case zeroOrOne = "0..1"
      /// Exactly one.
      case one = "1"
      /// Any number.
      case many = "*"
    }

    /// A property that holds the same as one of the related entity (OData CSDL XML 4.01 § 8.5; [MS-CSDL] 2.1.22).
    public struct ReferentialConstraint: Sendable, Hashable {
      /// The dependent property, of this entity.
      public internal(set) var property: String
      /// The principal property, of the related one.
      public internal(set) var referencedProperty: String
    }

    /// The association of OData 1 to 3 behind a navigation property ([MS-CSDL] 2.1.19), from one end to the other.
    public struct AssociationEnd: Sendable, Hashable {
      /// The qualified name of the association.
      public internal(set) var name: String
      /// The role of this entity.
      public internal(set) var fromRole: String
      /// The role of the related entities.
      public internal(set) var toRole: String
    }
  }

  /// Where a property's value stands in an Atom entry: the customizable feeds of OData 2 and 3 ([MS-ODATA] 2.2.3.7.2).
  public struct FeedMapping: Sendable, Hashable {
    /// The property, as a path from the entity: `Title`, `Address/City`.
    public internal(set) var sourcePath: String
    /// `SyndicationTitle` and the like for elements of Atom, else the path of an element or attribute (`geo/@lat`) in
    /// ``namespaceURI``.
    public internal(set) var targetPath: String
    /// Whether the property stands among the others too.
    public internal(set) var keepsInContent = true
    /// The namespace of a target that is not Atom's.
    public internal(set) var namespaceURI: String?
    /// The prefix the service writes for that namespace.
    public internal(set) var namespacePrefix: String?
    /// `text`, `html` or `xhtml`, for the text elements of Atom.
    public internal(set) var contentKind: String?
  }
}
