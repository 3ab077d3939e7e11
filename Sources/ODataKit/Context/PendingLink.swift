/// A change of a link that the next save will send.
public struct LinkChange {
  /// ``ChangeOperation/Kind/addLink``, ``ChangeOperation/Kind/setLink`` or ``ChangeOperation/Kind/deleteLink``.
  public let kind: ChangeOperation.Kind
  /// The entity that has the navigation property.
  public let source: EntityEntry
  /// The wire name of the navigation property.
  public let navigationProperty: String
  /// The entity at the other end; `nil` where the only link of a property is removed.
  public let target: EntityEntry?
}

/// A pending change of a link, from the call that made it until the service has done it.
final class PendingLink {
  let change: LinkChange
  /// The place among all changes of the context.
  let changeOrder: Int
  /// Whether it is being sent.
  var isInFlight = false
  /// Whether the service may have done it although nobody knows.
  var isOpen = false

  init(_ change: LinkChange, changeOrder: Int) {
    self.change = change
    self.changeOrder = changeOrder
  }

  /// Whether both are of the same property of the same entity.
  func isOf(_ source: EntityEntry, _ navigationProperty: String) -> Bool {
    change.source === source && change.navigationProperty.utf8.elementsEqual(navigationProperty.utf8)
  }

  func involves(_ entry: EntityEntry) -> Bool { change.source === entry || change.target === entry }

  /// Whether an end of it is gone or going.
  var hasLostAnEnd: Bool {
    [change.source, change.target].compactMap(\.self).contains {
      $0.entityState == .deleted || $0.entityState == .detached
    }
  }

  /// The change as it is to be sent.
  func pendingChange() -> PendingChange {
    do {
      let operation = ChangeOperation(
        change.kind, from: try change.source.referenceAddress(),
        EntityLink(change.navigationProperty, to: try change.target?.referenceAddress()))
      return PendingChange(entry: change.source, operation: operation, edits: change.source.edits, link: self)
    } catch {
      let operation = ChangeOperation(
        change.kind, from: .set(change.source.entitySetName),
        EntityLink(change.navigationProperty, to: change.target.map { .set($0.entitySetName) }))
      return PendingChange(
        entry: change.source, operation: operation, refusal: error, edits: change.source.edits, link: self)
    }
  }
}

extension EntityEntry {
  /// Where an operation finds the entity that refers to it: as long as it is to be inserted, by the insert, named by
  /// the number of the entry until the save has put it in its place.
  func referenceAddress() throws(ODataError) -> EntityAddress {
    switch entityState {
    case .added: return .created(set: entitySetName, by: entryID.number)
    case .unchanged, .modified: return try knownAddress()
    case .deleted, .detached:
      throw ODataError(
        .invalidState,
        "A \(entitySetName) entity that another one was to be linked to is deleted or detached; link the other one to "
          + "something else, or detach it.")
    }
  }
}
