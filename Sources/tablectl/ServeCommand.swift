internal import Foundation
internal import TableEmulator

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `tablectl serve`
struct ServeCommand {
  private var port: UInt16 = 10002
  private var host = "127.0.0.1"
  private var store: String?
  private var isInMemory = false
  private var durability = StoreDurability.full
  private var logs = false

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      // `--port 80` and `--port=80` are the same.
      let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let inline = halves.count == 2 ? halves[1] : nil
      func value() throws -> String {
        guard let value = inline ?? rest.next(), !value.isEmpty else {
          throw UsageError("The option \(halves[0]) needs a value behind it.")
        }
        return value
      }
      switch halves[0] {
      case "--port":
        let text = try value()
        guard let number = UInt16(text) else {
          throw UsageError("The port \"\(text)\" is not a number from 0 to 65535.")
        }
        port = number
      case "--host": host = try value()
      case "--store": store = try value()
      case "--in-memory" where inline == nil: isInMemory = true
      case "--relaxed-durability" where inline == nil: durability = .relaxed
      case "--log" where inline == nil: logs = true
      default: throw UsageError("\"\(argument)\" is not an option of \"serve\".")
      }
    }
    if isInMemory && store != nil { throw UsageError("--in-memory and --store exclude each other.") }
  }

  func run() throws -> Int32 {
    // Blocked before the first thread is made, so that every thread inherits it and only `sigwait` sees them.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // A client that goes away while it is written to is an error of that write, not the end of the server.
    signal(SIGPIPE, SIG_IGN)

    let emulator =
      isInMemory
      ? try Emulator.inMemory()
      : try Emulator.open(at: URL(filePath: store ?? "tables.store"), durability: durability)
    let server = try emulator.listen(host: host, port: port, log: logs ? Self.log : nil)
    // Whoever started it may have asked for the port alone and not listen any more.
    try? FileHandle.standardOutput.write(contentsOf: Data((server.connectionString + "\n").utf8))

    var received: Int32 = 0
    sigwait(&signals, &received)
    server.stop()
    return Command.Status.success
  }

  private static let log: @Sendable (RequestLogEntry) -> Void = { entry in
    let milliseconds = entry.duration / .milliseconds(1)
    Command.complain(
      "\(entry.method) \(entry.target) \(entry.status) \(String(format: "%.1f", milliseconds)) ms")
  }
}
