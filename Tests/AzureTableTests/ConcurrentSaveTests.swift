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
}
