internal import ODataKit

/// Writes what answers carry: an entity, a feed, or tables, in the format that was asked for and with the ids that
/// the service gives them.
struct EntityDocument {
  private let format: ResponseFormat
  private let scope: RequestScope
  private let table: String
  /// The names of `$select`, which JSON metadata repeats behind the table's name.
  private let select: [String]

  init(_ format: ResponseFormat, scope: RequestScope, table: String, select: [String]? = nil) {
    self.format = format
    self.scope = scope
    self.table = table
    self.select = select ?? []
  }

  var contentType: String { Self.contentType(of: format) }

  static func contentType(of format: ResponseFormat) -> String {
    switch format {
    case .atom: "application/atom+xml;charset=utf-8"
    case .json(let metadata): metadata.responseMediaType
    }
  }

  /// One entity.
  func entity(_ record: EntityRecord, at address: EntityAddress) throws -> [UInt8] {
    try document(named(record, link: address.link(table: table)))
  }

  /// One table.
  func table(_ record: EntityRecord, name: String) throws -> [UInt8] {
    try document(named(record, link: TableOperations.link(name)))
  }

  /// A page of entities.
  func feed(_ rows: [(address: EntityAddress, record: EntityRecord)]) throws -> [UInt8] {
    try feed(rows.lazy.map { named($0.record, link: $0.address.link(table: table)) })
  }

  /// A page of tables.
  func feed(_ tables: [EntityRecord]) throws -> [UInt8] {
    try feed(
      tables.lazy.map { record in
        guard case .string(let name)? = record[TableOperations.tableName] else { return record }
        return named(record, link: TableOperations.link(name))
      })
  }

  private func named(_ record: EntityRecord, link: String) -> EntityRecord {
    var record = record
    record.control.id = scope.base + link
    record.control.editLink = link
    record.control.typeName = "\(scope.account).\(table)"
    return record
  }

  private func document(_ record: EntityRecord) throws -> [UInt8] {
    try carried { () throws(ODataError) in
      switch format {
      case .atom:
        var writer = AtomWriter()
        try writer.entryDocument(record, in: atomContext)
        return writer.bytes
      case .json(let metadata):
        var writer = JSONEntityWriter()
        try writer.entityDocument(record, context: jsonContext(metadata))
        return writer.bytes
      }
    }
  }

  private func feed(_ records: some Sequence<EntityRecord>) throws -> [UInt8] {
    try carried { () throws(ODataError) in
      switch format {
      case .atom:
        var writer = AtomWriter()
        try writer.beginFeed(in: atomContext)
        for record in records { try writer.feedEntry(record) }
        try writer.endFeed()
        return writer.bytes
      case .json(let metadata):
        var writer = JSONEntityWriter()
        writer.beginFeed(context: jsonContext(metadata))
        for record in records { try writer.feedEntity(record) }
        writer.endFeed()
        return writer.bytes
      }
    }
  }

  /// A stored text can hold characters that no XML document can; JSON carries them, and the writer's sentence says so.
  private func carried(_ body: () throws(ODataError) -> [UInt8]) throws(ServiceFault) -> [UInt8] {
    do { return try body() } catch { throw ServiceFault(400, "InvalidInput", error.message) }
  }

  private var atomContext: AtomResponseContext {
    AtomResponseContext(
      base: scope.base, accountName: scope.account, tableName: table, updated: scope.time)
  }

  private func jsonContext(_ metadata: JSONMetadata) -> JSONResponseContext {
    JSONResponseContext(
      base: scope.base, accountName: scope.account, tableName: table, metadata: metadata, select: select)
  }
}
