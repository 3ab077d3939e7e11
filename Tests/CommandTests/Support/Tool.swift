import Foundation
import Testing

/// One of the programs of the package, run as a process of its own.
struct Tool {
  static let bookShelf = Tool("BookShelf")
  static let tablectl = Tool("tablectl")

  let url: URL

  private init(_ name: String) { url = Self.products.appending(path: name) }

  /// Where the build puts the programs: beside the tests.
  private static let products: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let program = bundle ?? Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    return program.deletingLastPathComponent()
  }()

  /// How a process ended, and what it printed.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Runs the program to its end in a home of its own, without standard input.
  func callAsFunction(_ arguments: String..., in home: TemporaryFolder, output: URL? = nil) async throws
    -> Outcome
  {
    try await run(arguments, in: home, output: output)
  }

  func run(_ arguments: [String], in home: TemporaryFolder, output: URL? = nil) async throws -> Outcome {
    // Files and not pipes: nothing has to be read while the process runs, however much it prints.
    let output = try output ?? home.emptyFile("stdout-\(UUID().uuidString)")
    let errors = try home.emptyFile("stderr-\(UUID().uuidString)")
    let process = process(arguments, in: home)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    let status = try await process.runToEnd()
    return Outcome(
      status: status,
      output: output.path.hasPrefix("/dev/") ? "" : try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }

  /// A process that is not started yet.
  func process(_ arguments: [String], in home: TemporaryFolder) -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    // Foundation on Apple systems asks the second for the home; the user's own data is never touched.
    process.environment = [
      "HOME": home.url.path, "CFFIXED_USER_HOME": home.url.path, "PATH": "/usr/bin:/bin",
    ]
    process.currentDirectoryURL = home.url
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

extension Process {
  /// Starts the process and gives its exit code once it has ended; the number of the signal, negative, if one ended
  /// it.
  func runToEnd() async throws -> Int32 {
    try await withCheckedThrowingContinuation { continuation in
      terminationHandler = { process in
        let status = process.terminationStatus
        continuation.resume(returning: process.terminationReason == .exit ? status : -status)
      }
      do { try run() } catch {
        terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
  }
}

/// A folder that is gone with its last user.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "CommandTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func emptyFile(_ name: String) throws -> URL { try file(name, "") }

  @discardableResult
  func file(_ name: String, _ text: String) throws -> URL {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(path: name), encoding: .utf8)
  }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}
