/// Finds out what became of each operation of a batch.
///
/// The service answers a change set that worked with one part for each operation, in order, and one that failed with
/// exactly one part, whatever its length (OData 2 batch § 3; Azure: entity group transactions). Whatever cannot be
/// told from a short or broken answer is unknown, never assumed.
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
    guard (200..<300).contains(answer.status) else {
      var error = ServiceError.read(
        status: answer.status, headers: answer.headers, body: answer.body, now: .now())
      error.failedOperation = nil
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
    let refusals = found.indices.filter { !(200..<300).contains(found[$0].status) }
    // 424 says that another one failed (OData JSON Format 4.01 § 19.5).
    if let position = refusals.first(where: { found[$0].status != 424 }) ?? refusals.first {
      return failed(operations, found[position], at: position, firstContentID: firstContentID)
    }
    guard found.count <= operations.count else { return operations.map(unanswered) }
    var slots: [BatchOperationResponse?] = Array(repeating: nil, count: operations.count)
    for (position, answer) in found.enumerated() {
      let index =
        answers.areNamed ? (answer.contentID.flatMap { Int($0) } ?? 0) - firstContentID : position
      if slots.indices.contains(index) { slots[index] = answer }
    }
    return zip(operations, slots).map { operation, answer in
      guard let answer else { return unanswered(operation) }
      let tag = answer.headers[.entityTag].map(EntityTag.init(rawValue:))
      let stored = operation.kind.isOfLink ? nil : try? entity(of: answer, set: operation.address.set)
      return OperationOutcome(
        operation, .done, stored: stored, entityTag: tag ?? stored?.control.entityTag)
    }
  }

  private func entity(of answer: BatchOperationResponse, set: String) throws -> EntityRecord? {
    guard !answer.body.isEmpty else { return nil }
    let reader = service.makeReader(answer.headers, format: format, types: service.payloadTypes(of: set))
    let found = try reader.read(answer.body)
    _ = try reader.finish()
    return found.last
  }

  private func failed(
    _ operations: [ChangeOperation], _ refusal: BatchOperationResponse, at position: Int, firstContentID: Int
  ) -> [OperationOutcome] {
    var error = ServiceError.read(
      status: refusal.status, headers: refusal.headers, body: refusal.body, now: .now())
    error.wasInBatch = true
    let index = failedIndex(
      error, refusal, at: position, of: operations.count, firstContentID: firstContentID)
    guard let index, operations.indices.contains(index) else {
      error.failedOperation = nil
      return operations.map { OperationOutcome($0, .failed(error)) }
    }
    error.failedOperation = index
    return operations.enumerated().map { position, operation in
      OperationOutcome(operation, position == index ? .failed(error) : .rolledBack)
    }
  }

  /// Which operation a refusal is about; `nil` where it cannot be told.
  ///
  /// Azure puts the index before the message and leaves it out for the first operation, whose refusal is the only
  /// answer then; its `Content-ID` is no help, since other numbers stand there in a failure. Other services have the
  /// `Content-ID` only. An index beyond the set is part of some other text.
  private func failedIndex(
    _ error: ODataError, _ refusal: BatchOperationResponse, at position: Int, of count: Int,
    firstContentID: Int
  ) -> Int? {
    if service.dialect == .azureTable { return error.failedOperation ?? position }
    if let id = refusal.contentID.flatMap(Int.init) { return id - firstContentID }
    return position > 0 || count == 1 ? position : nil
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
