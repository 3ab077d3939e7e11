import ODataKit

/// Metadata of a small library, for readers.
struct BookCatalog: TypeCatalog {
  static let types = PayloadTypes(root: EdmType(rawValue: "L.Book"), catalog: BookCatalog())

  private static let properties: [String: [String: DeclaredProperty]] = [
    "L.Book": [
      "Id": DeclaredProperty(type: .int64, kind: .primitive),
      "Price": DeclaredProperty(type: .decimal, kind: .primitive),
      "Published": DeclaredProperty(type: .date, kind: .primitive),
      "Tags": DeclaredProperty(type: .string, kind: .primitive, isCollection: true),
      "Colour": DeclaredProperty(type: EdmType(rawValue: "L.Colour"), kind: .enumeration),
      "Address": DeclaredProperty(type: EdmType(rawValue: "L.Address"), kind: .complex),
      "Branches": DeclaredProperty(type: EdmType(rawValue: "L.Address"), kind: .complex, isCollection: true),
      "Place": DeclaredProperty(type: .geographyPoint, kind: .primitive),
      "Author": DeclaredProperty(type: EdmType(rawValue: "L.Author"), kind: .entity),
      "Orders": DeclaredProperty(type: EdmType(rawValue: "L.Order"), kind: .entity, isCollection: true),
    ],
    "L.Address": ["Zip": DeclaredProperty(type: .int16, kind: .primitive)],
    "L.Author": ["Born": DeclaredProperty(type: .date, kind: .primitive)],
    "L.Order": ["Total": DeclaredProperty(type: .decimal, kind: .primitive)],
  ]

  func property(_ name: String, of type: EdmType) -> DeclaredProperty? {
    Self.properties[type.rawValue]?[name]
  }
}

extension EdmValue {
  /// A complex value of a type.
  static func object(_ properties: KeyValuePairs<String, EdmValue>, _ type: String? = nil) -> EdmValue {
    .complex(EntityRecord(properties, control: ControlInformation(typeName: type)))
  }
}

extension EntityRecord {
  /// The same with links to related entities.
  func linked(_ links: NavigationLink...) -> EntityRecord {
    var record = self
    record.control.links = links
    return record
  }
}
