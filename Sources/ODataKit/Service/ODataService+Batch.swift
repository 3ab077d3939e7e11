/// What became of an item of a batch.
package enum BatchItemOutcome: Sendable {
  case changes([OperationOutcome])
  case answer(Result<BatchAnswer, ODataError>)
}

/// The answer to a query in a batch, with a status of the 200s.
package struct BatchAnswer: Sendable {
  package let response: BatchOperationResponse
  /// The format that was asked for, for a body that does not say its own.
  package let format: WireFormat
}

/// The answer to a batch, item by item.
struct BatchAnswers {
  /// The part of each item; `nil`, or nothing at all at the end, for those the service says nothing of.
  var parts: [BatchResponsePart?]
  /// Whether the answers of a change set are told apart by their ids and may come in any order.
  var areNamed: Bool
  /// Whether the service has ended the batch at its last answer, a failure, and nothing behind it was tried.
  var hasStopped: Bool
}

extension ODataService {
  /// Sends change sets in one batch, each all or nothing, and gives the outcomes in the shape of `changeSets`.
  ///
  /// Throws only `CancellationError` and what a change breaks before it is sent; everything else is an outcome.
  package func perform(changeSets: [[PreparedChange]]) async throws -> [[OperationOutcome]] {
    try await perform(changeSets.map(BatchItem.changeSet)).map { outcome in
      if case .changes(let outcomes) = outcome { outcomes } else { [] }
    }
  }

  /// Sends a batch, and gives what became of each item, in their order. Change sets that the service was too busy for are
  /// sent again as ``retryPolicy`` says; the others of the batch are not.
  ///
  /// Throws only `CancellationError`; everything else is an outcome.
  package func perform(
    _ items: [BatchItem], continuesOnError: Bool = false
  ) async throws -> [BatchItemOutcome] {
    var outcomes = try await performOnce(items, continuesOnError: continuesOnError)
    var retries = 0
    while true {
      let refused = outcomes.indices.filter { outcomes[$0].busyRefusal(in: dialect) != nil }
      let errors = refused.compactMap { outcomes[$0].busyRefusal(in: dialect) }
      let delays = errors.map { retryPolicy.delay(beforeRetry: retries, after: $0) }
      guard !delays.isEmpty, let delay = delays.compactMap(\.self).max(), !delays.contains(nil) else {
        return outcomes
      }
      retries += 1
      // What became of the others must not be lost with a cancellation.
      do { try await retryPolicy.wait(delay) } catch { return outcomes }
      let again = try await performOnce(refused.map { items[$0] }, continuesOnError: continuesOnError)
      for (index, outcome) in zip(refused, again) { outcomes[index] = outcome.notingRepetition() }
    }
  }

  private func performOnce(
    _ items: [BatchItem], continuesOnError: Bool
  ) async throws -> [BatchItemOutcome] {
    do {
      var refused: ODataError?
      var isRepeated = false
      // A second turn only where the first one's format was refused inside of the batch.
      while true {
        let (response, format) = try await exchange(
          { try $0.batch(items, continuesOnError: continuesOnError) }, isRepeated: &isRepeated)
        let answers = try await answers(of: response, to: items, continuesOnError: continuesOnError)
        let outcomes = BatchOutcomes(service: self, format: format, answers: answers).match(items)
        if refused == nil, outcomes.count == 1, let error = Self.formatError(in: outcomes[0]),
          negotiation.shouldRetry(after: error, in: format)
        {
          refused = error
          continue
        }
        return isRepeated ? outcomes.map { $0.notingRepetition() } : outcomes
      }
    } catch let error as ODataError {
      return items.map { failure(error, of: $0, isOnly: items.count == 1) }
    }
  }

  /// The refusal of the format that an item's outcome holds, where nothing of the item was done.
  private static func formatError(in outcome: BatchItemOutcome) -> ODataError? {
    switch outcome {
    case .changes: outcome.refusals.first { $0.httpStatus == 415 }
    case .answer(.failure(let error)) where error.httpStatus == 415: error
    case .answer: nil
    }
  }

  /// What the failure of a whole batch means for one of its items.
  private func failure(_ error: ODataError, of item: BatchItem, isOnly: Bool) -> BatchItemOutcome {
    var error = error
    if isOnly, dialect == .azureTable,
      case .index(let index) = error.takeOperationIndex(below: item.operationCount)
    {
      error.failedOperation = index
    }
    switch item {
    case .query:
      error.failedOperation = nil
      return .answer(.failure(error))
    case .changeSet(let changes):
      let result: OperationOutcome.Result = error.leavesOutcomeOpen ? .unknown(error) : .failed(error)
      return .changes(changes.map { OperationOutcome($0.operation, result) })
    }
  }

  private func answers(
    of response: HTTPResponse, to items: [BatchItem], continuesOnError: Bool
  ) async throws -> BatchAnswers {
    do {
      let type = response.headers[.contentType].flatMap(MediaType.init)?.name
      if dialect == .v4, type == "application/json" { return try await namedAnswers(of: response, to: items) }
      var reader = try BatchResponseReader(
        contentType: response.headers[.contentType],
        operationCount: items.lazy.map(\.operationCount).reduce(0, +), itemCount: items.count,
        limits: payloadLimits)
      var parts: [BatchResponsePart] = []
      for try await chunk in response.body { parts += try reader.read(chunk) }
      parts += try reader.finish()
      // OData 4 services end a batch at the first failure unless asked to go on (Protocol § 11.7.2); older ones do not.
      let hasStopped =
        dialect == .v4 && !continuesOnError && reader.isComplete && parts.last?.isRefusal == true
      return BatchAnswers(parts: parts, areNamed: false, hasStopped: hasStopped)
    } catch var error as ODataError {
      error.responseWasLost = true
      throw error
    }
  }

  private func namedAnswers(of response: HTTPResponse, to items: [BatchItem]) async throws -> BatchAnswers {
    var reader = JSONBatchReader(
      operationCount: items.lazy.map(\.operationCount).reduce(0, +), limits: payloadLimits)
    var responses: [BatchOperationResponse] = []
    for try await chunk in response.body { responses += try reader.read(chunk) }
    responses += try reader.finish()
    // The item of each number, from 1 on.
    let owners = items.enumerated().flatMap { index, item in
      Array(repeating: index, count: item.operationCount)
    }
    var parts: [BatchResponsePart?] = Array(repeating: nil, count: items.count)
    for response in responses {
      guard let number = ChangeSetAnswers.number(response.contentID, in: 1..<(owners.count + 1)) else {
        continue
      }
      let index = owners[number - 1]
      switch (items[index], parts[index]) {
      case (.changeSet, .changeSet(let others)?): parts[index] = .changeSet(others + [response])
      case (.changeSet, _): parts[index] = .changeSet([response])
      case (.query, _): parts[index] = .operation(response)
      }
    }
    return BatchAnswers(parts: parts, areNamed: true, hasStopped: false)
  }
}

extension BatchItemOutcome {
  /// The refusals of a change set of which surely nothing was done; none for anything else.
  fileprivate var refusals: [ODataError] {
    guard case .changes(let outcomes) = self else { return [] }
    var refusals: [ODataError] = []
    for outcome in outcomes {
      switch outcome.result {
      case .failed(let error): refusals.append(error)
      case .rolledBack: break
      case .done, .unknown, .notTried: return []
      }
    }
    return refusals
  }

  /// The outcome of a change set that was sent more than once: where the first try may have been done, and so be the
  /// reason of the refusal, it is not known of any operation of the set.
  fileprivate func notingRepetition() -> BatchItemOutcome {
    guard case .changes(let outcomes) = self else { return self }
    for outcome in outcomes {
      guard case .failed(var error) = outcome.result, error.wasInBatch else { continue }
      error.noteRepetition(of: outcome.operation.kind.repeatedMethod)
      if error.leavesOutcomeOpen {
        return .changes(outcomes.map { OperationOutcome($0.operation, .unknown(error)) })
      }
    }
    return self
  }

  /// The refusal of a change set that may be another one a little later; `nil` for anything else.
  fileprivate func busyRefusal(in dialect: Dialect) -> ODataError? {
    let refusals = refusals
    return refusals.allSatisfy { $0.wasInBatch && $0.allowsRetryOfChangeSet(in: dialect) }
      ? refusals.first : nil
  }
}

extension BatchResponsePart {
  /// Whether it says that something failed.
  fileprivate var isRefusal: Bool {
    switch self {
    case .operation(let answer): !answer.isSuccess
    case .changeSet(let answers): answers.contains { !$0.isSuccess }
    }
  }
}

extension ChangeOperation.Kind {
  /// The method of the operation, as far as the trace of a first try in the answer to a second one depends on it.
  fileprivate var repeatedMethod: HTTPMethod {
    switch self {
    case .insert, .addLink: .post
    case .delete, .deleteLink: .delete
    case .merge, .insertOrMerge, .replace, .insertOrReplace, .setLink: .put
    }
  }
}
