internal import ODataKit

/// Reading entities: one by its keys, or pages of them.
enum QueryOperations {
  /// Answers `GET /table(PartitionKey='…',RowKey='…')`.
  static func read(
    _ address: EntityAddress, table name: String, _ request: ServiceRequest, _ snapshot: StoreSnapshot,
    _ scope: RequestScope
  ) throws -> ServiceReply {
    let format = try request.format.get()
    guard let table = try snapshot.table(name, of: scope.account) else { throw ServiceFault.tableNotFound }
    guard let record = try snapshot.entity(address.storeKey, in: table) else {
      throw ServiceFault.resourceNotFound
    }
    let document = EntityDocument(format, scope: scope, table: table.name, select: request.options.select)
    var projection = Projection(request.options.select)
    return ServiceReply(
      status: 200,
      headers: [.contentType: document.contentType, .entityTag: record.control.entityTag?.rawValue ?? ""],
      body: try document.entity(projection.apply(record), at: address))
  }

  /// Answers `GET /table()`: a page in the order of the keys, and where more may follow, the token to go on from.
  static func list(
    _ name: String, _ request: ServiceRequest, _ snapshot: StoreSnapshot, _ scope: RequestScope
  ) throws -> ServiceReply {
    let format = try request.format.get()
    let filter = try QueryFilter(request.options.filter)
    guard let table = try snapshot.table(name, of: scope.account) else { throw ServiceFault.tableNotFound }
    var range = filter.range
    if let token = try token(request.options) { range.lower = max(range.lower, token) }

    var page = Page(
      limit: request.options.top ?? ServiceLimits.pageLength, scanLength: scope.scanLength)
    var projection = Projection(request.options.select)
    try snapshot.entities(of: table, in: range) { key, record, size in
      guard page.mayLook(at: key) else { return false }
      guard filter.matches(record) else { return true }
      guard page.hasRoom(for: size, at: key) else { return false }
      page.rows.append(
        (EntityAddress(partitionKey: key.partitionKey, rowKey: key.rowKey), projection.apply(record)))
      return true
    }

    let document = EntityDocument(format, scope: scope, table: table.name, select: request.options.select)
    var reply = ServiceReply(status: 200, headers: [.contentType: document.contentType])
    if let next = page.next {
      reply.headers["x-ms-continuation-NextPartitionKey"] = ContinuationToken.text(next.partitionKey)
      reply.headers["x-ms-continuation-NextRowKey"] = ContinuationToken.text(next.rowKey)
    }
    reply.body = try document.feed(page.rows)
    return reply
  }

  /// The pair to go on from. The row's half may be missing: then the partition's first row is meant.
  private static func token(_ options: QueryOptions) throws(ServiceFault) -> StoreKey? {
    guard let partition = options.nextPartitionKey, !partition.isEmpty else { return nil }
    var rowKey = ""
    if let row = options.nextRowKey, !row.isEmpty { rowKey = try ContinuationToken.value(row) }
    return StoreKey(try ContinuationToken.value(partition), rowKey)
  }
}

/// A page that fills, and why it ends.
private struct Page {
  let limit: Int
  var rows: [(EntityAddress, EntityRecord)] = []
  /// The first key that was not taken, where the page ended before the rows did.
  private(set) var next: StoreKey?
  private let scanLength: Int
  private var looked = 0
  private var bytes = 0

  init(limit: Int, scanLength: Int) {
    self.limit = limit
    self.scanLength = scanLength
  }

  /// Whether the scan may go on with the row of this key; ends the page after too many rows.
  mutating func mayLook(at key: StoreKey) -> Bool {
    looked += 1
    if looked > scanLength { next = key }
    return next == nil
  }

  /// Whether a matching row still fits; a full page looks for one more match only to know whether there is one.
  mutating func hasRoom(for size: Int, at key: StoreKey) -> Bool {
    bytes += size
    if rows.count == limit || (!rows.isEmpty && bytes > ServiceLimits.pageBytes) { next = key }
    return next == nil
  }
}

/// `$select`: the named properties in their order, null where an entity lacks one.
struct Projection {
  private let names: [String]?
  /// Where the names are in the shape seen last; rows of a page mostly share one.
  private var known: (shape: RecordShape, indexes: [Int?])?
  private let selected: RecordShape

  init(_ names: [String]?) {
    self.names = names
    selected = RecordShape(names: names ?? [])
  }

  mutating func apply(_ record: EntityRecord) -> EntityRecord {
    guard let names else { return record }
    if known?.shape !== record.shape {
      known = (record.shape, names.map { record.shape.index(of: $0) })
    }
    let values = (known?.indexes ?? []).map { index in index.map { record.values[$0] } ?? .null }
    return EntityRecord(shape: selected, values: values, control: record.control)
  }
}
