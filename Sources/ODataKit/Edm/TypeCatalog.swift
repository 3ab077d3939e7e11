/// What a service's metadata says of one property, as far as the readers of payloads need it.
package struct DeclaredProperty: Sendable, Hashable {
  /// What kind of value a property has. Spatial types and `Edm.Untyped` count as primitive; `entity` is a navigation
  /// property.
  package enum Kind: Sendable, Hashable { case primitive, enumeration, complex, entity, stream }

  /// The type of the value, or of the elements where it is a collection: `Edm.Int32`, `Sample.Address`. A type
  /// definition is given as the primitive type below it.
  package var type: EdmType
  /// What kind of type ``type`` is.
  package var kind: Kind
  /// Whether the value is a collection of ``type``.
  package var isCollection: Bool

  /// Describes a property.
  package init(type: EdmType, kind: Kind, isCollection: Bool = false) {
    self.type = type
    self.kind = kind
    self.isCollection = isCollection
  }
}

/// Where the readers of payloads look up what a payload leaves open.
package protocol TypeCatalog: Sendable {
  /// What the property `name` of the structured type `type` (a qualified name) is, inherited properties included;
  /// `nil` where it is not declared.
  func property(_ name: String, of type: EdmType) -> DeclaredProperty?
}

/// What a reader is told beforehand about a payload.
package struct PayloadTypes: Sendable {
  /// The structured type of the payload's entities, or, for a single value, its type; `nil` where unknown.
  package var root: EdmType?
  /// The service's metadata, where it is known.
  package var catalog: (any TypeCatalog)?
  /// Types of properties by name, whatever type they are in: what the conventions of a service say without metadata
  /// (`Timestamp` of a table's entity).
  package var byName: [String: EdmType]

  /// Tells what is known; nothing, as it stands.
  package init(root: EdmType? = nil, catalog: (any TypeCatalog)? = nil, byName: [String: EdmType] = [:]) {
    self.root = root
    self.catalog = catalog
    self.byName = byName
  }
}
