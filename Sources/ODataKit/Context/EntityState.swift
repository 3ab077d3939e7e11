/// Where a tracked entity stands between the program and the service.
public enum EntityState: String, Sendable, Hashable, CaseIterable {
  /// Not tracked: never was, was let go, or was deleted on the service.
  case detached
  /// As the service has it, as far as the context knows.
  case unchanged
  /// To be inserted by the next save.
  case added
  /// To be updated by the next save.
  case modified
  /// To be deleted by the next save.
  case deleted
}

/// How the entities of a query meet those that are tracked already.
public enum MergeOption: String, Sendable, Hashable, CaseIterable {
  /// A tracked entity stays as it is, values, tag and state; entities that are not tracked yet are added. The default.
  case appendOnly
  /// A tracked entity takes the service's values and becomes unchanged; its pending changes are lost.
  case overwriteChanges
  /// A tracked entity takes the service's tag and the values of the properties that were not changed here; changes
  /// stay pending, now against the version that was read.
  case preserveChanges
  /// Nothing is tracked: each entity comes in a detached handle.
  case noTracking
}

/// How a save goes about it.
public struct SaveOptions: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: Int
  /// Makes options of bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Goes on behind a failure instead of stopping at the first.
  public static let continueOnError = SaveOptions(rawValue: 1 << 0)
  /// Sends change sets, each of them all or nothing, instead of one request for each change.
  public static let batch = SaveOptions(rawValue: 1 << 1)
  /// Updates replace the whole entity (PUT) instead of merging what changed. Properties that the model does not
  /// declare go along as they were read.
  public static let replaceOnUpdate = SaveOptions(rawValue: 1 << 2)
  /// Asks the service to leave the stored entity out of its answers to inserts. What the service computes (a
  /// timestamp) is then not in the handle until the entity is read again; the tag is.
  public static let minimalResponse = SaveOptions(rawValue: 1 << 3)
}
