// Related entities in requests, and links to entities that there are.
extension JSONEntityWriter {
  /// Writes what the links of a record stand for (OData 4 JSON Format § 8.4 and § 8.5; OData 3 JSON Format § 4.5.13;
  /// MS-ODATA § 2.2.6.3.3): the related entities that the record holds are inserted along; where it holds none, the new
  /// entity is bound to the one that the link leads to. A related entity with nothing but an id is bound to, too.
  mutating func requestLinks(
    of record: EntityRecord, type: EdmType?, writesNulls: Bool
  ) throws(ODataError) {
    var done: [String] = []
    for link in record.control.links {
      let name = link.name
      guard !done.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { continue }
      done.append(name)
      let declared = declared(name, of: type)
      let targets = record.control.links.filter { $0.name.utf8.elementsEqual(name.utf8) }
        .compactMap(\.navigationLink).filter { !Self.isNavigation($0, to: name) }
      switch record[name] {
      case nil:
        guard let first = targets.first else { continue }
        let isSeveral = targets.count > 1 || declared?.element != nil
        bind(name, isSeveral ? .several(targets) : .one(first))
      case .null:
        member(named: name)
        buffer.append("null")
      case .complex(let related):
        if let id = Self.reference(related) {
          bind(name, .one(id))
        } else {
          member(named: name)
          try self.related(related, in: name, type: declared, writesNulls: writesNulls)
        }
      case .collection(let related):
        try relatedEntities(related, in: name, type: declared, writesNulls: writesNulls)
      default:
        throw ODataError(
          .invalidValue,
          "\(described(name)) holds no entities, although a link of that name leads to some.")
      }
    }
  }

  private enum Targets {
    case one(String)
    case several([String])
  }

  private mutating func bind(_ name: String, _ targets: Targets) {
    switch annotations {
    case .odata3, .odata4: control("bind", of: name)
    case .verbose, .odata401: member(named: name)
    }
    switch targets {
    case .one(let target): self.target(target)
    case .several(let targets):
      buffer.append(UInt8(ascii: "["))
      for target in targets {
        separate()
        self.target(target)
      }
      buffer.append(UInt8(ascii: "]"))
    }
  }

  private mutating func target(_ target: String) {
    switch annotations {
    case .odata3, .odata4: buffer.append(string: target, isASCII: isASCII)
    case .odata401:
      buffer.append("{\"@id\":")
      buffer.append(string: target, isASCII: isASCII)
      buffer.append(UInt8(ascii: "}"))
    case .verbose:
      buffer.append("{\"__metadata\":{\"uri\":")
      buffer.append(string: target, isASCII: isASCII)
      buffer.append("}}")
    }
  }

  private mutating func relatedEntities(
    _ collection: EdmCollection, in name: String, type: EdmType?, writesNulls: Bool
  ) throws(ODataError) {
    var targets: [String] = []
    var entities: [EntityRecord] = []
    for case .complex(let element) in collection.elements {
      // In the other two a reference stands among the entities, in its place.
      let isApart = annotations == .odata3 || annotations == .odata4
      if isApart, let id = Self.reference(element) { targets.append(id) } else { entities.append(element) }
    }
    if !targets.isEmpty { bind(name, .several(targets)) }
    guard !entities.isEmpty || targets.isEmpty else { return }
    member(named: name)
    buffer.append(UInt8(ascii: "["))
    for entity in entities {
      separate()
      if let id = Self.reference(entity) {
        target(id)
      } else {
        try related(entity, in: name, type: type?.element ?? type, writesNulls: writesNulls)
      }
    }
    buffer.append(UInt8(ascii: "]"))
  }

  private mutating func related(
    _ record: EntityRecord, in name: String, type: EdmType?, writesNulls: Bool
  ) throws(ODataError) {
    path.append(name)
    let includesType = record.control.typeName != type?.rawValue
    try requestObject(record, writesNulls: writesNulls, includesType: includesType, type: type)
    path.removeLast()
  }

  /// The id of an entity of which nothing else is told.
  private static func reference(_ record: EntityRecord) -> String? {
    record.count == 0 && record.control.links.isEmpty ? record.control.id ?? record.control.editLink : nil
  }

  /// Whether a link leads to where the related entities of the record are read, as services write it, rather than to an
  /// entity to bind to: its last segment is the property's name.
  private static func isNavigation(_ link: String, to name: String) -> Bool {
    guard let slash = link.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
    return link.utf8[link.utf8.index(after: slash)...].elementsEqual(name.utf8)
  }
}
