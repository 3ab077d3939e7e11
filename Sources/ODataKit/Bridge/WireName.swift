internal import CurlTransport

/// The name on the wire of the property behind a key path; names of nested properties are joined by `/`.
///
/// The compiler keeps no link between a property and its coding key, so the type is asked: it is decoded from made-up
/// values, again and again with one of them changed, and the member that always shows through the key path is the
/// property. That follows renamed coding keys, optionals and nested types without macros. It takes some dozen decodings
/// once for each key path. A type's own `init(from:)` may refuse made-up values by throwing; one that traps on them
/// traps here.
///
/// Throws ``ODataError/Code/invalidArgument``, naming the key path, where no member shows through it unchanged: a
/// computed property that makes something of a member has no name on the wire, and a wrong one is never given.
package func wireName<Root: Decodable>(of keyPath: PartialKeyPath<Root>, naming: PropertyNaming) throws
  -> String
{
  let key = WireNameCache.Key(keyPath: keyPath, naming: naming)
  if let name = WireNameCache.names.withLock({ $0[key] }) { return name }
  let path = try KeyPathProbing(keyPath).path()
  let name = path.names.map(naming.wireName(of:)).joined(separator: "/")
  WireNameCache.names.withLock { $0[key] = name }
  return name
}

private enum WireNameCache {
  static let names = Locked<[Key: String]>([:])

  /// `@unchecked Sendable` because a key path never changes, and the one in here is only hashed and compared.
  struct Key: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
    let naming: PropertyNaming
  }
}

/// The search for the member behind one key path.
private struct KeyPathProbing<Root: Decodable> {
  private let keyPath: PartialKeyPath<Root>
  /// Whether the key path leads to storage. What is computed may depend on a member only for some values, so it has to
  /// keep to a stricter rule.
  private let isStored: Bool

  init(_ keyPath: PartialKeyPath<Root>) {
    self.keyPath = keyPath
    isStored = MemoryLayout<Root>.offset(of: keyPath) != nil
  }

  /// One decoding: what was handed to the members, and what shows through the key path then.
  private struct Run {
    var probe: Probe
    var seen: Sample?
  }

  private func run(_ choices: [ProbePath: ProbeChoice]) throws -> Run {
    let probe = Probe(choices: choices)
    let root = try Root(from: ProbingDecoder(probe, path: ProbePath()))
    return Run(probe: probe, seen: Sample(root[keyPath: keyPath]))
  }

  func path() throws -> ProbePath {
    let (choices, baseline) = try settled()
    var runs = [baseline]
    for member in baseline.probe.served {
      runs += variants(of: member, from: choices, count: 2)
      if member.isOptional, let run = try? run(choices.merging([member.path: .absent]) { $1 }) {
        runs.append(run)
      }
    }
    let matches = baseline.probe.served.filter { member in
      var values: Set<Sample?> = []
      for run in runs {
        let given = run.probe.sample(at: member.path)
        // A stored property may have a default for what is absent; see below for what that allows.
        if isStored, given == nil { continue }
        guard given == run.seen else { return false }
        values.insert(given)
      }
      return values.count > 1
    }
    guard matches.count == 1, let match = matches.first, isIndependent(match, choices) else { throw notFound }
    return match.path
  }

  /// Decodings with one member changed in up to `count` ways.
  private func variants(of member: Probe.Member, from choices: [ProbePath: ProbeChoice], count: Int) -> [Run]
  {
    var runs: [Run] = []
    for index in 0..<Probe.maximumChoices where runs.count < count && choices[member.path] != .value(index) {
      do {
        let run = try run(choices.merging([member.path: .value(index)]) { $1 })
        runs.append(run)
      } catch is Probe.Exhausted {
        break
      } catch {
        continue  // The type refuses this value; the next one may do.
      }
    }
    return runs
  }

  /// Whether a stored property that has a default when its member is absent has a constant one: `nickname ?? name`
  /// would show `name` then, and is not the property `nickname`.
  private func isIndependent(_ match: Probe.Member, _ choices: [ProbePath: ProbeChoice]) -> Bool {
    guard isStored, match.isOptional else { return true }
    let absent = choices.merging([match.path: .absent]) { $1 }
    guard let reference = try? run(absent), reference.seen != nil else { return true }
    return reference.probe.served.allSatisfy { other in
      other.path == match.path
        || variants(of: other, from: absent, count: 1).allSatisfy { $0.seen == reference.seen }
    }
  }

  /// Choices of values that the type accepts. The member that was read last before an error is taken to be its cause.
  private func settled() throws -> ([ProbePath: ProbeChoice], Run) {
    var choices: [ProbePath: ProbeChoice] = [:]
    for _ in 0..<256 {
      let probe = Probe(choices: choices)
      do {
        let root = try Root(from: ProbingDecoder(probe, path: ProbePath()))
        for member in probe.served where choices[member.path] == nil { choices[member.path] = .value(0) }
        return (choices, Run(probe: probe, seen: Sample(root[keyPath: keyPath])))
      } catch is Probe.Exhausted {
        break
      } catch {
        guard let path = probe.latestPath else { break }
        let index = if case .value(let index) = choices[path] { index } else { 0 }
        choices[path] = .value(index + 1)
      }
    }
    throw ODataError(
      .invalidArgument,
      "The name of \(keyPath) on the wire cannot be found, because \(Root.self) refuses to be decoded from made-up "
        + "values; give the name of the property as text.")
  }

  private var notFound: ODataError {
    ODataError(
      .invalidArgument,
      "The name of \(keyPath) on the wire cannot be found, because it is not a member that \(Root.self) decodes as "
        + "it stands; use a stored property, or give the name of the property as text.")
  }
}
