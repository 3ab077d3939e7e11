import AzureTable
import CurlTransport
import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// The two ways into an emulator; behaviour is tested through both.
enum Door: CaseIterable, Sendable {
  case inProcess, socket
}

/// Runs `body` with an empty emulator behind a door, with a clock that stands still and ids that count.
func withTables(
  _ door: Door, scanLength: Int? = nil, _ body: (TestTables) async throws -> Void
) async throws {
  let clock = TestClock()
  var configuration = clock.configuration
  if let scanLength { configuration.scanLength = scanLength }
  let emulator = try Emulator(.memory, durability: .relaxed, configuration: configuration)
  switch door {
  case .inProcess:
    try await body(TestTables(emulator.transport, emulator.endpoint, clock, signer: nil))
  case .socket:
    let server = try emulator.listen(port: 0)
    defer { server.stop() }
    let signer = SharedKeySigner(emulator.credential)
    try await body(TestTables(LibcurlTransport(), server.endpoint, clock, signer: signer))
  }
}

/// A clock that is set by hand, and ids in a row.
final class TestClock: Sendable {
  private let state: Locked<(now: EdmDateTime, count: UInt64)>

  init() { state = Locked((EdmDateTime("2026-03-04T05:06:07.125Z") ?? .unixEpoch, 0)) }

  var now: EdmDateTime {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  var configuration: EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.now = { self.now }
    configuration.makeID = { self.nextID() }
    return configuration
  }

  private func nextID() -> UUID {
    let count = state.withLock { state in
      state.count += 1
      return state.count
    }
    return UUID(uuidString: "00000000-0000-0000-0000-" + String(format: "%012d", count)) ?? UUID()
  }
}

/// Sends requests to one emulator; JSON without metadata at a recent version unless a test says otherwise.
struct TestTables: Sendable {
  let endpoint: RequestURL
  let clock: TestClock
  private let transport: any Transport
  private let signer: SharedKeySigner?

  init(_ transport: any Transport, _ endpoint: RequestURL, _ clock: TestClock, signer: SharedKeySigner?) {
    self.transport = transport
    self.endpoint = endpoint
    self.clock = clock
    self.signer = signer
  }

  static let json: HeaderFields = [
    "x-ms-version": "2019-02-02", "DataServiceVersion": "3.0", "Accept": "application/json;odata=nometadata",
  ]
  static let atom: HeaderFields = [
    "x-ms-version": "2011-08-18", "DataServiceVersion": "1.0;NetFx", "MaxDataServiceVersion": "2.0;NetFx",
    "Accept": "application/atom+xml,application/xml",
  ]

  /// Sends a request; `target` is what stands behind the account, exactly as on the wire. `headers` replace those of
  /// `base`, and an empty value takes one away.
  func send(
    _ method: HTTPMethod, _ target: String, _ headers: HeaderFields = [:], body: String? = nil,
    base: HeaderFields = TestTables.json
  ) async throws -> Reply {
    var all = base
    if body != nil {
      all[.contentType] =
        base[.accept]?.contains("atom") == true ? "application/atom+xml" : "application/json"
    }
    for field in headers.fields { all[field.name] = field.value.isEmpty ? nil : field.value }
    let parts = target.split(separator: "?", maxSplits: 1)
    var url = endpoint
    url.path += String(parts.first ?? "")
    url.query = parts.count == 2 ? String(parts[1]) : nil
    var request = HTTPRequest(method, url, headers: all)
    if let body { request.body = .bytes(Array(body.utf8)) }
    return try await send(request)
  }

  /// Signs a request where the door wants that, and sends it.
  func send(_ request: HTTPRequest) async throws -> Reply {
    var request = request
    if request.headers[.authorization] == nil { signer?.sign(&request, at: clock.now) }
    let response = try await transport.send(request)
    return Reply(
      status: response.status, headers: response.headers,
      bytes: try await response.body.collect(upTo: 64 << 20),
      origin: "\(endpoint.scheme)://\(endpoint.authority)")
  }

  /// Makes a table, and expects that to work.
  func createTable(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let reply = try await send(
      .post, "/Tables", ["Prefer": "return-no-content"], body: #"{"TableName":"\#(name)"}"#)
    #expect(reply.status == 204, sourceLocation: sourceLocation)
  }

  /// Stores an entity given as JSON, and expects that to work; gives its tag.
  @discardableResult
  func insert(
    _ entity: String, into table: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let reply = try await send(.post, "/\(table)", ["Prefer": "return-no-content"], body: entity)
    #expect(reply.status == 204, "\(reply.text)", sourceLocation: sourceLocation)
    return reply.headers["ETag"] ?? ""
  }

  /// The body of a read.
  func read(_ target: String, _ headers: HeaderFields = [:]) async throws -> String {
    try await send(.get, target, headers).body
  }
}

/// An answer, with `http://HOST` for the address of the door it came through.
struct Reply: Sendable {
  let status: Int
  let headers: HeaderFields
  let bytes: [UInt8]
  private let origin: String

  init(status: Int, headers: HeaderFields, bytes: [UInt8], origin: String) {
    self.status = status
    self.headers = headers
    self.bytes = bytes
    self.origin = origin
  }

  var body: String { masked(String(decoding: bytes, as: UTF8.self)) }

  /// Status, headers sorted by name, body; without the headers that belong to the connection.
  var text: String {
    let connection: Set<HeaderFields.Name> = [
      "Connection", "Content-Length", "Transfer-Encoding", "Keep-Alive",
    ]
    let lines = headers.fields.filter { !connection.contains($0.name) }
      .map { "\($0.name): \(masked($0.value))" }.sorted()
    return (["\(status)"] + lines).joined(separator: "\n") + (bytes.isEmpty ? "" : "\n\n" + body)
  }

  /// Status, code and message of a JSON error, the lines of id and time left away.
  var fault: String {
    guard let error = JSONErrorBody.read(bytes) else { return "\(status) \(body)" }
    return "\(status) \(error.code): \(error.message.split(separator: "\n").first ?? "")"
  }

  /// The one entity of a JSON body.
  var record: EntityRecord? { Self.record(of: bytes) }

  static func record(of bytes: [UInt8]) -> EntityRecord? {
    let reader = JSONReader()
    guard let records = try? reader.read(bytes), (try? reader.finish()) != nil, records.count == 1 else {
      return nil
    }
    return records[0]
  }

  private func masked(_ text: String) -> String { text.replacingOccurrences(of: origin, with: "http://HOST") }
}
