import AzureTable
import CurlTransport
import Foundation
import ODataKit
import Testing

@testable import TableEmulator

@Suite("Cancelling requests in process")
struct CancellationTests {
  private struct Row: Codable, Sendable {
    var partitionKey = "p"
    var rowKey: String
  }

  /// The emulator asks for the time once it has begun with a request: a moment at which to cancel it.
  private final class Interruption: Sendable {
    private let action = Locked<(@Sendable () -> Void)?>(nil)
    func arm(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }
    func strike() { action.withLock { $0.take() }?() }
  }

  @Test("a write that is cancelled while it is done counts as done, and those behind it are not sent")
  func write() async throws {
    let interruption = Interruption()
    var configuration = EmulatorConfiguration()
    configuration.now = {
      interruption.strike()
      return .now()
    }
    let emulator = try Emulator(.memory, durability: .relaxed, configuration: configuration)
    let service = try TableService.embedded(in: emulator)
    try await service.createTable("Rows")

    let gate = Locked<Task<[EntityState], any Error>?>(nil)
    interruption.arm { gate.withLock { $0?.cancel() } }
    let task = gate.withLock { waiting in
      let task = Task {
        let context = TableContext(service)
        let rows = try context.table("Rows", of: Row.self)
        for key in ["1", "2"] { try rows.add(Row(rowKey: key)) }
        // Taken and given back: the task is in the box before it goes on.
        gate.withLock { _ in }
        await #expect(throws: CancellationError.self) { try await context.saveChanges() }
        return context.entries.map(\.entityState)
      }
      waiting = task
      return task
    }
    #expect(try await task.value == [.unchanged, .added])
    #expect(try await service.table("Rows").query(Row.self).execute().map(\.rowKey) == ["1"])
  }
}
