import AzureTable
import CurlTransport
import Foundation
import ODataKit
import Testing

@testable import TableEmulator

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `tablectl serve` as a process: how it begins, how it ends, and that nothing it has acknowledged is lost.
@Suite(.enabled(if: ServingProcess.executable != nil, "tablectl is not built beside the tests"))
struct ServeCommandTests {
  @Test func helpAndWrongUsage() async throws {
    let help = try await ServingProcess.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.hasPrefix("usage: tablectl serve [options]\n"))
    #expect(help.errors == "")
    for (arguments, sentence) in [
      (["serve", "--port", "70000"], "The port \"70000\" is not a number from 0 to 65535."),
      (["serve", "--port"], "The option --port needs a value behind it."),
      (["serve", "--host="], "The option --host needs a value behind it."),
      (["serve", "--fast"], "\"--fast\" is not an option of \"serve\"."),
      (["serve", "--in-memory", "--store=x"], "--in-memory and --store exclude each other."),
      (["sell"], "There is no command \"sell\"; the command is \"serve\"."),
      ([], "There is no command; the command is \"serve\"."),
    ] {
      let outcome = try await ServingProcess.run(arguments)
      #expect(outcome.errors.hasPrefix("tablectl: \(sentence)\n"), "\(outcome.errors)")
      #expect(outcome.status == 2)
      #expect(outcome.output == "")
    }
  }

  @Test func aStoreThatCannotBeServedEndsWithOneSentence() async throws {
    try await withTemporaryFolder { folder in
      let missing = folder.appending(path: "none/books.tables").path
      let outcome = try await ServingProcess.run(["serve", "--port", "0", "--store", missing])
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == """
          tablectl: The store "\(missing)" cannot be opened; check that its folder exists and that this user may read \
          and write there.

          """)

      let file = folder.appending(path: "books.tables")
      let server = try await ServingProcess(store: file)
      let second = try await ServingProcess.run(["serve", "--port", "0", "--store", file.path])
      #expect(second.status == 1)
      #expect(
        second.errors == """
          tablectl: The store "\(file.path)" is locked by another process, which serves it already; stop that one or \
          give another file.

          """)
      let authority = try TableConnectionString(server.connectionString).endpoint.authority
      let port = authority.drop { $0 != ":" }.dropFirst()
      let samePort = try await ServingProcess.run(["serve", "--in-memory", "--port", String(port)])
      #expect(samePort.status == 1)
      #expect(
        samePort.errors.hasPrefix(
          "tablectl: The server cannot listen on 127.0.0.1:\(port) because another program does"))
      #expect(await server.end(SIGINT) == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["books.tables"])
    }
  }

  /// Writes rows and change sets until the server is gone; gives what was acknowledged. Once `count` answers are in,
  /// the server gets the signal, in the middle of whatever it does.
  private func write(
    to server: ServingProcess, until count: Int, then signal: Int32
  ) async throws -> (rows: Set<String>, sets: Set<Int>, status: Int32) {
    let client = try LiveClient(server)
    #expect(try await client.send(.post, "/Tables", body: #"{"TableName":"Books"}"#).status == 201)
    let acknowledged = Locked<(rows: Set<String>, sets: Set<Int>)>(([], []))
    let (signals, trigger) = AsyncStream.makeStream(of: Void.self)
    let note: @Sendable (@Sendable (inout (rows: Set<String>, sets: Set<Int>)) -> Void) -> Void = { change in
      let total = acknowledged.withLock { state in
        change(&state)
        return state.rows.count + state.sets.count
      }
      if total == count { trigger.finish() }
    }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          for row in 0... {
            let key = "w\(writer)-\(row)"
            guard
              let reply = try? await client.send(
                .post, "/Books", ["Prefer": "return-no-content"],
                body: #"{"PartitionKey":"single","RowKey":"\#(key)"}"#)
            else { return }
            #expect(reply.status == 204)
            note { $0.rows.insert(key) }
          }
        }
      }
      group.addTask {
        for set in 0... {
          var batch = BatchText()
          for row in 0..<20 { batch.insert("Books", #"{"PartitionKey":"set\#(set)","RowKey":"\#(row)"}"#) }
          guard
            let reply = try? await client.send(
              .post, "/$batch", ["Content-Type": BatchText.contentType], body: batch.text)
          else { return }
          #expect(reply.status == 202)
          note { $0.sets.insert(set) }
        }
      }
      for await _ in signals {}
      let status = await server.end(signal)
      try await group.waitForAll()
      let found = acknowledged.withLock { $0 }
      return (found.rows, found.sets, status)
    }
  }

  /// The row keys of a partition in the file, read by another program.
  private func rows(of partition: String, in emulator: Emulator) async throws -> Set<String> {
    let client = LiveClient(emulator.transport, emulator.endpoint)
    var keys: Set<String> = []
    var next = ""
    repeat {
      let reply = try await client.send(
        .get, "/Books()?$filter=PartitionKey%20eq%20'\(partition)'&$select=RowKey\(next)")
      let reader = JSONReader()
      for record in try reader.read(reply.body) {
        if case .string(let key)? = record["RowKey"] { keys.insert(key) }
      }
      _ = try reader.finish()
      next = reply.headers["x-ms-continuation-NextPartitionKey"].map { "&NextPartitionKey=\($0)" } ?? ""
      next += reply.headers["x-ms-continuation-NextRowKey"].map { "&NextRowKey=\($0)" } ?? ""
    } while !next.isEmpty
    return keys
  }

  @Test(arguments: [(SIGKILL, -SIGKILL), (SIGTERM, 0 as Int32)])
  func nothingAcknowledgedIsLostAndNoChangeSetIsHalf(_ row: (signal: Int32, status: Int32)) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      let written = try await write(to: try await ServingProcess(store: file), until: 150, then: row.signal)
      #expect(written.status == row.status)
      #expect(written.rows.count + written.sets.count >= 150)

      let emulator = try Emulator.open(at: file)
      let single = try await rows(of: "single", in: emulator)
      #expect(written.rows.subtracting(single) == [])
      // The change set that was under way may be there or not, but whole.
      let whole = Set((0..<20).map(String.init))
      for set in written.sets { #expect(try await rows(of: "set\(set)", in: emulator) == whole) }
      let last = try await rows(of: "set\((written.sets.max() ?? -1) + 1)", in: emulator)
      #expect(last == [] || last == whole)
      // And the file can be served and written again.
      let again = try await ServingProcess(store: file)
      let reply = try await LiveClient(again).send(
        .put, "/Books(PartitionKey='single',RowKey='new')", body: "{}")
      #expect(reply.status == 204)
      #expect(await again.end(SIGTERM) == 0)
    }
  }

  @Test func twoProcessesShareAFile() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      let server = try await ServingProcess(store: file)
      let emulator = try Emulator.open(at: file)
      let clients = [try LiveClient(server), LiveClient(emulator.transport, emulator.endpoint)]
      #expect(try await clients[0].send(.post, "/Tables", body: #"{"TableName":"Books"}"#).status == 201)
      let counter = "/Books(PartitionKey='p',RowKey='counter')"
      #expect(try await clients[1].send(.put, counter, body: #"{"N":0}"#).status == 204)

      // Both count on one row, each by reading, adding one and replacing what was read.
      let tags = Locked<Set<String>>([])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in clients {
          group.addTask {
            var done = 0
            while done < 60 {
              let read = try await client.send(.get, counter + "?$select=N")
              let reader = JSONReader()
              guard case .int32(let value)? = try reader.read(read.body).first?["N"],
                let tag = read.headers["ETag"]
              else { throw ServeFailure() }
              let reply = try await client.send(
                .put, counter, ["If-Match": tag], body: "{\"N\":\(value + 1)}")
              guard reply.status == 204 else {
                #expect(reply.status == 412)
                continue
              }
              done += 1
              let new = reply.headers["ETag"] ?? ""
              #expect(tags.withLock { $0.insert(new).inserted }, "a tag came twice")
            }
          }
        }
        try await group.waitForAll()
      }
      let read = try await clients[0].send(.get, counter + "?$select=N")
      #expect(String(decoding: read.body, as: UTF8.self) == #"{"N":120}"#)
      #expect(await server.end(SIGTERM) == 0)
    }
  }
}

private struct ServeFailure: Error {}
