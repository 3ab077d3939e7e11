import Foundation
import ODataKit

/// Reading a payload that is made while it is read, so that nothing but the reader holds anything: the peak of a process
/// that does only this must not depend on how many entities pass.
struct MemoryRun {
  var format: Format
  var isTyped: Bool
  var count: Int

  /// The arguments that make this program do the run.
  var arguments: [String] { ["--memory", format.rawValue, isTyped ? "structs" : "records", String(count)] }

  /// Reads the run from the arguments behind `--memory`.
  init?(_ arguments: some Collection<String>) {
    let words = Array(arguments)
    guard words.count == 3, let format = Format(rawValue: words[0]),
      ["structs", "records"].contains(words[1]),
      let count = Int(words[2])
    else { return nil }
    self.init(format: format, isTyped: words[1] == "structs", count: count)
  }

  init(format: Format, isTyped: Bool, count: Int) {
    self.format = format
    self.isTyped = isTyped
    self.count = count
  }

  /// Reads all entities and lets go of each. Gives the peak of the process' memory in KiB.
  func run() throws -> Int {
    let reader = format.makeReader()
    let decoder = RecordDecoder()
    var found = 0
    var piece: [UInt8] = []
    func read() throws {
      for record in try reader.read(piece) {
        found += isTyped ? (try decoder.decode(Book.self, from: record).rate > 0 ? 1 : 0) : 1
      }
      piece.removeAll(keepingCapacity: true)
    }
    piece += format == .atom ? SampleData.feedHead : SampleData.pageHead
    for index in 0..<count {
      switch format {
      case .atom: SampleData.appendEntry(index, to: &piece)
      case .json: SampleData.appendObject(index, to: &piece)
      }
      if piece.count >= pieceLength { try read() }
    }
    piece += format == .atom ? SampleData.feedTail : SampleData.pageTail
    try read()
    _ = try reader.finish()
    guard found == count else { throw BenchmarkError("\(found) entities of \(count).") }
    return try peakMemory()
  }

  /// The same in a process of its own.
  func runApart() throws -> Int {
    guard let peak = Int(try output(of: CommandLine.arguments[0], arguments)) else {
      throw BenchmarkError("A memory run printed no number.")
    }
    return peak
  }
}

/// The most memory that this process has held, in KiB.
private func peakMemory() throws -> Int {
  #if os(Linux)
    // Not getrusage: there a process begins with what its parent held.
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
      let peak = Int(number)
    else { throw BenchmarkError("The system tells no peak of memory.") }
    return peak
  #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss / 1024
  #endif
}
