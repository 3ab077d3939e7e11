import Foundation

/// One of the servers of `Tests/Servers` as a process, on a port that was free.
///
/// It ends with its standard input, whose other end this process holds: no server outlives the tests, however they end.
final class SampleServer: Sendable {
  /// A script of `Tests/Servers`, with the options it is started with.
  struct Script: Sendable {
    let name: String
    let options: [String]
  }

  /// The root of the server, without a slash at its end.
  let root: String
  private let process: Process
  private let input: Pipe

  /// Starts a server; returns once it listens.
  init(_ script: Script) async throws {
    let process = Process()
    process.executableURL = Self.python
    process.arguments =
      [Self.package.appending(path: "Tests/Servers/\(script.name)").path] + script.options + ["--until-eof"]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = await output.fileHandleForReading.firstLine()
    guard line.hasPrefix("http://127.0.0.1:"), line.hasSuffix("/") else {
      process.terminate()
      throw StartFailure(script: script.name)
    }
    root = String(line.dropLast())
    self.process = process
    self.input = input
  }

  /// Ends the server.
  func stop() { process.terminate() }

  /// A server that ended before it listened; why stands in what it printed.
  struct StartFailure: Error { let script: String }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let python = package.appending(path: ".build/servers/bin/python")

  /// Whether suites that need servers run. Where servers are demanded they do, and fail without.
  static let areAvailable =
    ProcessInfo.processInfo.environment["ODATAKIT_REQUIRE_SERVERS"] == "1"
    || FileManager.default.fileExists(
      atPath: package.appending(path: ".build/servers/requirements.stamp").path)
}

extension FileHandle {
  /// What comes until the first line end. Reading blocks, so it happens on a thread of its own.
  fileprivate func firstLine() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "\n")) {
          let chunk = self.availableData
          if chunk.isEmpty { break }
          bytes += chunk
        }
        continuation.resume(
          returning: String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
      }
    }
  }
}
