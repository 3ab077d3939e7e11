/// What a service answered to a batch, item by item; see ``ODataService/execute(_:)``.
public struct BatchResult: Sendable {
  private let service: ODataService
  private let items: [BatchItemOutcome]

  init(service: ODataService, outcomes: [BatchItemOutcome]) {
    self.service = service
    items = outcomes
  }

  /// The entities of a query. Throws the ``ODataError`` that this query ended with, whatever became of the others.
  public func page<Entity>(_ query: BatchQuery<Entity>) throws -> BatchPage<Entity> {
    let answer = try answer(query.index)
    let reader = makeReader(answer, query.set)
    let records = try reader.read(answer.response.body)
    let summary = try reader.finish()
    guard summary.isFeed else {
      throw ODataError(
        .malformedPayload,
        "The service answered a query of a whole set with a single object, which is no list of entities.")
    }
    return BatchPage(
      entities: try records.map(query.bridge.decode), records: records, totalCount: summary.count,
      nextLink: summary.nextLink)
  }

  /// The entity of a key; `nil` where the service has none. Throws the ``ODataError`` that this read ended with.
  public func entity<Entity>(_ read: BatchEntity<Entity>) throws -> Entity? {
    do {
      let answer = try answer(read.index)
      guard !answer.response.body.isEmpty else { return nil }
      let reader = makeReader(answer, read.set)
      let records = try reader.read(answer.response.body)
      _ = try reader.finish()
      return try records.last.map(read.bridge.decode)
    } catch let error as ODataError where error.code == .notFound && !service.conventions.isSetMissing(error)
    {
      return nil
    }
  }

  /// A number of entities. Throws the ``ODataError`` that this question ended with.
  public func count(_ count: BatchCount) throws -> Int64 {
    let body = try answer(count.index).response.body
    // Services put a byte order mark in front of plain text.
    let digits = (body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]).filter {
      !$0.isBlank
    }
    guard let number = Int64(String(decoding: digits, as: UTF8.self)) else {
      throw ODataError(.malformedPayload, "The service answered the question for a count with no number.")
    }
    return number
  }

  /// What became of each operation of a change set, in their order.
  public func outcomes(_ changeSet: BatchChangeSet) -> [OperationOutcome] {
    guard items.indices.contains(changeSet.index), case .changes(let outcomes) = items[changeSet.index] else {
      return []
    }
    return outcomes
  }

  /// The first failure of the batch, of a query or an operation; `nil` where all of it was done.
  public var firstFailure: ODataError? {
    for item in items {
      switch item {
      case .changes(let outcomes):
        if let error = outcomes.lazy.compactMap(\.error).first { return error }
      case .answer(.failure(let error)): return error
      case .answer(.success): continue
      }
    }
    return nil
  }

  private func makeReader(_ answer: BatchAnswer, _ set: String) -> any PayloadReader {
    service.makeReader(answer.response.headers, format: answer.format, types: service.payloadTypes(of: set))
  }

  private func answer(_ index: Int) throws(ODataError) -> BatchAnswer {
    guard items.indices.contains(index), case .answer(let answer) = items[index] else {
      throw ODataError(.invalidArgument, "This is no query of the batch that was sent.")
    }
    return try answer.get()
  }
}

/// The page that a service gave for a query in a batch.
public struct BatchPage<Entity: Codable> {
  /// The entities.
  public let entities: [Entity]
  /// The same entities as records, with exact types and control information.
  public let records: [EntityRecord]
  /// The number of all matching entities, where the query asked for it.
  public let totalCount: Int64?
  /// The service's link to the rest of the results, as it came; `nil` where this is all.
  public let nextLink: String?
}

extension BatchPage: Sendable where Entity: Sendable {}
