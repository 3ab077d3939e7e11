/// Finds out what became of each operation of a batch.
///
/// The service answers a change set that worked with one part for each operation, in order, and one that failed with
/// exactly one part, whatever its length (OData 2 batch § 3; Azure: entity group transactions). Whatever cannot be
/// told from a short or broken answer is unknown, never assumed.
struct BatchOutcomes {
  let service: ODataService
  let format: WireFormat

  func match(
    _ parts: [BatchResponsePart], to changeSets: [[ChangeOperation]]
  ) -> [[OperationOutcome]] {
    var outcomes: [[OperationOutcome]] = []
    var contentID = 1
    for (index, changeSet) in changeSets.enumerated() {
      outcomes.append(
        index < parts.count
          ? match(parts[index], to: changeSet, firstContentID: contentID) : changeSet.map(unanswered))
      contentID += changeSet.count
    }
    return outcomes
  }

  private func match(
    _ part: BatchResponsePart, to operations: [ChangeOperation], firstContentID: Int
  ) -> [OperationOutcome] {
    let answers: [BatchOperationResponse] =
      switch part {
      case .operation(let answer): [answer]
      case .changeSet(let answers): answers
      }
    if let position = answers.firstIndex(where: { !(200..<300).contains($0.status) }) {
      return failed(operations, answers[position], at: position, firstContentID: firstContentID)
    }
    guard answers.count <= operations.count else { return operations.map(unanswered) }
    var outcomes: [OperationOutcome] = []
    for (index, operation) in operations.enumerated() {
      guard index < answers.count else {
        outcomes.append(unanswered(operation))
        continue
      }
      let answer = answers[index]
      let tag = answer.headers[.entityTag].map(EntityTag.init(rawValue:))
      let stored = try? entity(of: answer, set: operation.address.set)
      outcomes.append(
        OperationOutcome(operation, .done, stored: stored, entityTag: tag ?? stored?.control.entityTag))
    }
    return outcomes
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
