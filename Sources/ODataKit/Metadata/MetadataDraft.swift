/// A metadata document as it was read, before names are resolved: types and targets still carry aliases, associations
/// stand apart from navigation properties, and nothing inherits.
struct MetadataDraft {
  var version: String?
  var references: [ServiceMetadata.Reference] = []
  var schemas: [SchemaDraft] = []
  /// The container that CSDL JSON names as that of the service.
  var containerName: String?
  var remarks: [String] = []
}

/// One schema as it was read.
struct SchemaDraft {
  var schema: ServiceMetadata.Schema
  /// The aliases that this schema alone gives to others (`Using` of OData 1 to 3).
  var usings: [ServiceMetadata.Reference.Include] = []
  var associations: [AssociationDraft] = []
  var associationSets: [AssociationSetDraft] = []
  /// Annotations that stand apart from what they are of.
  var targetedAnnotations: [TargetedAnnotations] = []

  struct TargetedAnnotations {
    var target: String
    var annotations: [ServiceMetadata.Annotation]
  }
}

/// An association of OData 1 to 3 ([MS-CSDL] 2.1.19).
struct AssociationDraft {
  var name: String
  var ends: [End] = []
  var constraint: Constraint?

  struct End {
    var role: String
    var type: EdmType
    var multiplicity: String
    var onDelete: String?
  }

  /// Which properties of the dependent end hold the key of the principal one ([MS-CSDL] 2.1.22).
  struct Constraint {
    var dependentRole: String
    var dependent: [String]
    var principal: [String]
  }

  func end(_ role: String) -> End? { ends.first { $0.role.utf8.elementsEqual(role.utf8) } }
}

/// Which entity sets an association runs between ([MS-CSDL] 2.1.17).
struct AssociationSetDraft {
  /// The qualified name of the container it stands in.
  var container: String
  var association: String
  var ends: [End] = []

  struct End {
    var role: String?
    var entitySet: String
  }
}

/// The sentence for what cannot be read, with the place where it stands.
func unreadableMetadata(_ place: String, _ what: String) -> ODataError {
  ODataError(.malformedPayload, "The metadata cannot be read (\(place)): \(what).")
}
