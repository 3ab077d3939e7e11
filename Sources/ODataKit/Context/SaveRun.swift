/// One save on its way: the changes, what became of each so far, and whether to go on.
struct SaveRun {
  let context: ObjectContext
  let stopsAtFailure: Bool
  private(set) var pending: [PendingChange]
  private var outcomes: [OperationOutcome?]
  private(set) var hasStopped = false

  init(context: ObjectContext, pending: [PendingChange], stopsAtFailure: Bool) {
    self.context = context
    self.pending = pending
    self.stopsAtFailure = stopsAtFailure
    outcomes = Array(repeating: nil, count: pending.count)
  }

  private var service: ODataService { context.service }

  var firstFailure: ODataError? { outcomes.lazy.compactMap { $0?.error }.first }

  /// Writes every change once, before anything is sent, so that what the service would not take is found now.
  mutating func prepare() -> [Prepared] {
    let builder = RequestBuilder(service, format: service.negotiation.current)
    var prepared: [Prepared] = []
    prepared.reserveCapacity(pending.count)
    for (index, change) in pending.enumerated() {
      do throws(ODataError) {
        if let refusal = change.refusal { throw refusal }
        let change = try builder.prepare(change.operation)
        prepared.append(
          Prepared(
            index: index, change: change,
            byteCount: try builder.framing.byteCount(
              of: change.part, references: change.operation.references.count)))
      } catch {
        note(OperationOutcome(change.operation, .failed(error)), at: index)
      }
    }
    return prepared
  }

  /// A written change and its place in the save.
  struct Prepared {
    let index: Int
    var change: PreparedChange
    /// The bytes it takes in a change set, at most.
    let byteCount: Int
  }

  /// Groups written changes into the change sets that the service takes.
  func changeSets(_ prepared: [Prepared]) -> [[Prepared]] {
    let items = prepared.enumerated().map { position, item in
      ChangeSetPlanner.Item(
        position: position, group: service.conventions.changeSetGroup(of: item.change.operation),
        byteCount: item.byteCount)
    }
    let planner = ChangeSetPlanner(limits: service.conventions.changeSetLimits, framing: envelopeByteCount)
    return planner.plan(items).map { $0.map { prepared[$0] } }
  }

  /// The bytes of a batch around its operations.
  var envelopeByteCount: Int {
    RequestBuilder(service, format: service.negotiation.current).framing.envelopeByteCount
  }

  /// Sends one change on its own.
  mutating func send(_ item: Prepared) async throws {
    for item in ready([item]) { note(try await service.perform(item.change), at: item.index) }
  }

  /// Sends one change set.
  mutating func send(_ changeSet: [Prepared]) async throws {
    let changeSet = ready(changeSet)
    if changeSet.isEmpty { return }
    let outcomes = try await service.perform(changeSets: [changeSet.map(\.change)])
    for (item, outcome) in zip(changeSet, outcomes.joined()) { note(outcome, at: item.index) }
  }

  /// The changes that go out together, each reference to a new entity put into its final form: `$1` where the insert
  /// stands in front of it here, the address the service gave where an earlier request was the insert. What refers to
  /// an entity that was not inserted is not tried.
  private mutating func ready(_ items: [Prepared]) -> [Prepared] {
    if items.allSatisfy({ $0.change.operation.references.isEmpty }) { return items }
    let builder = RequestBuilder(service, format: service.negotiation.current)
    var ready: [Prepared] = []
    var inserts: [Int: EntityAddress] = [:]
    for var item in items {
      if !item.change.operation.references.isEmpty {
        guard let operation = item.change.operation.resolved({ inserts[$0] ?? insertedAddress($0) }) else {
          note(OperationOutcome(item.change.operation, .notTried), at: item.index)
          continue
        }
        do throws(ODataError) {
          item.change = try builder.prepare(operation)
        } catch {
          note(OperationOutcome(operation, .failed(error)), at: item.index)
          continue
        }
      }
      noteInsert(of: item, at: ready.count, in: &inserts)
      ready.append(item)
    }
    return ready
  }

  /// The operations of one request of a plan. An insert that an earlier request does has the index -1.
  func planned(_ items: [Prepared]) -> [ChangeOperation] {
    var inserts: [Int: EntityAddress] = [:]
    return items.enumerated().map { index, item in
      let operation = item.change.operation
      let planned = operation.resolved { number in
        let set = context.tracker[EntityEntry.ID(number: number)]?.entitySetName ?? ""
        return inserts[number] ?? .created(set: set, by: -1)
      }
      noteInsert(of: item, at: index, in: &inserts)
      return planned ?? operation
    }
  }

  private func noteInsert(of item: Prepared, at index: Int, in inserts: inout [Int: EntityAddress]) {
    let change = pending[item.index]
    guard change.operation.kind == .insert else { return }
    inserts[change.entry.entryID.number] = .created(set: change.entry.entitySetName, by: index)
  }

  /// Where an entity is found that was to be inserted, if it has been.
  private func insertedAddress(_ number: Int) -> EntityAddress? {
    guard let entry = context.tracker[EntityEntry.ID(number: number)], entry.entityState != .added else {
      return nil
    }
    return entry.address
  }

  private mutating func note(_ outcome: OperationOutcome, at index: Int) {
    outcomes[index] = outcome
    context.apply(outcome, to: pending[index])
    if outcome.error != nil && stopsAtFailure { hasStopped = true }
  }

  mutating func result() throws -> SaveResult {
    for index in pending.indices where outcomes[index] == nil {
      note(OperationOutcome(pending[index].operation, .notTried), at: index)
    }
    let result = SaveResult(
      entries: zip(pending, outcomes.compactMap(\.self)).map { change, outcome in
        SaveResult.Entry(id: change.entry.entryID, outcome: outcome)
      })
    if let cause = firstFailure { throw SaveError(result: result, cause: cause) }
    return result
  }
}
