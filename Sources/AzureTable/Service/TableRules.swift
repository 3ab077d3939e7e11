package import ODataKit

/// The rules of the Table service's data model, checked before anything is sent. Each broken one gives a sentence
/// that names the entity by its keys, the property and the rule; values are never repeated.
package enum TableRules {
  package static func check(_ operation: ChangeOperation) throws(ODataError) {
    guard let partitionKey = operation.partitionKey, let rowKey = operation.rowKey else {
      throw ODataError(
        .invalidValue,
        "An entity of \(operation.address.set) has no PartitionKey or no RowKey, which every entity needs as a "
          + "string; the model has them as partitionKey and rowKey.")
    }
    let entity = Entity(table: operation.address.set, partitionKey: partitionKey, rowKey: rowKey)
    try check(table: operation.address.set)
    try check(key: partitionKey, TableProperty.partitionKey, entity)
    try check(key: rowKey, TableProperty.rowKey, entity)
    if operation.kind != .delete { try check(operation.record, entity) }
    switch operation.kind {
    case .merge, .replace, .delete:
      // Without If-Match the service takes the first two for upserts: they would bring back what was deleted, and
      // overwrite what others wrote.
      guard operation.entityTag != nil else {
        throw ODataError(
          .invalidState,
          "The version of the \(entity.words) is not known, since the service's last answer about it had no ETag; "
            + "read it again before it is changed or deleted.")
      }
    case .insert, .insertOrMerge, .insertOrReplace: break
    case .addLink, .setLink, .deleteLink:
      throw ODataError(.unsupported, "The table service has no links between entities.")
    }
  }

  /// Refuses a name that no table can have: 3 to 63 ASCII letters and digits, a letter first, and not `tables`.
  package static func check(table name: String) throws(ODataError) {
    let bytes = Array(name.utf8)
    let isName =
      (3...63).contains(bytes.count) && bytes.allSatisfy(isLetterOrDigit) && !isDigit(bytes[0])
      && name.lowercased() != "tables"
    // The service keeps its metrics in tables of its own, whose names begin with $.
    guard isName || name.utf8.starts(with: "$Metrics".utf8) else {
      throw ODataError(
        .invalidArgument,
        "\"\(name.prefix(80))\" cannot be the name of a table: 3 to 63 letters and digits, a letter first, and not "
          + "\"tables\".")
    }
  }

  private struct Entity {
    var table: String
    var partitionKey: String
    var rowKey: String

    var words: String { "\(table) entity (\(shown(partitionKey)), \(shown(rowKey)))" }

    private func shown(_ key: String) -> String {
      let start = String(
        key.unicodeScalars.prefix(40).map {
          $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0)
        }
      )
      return "'\(start)\(start.unicodeScalars.count < key.unicodeScalars.count ? "…" : "")'"
    }
  }

  private static func check(key: String, _ name: String, _ entity: Entity) throws(ODataError) {
    guard key.utf16.count <= TableLimits.keyLength else {
      throw violation(entity, name, "is longer than 1 KiB (\(TableLimits.keyLength) UTF-16 units)")
    }
    for scalar in key.unicodeScalars {
      switch scalar.value {
      case 0...0x1F, 0x7F...0x9F:
        throw violation(entity, name, "holds the control character \(codePoint(scalar)), which a key cannot")
      case 0x2F, 0x5C, 0x23, 0x3F:
        throw violation(entity, name, "holds \"\(scalar)\"; a key cannot have / \\ # or ?")
      default: continue
      }
    }
  }

  private static func check(_ record: EntityRecord, _ entity: Entity) throws(ODataError) {
    var count = 0
    var size = 4 + 2 * (entity.partitionKey.utf16.count + entity.rowKey.utf16.count)
    for (name, value) in record.properties where !value.isNull {
      if [TableProperty.partitionKey, TableProperty.rowKey].contains(name) {
        guard case .string = value else { throw violation(entity, name, "is not a string") }
        continue
      }
      count += 1
      try check(property: name, entity)
      let valueSize = try self.size(of: value, name, entity)
      size += 8 + 2 * name.utf16.count + valueSize
    }
    guard count <= TableLimits.properties else {
      throw ODataError(
        .invalidValue,
        "The \(entity.words) has \(count) properties; the service takes \(TableLimits.properties) at most beside "
          + "keys and timestamp.")
    }
    guard size <= TableLimits.entitySize else {
      throw ODataError(
        .invalidValue,
        "The \(entity.words) takes \(size) bytes; the service takes 1 MiB (\(TableLimits.entitySize)) at most."
      )
    }
  }

  private static func check(property name: String, _ entity: Entity) throws(ODataError) {
    guard name.utf16.count <= TableLimits.nameLength else {
      throw violation(entity, String(name.prefix(40)) + "…", "has a name of more than 255 characters")
    }
    guard isPropertyName(name) else {
      throw violation(
        entity, name, "has a name the service cannot store: letters, digits and _ only, and no digit first")
    }
  }

  /// The bytes of a value as the service counts them; throws for a type or a value that it does not store.
  private static func size(of value: EdmValue, _ name: String, _ entity: Entity) throws(ODataError) -> Int {
    switch value {
    case .string(let text):
      let units = text.utf16.count
      guard units <= TableLimits.stringLength else {
        throw violation(entity, name, "is longer than 64 KiB (\(TableLimits.stringLength) UTF-16 units)")
      }
      return 2 * units + 4
    case .binary(let bytes):
      guard bytes.count <= TableLimits.binaryLength else {
        throw violation(entity, name, "is longer than 64 KiB (\(TableLimits.binaryLength) bytes)")
      }
      return bytes.count + 4
    case .dateTime(let date):
      guard date >= .earliestOfTables else {
        throw violation(entity, name, "is before 1601-01-01, the earliest date that the service stores")
      }
      return 8
    case .boolean: return 1
    case .int32: return 4
    case .int64, .double: return 8
    case .guid: return 16
    case .null: return 0
    case .byte, .sbyte, .int16, .single, .decimal, .dateTimeOffset, .duration, .date, .timeOfDay,
      .enumeration,
      .spatial, .stream, .complex, .collection:
      throw violation(
        entity, name,
        "is of the type \(value.kindName), which tables do not have; use String, Int32, Int64, Double, "
          + "Boolean, DateTime, Guid or Binary")
    }
  }

  private static func violation(_ entity: Entity, _ property: String, _ rule: String) -> ODataError {
    ODataError(.invalidValue, "The property \(property) of the \(entity.words) \(rule).")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether a property may have this name: a C# identifier, as far as it is an XML name too; neither may hold `-`, `:`
  /// or a blank.
  package static func isPropertyName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.startsIdentifier else { return false }
    return name.unicodeScalars.dropFirst().allSatisfy {
      $0.continuesIdentifier && $0.properties.generalCategory != .format
    }
  }

  private static func codePoint(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension EdmDateTime {
  /// 1601-01-01T00:00:00, the earliest date of the Table service.
  package static let earliestOfTables = EdmDateTime(ticks: 504_911_232_000_000_000) ?? .minimum
}
