import Foundation

/// `tablectl serve` as a process, on a port that was free.
final class RunningServer {
  let connectionString: String
  private let process: Process
  private let ended: Task<Int32, any Error>

  /// Starts the server; returns once it listens. What it complains of goes to a file unless `errors` is given.
  init(
    store: String?, options: [String] = [], errors: Pipe? = nil, in home: TemporaryFolder
  ) async throws {
    let process = Tool.tablectl.process(
      ["serve", "--port", "0"] + (store.map { ["--store", $0] } ?? ["--in-memory"]) + options, in: home)
    let pipe = Pipe()
    process.standardOutput = pipe
    if let errors {
      process.standardError = errors
    } else {
      process.standardError = FileHandle(
        forWritingAtPath: try home.emptyFile("server-\(UUID().uuidString)").path)
    }
    self.process = process
    ended = Task { try await process.runToEnd() }
    connectionString = await pipe.fileHandleForReading.firstLine()
    if connectionString.isEmpty { throw CocoaError(.executableLoad) }
  }

  /// Asks it to end, as Ctrl-C does, and gives its exit code.
  func interrupt() async throws -> Int32 {
    process.interrupt()
    return try await ended.value
  }

  /// Ends it without asking.
  func kill() async throws {
    Foundation.kill(process.processIdentifier, SIGKILL)
    _ = try await ended.value
  }

  deinit { if process.isRunning { process.terminate() } }
}

/// Runs `body` beside a server over a file of its own, which is asked to end afterwards.
func withServer(_ body: (_ connectionString: String, _ home: TemporaryFolder) async throws -> Void)
  async throws
{
  let home = try TemporaryFolder()
  let server = try await RunningServer(store: home.path("served.tables"), in: home)
  try await body(server.connectionString, home)
  let status = try await server.interrupt()
  if status != 0 { throw CocoaError(.executableRuntimeMismatch) }
}

extension FileHandle {
  /// What comes until the first line end. Reading blocks, so it happens on a thread of its own.
  func firstLine() async -> String {
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

  /// Gives each piece to `take` until the end.
  func drain(_ take: @escaping @Sendable ([UInt8]) -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while case let chunk = self.availableData, !chunk.isEmpty { take([UInt8](chunk)) }
        continuation.resume()
      }
    }
  }
}
