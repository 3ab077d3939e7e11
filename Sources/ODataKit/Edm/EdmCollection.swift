/// Several values of one type in order: a property that is a collection, or related entities that came along with the
/// one they belong to.
public struct EdmCollection: Sendable, Hashable, Codable {
  /// The type of the elements, e.g. `Edm.String` or `Sample.Address`; `nil` where the payload does not tell.
  public var elementType: EdmType?
  /// The elements. Those of a structured type are ``EdmValue/complex(_:)``.
  public var elements: [EdmValue]
  /// The number of all related entities, where the service tells it beside the ones that came along.
  public var count: Int64?
  /// Where further elements are read; `nil` where all have come.
  public var nextLink: String?

  /// Makes a collection.
  public init(
    elementType: EdmType? = nil, _ elements: [EdmValue] = [], count: Int64? = nil, nextLink: String? = nil
  ) {
    self.elementType = elementType
    self.elements = elements
    self.count = count
    self.nextLink = nextLink
  }
}

extension EdmCollection {
  /// A collection whose elements are all there is to tell their type: the type that all have in common, or none.
  init(ofUniform elements: [EdmValue]) {
    let type = elements.first { !$0.isNull }?.type
    self.init(elementType: elements.allSatisfy { $0.isNull || $0.type == type } ? type : nil, elements)
  }
}

extension EdmType {
  /// The type of collections of this one: `Collection(Edm.String)`.
  public var collection: EdmType { EdmType(rawValue: "Collection(\(rawValue))") }

  /// The type of the elements where this is a collection, else `nil`.
  public var element: EdmType? {
    guard rawValue.hasPrefix("Collection("), rawValue.hasSuffix(")") else { return nil }
    return EdmType(rawValue: String(rawValue.dropFirst(11).dropLast()))
  }

  /// `Edm.Stream`, bytes that are read and written through links.
  public static let stream = EdmType(rawValue: "Edm.Stream")
  /// `Edm.GeographyPoint`
  public static let geographyPoint = EdmType(rawValue: "Edm.GeographyPoint")
  /// `Edm.GeometryPoint`
  public static let geometryPoint = EdmType(rawValue: "Edm.GeometryPoint")
}
