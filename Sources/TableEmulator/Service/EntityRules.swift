internal import AzureTable
internal import ODataKit

/// The rules of "Understanding the Table service data model" for what may be stored.
enum EntityRules {
  /// The keys of an entity that is to be inserted.
  static func keys(of record: EntityRecord) throws -> EntityAddress {
    EntityAddress(
      partitionKey: try key(SystemProperty.partitionKey, of: record),
      rowKey: try key(SystemProperty.rowKey, of: record))
  }

  private static func key(_ name: String, of record: EntityRecord) throws(ServiceFault) -> String {
    switch record[name] {
    case .string(let text): text
    case nil, .null: throw .propertiesNeedValue
    default: throw .primaryKeyIsInvalidType
    }
  }

  /// Refuses a body whose keys are others than the address has; a body need not repeat them.
  static func check(_ record: EntityRecord, agreesWith address: EntityAddress) throws(ServiceFault) {
    if let key = record[SystemProperty.partitionKey], !key.isNull, key != .string(address.partitionKey) {
      throw .partitionKeyCannotBeUpdated
    }
    if let key = record[SystemProperty.rowKey], !key.isNull, key != .string(address.rowKey) {
      throw .rowKeyCannotBeUpdated
    }
  }

  /// Refuses keys the service does not take: `/ \ # ?`, control characters, over 1 KiB.
  static func check(_ address: EntityAddress) throws(ServiceFault) {
    try checkKey(SystemProperty.partitionKey, address.partitionKey)
    try checkKey(SystemProperty.rowKey, address.rowKey)
  }

  private static func checkKey(_ name: String, _ value: String) throws(ServiceFault) {
    guard value.utf16.count <= ServiceLimits.key else { throw .keyValueTooLarge }
    let isForbidden = value.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0...0x1F, 0x7F...0x9F: true
      default: scalar == "/" || scalar == "\\" || scalar == "#" || scalar == "?"
      }
    }
    if isForbidden { throw .outOfRange(name, value: value) }
  }

  /// The properties of a body that are stored: those of the system and nulls left out, each name and value checked.
  static func storable(_ record: EntityRecord) throws(ServiceFault) -> EntityRecord {
    var names: [String] = []
    var values: [EdmValue] = []
    for (name, value) in record.properties where !SystemProperty.isSystem(name) {
      try checkName(name)
      if value.isNull { continue }
      names.append(name)
      values.append(try storable(value, of: name))
    }
    return EntityRecord(shape: RecordShape(names: names), values: values)
  }

  /// Refuses an entity that has too many properties or is too large as a whole.
  static func checkSize(_ record: EntityRecord, at address: EntityAddress) throws(ServiceFault) {
    var count = 0
    var size = 4 + 2 * (address.partitionKey.utf16.count + address.rowKey.utf16.count)
    for (name, value) in record.properties where !SystemProperty.isSystem(name) {
      count += 1
      size += 8 + 2 * name.utf16.count + valueSize(value)
    }
    guard count <= ServiceLimits.properties else { throw .tooManyProperties }
    guard size <= ServiceLimits.entity else { throw .entityTooLarge }
  }

  private static func valueSize(_ value: EdmValue) -> Int {
    switch value {
    case .string(let text): 2 * text.utf16.count + 4
    case .binary(let bytes): bytes.count + 4
    case .boolean: 1
    case .int32: 4
    case .guid: 16
    default: 8
    }
  }

  private static func checkName(_ name: String) throws(ServiceFault) {
    guard name.utf16.count <= ServiceLimits.propertyName else { throw .propertyNameTooLong }
    guard TableRules.isPropertyName(name) else { throw .propertyNameInvalid }
  }

  private static func storable(_ value: EdmValue, of name: String) throws(ServiceFault) -> EdmValue {
    switch value {
    case .boolean, .int32, .int64, .guid: break
    case .string(let text):
      guard text.utf16.count <= ServiceLimits.string else { throw .propertyValueTooLarge }
    case .binary(let bytes):
      guard bytes.count <= ServiceLimits.binary else { throw .propertyValueTooLarge }
    case .dateTime(let time):
      guard time.ticks >= ServiceLimits.earliestTicks else {
        throw .outOfRange(name, value: invariantText(time))
      }
    // The service keeps neither the sign of zero nor that of NaN.
    case .double(let number): return .double(number == 0 ? 0 : number.isNaN ? .nan : number)
    default: throw .invalidValueType
    }
    return value
  }

  /// `01/01/0001 00:00:00`, the form in which the service's messages show a time.
  private static func invariantText(_ time: EdmDateTime) -> String {
    let text = Array(time.description.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    return "\(part(5..<7))/\(part(8..<10))/\(part(0..<4)) \(part(11..<19))"
  }

  /// Refuses names that a new table may not have.
  static func checkTableName(_ name: String) throws(ServiceFault) {
    guard ServiceLimits.tableName.contains(name.utf16.count) else { throw .resourceNameLength }
    guard isTableName(name), !ResourceAddress.isTables(name) else { throw .invalidResourceName }
  }

  /// Letters and digits of ASCII, beginning with a letter.
  private static func isTableName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isASCIILetter(first) else { return false }
    return name.utf8.allSatisfy { isASCIILetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isASCIILetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

/// The two keys of an entity as text.
struct EntityAddress: Hashable, Sendable {
  let partitionKey: String
  let rowKey: String

  /// The form the store compares.
  var storeKey: StoreKey { StoreKey(partitionKey, rowKey) }

  /// `Books(PartitionKey='…',RowKey='…')`, as it stands in ids: quotes doubled and left bare, the rest encoded.
  func link(table: String) -> String {
    "\(table)(PartitionKey='\(Self.encoded(partitionKey))',RowKey='\(Self.encoded(rowKey))')"
  }

  private static func encoded(_ key: String) -> String {
    key.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
      .map { PercentEncoding.encode(String(Substring($0))) }
      .joined(separator: "''")
  }
}
