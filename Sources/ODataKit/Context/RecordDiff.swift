/// What has changed between two states of one entity, property by property.
struct RecordDiff: Equatable {
  /// The properties that were added or have another value now, with that value.
  var changed = EntityRecord()
  /// The properties that had a value and have none any more.
  var cleared: [String] = []

  var isEmpty: Bool { changed.count == 0 && cleared.isEmpty }

  /// Compares two encodings of the same model: no value and null are the same there.
  init(from old: EntityRecord, to new: EntityRecord) {
    for (name, value) in new.properties where !value.isNull && value != old[name] { changed[name] = value }
    for (name, value) in old.properties where !value.isNull && new[name]?.isNull ?? true {
      cleared.append(name)
    }
  }
}

extension EntityRecord {
  /// This record with the properties of another over its own; control information of the other, where it has any.
  func overlaid(with other: EntityRecord) -> EntityRecord {
    if count == 0 { return other }
    var result = self
    for (name, value) in other.properties { result[name] = value }
    result.control.entityTag = other.control.entityTag ?? control.entityTag
    result.control.id = other.control.id ?? control.id
    result.control.editLink = other.control.editLink ?? control.editLink
    result.control.typeName = other.control.typeName ?? control.typeName
    return result
  }

  func removing(_ names: [String]) -> EntityRecord {
    var result = self
    for name in names { result[name] = nil }
    return result
  }

  /// The record with each value in the type that `known` has it in, where the value fits: a property that was read as
  /// a Double stays one although the model holds a whole number.
  func keepingTypes(of known: EntityRecord) -> EntityRecord {
    var result = self
    for (name, value) in properties {
      if let type = known[name]?.type, let fitting = value.converted(to: type) { result[name] = fitting }
    }
    return result
  }
}
