public import ODataKit

/// The operations of an entity group transaction, in order; see ``TableClient/submit(_:)``. A value that can be sent
/// any number of times.
///
/// ```swift
/// var transaction = TableTransaction()
/// transaction.insert(botchan)
/// transaction.delete(partitionKey: "shelf-1", rowKey: "kokoro")
/// try await books.submit(transaction)
/// ```
public struct TableTransaction: Sendable {
  private var operations: [@Sendable (ODataService, String) throws -> ChangeOperation] = []

  /// Makes an empty transaction.
  public init() {}

  /// The number of operations.
  public var count: Int { operations.count }

  /// Inserts an entity.
  public mutating func insert(_ entity: some Encodable & Sendable) {
    operations.append { try .insert($0.record(of: entity), $0, $1) }
  }

  /// Merges into an existing entity.
  public mutating func merge(_ entity: some Encodable & Sendable, ifMatch: EntityTag = .any) {
    operations.append { try .update(.merge, $0.record(of: entity), ifMatch, $0, $1) }
  }

  /// Replaces an existing entity.
  public mutating func replace(_ entity: some Encodable & Sendable, ifMatch: EntityTag = .any) {
    operations.append { try .update(.replace, $0.record(of: entity), ifMatch, $0, $1) }
  }

  /// Merges into an entity, or inserts it.
  public mutating func insertOrMerge(_ entity: some Encodable & Sendable) {
    operations.append { try .update(.insertOrMerge, $0.record(of: entity), nil, $0, $1) }
  }

  /// Replaces an entity, or inserts it.
  public mutating func insertOrReplace(_ entity: some Encodable & Sendable) {
    operations.append { try .update(.insertOrReplace, $0.record(of: entity), nil, $0, $1) }
  }

  /// Inserts a record. What only the service sets, such as the timestamp, is not sent.
  public mutating func insert(_ record: EntityRecord) {
    operations.append { .insert(record, $0, $1) }
  }

  /// Merges a record into an existing entity.
  public mutating func merge(_ record: EntityRecord, ifMatch: EntityTag = .any) {
    operations.append { .update(.merge, record, ifMatch, $0, $1) }
  }

  /// Replaces an existing entity by a record.
  public mutating func replace(_ record: EntityRecord, ifMatch: EntityTag = .any) {
    operations.append { .update(.replace, record, ifMatch, $0, $1) }
  }

  /// Merges a record into an entity, or inserts it.
  public mutating func insertOrMerge(_ record: EntityRecord) {
    operations.append { .update(.insertOrMerge, record, nil, $0, $1) }
  }

  /// Replaces an entity by a record, or inserts it.
  public mutating func insertOrReplace(_ record: EntityRecord) {
    operations.append { .update(.insertOrReplace, record, nil, $0, $1) }
  }

  /// Deletes an entity.
  public mutating func delete(partitionKey: String, rowKey: String, ifMatch: EntityTag = .any) {
    operations.append { _, table in .delete(partitionKey, rowKey, ifMatch, table) }
  }

  /// The operations as they are sent, checked against the rules of a transaction.
  func prepared(_ service: ODataService, _ table: String) throws -> [PreparedChange] {
    let builder = RequestBuilder(service, format: service.negotiation.current)
    let changes = try operations.enumerated().map { index, operation in
      do {
        return try builder.prepare(operation(service, table))
      } catch let error as ODataError {
        var located = error
        located.failedOperation = index
        throw located
      }
    }
    let limits = service.conventions.changeSetLimits
    guard !changes.isEmpty, changes.count <= limits.operations else {
      throw ODataError(
        .invalidArgument,
        "A transaction has 1 to \(limits.operations) operations; this one has \(changes.count). A TableContext "
          + "splits what it saves by itself.")
    }
    if let other = changes.firstIndex(where: {
      !($0.operation.partitionKey ?? "").utf8.elementsEqual((changes[0].operation.partitionKey ?? "").utf8)
    }) {
      throw ODataError(
        .invalidArgument,
        "All operations of a transaction are of one partition; operation \(other) is of another than operation 0."
      )
    }
    var seen: Set<EntityIdentity> = []
    for (index, change) in changes.enumerated() {
      let key = EntityKey.row(
        partitionKey: change.operation.partitionKey ?? "", rowKey: change.operation.rowKey ?? "")
      let identity = try EntityAddress.key(set: table, key).identity(for: .azureTable)
      guard let identity, seen.insert(identity).inserted else {
        throw ODataError(
          .invalidArgument,
          "A transaction may touch each entity once; operation \(index) is the second on its row.")
      }
    }
    let size = try changes.reduce(builder.framing.envelopeByteCount) {
      $0 + (try builder.framing.byteCount(of: $1.part))
    }
    guard size <= limits.bytes else {
      throw ODataError(
        .invalidArgument,
        "The transaction takes \(size) bytes; the service takes 4 MiB (\(limits.bytes)) at most.")
    }
    return changes
  }
}

extension ChangeOperation {
  static func insert(_ record: EntityRecord, _ service: ODataService, _ table: String) -> ChangeOperation {
    ChangeOperation(
      .insert, at: .set(table), record: writable(record, service), prefersMinimalResponse: true)
  }

  static func update(
    _ kind: Kind, _ record: EntityRecord, _ tag: EntityTag?, _ service: ODataService, _ table: String
  ) -> ChangeOperation {
    let record = writable(record, service)
    guard let key = service.conventions.key(of: record, keyNames: []) else {
      // The check before sending says what is missing.
      return ChangeOperation(kind, at: .set(table), entityTag: tag, record: record)
    }
    return ChangeOperation(kind, at: .key(set: table, key), entityTag: tag, record: record)
  }

  static func delete(
    _ partitionKey: String, _ rowKey: String, _ tag: EntityTag, _ table: String
  ) -> ChangeOperation {
    ChangeOperation(
      .delete, at: .key(set: table, .row(partitionKey: partitionKey, rowKey: rowKey)), entityTag: tag)
  }

  /// What of a record is the program's to write. One that was read says more: its tag, its links, its timestamp.
  private static func writable(_ record: EntityRecord, _ service: ODataService) -> EntityRecord {
    var record = record.filtered { !$1.isNull && !service.conventions.isReadOnly($0) }
    record.control = ControlInformation()
    return record
  }
}

extension ODataService {
  /// The properties of an entity of a model type.
  func record(of entity: some Encodable) throws -> EntityRecord {
    try RecordEncoder(naming: conventions.naming, dialect: conventions.dialect).encode(entity)
  }
}
