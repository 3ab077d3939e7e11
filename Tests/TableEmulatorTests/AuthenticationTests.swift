import AzureTable
import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// Signatures, as the socket door checks them.
@Suite struct AuthenticationTests {
  private static let refused = """
    403 AuthenticationFailed: Server failed to authenticate the request. Make sure the value of Authorization header is \
    formed correctly including the signature.
    """
  private let clock = TestClock()

  private func core() throws -> EmulatorCore {
    var configuration = clock.configuration
    configuration.checksSignatures = true
    return EmulatorCore(
      store: try TableStore(.memory, durability: .relaxed, now: configuration.now),
      configuration: configuration)
  }

  private func request(_ target: String = "/devstoreaccount1/Tables") -> HTTPRequest {
    let parts = target.split(separator: "?", maxSplits: 1)
    return HTTPRequest(
      .get,
      RequestURL(
        scheme: "http", authority: "127.0.0.1:1", path: String(parts[0]),
        query: parts.count == 2 ? String(parts[1]) : nil),
      headers: TestTables.json)
  }

  private func answer(_ request: HTTPRequest) throws -> String {
    let response = try core().handle(
      EmulatorRequest(method: request.method, url: request.url, headers: request.headers, body: []))
    guard let error = JSONErrorBody.read(response.body) else { return "\(response.status)" }
    return "\(response.status) \(error.code): \(error.message.split(separator: "\n")[0])"
  }

  @Test(arguments: SharedKeySigner.Scheme.allCases) func aRightSignaturePasses(
    _ scheme: SharedKeySigner.Scheme
  ) throws {
    for target in [
      "/devstoreaccount1/Tables", "/devstoreaccount1/Tables?$filter=TableName%20eq%20'a'&timeout=5",
    ] {
      var request = request(target)
      SharedKeySigner(.development, scheme: scheme).sign(&request, at: clock.now)
      #expect(try answer(request) == "200")
    }
  }

  @Test(arguments: SharedKeySigner.Scheme.allCases) func whateverIsSignedCounts(
    _ scheme: SharedKeySigner.Scheme
  ) throws {
    let signer = SharedKeySigner(.development, scheme: scheme)
    var other = request()
    signer.sign(&other, at: clock.now)
    other.url.path = "/devstoreaccount1/Tables()"
    #expect(try answer(other) == Self.refused)

    var component = request()
    signer.sign(&component, at: clock.now)
    component.url.query = "comp=acl"
    #expect(try answer(component) == Self.refused)

    var date = request()
    signer.sign(&date, at: clock.now)
    date.headers["x-ms-date"] = HTTPDate.text(try #require(EdmDateTime(ticks: clock.now.ticks + 10_000_000)))
    #expect(try answer(date) == Self.refused)

    if scheme == .sharedKey {
      var method = request()
      signer.sign(&method, at: clock.now)
      method.method = .post
      #expect(try answer(method) == Self.refused)
    }
  }

  @Test func anotherKeyOrAccountIsRefused() throws {
    let otherKey = try SharedKeyCredential(accountName: "devstoreaccount1", accountKey: "YWJjZA==")
    let otherName = try SharedKeyCredential(
      accountName: "somebody", accountKey: SharedKeyCredential.developmentKey)
    for credential in [otherKey, otherName] {
      var request = request()
      SharedKeySigner(credential).sign(&request, at: clock.now)
      #expect(try answer(request) == Self.refused)
    }
  }

  @Test(arguments: [
    (-15 * 60, "200"), (15 * 60, "200"), (-15 * 60 - 1, refused), (15 * 60 + 1, refused),
  ])
  func theClocksMayDifferByAQuarterOfAnHour(_ row: (seconds: Int, answer: String)) throws {
    // HTTP dates have whole seconds, so the service's clock has here too.
    clock.now = try #require(EdmDateTime("2026-03-04T05:06:07Z"))
    var request = request()
    let date = try #require(EdmDateTime(ticks: clock.now.ticks + Int64(row.seconds) * 10_000_000))
    SharedKeySigner(.development).sign(&request, at: date)
    #expect(try answer(request) == row.answer)
  }

  @Test(arguments: [
    "", "Bearer x", "SharedKey devstoreaccount1", "SharedKey devstoreaccount1:!", "SharedKey :YWJj",
  ])
  func whatIsNoSignatureIsRefused(_ header: String) throws {
    var request = request()
    request.headers["x-ms-date"] = HTTPDate.text(clock.now)
    request.headers["Authorization"] = header.isEmpty ? nil : header
    #expect(try answer(request) == Self.refused)
  }

  @Test func aDateIsNeeded() throws {
    var request = request()
    SharedKeySigner(.development).sign(&request, at: clock.now)
    request.headers["x-ms-date"] = nil
    #expect(try answer(request) == Self.refused)
  }
}
