import Foundation
import Testing

@Suite struct LogTests {
  @Test func `a log that nobody reads any more does not end the server`() async throws {
    let home = try TemporaryFolder()
    let log = Pipe()
    let server = try await RunningServer(store: nil, options: ["--log"], errors: log, in: home)
    try log.fileHandleForReading.close()
    for title in ["A", "B"] {
      let added = try await Tool.bookShelf(
        "--connection", server.connectionString, "add", "--title", title, "--author", "N", in: home)
      #expect(added.status == 0, "\(added.errors)")
    }
    #expect(try await server.interrupt() == 0)
  }
}
