import AzureTable
import ODataKit
import ODataTestSupport
import Testing

@Suite("Writing records")
struct RecordWriteTests {
  /// As it was read: with a tag, and with a timestamp that only the service sets.
  private static let record = EntityRecord(
    [
      "PartitionKey": .string("p"), "RowKey": .string("r"), "Timestamp": .string("2026-01-01T00:00:00Z"),
      "title": .string("t"), "gone": .null,
    ],
    control: ControlInformation(entityTag: EntityTag(rawValue: "W/\"9\"")))
  private static let body = #"{"PartitionKey":"p","RowKey":"r","title":"t"}"#

  @Test("a record that was read is written without what is the service's")
  func writes() async throws {
    let fixture = try TableContextFixture((0..<5).map { .respond(.noContent(tag: "W/\"\($0)\"")) })
    let books = try fixture.service.table("Books")
    #expect(try await books.insert(Self.record)?.rawValue == "W/\"0\"")
    try await books.merge(Self.record)
    try await books.replace(Self.record, ifMatch: EntityTag(rawValue: "W/\"9\""))
    try await books.insertOrMerge(Self.record)
    try await books.insertOrReplace(Self.record)
    let key = "/devstoreaccount1/Books(PartitionKey='p',RowKey='r')"
    #expect(
      fixture.transport.requests.map {
        "\($0.method) \($0.url.target) \($0.headers[.ifMatch] ?? "-") \($0.bodyText)"
      } == [
        "POST /devstoreaccount1/Books - \(Self.body)", "MERGE \(key) * \(Self.body)",
        "PUT \(key) W/\"9\" \(Self.body)", "MERGE \(key) - \(Self.body)", "PUT \(key) - \(Self.body)",
      ])
  }

  @Test("the rules of the service hold for records, and nothing is sent")
  func rules() async throws {
    let fixture = try TableContextFixture()
    let books = try fixture.service.table("Books")
    for record in [
      EntityRecord(["PartitionKey": .string("p")]),
      EntityRecord(["PartitionKey": .string("p"), "RowKey": .string("a/b")]),
    ] {
      let error = try await #require(throws: ODataError.self) { try await books.insertOrReplace(record) }
      #expect(error.code == .invalidValue)
    }
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("a transaction takes each kind of write of a record")
  func transaction() async throws {
    let fixture = try TableContextFixture([.respond(.doneChangeSet(5))])
    var transaction = TableTransaction()
    func row(_ key: String) -> EntityRecord {
      var record = Self.record
      record["RowKey"] = .string(key)
      return record
    }
    transaction.insert(row("1"))
    transaction.merge(row("2"))
    transaction.replace(row("3"))
    transaction.insertOrMerge(row("4"))
    transaction.insertOrReplace(row("5"))
    try await fixture.service.table("Books").submit(transaction)
    let lines = fixture.transport.requests[0].bodyText.split(separator: "\r\n")
    #expect(
      lines.compactMap { $0.hasSuffix(" HTTP/1.1") ? $0.split(separator: " ").first : nil } == [
        "POST", "MERGE", "PUT", "MERGE", "PUT",
      ])
    #expect(
      lines.filter { $0.hasPrefix("{") }
        == (1...5).map { #"{"PartitionKey":"p","RowKey":"\#($0)","title":"t"}"# })
  }
}
