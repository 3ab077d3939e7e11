// Entries and feeds expanded in a link of another entry (MS-ODATA § 2.2.6.2.6; OData Atom Format 4.0 § 8.3).
extension AtomGrammar {
  /// What stands in an `m:inline`.
  mutating func beginExpanded(_ name: XMLName, _ vocabulary: AtomVocabulary, _ attributes: XMLAttributes) {
    switch vocabulary {
    case .atom where name.isCalled("entry"):
      suspend()
      beginEntry(attributes)
    case .atom where name.isCalled("feed"):
      suspend()
      enterBase(attributes)
      feed = Feed()
      open(.feed)
    case .metadata where name.isCalled("ref"):
      let related = reference(attributes)
      entry.expand(.complex(related))
      ignored = 1
    default: ignored = 1
    }
  }

  /// Lets the open entry wait.
  private mutating func suspend() {
    let declared = entry.link.map { declaredType(of: $0.name, in: entry) }
    waiting.append(WaitingEntry(roles: roles, entry: entry, feed: feed))
    roles = 0
    feed = nil
    entry = spares.popLast() ?? OpenEntry()
    entry.root = declared?.type
  }

  /// Goes on with the entry that waited, which gets what was expanded in it.
  mutating func resume(_ value: EdmValue) {
    guard let outer = waiting.popLast() else { return }
    spares.append(entry)
    (roles, entry, feed) = (outer.roles, outer.entry, outer.feed)
    entry.expand(value)
  }

  /// The feed that ends, as the value of a navigation property.
  mutating func expandedFeed() -> EdmValue {
    .collection(
      EdmCollection(
        elementType: entry.root, feed?.elements ?? [], count: feed?.count, nextLink: feed?.nextLink))
  }

  /// What the metadata says of a property of an entry, or of the complex value that is open in it.
  func declaredType(of name: String, in entry: OpenEntry) -> PayloadType {
    if let part = entry.parts.last { return declaredType(of: name, in: part.type.type, else: nil) }
    return declaredType(of: name, in: entry.control.typeName.map(EdmType.init), else: entry.root)
  }

  /// What the metadata says of a property of a type, or where that is not known, of another one.
  func declaredType(of name: String, in type: EdmType?, else root: EdmType?) -> PayloadType {
    guard knowsTypes else { return .unknown }
    for type in [type, root] {
      if let type, let found = types.catalog?.property(name, of: type) { return PayloadType(found) }
    }
    return types.byName[name].map { PayloadType($0) } ?? .unknown
  }
}
