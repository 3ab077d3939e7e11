extension ServiceMetadata {
  /// An entity type or a complex type (OData CSDL XML 4.01 §§ 6, 9; [MS-CSDL] 2.1.2, 2.1.7).
  ///
  /// What is called `declared…` is of the type itself; the members without that word have what it inherits in front of
  /// it, base first.
  public struct StructuredType: Sendable, Equatable {
    /// The two kinds of structured types.
    public enum Kind: Sendable, Hashable {
      /// With a key, found in entity sets.
      case entity
      /// A value made of properties.
      case complex
    }

    /// The type it inherits from, shared by all that do.
    final class Base: Sendable {
      let type: StructuredType
      init(_ type: StructuredType) { self.type = type }
    }

    /// Entity or complex type.
    public let kind: Kind
    /// The qualified name.
    public internal(set) var type: EdmType
    /// The name of the base type; it is in ``base`` where the document has it.
    public internal(set) var baseType: EdmType?
    /// Whether there are instances of derived types only.
    public internal(set) var isAbstract = false
    /// The key as declared with this type: the base type has it otherwise.
    public internal(set) var declaredKey: [KeyProperty] = []
    /// The properties declared with this type.
    public internal(set) var declaredProperties: [Property] = []
    /// The navigation properties declared with this type.
    public internal(set) var declaredNavigationProperties: [NavigationProperty] = []
    /// Annotations, vendor attributes among them.
    public internal(set) var annotations: [Annotation] = []
    /// Feed mappings that the document gives at the type rather than at a property.
    var typeFeedMappings: [FeedMapping] = []
    var declaresOpen = false
    var declaresStream = false
    var link: Base?

    init(_ kind: Kind, type: EdmType) {
      self.kind = kind
      self.type = type
    }

    /// The type it inherits from; `nil` for none and for one that the document does not declare.
    public var base: StructuredType? { link?.type }

    /// Whether instances may have properties that are not declared.
    public var isOpen: Bool { ancestry.contains(where: \.declaresOpen) }

    /// Whether instances are media entities, the description of a stream (`HasStream`, `m:HasStream`).
    public var hasStream: Bool { ancestry.contains(where: \.declaresStream) }

    /// The key, inherited or not; empty for a complex type and for a type that leaves it to those derived from it.
    public var key: [KeyProperty] { ancestry.last { !$0.declaredKey.isEmpty }?.declaredKey ?? [] }

    /// All properties in order. One that is declared again with a narrower type (OData CSDL XML 4.01 § 7) stands once, in
    /// its first place.
    public var properties: [Property] { Self.merging(ancestry.map(\.declaredProperties), name: \.name) }

    /// All navigation properties in order.
    public var navigationProperties: [NavigationProperty] {
      Self.merging(ancestry.map(\.declaredNavigationProperties), name: \.name)
    }

    /// All feed mappings, in the order of the types.
    public var feedMappings: [FeedMapping] {
      ancestry.flatMap { $0.declaredProperties.flatMap(\.feedMappings) + $0.typeFeedMappings }
    }

    /// The property of a name, inherited or not.
    public func property(_ name: String) -> Property? { find(name, in: \.declaredProperties, name: \.name) }

    /// The navigation property of a name, inherited or not.
    public func navigationProperty(_ name: String) -> NavigationProperty? {
      find(name, in: \.declaredNavigationProperties, name: \.name)
    }

    /// Whether this is `other` or derived from it.
    public func isKind(of other: EdmType) -> Bool {
      var next: StructuredType? = self
      while let type = next {
        if type.type.rawValue.utf8.elementsEqual(other.rawValue.utf8) { return true }
        next = type.base
      }
      return false
    }

    /// Same declarations; a base type is the same by its name.
    public static func == (a: Self, b: Self) -> Bool {
      a.kind == b.kind && a.type == b.type && a.baseType == b.baseType && a.isAbstract == b.isAbstract
        && a.declaresOpen == b.declaresOpen && a.declaresStream == b.declaresStream
        && a.declaredKey == b.declaredKey && a.declaredProperties == b.declaredProperties
        && a.declaredNavigationProperties == b.declaredNavigationProperties
        && a.typeFeedMappings == b.typeFeedMappings && a.annotations == b.annotations
    }
  }

  /// One property of a key (OData CSDL XML 4.01 § 6.5).
  public struct KeyProperty: Sendable, Hashable {
    /// The property, as a path from the entity: `Id`, or `Info/Id` for one of a complex property.
    public internal(set) var path: String
    /// What stands for the path in the address of an entity; given where ``path`` has more than one segment.
    public internal(set) var alias: String?
    /// The name in the address of an entity: the alias, else the property.
    public var name: String { alias ?? path }
  }
}

extension ServiceMetadata.StructuredType {
  /// This type and those it inherits from, base first. Bounded: the linker refuses circles and endless chains.
  private var ancestry: [Self] {
    var chain = [self]
    while let base = chain[chain.count - 1].base { chain.append(base) }
    return chain.reversed()
  }

  private func find<Member>(
    _ name: String, in members: KeyPath<Self, [Member]>, name nameOf: KeyPath<Member, String>
  ) -> Member? {
    var next: Self? = self
    while let type = next {
      let found = type[keyPath: members].first { $0[keyPath: nameOf].utf8.elementsEqual(name.utf8) }
      if let found { return found }
      next = type.base
    }
    return nil
  }

  private static func merging<Member>(
    _ levels: [[Member]], name: KeyPath<Member, String>
  ) -> [Member] {
    guard levels.count > 1 else { return levels.first ?? [] }
    var merged: [Member] = []
    var positions: [ByteName: Int] = [:]
    for member in levels.joined() {
      let key = ByteName(member[keyPath: name])
      if let position = positions[key] {
        merged[position] = member
      } else {
        positions[key] = merged.count
        merged.append(member)
      }
    }
    return merged
  }
}

/// A name as a key of a dictionary, compared byte for byte: to a service the composed and the decomposed spelling are
/// two names.
struct ByteName: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
