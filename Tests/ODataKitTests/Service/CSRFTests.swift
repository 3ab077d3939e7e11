import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Services that want a CSRF token")
struct CSRFTests {
  private func context(_ responses: [HTTPResponse]) throws -> (ScriptedTransport, ObjectContext) {
    let transport = ScriptedTransport(responses.map { .respond($0) })
    return (
      transport,
      ObjectContext(
        try ODataService(root: "http://sap.test/svc", dialect: .v2, csrf: .fetch, transport: transport))
    )
  }

  private func token(_ token: String, _ cookies: String...) -> HTTPResponse {
    var headers: HeaderFields = ["X-CSRF-Token": token]
    for cookie in cookies { headers.append("Set-Cookie", cookie) }
    return .text(200, "<service/>", headers: headers)
  }

  private static let expired = HTTPResponse.text(403, "CSRF", headers: ["x-csrf-token": "Required"])

  private func deleteOne(_ context: ObjectContext, _ id: Int32 = 1) async throws {
    let orders = try context.entitySet("Orders", of: LinkFixture.Order.self, key: \.id)
    try orders.delete(try orders.attach(.init(id: id, customer: "c")))
    try await context.saveChanges()
  }

  @Test("it is fetched once before the first change, and goes with every change and its cookies")
  func fetch() async throws {
    let (transport, context) = try context([
      token("T1==", "a=1; path=/; HttpOnly", "b=x=y; secure", "c=3", "c=; Max-Age=0"), .noContent(),
      .noContent(),
    ])
    try await deleteOne(context)
    try await deleteOne(context, 2)
    #expect(
      transport.requests.map(\.wireText) == [
        """
        GET /svc/
        Accept: application/atomsvc+xml,application/xml;q=0.9
        DataServiceVersion: 2.0
        MaxDataServiceVersion: 2.0
        X-CSRF-Token: Fetch


        """,
        """
        DELETE /svc/Orders(1)
        Accept: application/atom+xml,application/xml
        DataServiceVersion: 2.0
        MaxDataServiceVersion: 2.0
        If-Match: *
        Cookie: a=1; b=x=y
        X-CSRF-Token: T1==


        """,
        """
        DELETE /svc/Orders(2)
        Accept: application/atom+xml,application/xml
        DataServiceVersion: 2.0
        MaxDataServiceVersion: 2.0
        If-Match: *
        Cookie: a=1; b=x=y
        X-CSRF-Token: T1==


        """,
      ])
  }

  @Test("one that has expired is fetched anew, once, and the request sent again")
  func expiry() async throws {
    let (transport, context) = try context([
      token("T1", "s=1"), Self.expired, token("T2", "s=2"), .noContent(),
    ])
    try await deleteOne(context)
    #expect(
      transport.requests.map {
        "\($0.method) \($0.headers["X-CSRF-Token"] ?? "") \($0.headers["Cookie"] ?? "")"
      }
        == ["GET Fetch ", "DELETE T1 s=1", "GET Fetch s=1", "DELETE T2 s=2"])
    let (again, refused) = try self.context([token("T1"), Self.expired, token("T2"), Self.expired])
    let error = await #expect(throws: SaveError.self) { try await deleteOne(refused) }
    #expect(error?.cause.code == .unauthorized)
    #expect(error.map { "\($0)" }?.contains("T2") == false)
    #expect(again.requests.count == 4)
  }

  @Test("a fetch that the service was too busy for is sent again, and the change once")
  func busy() async throws {
    let waits = RecordedWaits()
    let transport = ScriptedTransport([
      .respond(.text(503, "", headers: ["Retry-After": "1"])), .respond(.text(502)), .respond(token("T")),
      .respond(.noContent()),
    ])
    var service = try ODataService(
      root: "http://sap.test/svc", dialect: .v2, csrf: .fetch, transport: transport)
    service.retryPolicy = waits.policy
    try await deleteOne(ObjectContext(service))
    #expect(transport.requests.map { "\($0.method)" } == ["GET", "GET", "GET", "DELETE"])
    #expect(waits.all == [.seconds(1), .milliseconds(800)])
  }

  @Test(
    "a cookie lasts as long as the service says, and is gone where that is over already",
    arguments: [
      ("s=1", true, true), ("s=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", false, false),
      ("s=1; expires = Wednesday, 31-Dec-25 23:59:59 GMT", false, false),
      ("s=1; Expires=Thu, 01-Jan-2026 00:00:10 GMT", true, false),
      ("s=1; Expires=Thu, 01 Jan 2026 00:00:10 GMT", true, false),
      ("s=1; Expires=Thu, 01 Jan 2026 00:00:30 GMT", true, true), ("s=1; Expires=soon", true, true),
      ("s=1; Max-Age=10", true, false), ("s=1; Max-Age=99999999999999999999", true, true),
      ("s=1; Max-Age=9999999999999", true, true), ("s=1; Max-Age=-99999999999999999999", false, false),
      ("s=1; Max-Age=0; Expires=Thu, 01 Jan 2099 00:00:00 GMT", false, false),
      ("s=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; max-age=30", true, true), ("s=1; Max-Age=x", true, true),
    ])
  func cookieAge(_ field: String, isSent: Bool, isSentLater: Bool) throws {
    let now = try #require(EdmDateTime("2026-01-01T00:00:00Z"))
    let later = try #require(EdmDateTime("2026-01-01T00:00:20Z"))
    var headers: HeaderFields = ["X-CSRF-Token": "T"]
    headers.append("Set-Cookie", "s=before")
    headers.append("Set-Cookie", field)
    let session = CSRFSession()
    let ticket = session.begin(headers, after: session.ticket, at: now)
    for (time, expected) in [(now, isSent), (later, isSentLater)] {
      var request = HTTPRequest(.delete, try #require(RequestURL("http://sap.test/svc")))
      ticket.stamp(&request, at: time)
      #expect(request.headers["Cookie"] == (expected ? "s=1" : nil))
    }
  }

  @Test("a change whose token could not be fetched was not done")
  func failure() async throws {
    let (transport, context) = try context([.text(500, "")])
    transport.add(.fail(ODataError(.timeout, "Too late.")))
    var service = context.service
    service.retryPolicy = .none
    for _ in 0..<2 {
      let error = await #expect(throws: SaveError.self) { try await deleteOne(ObjectContext(service)) }
      guard case .failed(let cause)? = error?.result.outcomes.first?.result else {
        Issue.record("The outcome is not a failure.")
        continue
      }
      #expect(cause.message.hasPrefix("The service gave no CSRF token, so nothing was changed. "))
    }
    #expect(transport.requests.map { "\($0.method)" } == ["GET", "GET"])
  }
}
