/// A query of an entity set whose results are tracked.
///
/// ```swift
/// let rated = try await books.query
///   .filter { $0.author == "夏目漱石" && $0.rate >= 4 }
///   .limit(20)
///   .execute()
/// ```
public struct EntityQuery<Entity: Codable>: QueryBuilding {
  /// The set that is queried.
  public let entitySet: EntitySet<Entity>
  /// The query as a value.
  public var query = Query()
  /// The number of entities behind which the results end, over all pages.
  public var maximum: Int?
  private var merge: MergeOption?

  init(_ entitySet: EntitySet<Entity>) { self.entitySet = entitySet }

  /// The service that is asked.
  public var service: ODataService { entitySet.context.service }
  /// The entity set that is asked for.
  public var setName: String { entitySet.name }

  /// How the entities meet those that are tracked; the context's own option where it is not said.
  public func mergeOption(_ option: MergeOption) -> Self {
    var copy = self
    copy.merge = option
    return copy
  }

  /// Every matching entity, tracked by the merge option. Pages are followed to the end, or to the limit.
  public func execute() async throws -> [Tracked<Entity>] {
    var all: [Tracked<Entity>] = []
    var entities = stream().makeAsyncIterator()
    while let entity = try await entities.next() { all.append(entity) }
    return all
  }

  /// The matching entities one by one, tracked by the merge option. A page is read while its entities are taken, and
  /// the next one asked for only when it is needed.
  public func stream() -> TrackedEntities<Entity> { TrackedEntities(query: self) }

  /// The first matching entity, or `nil` where there is none.
  public func first() async throws -> Tracked<Entity>? { try await limit(1).execute().first }

  /// The same query with plain values as results: nothing is tracked and nothing kept.
  public var values: ValueQuery<Entity> {
    var values = ValueQuery<Entity>(service, set: setName)
    values.query = query
    values.maximum = maximum
    return values
  }

  /// The method and URL that reading sends first, without sending it. A projection selects the key as well: without
  /// it, what was read could be neither tracked nor saved.
  public func request() throws -> HTTPRequest {
    RequestBuilder(service, format: service.negotiation.current).get(try trackedURL())
  }

  fileprivate func trackedURL() throws(ODataError) -> RequestURL { try url(alongWith: entitySet.keyNames) }

  fileprivate func track(_ record: EntityRecord) throws -> Tracked<Entity> {
    try entitySet.context.materialize(
      record, in: entitySet, isComplete: query.select.isEmpty, merge: merge ?? entitySet.context.mergeOption,
      expanded: query.expandedProperties)
  }
}

/// The tracked entities of a query; see ``EntityQuery/stream()``.
public struct TrackedEntities<Entity: Codable>: AsyncSequence {
  /// A tracked entity.
  public typealias Element = Tracked<Entity>
  fileprivate let query: EntityQuery<Entity>

  /// Starts a new read; nothing is sent before the first entity is asked for.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query) }

  /// Reads the entities.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let query: EntityQuery<Entity>
    private var records: LimitedRecords

    fileprivate init(_ query: EntityQuery<Entity>) {
      self.query = query
      records = LimitedRecords(service: query.service, set: query.setName, maximum: query.maximum) {
        try query.trackedURL()
      }
    }

    /// The next entity, or `nil` at the end.
    public mutating func next() async throws -> Tracked<Entity>? {
      try await records.next().map(query.track)
    }
  }
}
