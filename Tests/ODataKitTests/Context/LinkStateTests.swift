import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("What becomes of links that are to be changed")
struct LinkStateTests {
  private typealias Order = LinkFixture.Order
  private typealias Line = LinkFixture.Line

  @Test("added and deleted again, or the other way round, nothing is sent; twice the same is once")
  func opposites() async throws {
    let fixture = try LinkFixture(.v4)
    let (order, line) = (try fixture.order(1), try fixture.line(7))
    try fixture.context.addLink(order, "Lines", to: line)
    try fixture.context.addLink(order, "Lines", to: line)
    #expect(fixture.context.linkChanges.map(\.kind) == [.addLink])
    try fixture.context.deleteLink(order, "Lines", to: line)
    #expect(!fixture.context.hasChanges)
    try fixture.context.deleteLink(order, "Lines", to: line)
    try fixture.context.deleteLink(order, "Lines", to: line)
    #expect(fixture.context.linkChanges.map(\.kind) == [.deleteLink])
    try fixture.context.addLink(order, "Lines", to: line)
    try await fixture.context.saveChanges()
    #expect(fixture.requests.isEmpty)
  }

  @Test("of a property that leads to one entity the last call counts")
  func lastCounts() async throws {
    let fixture = try LinkFixture(.v4, [.respond(.noContent())])
    let (line, a, b) = (try fixture.line(7), try fixture.order(1), try fixture.order(2))
    try fixture.context.setLink(line, "Order", to: a)
    try fixture.context.setLink(line, "Order", to: nil)
    try fixture.context.setLink(line, "Order", to: b)
    try await fixture.context.saveChanges()
    #expect(
      fixture.requests == [#"PUT /svc/Lines(7)/Order/$ref {"@odata.id":"http://shop.test/svc/Orders(2)"}"#])
    let new = try fixture.lines.add(Line(id: 9, text: "t"))
    try fixture.context.setLink(new, "Order", to: a)
    try fixture.context.setLink(new, "Order", to: nil)
    #expect(fixture.context.linkChanges.isEmpty)
  }

  @Test("a failed link stays pending, and a second save sends only what is pending")
  func failure() async throws {
    let fixture = try LinkFixture(
      .v4, [.respond(.noContent()), .respond(.text(400)), .respond(.noContent())])
    let (order, a, b) = (try fixture.order(1), try fixture.line(7), try fixture.line(8))
    try fixture.context.addLink(order, "Lines", to: a)
    try fixture.context.addLink(order, "Lines", to: b)
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.result.outcomes.map(\.word) == ["done", "failed"])
    #expect(fixture.context.linkChanges.map { $0.target === b } == [true])
    try await fixture.context.saveChanges()
    #expect(fixture.requests.count == 3 && fixture.requests[2] == fixture.requests[1])
    #expect(!fixture.context.hasChanges)
  }

  @Test("where nobody knows whether it was done it stays pending, and the opposite is sent and not dropped")
  func unknown() async throws {
    let fixture = try LinkFixture(.v4, [.fail(ODataError(.timeout, "late")), .respond(.noContent())])
    let (order, line) = (try fixture.order(1), try fixture.line(7))
    try fixture.context.addLink(order, "Lines", to: line)
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.result.outcomes.map(\.word) == ["unknown"])
    #expect(fixture.context.linkChanges.map(\.kind) == [.addLink])
    try fixture.context.deleteLink(order, "Lines", to: line)
    #expect(fixture.context.linkChanges.map(\.kind) == [.deleteLink])
    try await fixture.context.saveChanges()
    #expect(fixture.requests[1].hasPrefix("DELETE"))
  }

  @Test("a failed insert makes its links not tried, and no others")
  func failedInsert() async throws {
    let fixture = try LinkFixture(.v4, [.respond(.text(409)), .respond(.noContent())])
    let order = try fixture.orders.add(Order(id: 1, customer: "c"))
    let line = try fixture.line(7)
    try fixture.context.addLink(order, "Lines", to: line)
    try fixture.context.setLink(line, "Order", to: try fixture.order(2))
    let error = try await #require(throws: SaveError.self) {
      try await fixture.context.saveChanges(.continueOnError)
    }
    #expect(error.result.outcomes.map(\.word) == ["failed", "notTried", "done"])
    #expect(fixture.context.linkChanges.map(\.kind) == [.addLink])
    #expect(order.entityState == .added)
  }

  @Test("in a change set a failed insert takes all of it along", arguments: [BatchFormat.multipart, .json])
  func failedChangeSet(format: BatchFormat) async throws {
    let answer =
      format == .json
      ? HTTPResponse.json(
        #"{"responses":[{"id":"3","atomicityGroup":"g1","status":424},{"id":"2","atomicityGroup":"g1","status":409},{"id":"1","atomicityGroup":"g1","status":424}]}"#
      )
      : .multipart([["HTTP/1.1 409 Conflict\r\nContent-ID: 2\r\n\r\n"]])
    let fixture = try LinkFixture(.v4, [.respond(answer)], batchFormat: format)
    let order = try fixture.orders.add(Order(id: 1, customer: "c"))
    let line = try fixture.lines.add(Line(id: 2, text: "t"))
    try fixture.context.addLink(order, "Lines", to: line)
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges(.batch) }
    #expect(error.result.outcomes.map(\.word) == ["rolledBack", "failed", "rolledBack"])
    #expect(error.cause.failedOperation == 1)
    #expect(order.entityState == .added && line.entityState == .added)
    #expect(fixture.context.linkChanges.count == 1)
  }

  @Test("deleting or detaching an entity drops its pending links")
  func deletedEnds() async throws {
    let fixture = try LinkFixture(.v4, [.respond(.noContent())])
    let (order, a, b) = (try fixture.order(1), try fixture.line(7), try fixture.line(8))
    try fixture.context.addLink(order, "Lines", to: a)
    try fixture.context.addLink(order, "Lines", to: b)
    try fixture.context.detach(b)
    #expect(fixture.context.linkChanges.count == 1)
    try fixture.context.delete(a)
    #expect(fixture.context.linkChanges.isEmpty)
    try await fixture.context.saveChanges()
    #expect(fixture.requests == ["DELETE /svc/Lines(7)"])
  }

  @Test("a related entity whose parent is gone is refused before anything is sent")
  func parentGone() async throws {
    let fixture = try LinkFixture(.v4)
    let order = try fixture.orders.add(Order(id: 1, customer: "c"))
    try fixture.context.addRelated(order, "Lines", Line(id: 2, text: "t"), in: fixture.lines)
    try fixture.context.delete(order)
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.cause.code == .invalidState)
    #expect(fixture.requests.isEmpty)
  }

  @Test(
    "an end of another context, a detached one, a deleted one and one that is not there yet are refused at once"
  )
  func refused() throws {
    let fixture = try LinkFixture(.v4)
    let (order, line) = (try fixture.order(1), try fixture.line(7))
    let foreign = try LinkFixture(.v4).line(7)
    expectError(.invalidState) { try fixture.context.addLink(order, "Lines", to: foreign) }
    expectError(.invalidState) { try fixture.context.addLink(foreign, "Order", to: order) }
    expectError(.invalidState) {
      _ = try fixture.context.addRelated(foreign, "Lines", Line(id: 1, text: ""), in: fixture.lines)
    }
    let new = try fixture.lines.add(Line(id: 9, text: "t"))
    expectError(.invalidState) { try fixture.context.deleteLink(order, "Lines", to: new) }
    try fixture.context.delete(line)
    expectError(.invalidState) { try fixture.context.addLink(order, "Lines", to: line) }
    expectError(.invalidArgument) { try fixture.context.addLink(order, "", to: new) }
    expectError(.invalidState) {
      _ = try fixture.context.addRelated(order, "Lines", Line(id: 7, text: "again"), in: fixture.lines)
    }
    #expect(fixture.context.linkChanges.isEmpty)
  }

  @Test("what is said of links while a save runs belongs to the next one")
  func whileSaving() async throws {
    let owner = try Owner()
    owner.transport.add(
      .answer { _ in
        try await owner.deleteLink()
        return .noContent()
      })
    owner.transport.add(.respond(.noContent()))
    try await owner.addLink()
    try await owner.save()
    #expect(await owner.pending == [.deleteLink])
    try await owner.save()
    #expect(owner.transport.requests.map(\.method) == [.post, .delete])
    #expect(await owner.pending.isEmpty)
  }
}

/// A context owned by an actor, so that its owner can act while a save is on its way.
private actor Owner {
  private let fixture: LinkFixture
  private let order: Tracked<LinkFixture.Order>
  private let line: Tracked<LinkFixture.Line>
  nonisolated let transport: ScriptedTransport

  init() throws {
    fixture = try LinkFixture(.v4)
    transport = fixture.transport
    order = try fixture.order(1)
    line = try fixture.line(7)
  }

  func addLink() throws { try fixture.context.addLink(order, "Lines", to: line) }
  func deleteLink() throws { try fixture.context.deleteLink(order, "Lines", to: line) }
  func save() async throws { try await fixture.context.saveChanges() }
  var pending: [ChangeOperation.Kind] { fixture.context.linkChanges.map(\.kind) }
}
