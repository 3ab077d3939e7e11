extension ServiceMetadata {
  /// Something more that the document says of an element (OData CSDL XML 4.01 § 14).
  ///
  /// An attribute of a vendor's namespace comes out as an annotation too, with the namespace, a slash and the name for
  /// its term: `http://www.sap.com/Protocols/SAPData/label`. The `Documentation` of OData 1 to 3 comes out as
  /// `Org.OData.Core.V1.Description` and `LongDescription`.
  public struct Annotation: Sendable, Equatable {
    /// The qualified name of the term; an alias the document knows is resolved.
    public internal(set) var term: String
    /// Tells annotations of one term apart.
    public internal(set) var qualifier: String?
    /// The value.
    public internal(set) var value: AnnotationValue
  }

  /// The value of an annotation. XML knows more types than JSON; here both come out the same.
  public indirect enum AnnotationValue: Sendable, Equatable {
    /// No value.
    case null
    /// True or false. An annotation without a value is true, which is what tags mean (OData CSDL XML 4.01 § 14.2).
    case boolean(Bool)
    /// A number, as it is spelled.
    case number(String)
    /// A string, or anything that JSON writes as one: a date, a duration, bytes, the names of enumeration members
    /// (`Read,Write`), the path of a property.
    case text(String)
    /// What stands at a path in the instance (`Path`).
    case path(String)
    /// Several values.
    case collection([AnnotationValue])
    /// Named values, in the order of the document, with the type where it is given.
    case record(type: EdmType?, [PropertyValue])
    /// An expression that is not evaluated here (`Apply`, `If` …), by its name.
    case expression(String)
  }

  /// A member of a record.
  public struct PropertyValue: Sendable, Equatable {
    /// The name.
    public internal(set) var name: String
    /// The value.
    public internal(set) var value: AnnotationValue
  }
}

extension [ServiceMetadata.Annotation] {
  /// The value of the annotation of a term, given with its namespace: `Org.OData.Core.V1.Description`.
  public subscript(term: String, qualifier qualifier: String? = nil) -> ServiceMetadata.AnnotationValue? {
    first { annotation in
      annotation.term.utf8.elementsEqual(term.utf8) && annotation.qualifier == qualifier
    }?.value
  }

  /// The text of the annotation of a term; `nil` where it is no text.
  public func text(_ term: String) -> String? {
    if case .text(let text)? = self[term] { text } else { nil }
  }

  /// Whether the annotation of a term is there and true.
  public func isTrue(_ term: String) -> Bool { self[term] == .boolean(true) }
}
