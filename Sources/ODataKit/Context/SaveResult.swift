/// What a save has done: the outcome of every change, in the order in which they were made.
public struct SaveResult: Sendable {
  /// The outcome of one entry's change.
  public struct Entry: Sendable {
    /// The entry within its context, see ``ObjectContext/entry(_:)``; of a change of a link, the entry that has the
    /// navigation property.
    public let id: EntityEntry.ID
    /// What became of its change.
    public let outcome: OperationOutcome
  }

  /// One for each change, in their order.
  public let entries: [Entry]

  /// The outcomes alone.
  public var outcomes: [OperationOutcome] { entries.map(\.outcome) }
}

/// A save that did not do everything: carries the outcome of every change. Entities keep the state that is true, so
/// a later save sends only what is still pending.
///
/// ```swift
/// do { try await context.saveChanges() }
/// catch ODataError.Code.concurrencyConflict { … }          // by the first failure
/// catch let error as SaveError { for entry in error.result.entries { … } }
/// ```
public struct SaveError: Error, Sendable, CustomStringConvertible {
  /// The outcome of every change.
  public let result: SaveResult
  /// The first failure.
  public let cause: ODataError

  /// The first failure in words, and how many changes were done.
  public var description: String {
    let done = result.entries.count { $0.outcome.isDone }
    return result.entries.count == 1
      ? cause.description : "\(cause) \(done) of \(result.entries.count) changes were saved."
  }
}
