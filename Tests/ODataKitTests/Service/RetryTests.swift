import ODataTestSupport
import Testing

@testable import ODataKit

/// What is sent again where a service is too busy, and when.
@Suite("Retries")
struct RetryTests {
  private func makeBooks(
    _ steps: [ScriptedTransport.Step], _ policy: RetryPolicy
  ) throws -> (ScriptedTransport, ObjectContext, EntitySet<ServiceBook>) {
    let transport = ScriptedTransport(steps)
    var service = try ODataService(
      root: "http://books.test/svc", dialect: .v4, format: .json, transport: transport)
    service.retryPolicy = policy
    let context = ObjectContext(service)
    return (transport, context, try context.entitySet("Books", of: ServiceBook.self, key: \.id))
  }

  private static var page: HTTPResponse { .text(200, #"{"value":[]}"#, type: "application/json") }

  @Test("a read is sent again, the delay doubling each time", arguments: [408, 429, 500, 502, 503, 504])
  func reads(status: Int) async throws {
    let waits = RecordedWaits()
    let busy = ScriptedTransport.Step.respond(.text(status))
    let (transport, _, books) = try makeBooks([busy, busy, busy, .respond(Self.page)], waits.policy)
    #expect(try await books.query.execute().isEmpty)
    #expect(transport.requests.count == 4)
    #expect(Set(transport.requests.map(\.wireText)).count == 1)
    #expect(waits.all == [.milliseconds(400), .milliseconds(800), .milliseconds(1600)])
  }

  @Test("and no more than three times")
  func givesUp() async throws {
    let waits = RecordedWaits()
    let (transport, _, books) = try makeBooks(
      Array(repeating: .respond(.text(503)), count: 5), waits.policy)
    let error = try await #require(throws: ODataError.self) { _ = try await books.query.execute() }
    #expect(error.httpStatus == 503)
    #expect(transport.requests.count == 4)
  }

  @Test("other refusals are final", arguments: [400, 401, 403, 404, 405, 409, 412, 413, 501, 505])
  func final(status: Int) async throws {
    let waits = RecordedWaits()
    let (transport, _, books) = try makeBooks([.respond(.text(status))], waits.policy)
    await #expect(throws: ODataError.self) { _ = try await books.query.execute() }
    #expect(transport.requests.count == 1 && waits.all.isEmpty)
  }

  @Test(
    "a write is sent again only where the service says that it does not handle it now",
    arguments: [(429, 2), (503, 2), (408, 1), (500, 1), (502, 1), (504, 1)])
  func writes(status: Int, requests: Int) async throws {
    let waits = RecordedWaits()
    let (transport, context, books) = try makeBooks(
      [.respond(.text(status)), .respond(.noContent())], waits.policy)
    try books.add(ServiceBook(id: 1, title: "t"))
    _ = try? await context.saveChanges()
    #expect(transport.requests.count == requests)
    #expect(Set(transport.requests.map(\.wireText)).count == 1)
  }

  @Test(
    "an answer that a write would give rise to by itself leaves it open what became of it, once it was sent again",
    arguments: [
      (ChangeOperation.Kind.insert, 409, true), (.insert, 404, false), (.insert, 412, false),
      (.merge, 412, true),
      (.merge, 404, false), (.merge, 409, false), (.replace, 412, true), (.delete, 404, true),
      (.delete, 412, true),
      (.delete, 409, false),
    ])
  func ownTrace(_ kind: ChangeOperation.Kind, _ status: Int, isOpen: Bool) async throws {
    let address = EntityAddress.key(set: "Books", EntityKey(.int32(1)))
    let operation = ChangeOperation(
      kind, at: kind == .insert ? .set("Books") : address, record: EntityRecord(["ID": .int32(1)]))
    for (busy, expected) in [(503, isOpen), (429, isOpen), (nil, false)] {
      var steps = [ScriptedTransport.Step.respond(.text(status))]
      if let busy { steps.insert(.respond(.text(busy)), at: 0) }
      let (_, context, _) = try makeBooks(steps, RecordedWaits().policy)
      let outcome = try await context.service.perform(operation)
      #expect(outcome.isUnknown == expected)
      #expect(outcome.error?.httpStatus == status)
      let sentence = "The change was sent again after the service had said that it was too busy"
      #expect(outcome.error?.message.contains(sentence) == expected)
    }
  }

  @Test(
    "what the service asks for counts where it is longer, and ends the retries where it is too long",
    arguments: [
      (["Retry-After": "7"], [.seconds(7)]), (["Retry-After": "0"], [.milliseconds(400)]),
      (["Retry-After": "soon"], [.milliseconds(400)]), (["Retry-After": "-3"], [.milliseconds(400)]),
      (["x-ms-retry-after-ms": "1250", "Retry-After": "9"], [.milliseconds(1250)]),
      (["Retry-After": "61"], []), (["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"], []),
      (["Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"], [.milliseconds(400)]),
    ] as [(HeaderFields, [Duration])])
  func asked(headers: HeaderFields, expected: [Duration]) async throws {
    let waits = RecordedWaits()
    let (_, _, books) = try makeBooks(
      [.respond(.text(503, headers: headers)), .respond(Self.page)], waits.policy)
    var refusal: ODataError?
    do { _ = try await books.query.execute() } catch { refusal = error as? ODataError }
    #expect(waits.all == expected)
    #expect((refusal?.retryAfter != nil) == expected.isEmpty)
  }

  @Test("a delay in form of a date is counted from now, up to the full second")
  func date() throws {
    let now = try #require(EdmDateTime("2026-01-01T00:00:00.2500000"))
    let error = ServiceError.read(
      status: 503, headers: ["Retry-After": "Thu, 01 Jan 2026 00:00:05 GMT"], body: [], now: now)
    #expect(error.retryAfter == .seconds(5))
  }

  @Test("no policy, no retry; and the delays stay below the longest, with half of each at random")
  func policy() async throws {
    let (transport, _, books) = try makeBooks([.respond(.text(503))], .none)
    await #expect(throws: ODataError.self) { _ = try await books.query.execute() }
    #expect(transport.requests.count == 1)
    var policy = RetryPolicy(maximumRetries: 100, delay: .seconds(1), maximumDelay: .seconds(10))
    let error = ODataError(.service, "Busy.", httpStatus: 503)
    policy.random = { 1 }
    #expect(
      (0..<6).map { policy.delay(beforeRetry: $0, after: error) }
        == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    policy.random = { 0.5 }
    #expect(policy.delay(beforeRetry: 99, after: error) == .milliseconds(7500))
    #expect(policy.delay(beforeRetry: 100, after: error) == nil)
  }

  @Test("a cancellation ends the wait")
  func cancelled() async throws {
    var policy = RetryPolicy()
    policy.wait = { _ in throw CancellationError() }
    let (transport, _, books) = try makeBooks([.respond(.text(503))], policy)
    await #expect(throws: CancellationError.self) { _ = try await books.query.execute() }
    #expect(transport.requests.count == 1)
  }
}
