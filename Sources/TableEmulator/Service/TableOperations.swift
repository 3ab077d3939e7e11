internal import AzureTable
internal import ODataKit

/// Listing, reading, creating and deleting tables.
enum TableOperations {
  static let tableName = TableProperty.tableName
  static let setName = TableProperty.tables

  /// Answers `GET /Tables`: a page of tables by name.
  static func list(_ request: ServiceRequest, _ snapshot: StoreSnapshot, _ scope: RequestScope) throws
    -> ServiceReply
  {
    let format = try request.format.get()
    let filter = try QueryFilter(request.options.filter)
    let limit = request.options.top ?? ServiceLimits.pageLength
    let start = try request.options.nextTableName.map(ContinuationToken.value) ?? ""
    var records: [EntityRecord] = []
    var next: String?
    try snapshot.tables(of: scope.account, from: start) { table in
      let record = record(table)
      guard filter.matches(record) else { return true }
      guard records.count < limit else {
        next = StoreSnapshot.folded(table.name)
        return false
      }
      records.append(record)
      return true
    }
    let document = EntityDocument(format, scope: scope, table: setName)
    var reply = ServiceReply(status: 200, headers: [.contentType: document.contentType])
    reply.headers["x-ms-continuation-NextTableName"] = next.map(ContinuationToken.text)
    reply.body = try document.feed(records)
    return reply
  }

  /// Answers `GET /Tables('name')`.
  static func read(
    _ name: String, _ request: ServiceRequest, _ snapshot: StoreSnapshot, _ scope: RequestScope
  ) throws -> ServiceReply {
    let format = try request.format.get()
    guard let table = try snapshot.table(name, of: scope.account) else { throw ServiceFault.resourceNotFound }
    let document = EntityDocument(format, scope: scope, table: setName)
    return ServiceReply(
      status: 200, headers: [.contentType: document.contentType],
      body: try document.table(record(table), name: table.name))
  }

  /// Answers `POST /Tables`.
  static func create(
    _ request: ServiceRequest, _ transaction: StoreTransaction, _ scope: RequestScope
  ) throws -> ServiceReply {
    let format = try request.format.get()
    let body = try RequestBody.entity(of: request)
    guard case .string(let name)? = body[tableName] else { throw ServiceFault.propertiesNeedValue }
    try EntityRules.checkTableName(name)
    guard try transaction.createTable(name, of: scope.account) else { throw ServiceFault.tableAlreadyExists }
    let location = "\(scope.base)\(link(name))"
    var reply = ServiceReply(status: 201, headers: [.location: location])
    if request.preference == .noContent {
      reply.status = 204
      reply.headers["DataServiceId"] = location
      return reply
    }
    let document = EntityDocument(format, scope: scope, table: setName)
    reply.headers[.contentType] = document.contentType
    reply.body = try document.table(EntityRecord([tableName: .string(name)]), name: name)
    return reply
  }

  /// Answers `DELETE /Tables('name')`. The table is gone at once; the service's forty seconds of TableBeingDeleted
  /// would only slow tests down.
  static func delete(
    _ name: String, _ request: ServiceRequest, _ transaction: StoreTransaction, _ scope: RequestScope
  ) throws -> ServiceReply {
    _ = try request.format.get()
    guard let table = try transaction.snapshot.table(name, of: scope.account) else {
      throw ServiceFault.resourceNotFound
    }
    try transaction.deleteTable(table)
    return ServiceReply(status: 204, dataServiceVersion: "1.0;")
  }

  /// `Tables('name')`
  static func link(_ name: String) -> String { "\(setName)('\(name)')" }

  private static func record(_ table: StoredTable) -> EntityRecord {
    EntityRecord(shape: shape, values: [.string(table.name)])
  }

  private static let shape = RecordShape(names: [tableName])
}
