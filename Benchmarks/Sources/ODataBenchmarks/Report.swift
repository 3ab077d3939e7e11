import Foundation

/// What was measured, as a page.
struct Report {
  var entityCount: Int
  var rounds: Int
  var machine: Machine
  var decoding: [Samples]
  var encoding: [Samples]
  /// Peaks in KiB for N and for four times as many.
  var memory: [(name: String, single: Int, fourfold: Int)]
  /// Nanoseconds for each entity, by the number of entities in a document.
  var curves: [(count: Int, atom: Double, json: Double)]
  var orjsonVersion: String?

  var markdown: String {
    """
    \(entityCount) entities of 10 properties, the same in both formats. CPU seconds; \(rounds) rounds, in each of which
    all workloads of a table take their turn; only numbers of one table can be compared. Machine: \(machine).

    ## Targets

    \(targetTable)
    ## Reading

    \(Self.table(decoding, against: WorkloadName.saxFloor))
    \(orjsonVersion.map { "orjson \($0)." } ?? "orjson was not measured: no Python with it was found.")

    ## Writing

    Every entity becomes the body of one request. "Copying" is what is left when the bodies are there already.

    \(Self.table(encoding, against: WorkloadName.encoding(.json, typed: true)))
    ## Memory

    The peak of a process that reads a payload while it is made and lets go of every entity.

    \(memoryTable)
    ## Small pages

    Into structs, nanoseconds for an entity by the number of entities in a document.

    \(curveTable)
    """
  }

  private static func table(_ samples: [Samples], against reference: String) -> String {
    let base = samples.first { $0.name == reference }?.minimum ?? .nan
    var lines = [
      "| workload | MB | minimum | median | MB/s | time, against \(reference) |",
      "|---|---:|---:|---:|---:|---:|",
    ]
    for sample in samples {
      let cells = [
        sample.name, (Double(sample.byteCount) / 1e6).digits(1), sample.minimum.digits(3) + " s",
        sample.median.digits(3) + " s", sample.rate.digits(0), (sample.minimum / base).digits(2),
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func minimum(_ name: String) -> Double {
    (decoding + encoding).first { $0.name == name }?.minimum ?? .nan
  }

  private var targetTable: String {
    var lines = ["| target | measured | |", "|---|---:|---|"]
    func add(_ target: String, _ measured: String, _ isMet: Bool) {
      lines.append("| \(target) | \(measured) | \(isMet ? "met" : "missed") |")
    }
    let atom = minimum(WorkloadName.decoding(.atom, typed: true)) / minimum(WorkloadName.saxFloor)
    add("Atom into structs ≤ 1.7 × the bare SAX pass", "\(atom.digits(2)) ×", atom <= 1.7)
    let json = minimum(WorkloadName.foundation) / minimum(WorkloadName.decoding(.json, typed: true))
    add("JSON into structs ≥ 6 × as fast as Foundation's JSONDecoder", "\(json.digits(2)) ×", json >= 6)
    for format in Format.allCases {
      for isTyped in [true, false] {
        let name = WorkloadName.encoding(format, typed: isTyped)
        let rate = encoding.first { $0.name == name }?.rate ?? .nan
        let copies = minimum(name) / minimum(WorkloadName.copying(format))
        add(
          "\(name) ≥ 250 MB/s, or ≤ 2 × copying", "\(rate.digits(0)) MB/s, \(copies.digits(1)) ×",
          rate >= 250 || copies <= 2)
      }
    }
    for run in memory {
      let growth = Double(run.fourfold) / Double(run.single)
      // Two runs of the same program differ by some pages.
      add("memory of \(run.name) the same for 4 × the entities", "\(growth.digits(2)) ×", growth <= 1.05)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var memoryTable: String {
    var lines = [
      "| reading | \(entityCount) entities | \(4 * entityCount) entities |", "|---|---:|---:|",
    ]
    for run in memory {
      lines.append(
        "| \(run.name) | \((Double(run.single) / 1024).digits(1)) MiB | \((Double(run.fourfold) / 1024).digits(1)) MiB |"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var curveTable: String {
    var lines = ["| entities | Atom | JSON |", "|---:|---:|---:|"]
    for point in curves {
      lines.append("| \(point.count) | \(point.atom.digits(0)) | \(point.json.digits(0)) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Puts the page into a file in place of the figures that stand there, and leaves what people wrote around them.
  func write(to path: String) throws {
    let (begin, end) = ("<!-- figures -->\n", "<!-- end of figures -->\n")
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "# Results\n\n\(begin)\(end)"
    guard let start = old.range(of: begin)?.upperBound,
      let stop = old.range(of: end, range: start..<old.endIndex)?.lowerBound
    else { throw BenchmarkError("\(path) has no place for the figures.") }
    let new = old[..<start] + markdown + old[stop...]
    try String(new).write(toFile: path, atomically: true, encoding: .utf8)
  }
}

/// What is worth telling of a machine: nothing that names it.
struct Machine: CustomStringConvertible {
  let description: String

  init() {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let swift = try? output(of: "swift", ["--version"])
    let version = swift?.split(separator: "\n").first { $0.contains("Swift version") }
      .flatMap { line in line.range(of: "Swift version ").map { line[$0.upperBound...].prefix { $0 != " " } }
      }
    var system = ProcessInfo.processInfo.operatingSystemVersionString
    if let release = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8),
      let name = release.split(separator: "\n").first(where: { $0.hasPrefix("PRETTY_NAME=") })
    {
      system = name.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }
    }
    description = "\(cores) cores, \(system), Swift \(version.map(String.init) ?? "of an unknown version")"
  }
}

extension Double {
  /// The number with so many decimals.
  fileprivate func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}
