import AzureTable
import ODataKit
import ODataTestSupport
import Testing

/// Faults that users of other clients reported, retold as tests of what a context sends to the table service.
@Suite("Field cases of null, names and undeclared properties")
struct FieldCaseTests {
  private static func row(_ members: String, tag: String = "W/\\\"1\\\"") -> ScriptedTransport.Step {
    .respond(
      .text(
        200,
        #"{"odata.metadata":"http://127.0.0.1:10002/devstoreaccount1/$metadata#Books/@Element","#
          + #""odata.etag":"\#(tag)","PartitionKey":"p","RowKey":"r","Timestamp":"2014-09-02T21:09:14.8848547Z","#
          + "\(members)}",
        type: "application/json"))
  }

  private func fixture<Entity: Codable>(
    _ type: Entity.Type, _ members: String, _ steps: Int = 1
  ) async throws -> (TableContextFixture, Tracked<Entity>) {
    let answers = (0..<steps).map { ScriptedTransport.Step.respond(.noContent(tag: "W/\"\($0 + 2)\"")) }
    let fixture = try TableContextFixture([Self.row(members)] + answers)
    let set = try fixture.context.table("Books", of: type)
    let key = EntityKey(["PartitionKey": .string("p"), "RowKey": .string("r")])
    return (fixture, try #require(try await set.find(key)))
  }

  private struct Letters: Codable {
    var partitionKey: String
    var rowKey: String
    var A: String?
    var C: String?
  }

  @Test("G08 · a property set to nil is cleared by a replace under the version's tag, with all that was read")
  func nilInMerge() async throws {
    let (fixture, row) = try await fixture(Letters.self, #""A":"x","B":"y""#)
    row.A = nil
    try await fixture.context.saveChanges()
    let request = fixture.transport.requests[1]
    #expect(request.method == .put)
    #expect(request.headers[.ifMatch] == "W/\"1\"")
    #expect(request.bodyText == #"{"PartitionKey":"p","RowKey":"r","B":"y"}"#)
  }

  @Test("G08 · where not all is known, clearing is an error and never ignored")
  func nilWithoutKnowledge() async throws {
    let fixture = try TableContextFixture()
    let letters = try fixture.context.table("Books", of: Letters.self)
    let row = try letters.attach(
      Letters(partitionKey: "p", rowKey: "r", A: "x"), entityTag: EntityTag(rawValue: "W/\"1\""))
    row.A = nil
    let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
    #expect(error.cause.message.hasPrefix("The property A of a Books entity was cleared"))
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("G08 · a merge within a batch stays a merge and sends what changed only")
  func mergeInBatch() async throws {
    let (fixture, row) = try await fixture(Letters.self, #""A":"x","B":"y""#, 0)
    fixture.transport.add(.respond(.doneChangeSet(1)))
    row.C = "z"
    try await fixture.context.saveChanges(.batch)
    let body = fixture.transport.requests[1].bodyText
    #expect(body.contains("\r\nMERGE http"))
    #expect(body.contains(#"{"PartitionKey":"p","RowKey":"r","C":"z"}"#))
    #expect(!body.contains("null"))
  }

  private struct Words: Codable, Equatable {
    var partitionKey: String
    var rowKey: String
    var ETag: String
    var etag: String
    var `default`: Int32
    var `self`: Bool
    var type: String
    var id: String

    enum CodingKeys: String, CodingKey {
      case partitionKey, rowKey, ETag, etag, `default`, `self`, id
      case type = "Type"
    }
  }

  @Test(
    "G09 · properties that are called like control information are properties, and the tag is the service's")
  func names() async throws {
    let (fixture, row) = try await fixture(
      Words.self,
      #""ETag":"mine","etag":"other","default":1,"self":true,"Type":"t","id":"i""#, 2)
    #expect(
      row.entity
        == Words(
          partitionKey: "p", rowKey: "r", ETag: "mine", etag: "other", default: 1, self: true, type: "t",
          id: "i"))
    #expect(row.entityTag?.rawValue == "W/\"1\"")
    row.ETag = "changed"
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests[1].headers[.ifMatch] == "W/\"1\"")
    #expect(fixture.transport.requests[1].bodyText == #"{"PartitionKey":"p","RowKey":"r","ETag":"changed"}"#)
    row.etag = "changed as well"
    try await fixture.context.saveChanges(.replaceOnUpdate)
    #expect(fixture.transport.requests[2].headers[.ifMatch] == "W/\"2\"")
    #expect(
      fixture.transport.requests[2].bodyText
        == #"{"PartitionKey":"p","RowKey":"r","ETag":"changed","etag":"changed as well","default":1,"self":true,"#
        + #""Type":"t","id":"i"}"#)
  }

  @Test("G09 · a name that no property can have is refused before anything is sent, and told")
  func impossibleNames() async throws {
    for name in ["Distinguished Name", "a-b", String(repeating: "n", count: 256)] {
      let fixture = try TableContextFixture()
      let rows = try fixture.context.table("Books", of: [String: String].self)
      try rows.add(["partitionKey": "p", "rowKey": "r", name: "x"])
      let error = try await #require(throws: SaveError.self) { try await fixture.context.saveChanges() }
      #expect(error.cause.message.contains("The property \(name.prefix(40))"))
      #expect(fixture.transport.requests.isEmpty)
    }
  }

  @Test(
    "G27 · undeclared properties stay with a merge, go along in a replace with the types they were read in")
  func undeclared() async throws {
    let (fixture, row) = try await fixture(
      Letters.self, ##""A":"n","Extra2@odata.type":"Edm.Int64","Extra2":"7","Extra3":1.5"##, 2)
    row.A = "m"
    try await fixture.context.saveChanges()
    #expect(fixture.transport.requests[1].bodyText == #"{"PartitionKey":"p","RowKey":"r","A":"m"}"#)
    row.A = "o"
    try await fixture.context.saveChanges(.replaceOnUpdate)
    #expect(
      fixture.transport.requests[2].bodyText
        == #"{"PartitionKey":"p","RowKey":"r","A":"o","Extra2@odata.type":"Edm.Int64","Extra2":"7","Extra3":1.5}"#
    )
  }

  @Test("G27 · an open type takes dynamic properties as the very first thing that is sent")
  func coldStart() async throws {
    let fixture = try TableContextFixture([.respond(.text(204, headers: ["ETag": "W/\"1\""]))])
    let rows = try fixture.context.table("Books", of: EntityRecord.self)
    try rows.add(
      EntityRecord(["PartitionKey": .string("p"), "RowKey": .string("r"), "Colour": .string("red")]))
    try await fixture.context.saveChanges(.minimalResponse)
    #expect(
      fixture.transport.requests[0].bodyText == #"{"PartitionKey":"p","RowKey":"r","Colour":"red"}"#)
  }
}
