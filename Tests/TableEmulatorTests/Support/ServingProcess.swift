import AzureTable
import Foundation
import ODataKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `tablectl` as a process of its own, as it was built beside the tests.
final class ServingProcess: Sendable {
  /// How a process has ended and what it has printed.
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  static let executable: URL? = {
    let folders =
      [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
      + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    return folders.map { $0.appending(path: "tablectl") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  private let process: Process
  let connectionString: String

  /// Starts `tablectl serve` on a port of its own and waits until it listens.
  init(store: URL) async throws {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = ["serve", "--port", "0", "--store", store.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    self.process = process
    connectionString = await Self.blocking {
      var line: [UInt8] = []
      while line.last != UInt8(ascii: "\n") {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        line += more
      }
      return String(decoding: line.dropLast(), as: UTF8.self)
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Sends a signal and waits for the end; gives the exit status, or the signal, negative.
  func end(_ signal: Int32) async -> Int32 {
    kill(process.processIdentifier, signal)
    let process = process
    return await Self.blocking {
      process.waitUntilExit()
      return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
  }

  /// Runs `tablectl` to its end.
  static func run(_ arguments: [String]) async throws -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return await blocking {
      let printed = output.fileHandleForReading.readDataToEndOfFile()
      let complained = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Outcome(
        status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
        errors: String(decoding: complained, as: UTF8.self))
    }
  }

  /// Off the cooperative pool, which must not wait for another process.
  private static func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
  }
}

/// Sends requests of the present time to a server, signed; throws when it cannot be reached.
struct LiveClient: Sendable {
  private let transport: any Transport
  private let endpoint: RequestURL
  private let signer: SharedKeySigner?

  init(_ server: ServingProcess) throws {
    endpoint = try TableConnectionString(server.connectionString).endpoint
    transport = LibcurlTransport()
    signer = SharedKeySigner(.development)
  }

  init(_ transport: any Transport, _ endpoint: RequestURL) {
    self.transport = transport
    self.endpoint = endpoint
    signer = nil
  }

  func send(
    _ method: HTTPMethod, _ target: String, _ headers: HeaderFields = [:], body: String? = nil
  ) async throws -> (status: Int, headers: HeaderFields, body: [UInt8]) {
    let parts = target.split(separator: "?", maxSplits: 1)
    var url = endpoint
    url.path += String(parts[0])
    url.query = parts.count == 2 ? String(parts[1]) : nil
    var all = TestTables.json
    if body != nil { all[.contentType] = "application/json" }
    for field in headers.fields { all[field.name] = field.value }
    var request = HTTPRequest(method, url, headers: all, body: body.map { .bytes(Array($0.utf8)) } ?? .none)
    signer?.sign(&request, at: .now())
    let response = try await transport.send(request)
    return (response.status, response.headers, try await response.body.collect(upTo: 64 << 20))
  }
}
