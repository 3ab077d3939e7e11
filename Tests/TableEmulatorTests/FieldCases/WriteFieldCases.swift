import AzureTable
import ODataKit
import ODataTestSupport
import TableEmulator
import Testing

/// Field cases of writes: what a merge leaves, and how a bulk upload is cut.
@Suite("Field cases of writes, end to end")
struct WriteFieldCases {
  private func table(
    _ format: PayloadFormat, _ body: (TableService, TableClient) async throws -> Void
  ) async throws {
    let service = try TableService.embedded(in: try Emulator.inMemory(), format: format)
    try await service.createTable("Cases")
    try await body(service, try service.table("Cases"))
  }

  private struct Row: Codable {
    var partitionKey = "p"
    var rowKey = "r"
    var a: String?
    var b: String?
    var c: String?
  }

  @Test(
    "G08 · a merge leaves what it does not mention, a replace does not",
    arguments: [PayloadFormat.atom, .json])
  func mergeAndReplace(_ format: PayloadFormat) async throws {
    try await table(format) { _, table in
      try await table.insert(Row(a: "x", b: "y"))
      try await table.merge(Row(a: nil))
      var found = try #require(try await table.get(Row.self, partitionKey: "p", rowKey: "r")?.entity)
      #expect(found.a == "x" && found.b == "y")
      var transaction = TableTransaction()
      transaction.merge(Row(c: "z"))
      try await table.submit(transaction)
      found = try #require(try await table.get(Row.self, partitionKey: "p", rowKey: "r")?.entity)
      #expect(found.a == "x" && found.b == "y" && found.c == "z")
      try await table.replace(Row(b: "y"))
      let record = try #require(try await table.record(partitionKey: "p", rowKey: "r"))
      #expect(record["a"] == nil && record["c"] == nil && record["b"] == .string("y"))
    }
  }

  @Test(
    "G08 · a property cleared on a handle is gone, and no text null is written",
    arguments: [PayloadFormat.atom, .json])
  func clearing(_ format: PayloadFormat) async throws {
    try await table(format) { service, table in
      try await table.insert(Row(a: "x", b: "y"))
      let context = TableContext(service)
      let rows = try context.table("Cases", of: Row.self)
      let row = try #require(try await rows.query.execute().first)
      row.a = nil
      try await context.saveChanges()
      let record = try #require(try await table.record(partitionKey: "p", rowKey: "r"))
      #expect(record["a"] == nil && record["b"] == .string("y"))
    }
  }

  private struct Bulky: Codable {
    var partitionKey: String
    var rowKey: String
    var s1: String?
    var s2: String?
    var s3: String?
    var s4: String?
  }

  @Test(
    "G11 · 250 rows of two partitions are cut at 100 operations of one partition",
    arguments: [PayloadFormat.atom, .json])
  func cutsByCount(_ format: PayloadFormat) async throws {
    try await table(format) { service, table in
      let context = TableContext(service)
      let rows = try context.table("Cases", of: Row.self)
      for index in 0..<250 { try rows.add(Row(partitionKey: index % 2 == 0 ? "a" : "b", rowKey: "\(index)")) }
      #expect(try context.plan(.batch).steps.map(\.operations.count) == [100, 25, 100, 25])
      try await context.saveChanges(.batch)
      #expect(try await table.query(Row.self).execute().count == 250)
    }
  }

  @Test(
    "G11 · more than 4 MiB is cut by the bytes that are sent, not by characters",
    arguments: zip(["x", "é"], [PayloadFormat.json, .atom]))
  func cutsByBytes(_ character: String, _ format: PayloadFormat) async throws {
    try await table(format) { service, table in
      let context = TableContext(service)
      let rows = try context.table("Cases", of: Bulky.self)
      let text = String(repeating: character, count: 32_768 / character.utf16.count)
      for index in 0..<32 {
        try rows.add(Bulky(partitionKey: "p", rowKey: "\(index)", s1: text, s2: text, s3: text, s4: text))
      }
      let sets = try context.plan(.batch).steps
      #expect(sets.count >= 2)
      #expect(sets.map(\.operations.count).reduce(0, +) == 32)
      // The store refuses a body above the limit, so a cut by characters would fail here.
      try await context.saveChanges(.batch)
      #expect(try await table.query(Bulky.self).execute().allSatisfy { $0.s4 == text })
    }
  }
}
