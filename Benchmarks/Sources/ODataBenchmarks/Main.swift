import Foundation
import ODataKit

/// Measures reading and writing, prints the page of results, and puts it into a file where one is named.
@main
struct Main {
  static let usage = """
    Usage: ODataBenchmarks [--entities N] [--rounds N] [--python PROGRAM] [--results FILE] [--only WORKLOAD]

    Reads and writes N entities (50505) in Atom and JSON, typed and not, in turns with libxml2's bare SAX pass,
    Foundation's JSONDecoder and orjson, where PROGRAM (python3) has it. Prints the page of results, and puts it into
    FILE between the two comments that mark the figures. --only runs a workload alone, for a profiler: decode or encode,
    atom or json, structs or records, as in decode-atom-structs.

    """

  static func main() throws {
    var (entities, rounds, python) = (50_505, 7, "python3")
    var results: String?
    var arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--memory" {
      guard let run = MemoryRun(arguments.dropFirst()) else { fail() }
      return print(try run.run())
    }
    var only: String?
    while let option = arguments.popFirst() {
      if option == "--help" || option == "-h" { return print(usage, terminator: "") }
      guard let value = arguments.popFirst() else { fail() }
      switch option {
      case "--entities": entities = positive(value)
      case "--rounds": rounds = positive(value)
      case "--python": python = value
      case "--results": results = value
      case "--only": only = value
      default: fail()
      }
    }
    if let only { return try run(only, entities, rounds) }
    let report = try report(entities, rounds, Orjson(python: python))
    print(report.markdown)
    if let results { try report.write(to: results) }
  }

  private static func report(_ count: Int, _ rounds: Int, _ orjson: Orjson?) throws -> Report {
    var memory: [(name: String, single: Int, fourfold: Int)] = []
    for format in Format.allCases {
      for isTyped in [true, false] {
        var run = MemoryRun(format: format, isTyped: isTyped, count: count)
        let single = try run.runApart()
        run.count *= 4
        memory.append(("\(format.name) into \(isTyped ? "structs" : "records")", single, try run.runApart()))
      }
    }
    let decoding = try measure(try decodingWorkloads(count, orjson: orjson), rounds: rounds)
    let encoding = try measure(try encodingWorkloads(count), rounds: rounds)
    return Report(
      entityCount: count, rounds: rounds, machine: Machine(), decoding: decoding, encoding: encoding,
      memory: memory, curves: try curves(rounds), orjsonVersion: orjson?.version)
  }

  /// How much an entity costs in documents of different sizes.
  private static func curves(_ rounds: Int) throws -> [(count: Int, atom: Double, json: Double)] {
    try [1, 8, 64, 512, 4096].map { count in
      let repetitions = 4096 / count
      let workloads = Format.allCases.map { format in
        let pieces = format.document(count).pieces
        return Workload(format.name, bytes: 0) {
          for _ in 0..<repetitions { _ = try readBooks(pieces, format) }
        }
      }
      let samples = try measure(workloads, rounds: rounds)
      let each = samples.map { $0.minimum * 1e9 / Double(repetitions * count) }
      return (count, each[0], each[1])
    }
  }

  /// One workload over and over.
  private static func run(_ name: String, _ count: Int, _ rounds: Int) throws {
    let words = name.split(separator: "-").map(String.init)
    guard words.count == 3, let format = Format(rawValue: words[1]) else { fail() }
    let isTyped = words[2] == "structs"
    switch words[0] {
    case "decode":
      let pieces = format.document(count).pieces
      for _ in 0..<rounds {
        if isTyped { _ = try readBooks(pieces, format) } else { _ = try readRows(pieces, format) }
      }
    case "encode":
      let name = WorkloadName.encoding(format, typed: isTyped)
      let workload = try encodingWorkloads(count).first { $0.name == name }
      for _ in 0..<rounds { _ = try workload?.run() }
    default: fail()
    }
  }

  private static func positive(_ text: String) -> Int {
    guard let number = Int(text), number > 0 else { fail() }
    return number
  }

  private static func fail() -> Never {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
}
