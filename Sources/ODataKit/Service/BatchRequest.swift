/// Queries and change sets that go to the service in one request; a value that can be sent any number of times.
///
/// ```swift
/// var batch = BatchRequest()
/// let rated = try batch.add(books.query.filter { $0.rate >= 4 }.values)
/// let changes = batch.addChangeSet([ChangeOperation(.delete, at: .key(set: "Books", EntityKey(.int32(7))))])
/// let result = try await service.execute(batch)
/// let page = try result.page(rated)          // its entities, or the error of this query alone
/// let outcomes = result.outcomes(changes)    // one for each operation
/// ```
///
/// The items are done in their order. Each change set is done as a whole or not at all; the batch around them is no
/// transaction.
public struct BatchRequest: Sendable {
  /// Whether the service goes on behind an item that failed (`Prefer: odata.continue-on-error`). Services of OData 4 end
  /// at the first failure otherwise; older ones go on in any case. In a JSON batch the order of the items is the
  /// service's to choose then.
  public var continuesOnError: Bool

  var items: [Item] = []

  /// Makes an empty batch.
  public init(continuesOnError: Bool = false) { self.continuesOnError = continuesOnError }

  enum Item: Sendable {
    case query(RequestURL)
    case changeSet([ChangeOperation])
  }

  /// The number of queries and change sets.
  public var count: Int { items.count }

  /// Adds a query; of its results the answer holds one page. Throws what ``Query/queryString(for:)`` throws.
  public mutating func add<Entity: Codable>(
    _ query: ValueQuery<Entity>
  ) throws(ODataError) -> BatchQuery<Entity> {
    items.append(.query(try query.url()))
    return BatchQuery(
      index: items.count - 1, set: query.setName, bridge: EntityBridge(query.service.conventions))
  }

  /// Adds the read of one entity by its key.
  public mutating func add<Entity: Codable>(
    _ key: EntityKey, of query: ValueQuery<Entity>
  ) throws(ODataError) -> BatchEntity<Entity> {
    let builder = RequestBuilder(query.service, format: query.service.negotiation.current)
    var url = try builder.url(of: .key(set: query.setName, key))
    var options = Query(select: query.query.select)
    options.expand = query.query.expand
    url.query = try options.queryString(for: query.service.dialect)
    items.append(.query(url))
    return BatchEntity(
      index: items.count - 1, set: query.setName, bridge: EntityBridge(query.service.conventions))
  }

  /// Adds the question how many entities match a query's filter (`$count`).
  ///
  /// Throws ``ODataError/Code/unsupported`` for Azure tables, which cannot count.
  public mutating func addCount<Entity: Codable>(
    of query: ValueQuery<Entity>
  ) throws(ODataError) -> BatchCount {
    guard query.service.dialect != .azureTable else {
      throw ODataError(.unsupported, "The table service does not count entities; read them and count.")
    }
    let builder = RequestBuilder(query.service, format: query.service.negotiation.current)
    var url = try builder.url(of: .set(query.setName)).appending(segment: "$count")
    url.query = try Query(filter: query.query.filter).queryString(for: query.service.dialect)
    items.append(.query(url))
    return BatchCount(index: items.count - 1)
  }

  /// Adds changes that are done together or not at all. An operation refers to an entity that an earlier one of the same
  /// set inserts by ``EntityAddress/created(set:by:)``.
  public mutating func addChangeSet(_ operations: [ChangeOperation]) -> BatchChangeSet {
    items.append(.changeSet(operations))
    return BatchChangeSet(index: items.count - 1)
  }
}

/// A query's place in a batch.
public struct BatchQuery<Entity: Codable>: Sendable {
  let index: Int
  let set: String
  let bridge: EntityBridge<Entity>
}

/// The place of the read of one entity in a batch.
public struct BatchEntity<Entity: Codable>: Sendable {
  let index: Int
  let set: String
  let bridge: EntityBridge<Entity>
}

/// The place of a count in a batch.
public struct BatchCount: Sendable {
  let index: Int
}

/// A change set's place in a batch.
public struct BatchChangeSet: Sendable {
  let index: Int
}

extension ODataService {
  /// Sends a batch and gives the answer to each of its items; what failed of it is told item by item.
  ///
  /// Throws before anything is sent: ``ODataError/Code/invalidArgument`` for a batch without items, for a query of
  /// another service and for a reference to what no earlier operation inserts, ``ODataError/Code/unsupported`` where the
  /// service has no batches of the ``batchFormat``, and what an operation breaks of the service's rules, with its index
  /// within its change set. Later only `CancellationError`.
  public func execute(_ batch: BatchRequest) async throws -> BatchResult {
    let builder = RequestBuilder(self, format: negotiation.current)
    guard !batch.items.isEmpty else {
      throw ODataError(.invalidArgument, "The batch is empty; add a query or a change set first.")
    }
    let items = try batch.items.map { item throws(ODataError) in
      switch item {
      case .query(let url):
        guard isRoot(of: url) else {
          throw ODataError(.invalidArgument, "The batch holds a query of another service than it is sent to.")
        }
        return BatchItem.query(url)
      case .changeSet(let operations):
        return .changeSet(try prepared(operations, builder))
      }
    }
    // Whatever cannot be written is found now, as an error of the call and not as an outcome.
    _ = try builder.batch(items, continuesOnError: batch.continuesOnError)
    return BatchResult(
      service: self, outcomes: try await perform(items, continuesOnError: batch.continuesOnError))
  }

  /// Whether a URL is the root of this service or below it. `/svc2` begins like `/svc` and is another service's.
  private func isRoot(of url: RequestURL) -> Bool {
    var place = url
    place.query = nil
    return place.appending(segment: "").description.utf8.starts(
      with: root.appending(segment: "").description.utf8)
  }

  private func prepared(
    _ operations: [ChangeOperation], _ builder: RequestBuilder
  ) throws(ODataError) -> [PreparedChange] {
    var changes: [PreparedChange] = []
    for (index, operation) in operations.enumerated() {
      do throws(ODataError) {
        for reference in operation.references {
          guard reference >= 0, reference < index, operations[reference].kind == .insert else {
            throw ODataError(
              .invalidArgument,
              "A change set refers to operation \(reference), which is no insert in front of the one that needs it."
            )
          }
        }
        changes.append(try builder.prepare(operation))
      } catch {
        var located = error
        located.failedOperation = index
        throw located
      }
    }
    return changes
  }
}
