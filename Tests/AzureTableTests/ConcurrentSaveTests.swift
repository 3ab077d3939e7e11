import AzureTable
import ODataKit
import ODataTestSupport
import Testing

/// A context owned by an actor, so that its owner can act while a save is on its way.
private actor Owner {
  private let fixture: TableContextFixture
  nonisolated let transport: ScriptedTransport
  let book: Tracked<ShelfBook>

  init(_ steps: [ScriptedTransport.Step], adding: Bool) throws {
    fixture = try TableContextFixture(steps)
    transport = fixture.transport
    book =
      adding ? try fixture.books.add(ShelfBook("p", "r", title: "first")) : try fixture.attached("r", rate: 1)
    if !adding { book.rate = 2 }
  }

  func save() async throws { try await fixture.context.saveChanges() }
  func retitle(_ title: String) { book.title = title }
  func delete() throws { try fixture.books.delete(book) }
  var state: EntityState { book.entityState }
  var hasChanges: Bool { fixture.context.hasChanges }
}

/// Holds a response back until it is told to let it go.
private final class Gate: Sendable {
  private let (reached, reachedContinuation) = AsyncStream.makeStream(of: Void.self)
  private let (opened, openedContinuation) = AsyncStream.makeStream(of: Void.self)

  func step(_ response: HTTPResponse) -> ScriptedTransport.Step {
    .answer { [self] _ in
      reachedContinuation.yield()
      for await _ in opened { break }
      return response
    }
  }

  func waitUntilReached() async { for await _ in reached { break } }
  func open() { openedContinuation.yield() }
}

@Suite("Changes while a save is on its way")
struct ConcurrentSaveTests {
  @Test("a second save is refused")
  func secondSave() async throws {
    let gate = Gate()
    let owner = try Owner([gate.step(.noContent(tag: "W/\"2\""))], adding: true)
    async let saving: Void = owner.save()
    await gate.waitUntilReached()
    let error = try await #require(throws: ODataError.self) { try await owner.save() }
    #expect(error.message == "A save is already running on this context; wait for it to end.")
    gate.open()
    try await saving
    #expect(await owner.state == .unchanged)
  }

  @Test("a change made meanwhile belongs to the next save", arguments: [true, false])
  func editMeanwhile(adding: Bool) async throws {
    let gate = Gate()
    let owner = try Owner([gate.step(.noContent(tag: "W/\"2\""))], adding: adding)
    async let saving: Void = owner.save()
    await gate.waitUntilReached()
    await owner.retitle("second")
    gate.open()
    try await saving
    #expect(await owner.state == .modified)

    owner.transport.add(.respond(.noContent(tag: "W/\"3\"")))
    try await owner.save()
    let request = owner.transport.requests[1]
    #expect(request.method == .merge)
    #expect(request.headers[.ifMatch] == "W/\"2\"")
    #expect(request.bodyText == #"{"PartitionKey":"p","RowKey":"r","title":"second"}"#)
    #expect(await !owner.hasChanges)
  }

  @Test("an entity deleted while it is inserted is deleted by the next save", arguments: [true, false])
  func deleteMeanwhile(adding: Bool) async throws {
    let gate = Gate()
    let owner = try Owner([gate.step(.noContent(tag: "W/\"2\""))], adding: adding)
    async let saving: Void = owner.save()
    await gate.waitUntilReached()
    try await owner.delete()
    gate.open()
    try await saving
    #expect(await owner.state == .deleted)

    owner.transport.add(.respond(.noContent()))
    try await owner.save()
    #expect(owner.transport.requests[1].method == .delete)
    #expect(owner.transport.requests[1].headers[.ifMatch] == "W/\"2\"")
    #expect(await owner.state == .detached)
  }

  @Test("an entity deleted while its insert is refused is let go, since there is nothing to delete")
  func deleteWhileRefused() async throws {
    let gate = Gate()
    let owner = try Owner(
      [gate.step(.tableError(409, "EntityAlreadyExists", "The specified entity already exists."))],
      adding: true)
    let saving = Task { try await owner.save() }
    await gate.waitUntilReached()
    try await owner.delete()
    gate.open()
    await #expect(throws: SaveError.self) { try await saving.value }
    #expect(await owner.state == .detached)
    #expect(await !owner.hasChanges)
  }

  @Test("a deleted entity of which nobody knows whether it was inserted is deleted in any version")
  func deleteWhileUnknown() async throws {
    let gate = Gate()
    let owner = try Owner([gate.step(.tableError(500, "InternalError", "Something broke."))], adding: true)
    let saving = Task { try await owner.save() }
    await gate.waitUntilReached()
    try await owner.delete()
    gate.open()
    await #expect(throws: SaveError.self) { try await saving.value }

    owner.transport.add(.respond(.noContent()))
    try await owner.save()
    #expect(owner.transport.requests[1].method == .delete)
    #expect(owner.transport.requests[1].headers[.ifMatch] == "*")
  }

  @Test(
    "what the service gave goes into the handle beside what was changed meanwhile", arguments: [true, false])
  func serviceValuesMeanwhile(adding: Bool) async throws {
    let gate = Gate()
    let entity = #"{"@odata.etag":"W/\"2\"","ID":7,"Title":"first","Rate":3}"#
    let owner = try ServiceOwner([gate.step(.text(200, entity, type: "application/json"))], adding: adding)
    async let saving: Void = owner.save()
    await gate.waitUntilReached()
    await owner.retitle("second")
    gate.open()
    try await saving
    #expect(await owner.entity == ServiceBook(id: 7, title: "second", rate: 3))

    owner.transport.add(.respond(.noContent(tag: "W/\"3\"")))
    try await owner.save()
    #expect(owner.transport.requests[1].url.target == "/svc/Books(7)")
    #expect(owner.transport.requests[1].bodyText == #"{"Title":"second"}"#)
  }
}

/// A context of a service that gives keys and computes rates.
private actor ServiceOwner {
  private let context: ObjectContext
  private let book: Tracked<ServiceBook>
  nonisolated let transport: ScriptedTransport

  init(_ steps: [ScriptedTransport.Step], adding: Bool) throws {
    transport = ScriptedTransport(steps)
    context = ObjectContext(
      try ODataService(root: "http://books.test/svc", dialect: .v4, transport: transport))
    let books = try context.entitySet("Books", of: ServiceBook.self, key: \.id)
    book =
      adding
      ? try books.add(ServiceBook(id: 0, title: "first", rate: nil))
      : try books.attach(
        ServiceBook(id: 7, title: "zeroth", rate: 1), entityTag: EntityTag(rawValue: "W/\"1\""))
    if !adding { book.title = "first" }
  }

  func save() async throws { try await context.saveChanges() }
  func retitle(_ title: String) { book.title = title }
  var entity: ServiceBook { book.entity }
}
