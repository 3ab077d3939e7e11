internal import Foundation

/// The commands of `tablectl` and the codes it ends with.
enum Command {
  static let usage = """
    usage: tablectl serve [options]

    Serves tables over HTTP as the Azure Table service does, from a file or from memory, until it is interrupted.
    Prints the connection string for clients, on one line, once it listens.

    options:
      --port NUMBER          the port to listen on; 0 for any that is free (10002)
      --host ADDRESS         the address to listen on (127.0.0.1)
      --store FILE           the file that holds the tables (tables.store in the current folder)
      --in-memory            hold the tables in memory instead; they are gone when it ends
      --relaxed-durability   do not wait for the disk at each write; a crash of the machine may lose the last ones
      --log                  print a line for each request to the standard error stream
      -h, --help             print this
    """

  /// The codes the program ends with.
  enum Status {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    static let wrongUsage: Int32 = 2
  }

  static func run(_ arguments: [String]) -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") {
      print(usage)
      return Status.success
    }
    do {
      switch arguments.first {
      case "serve": return try ServeCommand(arguments.dropFirst()).run()
      case let name?: throw UsageError("There is no command \"\(name)\"; the command is \"serve\".")
      case nil: throw UsageError("There is no command; the command is \"serve\".")
      }
    } catch let error as UsageError {
      complain("tablectl: \(visible(error.sentence))\n\(usage)")
      return Status.wrongUsage
    } catch {
      complain("tablectl: \(visible("\(error)"))")
      return Status.failure
    }
  }

  /// Writes a line to the standard error stream. That nobody reads it any more must not end a server.
  static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  /// A sentence on one line: what it quotes must neither break it nor steer the terminal.
  private static func visible(_ sentence: String) -> String {
    sentence.unicodeScalars.reduce(into: "") { out, scalar in
      if scalar.properties.generalCategory == .control {
        out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Arguments that cannot be understood, in one sentence.
struct UsageError: Error {
  let sentence: String
  init(_ sentence: String) { self.sentence = sentence }
}
