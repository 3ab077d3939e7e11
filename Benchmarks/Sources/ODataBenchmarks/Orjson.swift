import Foundation

/// orjson, the fastest JSON reader of Python, in a process of its own.
final class Orjson {
  /// Reads the file once to warm up and once for the clock, and prints the seconds of CPU.
  private static let program = """
    import sys, time, orjson
    bytes = open(sys.argv[1], 'rb').read()
    for _ in range(2):
        begin = time.process_time(); page = orjson.loads(bytes); seconds = time.process_time() - begin
        assert page['value']; del page
    print(seconds)
    """

  private let python: String
  private let folder: URL
  /// The version, for the report.
  let version: String

  /// `nil` where there is no such Python or it has no orjson.
  init?(python: String) {
    let answer = try? output(of: python, ["-c", "import orjson; print(orjson.__version__)"])
    guard let version = answer, !version.isEmpty else { return nil }
    self.python = python
    self.version = version
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var file: URL { folder.appendingPathComponent("page.json") }

  /// Keeps the page that is read.
  func take(_ page: [UInt8]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(page).write(to: file)
  }

  /// Reads the page, and gives the seconds that it took.
  func decode() throws -> Double {
    guard let seconds = Double(try output(of: python, ["-c", Self.program, file.path])) else {
      throw BenchmarkError("The Python program printed no number.")
    }
    return seconds
  }
}

/// What a program prints, without the line end.
func output(of program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw BenchmarkError("\(program) failed.") }
  return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}
