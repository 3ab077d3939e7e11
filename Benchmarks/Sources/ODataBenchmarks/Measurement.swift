import Foundation

/// One thing to measure: `run` does it once.
struct Workload {
  var name: String
  /// The bytes that it reads or writes.
  var byteCount: Int
  /// Gives the seconds that it took, where it knows better than the clock of this process; `nil` otherwise.
  var run: () throws -> Double?

  init(_ name: String, bytes: Int, _ run: @escaping () throws -> Void) {
    self.name = name
    byteCount = bytes
    self.run = {
      try run()
      return nil
    }
  }

  /// A workload with a clock of its own: `run` gives the seconds.
  static func timed(_ name: String, bytes: Int, _ run: @escaping () throws -> Double) -> Workload {
    var workload = Workload(name, bytes: bytes) {}
    workload.run = run
    return workload
  }
}

/// The seconds of CPU that a workload took, in each round.
struct Samples {
  var name: String
  var byteCount: Int
  var seconds: [Double] = []

  var minimum: Double { seconds.min() ?? .nan }
  var median: Double { seconds.sorted()[seconds.count / 2] }
  /// Megabytes (10⁶) a second in the fastest round.
  var rate: Double { Double(byteCount) / 1e6 / minimum }
}

/// Runs workloads in turns, so that whatever else the machine does falls on all of them alike.
///
/// What is taken is the CPU time of this process: a machine that is shared does not count. The first round
/// warms up and is thrown away.
func measure(_ workloads: [Workload], rounds: Int) throws -> [Samples] {
  var samples = workloads.map { Samples(name: $0.name, byteCount: $0.byteCount) }
  for round in 0...rounds {
    for (index, workload) in workloads.enumerated() {
      let begin = processorTime()
      let own = try workload.run()
      let seconds = own ?? processorTime() - begin
      if round > 0 { samples[index].seconds.append(seconds) }
    }
    FileHandle.standardError.write(Data("  round \(round) of \(rounds)\n".utf8))
  }
  return samples
}

/// The seconds of CPU that this process has taken.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
