/// What a save would send, request by request.
public struct SavePlan: Sendable {
  /// One request of the save. What it carries is done all or not at all; several steps are not one transaction.
  public struct Step: Sendable {
    /// The changes it carries, in order. A reference to a new entity names the insert by its index in here, or by -1
    /// where an earlier step does it.
    public let operations: [ChangeOperation]
    /// The bytes of the request's body; of a change set an upper bound.
    public let byteCount: Int
  }

  /// The requests, in order.
  public let steps: [Step]
}

/// Groups prepared changes into change sets that the service takes.
///
/// Changes keep their order within a group (a partition, in Azure tables); groups stand in the order of their first
/// change. A change set ends where one more operation would exceed the limits, counted on the bytes that are sent.
struct ChangeSetPlanner {
  let limits: ChangeSetLimits
  /// The bytes of a batch around its operations.
  let framing: Int

  struct Item {
    let position: Int
    let group: String
    let byteCount: Int
  }

  /// The positions of the items of each change set.
  func plan(_ items: [Item]) -> [[Int]] {
    // Groups are told apart by code units: `EntityIdentity` compares so, `String` does not.
    var order: [EntityIdentity] = []
    var groups: [EntityIdentity: [Item]] = [:]
    for item in items {
      let group = EntityIdentity(item.group)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(item)
    }
    var changeSets: [[Int]] = []
    for group in order {
      var current: [Int] = []
      var bytes = framing
      for item in groups[group, default: []] {
        if !current.isEmpty, current.count >= limits.operations || bytes + item.byteCount > limits.bytes {
          changeSets.append(current)
          (current, bytes) = ([], framing)
        }
        current.append(item.position)
        bytes += item.byteCount
      }
      if !current.isEmpty { changeSets.append(current) }
    }
    return changeSets
  }
}
