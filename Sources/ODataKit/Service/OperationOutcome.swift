/// What became of one change.
public struct OperationOutcome: Sendable {
  /// The end of an operation.
  public enum Result: Sendable {
    /// The service has done it.
    case done
    /// The service, or a check before sending, refused it; nothing was changed by it.
    case failed(ODataError)
    /// It was sent, and whether it was done cannot be told: the connection broke, the answer was cut short or does not say
    /// which operation it is about, or the service says that it was done in a change set that it refused.
    case unknown(ODataError)
    /// It was part of a change set of which another operation failed; the service undid the whole set.
    case rolledBack
    /// An earlier failure ended the save before its turn.
    case notTried
  }

  /// What was to be done.
  public let operation: ChangeOperation
  /// What became of it.
  public let result: Result
  /// The entity as the service stored it, where it said so.
  package let stored: EntityRecord?
  /// The tag of the version that the operation made, where the service told it; `nil` for a delete, for what was not
  /// done, and in services without tags.
  public let entityTag: EntityTag?

  package init(
    _ operation: ChangeOperation, _ result: Result, stored: EntityRecord? = nil, entityTag: EntityTag? = nil
  ) {
    self.operation = operation
    self.result = result
    self.stored = stored
    self.entityTag = entityTag
  }

  /// This outcome, or the error it ended with.
  @discardableResult
  package func get() throws(ODataError) -> OperationOutcome {
    if let error { throw error }
    return self
  }

  /// Whether the service has done it.
  public var isDone: Bool { if case .done = result { true } else { false } }

  /// Whether it cannot be told if the service has done it.
  package var isUnknown: Bool { if case .unknown = result { true } else { false } }

  /// Why it failed, or why its outcome is unknown.
  public var error: ODataError? {
    switch result {
    case .failed(let error), .unknown(let error): error
    case .done, .rolledBack, .notTried: nil
    }
  }
}
