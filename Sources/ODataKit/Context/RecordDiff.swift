/// What has changed between two states of one entity, property by property, and within complex values member by member.
struct RecordDiff: Equatable {
  /// The properties that were added or have another value now, with that value in the type the service has it in.
  ///
  /// Of a complex value only the members that differ, with a null for each that has no value any more: laid over the
  /// value that the service has (``EntityRecord/overlaid(with:)``), it gives the new one. A collection is whole, since
  /// its elements have no names to be told apart by.
  var changed = EntityRecord()
  /// The properties that had a value and have none any more.
  var cleared: [String] = []

  var isEmpty: Bool { changed.count == 0 && cleared.isEmpty }

  /// Compares two encodings of the same model: no value and null are the same there.
  ///
  /// - Parameter stored: The entity as the service has it. A value keeps the type it has there, and one that equals it is
  ///   no change. Related entities that came along, which its control information names, and streams are left out: both
  ///   are changed at addresses of their own.
  init(from old: EntityRecord, to new: EntityRecord, over stored: EntityRecord = EntityRecord()) {
    for (name, value) in new.properties where !value.isNull {
      let before = old[name]
      guard value != before, !stored.isForeign(name, value) else { continue }
      if let change = Self.change(from: before, to: value, over: stored[name]) { changed[name] = change }
    }
    for (name, value) in old.properties where !value.isNull && new[name]?.isNull ?? true {
      if !stored.isForeign(name, value) { cleared.append(name) }
    }
  }

  private static func change(
    from old: EdmValue?, to new: EdmValue, over stored: EdmValue?
  ) -> EdmValue? {
    let change: EdmValue
    switch (old, new) {
    case (.complex(let old), .complex(let new)) where !old.isOther(than: new):
      var known = EntityRecord()
      if case .complex(let record) = stored { known = record }
      let diff = RecordDiff(from: old, to: new, over: known)
      guard !diff.isEmpty else { return nil }
      var members = diff.changed
      for name in diff.cleared { members[name] = .null }
      // A service may need the type to know the members (OData 4 JSON § 4.5.3).
      members.control.typeName = new.control.typeName ?? known.control.typeName
      return .complex(members)
    case (.collection(let before), .collection(let after)):
      if case .collection(let known) = stored {
        change = .collection(after.keepingElements(of: known, readAs: before))
      } else {
        change = new.keepingType(of: stored)
      }
    default:
      change = new.keepingType(of: stored)
    }
    return change == stored ? nil : change
  }
}

extension EdmCollection {
  /// This collection with the elements of `known`, what the model lacks of them included, where it still holds them.
  ///
  /// An element that is as it was read (`readAs` has the elements of `known` as the model writes them) is the one that was
  /// read. One that is in the place of an element that is gone is taken for that one with changes, so that the members
  /// the model does not declare survive. The protocol knows nothing better: elements of a collection have no identity.
  func keepingElements(of known: EdmCollection, readAs old: EdmCollection) -> EdmCollection {
    var result = self
    result.elementType = known.elementType ?? elementType
    guard known.elements.count == old.elements.count else {
      let example = known.elements.first { !$0.isNull }
      result.elements = elements.map { $0.keepingType(of: example) }
      return result
    }
    var places: [EdmValue: [Int]] = [:]
    for index in old.elements.indices.reversed() { places[old.elements[index], default: []].append(index) }
    var isGone = [Bool](repeating: true, count: old.elements.count)
    let origins = elements.map { element in
      let origin = places[element]?.popLast()
      if let origin { isGone[origin] = false }
      return origin
    }
    for (index, origin) in origins.enumerated() {
      if let origin {
        result.elements[index] = known.elements[origin]
      } else if index < isGone.count, isGone[index] {
        result.elements[index] = RecordDiff.laid(
          elements[index], over: known.elements[index], readAs: old.elements[index])
      } else {
        result.elements[index] = elements[index].keepingType(of: known.elements.first { !$0.isNull })
      }
    }
    return result
  }
}

extension RecordDiff {
  /// The value that a changed element has in the service afterwards.
  fileprivate static func laid(
    _ new: EdmValue, over known: EdmValue, readAs old: EdmValue
  ) -> EdmValue {
    guard case .complex(let record) = known,
      case .complex(let members) = change(from: old, to: new, over: known)
    else { return new.keepingType(of: known) }
    return .complex(record.overlaid(with: members))
  }
}

extension EntityRecord {
  /// Whether a property's value is not the record's own: related entities that came along, or a stream.
  func isForeign(_ name: String, _ value: EdmValue?) -> Bool {
    if case .stream = value { return true }
    return control.links.contains { $0.name.hasSameBytes(as: name) }
  }

  /// The record with the related entities and streams of another and what is known of its links: what was sent or came
  /// back without them changes nothing about them.
  func keepingForeign(of known: EntityRecord) -> EntityRecord {
    var result = self
    for (name, value) in known.properties where known.isForeign(name, value) && self[name] == nil {
      result[name] = value
    }
    result.control = known.control.overlaid(with: control)
    return result
  }

  /// Whether the two are known to be of different types, or different entities.
  fileprivate func isOther(than other: EntityRecord) -> Bool {
    func differ(_ a: String?, _ b: String?) -> Bool {
      if let a, let b { !a.hasSameBytes(as: b) } else { false }
    }
    return differ(control.typeName, other.control.typeName) || differ(control.id, other.control.id)
  }

  /// This record with the properties of another over its own, complex values member by member; control information of
  /// the other, where it has any. Related entities and collections are taken as they come.
  func overlaid(with other: EntityRecord) -> EntityRecord {
    if count == 0 { return other }
    var result = self
    for (name, value) in other.properties {
      if case .complex(let above) = value, case .complex(let below) = self[name], !below.isOther(than: above),
        !isForeign(name, value), !other.isForeign(name, value)
      {
        result[name] = .complex(below.overlaid(with: above))
      } else {
        result[name] = value
      }
    }
    result.control = control.overlaid(with: other.control)
    return result
  }

  func removing(_ names: [String]) -> EntityRecord {
    var result = self
    for name in names { result[name] = nil }
    return result
  }

  /// The properties that are written to a service: without related entities and streams, at any depth, and with no control
  /// information but the names of types.
  var writable: EntityRecord {
    var result = filtered { name, value in !isForeign(name, value) }
    for (name, value) in result.properties where value.isStructured { result[name] = value.writable }
    result.control = ControlInformation(typeName: control.typeName)
    return result
  }
}

extension ControlInformation {
  fileprivate func overlaid(with other: ControlInformation) -> ControlInformation {
    var result = self
    if other == ControlInformation() { return result }
    result.entityTag = other.entityTag ?? entityTag
    result.typeName = other.typeName ?? typeName
    // Links are relative to the base they came with.
    if other.id != nil || other.editLink != nil {
      result.id = other.id ?? id
      result.editLink = other.editLink ?? editLink
      result.base = other.base
      if other.readLink != nil || readLink != nil { result.readLink = other.readLink }
    }
    if let media = other.media { result.media = media }
    let known = links
    let more = other.links.filter { link in !known.contains { $0.name.hasSameBytes(as: link.name) } }
    if !more.isEmpty { result.links = known + more }
    return result
  }
}

extension EdmValue {
  /// The value in the type that `known` has, where it fits: a property that was read as a Double stays one although the
  /// model holds a whole number, and a text in the place of a member of an enumeration is such a member.
  func keepingType(of known: EdmValue?) -> EdmValue {
    switch (self, known) {
    case (.complex(var record), .complex(let known)?):
      for (name, value) in record.properties { record[name] = value.keepingType(of: known[name]) }
      record.control.typeName = record.control.typeName ?? known.control.typeName
      return .complex(record)
    case (.collection(var collection), .collection(let known)?):
      let example = known.elements.first { !$0.isNull }
      collection.elementType = known.elementType ?? collection.elementType
      collection.elements = collection.elements.map { $0.keepingType(of: example) }
      return .collection(collection)
    case (_, .enumeration(let known)?):
      return asEnumeration(like: known).map(EdmValue.enumeration) ?? self
    default:
      return known?.type.flatMap(converted(to:)) ?? self
    }
  }

  /// The member, the number, or the members of a value with flags as a value of the same enumeration. The members that
  /// `known` has keep its order, others follow sorted, since sets have no order of their own.
  private func asEnumeration(like known: EdmEnumeration) -> EdmEnumeration? {
    switch self {
    case .string(let member): return EdmEnumeration(type: known.type, member: member)
    case .byte, .sbyte, .int16, .int32, .int64:
      return EdmEnumeration(type: known.type, member: String(appending: appendLexical(to:)))
    case .enumeration(let member):
      return EdmEnumeration(type: member.type ?? known.type, member: member.member)
    case .collection(let collection):
      let members = collection.elements.compactMap { $0.asEnumeration(like: known)?.member }
      guard members.count == collection.elements.count, !members.isEmpty else { return nil }
      let first = known.members.filter { name in members.contains { $0.hasSameBytes(as: name) } }
      let others = members.filter { name in !first.contains { $0.hasSameBytes(as: name) } }.sorted()
      return EdmEnumeration(type: known.type, member: (first + others).joined(separator: ","))
    default: return nil
    }
  }

  fileprivate var writable: EdmValue {
    switch self {
    case .complex(let record): return .complex(record.writable)
    case .collection(let collection):
      return .collection(
        EdmCollection(elementType: collection.elementType, collection.elements.map(\.writable)))
    default: return self
    }
  }
}
