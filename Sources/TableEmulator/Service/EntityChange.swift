internal import ODataKit

/// A write to one entity, read and checked as far as that goes without looking at what is stored.
struct EntityChange {
  let table: String
  let address: EntityAddress
  let action: Action
  let request: ServiceRequest

  enum Action {
    /// Answered in the format, with the entity unless the client prefers none.
    case insert(EntityRecord, ResponseFormat)
    case replace(EntityRecord, MatchCondition)
    case merge(EntityRecord, MatchCondition)
    case delete(MatchCondition)
  }

  init(_ request: ServiceRequest) throws {
    self.request = request
    switch (request.resource, request.method) {
    case (.entities(let table), .post):
      let format = try request.format.get()
      let record = try RequestBody.entity(of: request)
      self.table = table
      address = try EntityRules.keys(of: record)
      try EntityRules.check(address)
      let storable = try EntityRules.storable(record)
      try EntityRules.checkSize(storable, at: address)
      action = .insert(storable, format)
    case (.entity(let table, let partitionKey, let rowKey), .put),
      (.entity(let table, let partitionKey, let rowKey), .merge),
      (.entity(let table, let partitionKey, let rowKey), .patch):
      let condition = try MatchCondition(request.headers, isDelete: false)
      // Before upserts came, an update had to say which version it means.
      if condition == .none, request.version < .upserts { throw ServiceFault.missingRequiredHeader }
      let record = try RequestBody.entity(of: request)
      self.table = table
      address = EntityAddress(partitionKey: partitionKey, rowKey: rowKey)
      try EntityRules.check(record, agreesWith: address)
      try EntityRules.check(address)
      let storable = try EntityRules.storable(record)
      try EntityRules.checkSize(storable, at: address)
      action = request.method == .put ? .replace(storable, condition) : .merge(storable, condition)
    case (.entity(let table, let partitionKey, let rowKey), .delete):
      let condition = try MatchCondition(request.headers, isDelete: true)
      if condition == .none { throw ServiceFault.missingRequiredHeader }
      self.table = table
      address = EntityAddress(partitionKey: partitionKey, rowKey: rowKey)
      action = .delete(condition)
    default:
      throw request.methodFault
    }
  }

  /// Does it; throws what the stored state forbids.
  func apply(in transaction: StoreTransaction, scope: RequestScope) throws -> ServiceReply {
    guard let table = try transaction.snapshot.table(table, of: scope.account) else {
      throw ServiceFault.tableNotFound
    }
    let key = address.storeKey
    switch action {
    case .insert(let record, let format):
      guard let timestamp = try transaction.insert(key, record, into: table) else {
        throw ServiceFault.entityAlreadyExists
      }
      return try inserted(record, at: timestamp, into: table, format, scope)
    case .replace(let record, let condition):
      if condition != .none { try condition.check(transaction.snapshot.timestamp(key, in: table)) }
      return updated(try transaction.put(key, record, into: table))
    case .merge(let record, let condition):
      let stored = try transaction.snapshot.entity(key, in: table)
      try condition.check(stored?[SystemProperty.timestamp].flatMap(Self.instant))
      guard var merged = stored else { return updated(try transaction.put(key, record, into: table)) }
      for (name, value) in record.properties { merged[name] = value }
      try EntityRules.checkSize(merged, at: address)
      return updated(try transaction.put(key, merged, into: table))
    case .delete(let condition):
      try condition.check(transaction.snapshot.timestamp(key, in: table))
      try transaction.delete(key, from: table)
      return ServiceReply(status: 204, dataServiceVersion: "1.0;")
    }
  }

  private static func instant(_ value: EdmValue) -> EdmDateTime? {
    if case .dateTime(let time) = value { time } else { nil }
  }

  private func updated(_ timestamp: EdmDateTime) -> ServiceReply {
    ServiceReply(
      status: 204, headers: [.entityTag: EntityTag(timestamp: timestamp).rawValue], dataServiceVersion: "1.0;"
    )
  }

  private func inserted(
    _ record: EntityRecord, at timestamp: EdmDateTime, into table: StoredTable, _ format: ResponseFormat,
    _ scope: RequestScope
  ) throws -> ServiceReply {
    let location = scope.base + address.link(table: table.name)
    var reply = ServiceReply(status: 201, headers: [.location: location])
    if format == .atom { reply.dataServiceVersion = "1.0;" }
    reply.headers[.entityTag] = EntityTag(timestamp: timestamp).rawValue
    if request.preference == .noContent {
      reply.status = 204
      reply.headers["DataServiceId"] = location
      return reply
    }
    let system: [EdmValue] = [.string(address.partitionKey), .string(address.rowKey), .dateTime(timestamp)]
    let entity = EntityRecord(
      shape: RecordShape(names: SystemProperty.all + record.shape.names), values: system + record.values,
      control: ControlInformation(entityTag: EntityTag(timestamp: timestamp)))
    let document = EntityDocument(format, scope: scope, table: table.name)
    reply.headers[.contentType] = document.contentType
    reply.body = try document.entity(entity, at: address)
    return reply
  }
}

extension ServiceRequest {
  /// Why a verb cannot be used here: unknown to the service, or only to this resource.
  var methodFault: ServiceFault {
    switch method {
    case .get, .head, .post, .put, .patch, .merge, .delete, "OPTIONS": .methodNotAllowed
    default: .unsupportedHttpVerb
    }
  }
}
