/// A query whose results are plain values: nothing is tracked and nothing kept, so that a set of any size can be read
/// in bounded memory.
///
/// ```swift
/// for try await book in try books.query.filter { $0.rate >= 4 }.values.stream() { … }
/// ```
///
/// The query itself is no `AsyncSequence`: that would bring a `filter` of its own, to which a condition that does not
/// fit the types would fall back silently, reading the whole set.
public struct ValueQuery<Entity: Codable>: QueryBuilding, Sendable {
  /// The service that is asked.
  public let service: ODataService
  /// The entity set that is asked for.
  public let setName: String
  /// The query as a value.
  public var query = Query()
  /// The number of entities behind which the results end, over all pages.
  public var maximum: Int?
  private let bridge: EntityBridge<Entity>

  /// Makes a query of all entities of a set.
  package init(_ service: ODataService, set: String) {
    self.service = service
    setName = set
    bridge = EntityBridge(service.conventions)
  }

  /// Every matching entity. Pages are followed to the end, or to the limit.
  public func execute() async throws -> [Entity] {
    var all: [Entity] = []
    for try await entity in stream() { all.append(entity) }
    return all
  }

  /// The matching entities one by one. A page is read while its entities are taken, and the next one asked for only
  /// when it is needed.
  public func stream() -> EntityValues<Entity> {
    EntityValues(records: { limitedRecords }, bridge: bridge)
  }

  /// The first matching entity, or `nil` where there is none.
  public func first() async throws -> Entity? { try await limit(1).execute().first }

  /// The matching entities as records, with exact types and control information, for programs without a model.
  public var records: EntityRecords { EntityRecords(records: { limitedRecords }) }

  private var limitedRecords: LimitedRecords {
    LimitedRecords(service: service, set: setName, maximum: maximum) { try url() }
  }
}

/// The entities of a query as values; see ``ValueQuery/stream()``.
public struct EntityValues<Entity: Codable>: AsyncSequence {
  /// An entity.
  public typealias Element = Entity
  fileprivate let records: () -> LimitedRecords
  fileprivate let bridge: EntityBridge<Entity>

  /// Starts a new read; nothing is sent before the first entity is asked for.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(records: records(), bridge: bridge) }

  /// Reads the entities.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var records: LimitedRecords
    fileprivate let bridge: EntityBridge<Entity>

    /// The next entity, or `nil` at the end. A page that could not be fetched is asked for again by the next call.
    public mutating func next() async throws -> Entity? { try await records.next().map(bridge.decode) }
  }
}

/// The entities of a query as records; see ``ValueQuery/records``.
public struct EntityRecords: AsyncSequence {
  /// A record.
  public typealias Element = EntityRecord
  fileprivate let records: () -> LimitedRecords

  /// Starts a new read; nothing is sent before the first entity is asked for.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(records: records()) }

  /// Reads the records.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var records: LimitedRecords

    /// The next record, or `nil` at the end.
    public mutating func next() async throws -> EntityRecord? { try await records.next() }
  }
}

/// The records of a query, over all pages, up to its limit.
struct LimitedRecords {
  private let open: () throws -> RecordPages
  private let maximum: Int?
  private var pages: RecordPages?
  private var taken = 0

  init(service: ODataService, set: String, maximum: Int?, url: @escaping () throws -> RequestURL) {
    self.maximum = maximum
    open = { RecordPages(service, set: set, url: try url()) }
  }

  mutating func next() async throws -> EntityRecord? {
    if let maximum, taken >= maximum { return nil }
    let source = try pages ?? open()
    pages = source
    guard let record = try await source.next() else { return nil }
    taken += 1
    return record
  }
}
