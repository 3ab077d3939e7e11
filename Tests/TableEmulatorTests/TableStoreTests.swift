import CurlTransport
import Foundation
import ODataKit
import Testing

@testable import TableEmulator

struct TableStoreTests {
  private func store(_ location: StoreLocation, _ clock: TestClock = TestClock()) throws -> TableStore {
    try TableStore(location, durability: .full, now: { clock.now })
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as ODataError { return "\(error.code): \(error.message)" } catch { return "\(error)" }
  }

  @discardableResult
  private func put(_ store: TableStore, _ key: StoreKey, _ value: Int32) throws -> EdmDateTime {
    try store.write { transaction in
      _ = try transaction.createTable("Books", of: "a")
      let table = try #require(try transaction.snapshot.table("books", of: "a"))
      return try transaction.put(key, EntityRecord(["N": .int32(value)]), into: table)
    }
  }

  private func value(_ store: TableStore, _ key: StoreKey) throws -> EdmValue? {
    try store.read { snapshot in
      guard let table = try snapshot.table("BOOKS", of: "a") else { return nil }
      return try snapshot.entity(key, in: table)?["N"]
    }
  }

  @Test func aFileIsReadAgain() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      try put(try store(.file(file)), StoreKey("p", ""), 7)
      #expect(try value(try store(.file(file)), StoreKey("p", "")) == .int32(7))
      #expect(try value(try store(.file(file)), StoreKey("", "p")) == nil)
      // Closing the last connection takes the log in; the file is all there is.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["books.tables"])
    }
  }

  @Test func accountsHaveTablesOfTheirOwn() throws {
    let store = try store(.memory)
    try put(store, StoreKey("p", "r"), 1)
    #expect(try store.read { try $0.table("Books", of: "b") } == nil)
  }

  @Test func aTransactionThatThrowsLeavesNothing() throws {
    struct Stop: Error {}
    let store = try store(.memory)
    try put(store, StoreKey("p", "r"), 1)
    #expect(throws: Stop.self) {
      try store.write { transaction in
        let table = try #require(try transaction.snapshot.table("Books", of: "a"))
        _ = try transaction.put(StoreKey("p", "r"), EntityRecord(["N": .int32(2)]), into: table)
        throw Stop()
      }
    }
    #expect(try value(store, StoreKey("p", "r")) == .int32(1))
    try put(store, StoreKey("p", "r"), 3)
    #expect(try value(store, StoreKey("p", "r")) == .int32(3))
  }

  @Test func timestampsNeverRepeatNorGoBack() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      let clock = TestClock()
      var stamps: [EdmDateTime] = []
      for step: Int64 in [0, 0, -10_000_000, 0, 10_000_000] {
        clock.now = EdmDateTime(ticks: clock.now.ticks + step) ?? .maximum
        // A new store each time: the last timestamp is in the file.
        stamps.append(try put(try store(.file(file), clock), StoreKey("p", "r"), 1))
      }
      let start = stamps[0].ticks
      #expect(stamps.map { $0.ticks - start } == [0, 1, 2, 3, 4])
      clock.now = EdmDateTime(ticks: start + 1000) ?? .maximum
      #expect(try put(try store(.file(file), clock), StoreKey("p", "r"), 1).ticks - start == 1000)
    }
  }

  @Test func aDeletedTablesRowsDoNotComeBack() throws {
    let store = try store(.memory)
    try put(store, StoreKey("p", "r"), 1)
    try store.write { transaction in
      let table = try #require(try transaction.snapshot.table("Books", of: "a"))
      try transaction.deleteTable(table)
      #expect(try transaction.createTable("Books", of: "a"))
    }
    #expect(try value(store, StoreKey("p", "r")) == nil)
  }

  @Test func readersDoNotWaitForAWriter() async throws {
    try await withTemporaryFolder { folder in
      let store = try store(.file(folder.appending(path: "books.tables")))
      try put(store, StoreKey("p", "r"), 1)
      let seen = try store.write { transaction in
        let table = try #require(try transaction.snapshot.table("Books", of: "a"))
        _ = try transaction.put(StoreKey("p", "r"), EntityRecord(["N": .int32(2)]), into: table)
        return try value(store, StoreKey("p", "r"))
      }
      #expect(seen == .int32(1))
      #expect(try value(store, StoreKey("p", "r")) == .int32(2))
    }
  }

  @Test func aSecondWriterWaitsAndThenSaysWhatHolds() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      let first = try store(.file(file))
      let second = try store(.file(file))
      try put(first, StoreKey("p", "r"), 1)
      try put(second, StoreKey("p", "r"), 2)
      let told = try first.write { _ in message { try put(second, StoreKey("p", "r"), 3) } }
      #expect(
        told == """
          storeLocked: The store "\(file.path)" is locked by another process; wait until that one is done with it, \
          or stop it.
          """)
      #expect(try value(first, StoreKey("p", "r")) == .int32(2))
    }
  }

  @Test func scansWalkAlongTheirKeysOnly() throws {
    let connection = try SQLiteConnection(.memory, creates: true)
    try StoreSchema.prepare(connection)
    for hasUpper in [false, true] {
      let statement = try connection.statement("EXPLAIN QUERY PLAN " + StoreSnapshot.scan(hasUpper: hasUpper))
      #expect(try statement.step())
      let plan = statement.text(3)
      #expect(
        plan.contains("SEARCH entities USING PRIMARY KEY (owner=? AND (partition,row)>(?,?)"), "\(plan)")
      #expect(plan.contains("(partition,row)<(?,?)") == hasUpper, "\(plan)")
      #expect(try !statement.step(), "no sorting behind it")
    }
  }

  // MARK: Files that are none

  @Test func whatCannotBeOpenedIsToldInASentence() async throws {
    try await withTemporaryFolder { folder in
      let missing = folder.appending(path: "none/books.tables")
      #expect(
        message { _ = try store(.file(missing)) } == """
          storeUnusable: The store "\(missing.path)" cannot be opened; check that its folder exists and that this \
          user may read and write there.
          """)
      let text = folder.appending(path: "text")
      try Data(repeating: UInt8(ascii: "x"), count: 4096).write(to: text)
      #expect(
        message { _ = try store(.file(text)) }
          == #"storeUnusable: The store "\#(text.path)" is not a table store: the file is no SQLite database."#
      )
    }
  }

  @Test func aFullDiskLosesTheChangeOnly() throws {
    let connection = try SQLiteConnection(.memory, creates: true)
    try StoreSchema.prepare(connection)
    let pages = try connection.integer("PRAGMA page_count")
    try connection.execute("PRAGMA max_page_count = \(pages + 4)")
    let told = message {
      try connection.transaction(.writing) {
        let transaction = try StoreTransaction(connection, now: .unixEpoch)
        #expect(try transaction.createTable("Books", of: "a"))
        let table = try #require(try transaction.snapshot.table("Books", of: "a"))
        for row in 0..<100 {
          _ = try transaction.put(
            StoreKey("p", "\(row)"), EntityRecord(["B": .binary([UInt8](repeating: 1, count: 4000))]),
            into: table)
        }
      }
    }
    #expect(
      told
        == "storeFull: The store in memory cannot grow because the disk is full; nothing of this change was kept."
    )
    #expect(try StoreSnapshot(connection).table("Books", of: "a") == nil)
    let isCreated = try connection.transaction(.writing) {
      try StoreTransaction(connection, now: .unixEpoch).createTable("Books", of: "a")
    }
    #expect(isCreated)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write every file"))
  func aFileThatMayNotBeWrittenIsRefused() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      _ = try store(.file(file))
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file.path)
      #expect(
        message { _ = try store(.file(file)) } == """
          storeReadOnly: The store "\(file.path)" is read-only; give this user the right to write the file and its \
          folder.
          """)
    }
  }

  @Test func filesOfOtherProgramsStayAsTheyAre() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "other.db")
      do {
        let other = try SQLiteConnection(.file(file), creates: true)
        try other.execute("CREATE TABLE t(x)")
      }
      let before = try Data(contentsOf: file)
      #expect(
        message { _ = try store(.file(file)) } == """
          storeUnusable: The store "\(file.path)" is not a table store but an SQLite database of another program.
          """)
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test func aNewerFormatIsRefused() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "books.tables")
      do {
        _ = try store(.file(file))
        try SQLiteConnection(.file(file), creates: false).execute("PRAGMA user_version = 2")
      }
      #expect(
        message { _ = try store(.file(file)) } == """
          storeTooNew: The store "\(file.path)" was written by a newer version (format 2, this one reads up to 1); \
          update this program.
          """)
    }
  }
}
