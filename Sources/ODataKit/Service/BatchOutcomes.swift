/// Finds out what became of each operation of a batch.
///
/// The service answers a change set that worked with one part for each operation, and one that failed with exactly one
/// part, whatever its length (OData 2 batch § 3; Azure: entity group transactions). Whatever cannot be told from a short,
/// broken or contradictory answer is unknown, never assumed.
struct BatchOutcomes {
  let service: ODataService
  let format: WireFormat
  let answers: BatchAnswers

  /// What became of each item of a batch.
  func match(_ items: [BatchItem]) -> [BatchItemOutcome] {
    var outcomes: [BatchItemOutcome] = []
    var contentID = 1
    var failedBefore = false
    for (index, item) in items.enumerated() {
      let part = answers.parts.indices.contains(index) ? answers.parts[index] : nil
      switch item {
      case .changeSet(let changes):
        let operations = changes.map(\.operation)
        if failedBefore, answers.areNamed, part?.isFailedDependency == true {
          outcomes.append(.changes(operations.map { OperationOutcome($0, .notTried) }))
        } else {
          let changed = match(part, to: operations, firstContentID: contentID)
          failedBefore = failedBefore || changed.contains { $0.error != nil }
          outcomes.append(.changes(changed))
        }
      case .query:
        let answer = answer(in: part)
        if case .failure = answer { failedBefore = true }
        outcomes.append(.answer(answer))
      }
      contentID += item.operationCount
    }
    return outcomes
  }

  private func answer(in part: BatchResponsePart?) -> Result<BatchAnswer, ODataError> {
    guard let part else {
      return .failure(
        ODataError(
          answers.hasStopped ? .service : .malformedPayload,
          answers.hasStopped
            ? "The query was not run, since the service ended the batch at the failure in front of it."
            : "The service's answer to the batch says nothing of this query; send it again."))
    }
    guard case .operation(let answer) = part, !answer.isTruncated else {
      return .failure(
        ODataError(
          .malformedPayload,
          "The service's answer to this query of the batch is cut short or no answer to it."))
    }
    guard answer.isSuccess else {
      var error = ServiceError.read(
        status: answer.status, headers: answer.headers, body: answer.body, now: .now())
      if service.dialect == .azureTable { _ = error.takeOperationIndex(below: 1) }
      return .failure(error)
    }
    return .success(BatchAnswer(response: answer, format: format))
  }

  private func match(
    _ part: BatchResponsePart?, to operations: [ChangeOperation], firstContentID: Int
  ) -> [OperationOutcome] {
    guard let part else {
      return operations.map { answers.hasStopped ? OperationOutcome($0, .notTried) : unanswered($0) }
    }
    let found: [BatchOperationResponse] =
      switch part {
      case .operation(let answer): [answer]
      case .changeSet(let answers): answers
      }
    let matched = ChangeSetAnswers(
      found, numbers: firstContentID..<(firstContentID + operations.count), order: order)
    let refusals = found.indices.filter { !found[$0].isSuccess }
    // 424 says that another one failed (OData JSON Format 4.01 § 19.5).
    if let position = refusals.first(where: { found[$0].status != 424 }) ?? refusals.first {
      // The table service is known to undo the whole set, so there nothing in front of the refusal was done.
      if refusals.count < found.count, service.dialect != .azureTable {
        return contradicted(operations, matched, refusal: position)
      }
      return failed(operations, matched, refusal: position)
    }
    return zip(operations, matched.byOperation).map { operation, answer in
      guard let answer else { return unanswered(operation) }
      let tag = answer.headers[.entityTag].map(EntityTag.init(rawValue:))
      let stored = operation.kind.isOfLink ? nil : try? entity(of: answer, set: operation.address.set)
      return OperationOutcome(
        operation, .done, stored: stored, entityTag: tag ?? stored?.control.entityTag)
    }
  }

  private var order: ChangeSetAnswers.Order {
    if answers.areNamed { return .named }
    return service.dialect == .azureTable ? .kept : .any
  }

  private func entity(of answer: BatchOperationResponse, set: String) throws -> EntityRecord? {
    guard !answer.body.isEmpty else { return nil }
    let reader = service.makeReader(answer.headers, format: format, types: service.payloadTypes(of: set))
    let found = try reader.read(answer.body)
    _ = try reader.finish()
    return found.last
  }

  private func failed(
    _ operations: [ChangeOperation], _ matched: ChangeSetAnswers, refusal position: Int
  ) -> [OperationOutcome] {
    var error = error(of: matched.answers[position])
    let index = failedIndex(&error, matched, at: position, of: operations.count)
    error.failedOperation = index
    guard let index else { return operations.map { OperationOutcome($0, .failed(error)) } }
    return operations.enumerated().map { position, operation in
      OperationOutcome(operation, position == index ? .failed(error) : .rolledBack)
    }
  }

  /// The outcomes of a change set of which the service says that a part was done and a part refused. It is all or
  /// nothing, so one of the two is not true: what is said to be done must neither pass for undone nor be sent again.
  private func contradicted(
    _ operations: [ChangeOperation], _ matched: ChangeSetAnswers, refusal position: Int
  ) -> [OperationOutcome] {
    var refusal = error(of: matched.answers[position])
    refusal.failedOperation = matched.places[position]
    return zip(operations, matched.byOperation).enumerated().map { index, pair in
      let (operation, answer) = pair
      guard let answer, !answer.isSuccess else {
        var open = refusal
        let said =
          answer == nil
          ? "says nothing of this operation, and refused" : "says that this operation was done, but refused"
        open.message =
          "The service \(said) another one of the same change set; read the entity to see whether it was done. "
          + "The refusal: \(refusal.message)"
        return OperationOutcome(operation, .unknown(open))
      }
      if answer.status == 424 { return OperationOutcome(operation, .rolledBack) }
      var own = error(of: answer)
      own.failedOperation = index
      return OperationOutcome(operation, .failed(own))
    }
  }

  private func error(of refusal: BatchOperationResponse) -> ODataError {
    var error = ServiceError.read(
      status: refusal.status, headers: refusal.headers, body: refusal.body, now: .now())
    error.wasInBatch = true
    return error
  }

  /// Which operation a refusal is about; `nil` where it cannot be told.
  ///
  /// Azure puts the index before the message and leaves it out for the first operation, whose refusal is the only
  /// answer then; its `Content-ID` is no help, since other numbers stand there in a failure. Other services have the
  /// `Content-ID` only.
  private func failedIndex(
    _ error: inout ODataError, _ matched: ChangeSetAnswers, at position: Int, of count: Int
  ) -> Int? {
    if service.dialect == .azureTable {
      switch error.takeOperationIndex(below: count) {
      case .index(let index): return index
      case .beyond: return nil
      case .none: return position < count ? position : nil
      }
    }
    // The one answer to a change set that failed may be about any of it.
    if matched.answers.count == 1, count > 1, matched.answers[position].contentID == nil { return nil }
    return matched.places[position]
  }

  private func unanswered(_ operation: ChangeOperation) -> OperationOutcome {
    OperationOutcome(
      operation,
      .unknown(
        ODataError(
          .malformedPayload,
          "The service's answer to the batch says nothing of this operation; read the entity to see whether it "
            + "was done.")))
  }
}

extension BatchResponsePart {
  /// Whether nothing of it was tried, because of a failure elsewhere (OData JSON Format 4.01 § 19.1).
  fileprivate var isFailedDependency: Bool {
    switch self {
    case .operation(let answer): answer.status == 424
    case .changeSet(let answers): answers.allSatisfy { $0.status == 424 }
    }
  }
}
