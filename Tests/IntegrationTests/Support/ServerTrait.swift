import Testing

/// Runs a suite beside a server that others wrote; see `Tests/Servers/README.md`.
struct ServerTrait: SuiteTrait, TestScoping {
  let script: SampleServer.Script

  /// The root of the server that the running suite has.
  @TaskLocal static var root = ""

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let server = try await SampleServer(script)
    defer { server.stop() }
    try await Self.$root.withValue(server.root) { try await function() }
  }
}

extension Trait where Self == ServerTrait {
  /// Runs the suite beside a server of its own.
  static func server(_ name: String, _ options: String...) -> Self {
    ServerTrait(script: SampleServer.Script(name: name, options: options))
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves the suite out where the servers are not prepared.
  static var needsServers: Self {
    .enabled(
      if: SampleServer.areAvailable,
      "The servers of others are not there: Scripts/prepare-servers makes them.")
  }
}
