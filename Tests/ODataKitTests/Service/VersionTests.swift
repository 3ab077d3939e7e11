import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Versions of the protocol")
struct VersionTests {
  private func service(_ responses: [HTTPResponse]) throws -> (ScriptedTransport, ODataService) {
    let transport = ScriptedTransport(responses.map { .respond($0) })
    return (
      transport,
      try ODataService(root: "http://shop.test/svc", dialect: .v4, format: .json, transport: transport)
    )
  }

  private static func later(_ status: Int, _ body: String) -> HTTPResponse {
    .text(status, body, type: "application/json", headers: ["OData-Version": "5.0"])
  }

  private static let insert = ChangeOperation(
    .insert, at: .set("Orders"), record: EntityRecord(["ID": .int32(1)]))

  @Test("a service document and metadata in a later one are refused")
  func documents() async throws {
    let (_, service) = try service([
      Self.later(200, #"{"value":[]}"#), Self.later(200, #"{"$Version":"5.0"}"#),
    ])
    for read in [{ _ = try await service.serviceDocument() }, { _ = try await service.loadMetadata() }] {
      let error = await #expect(throws: ODataError.self) { try await read() }
      #expect(error?.code == .unsupported && error?.httpStatus == 200)
      #expect(error?.message.contains("in version 5.0 of OData, and at most 4 was asked for") == true)
    }
  }

  @Test("a change that was done in a later one was done, and is open where the status does not say so")
  func changes() async throws {
    let (_, service) = try service([Self.later(204, ""), Self.later(201, "{}"), Self.later(200, "{}")])
    #expect(try await service.perform(Self.insert).isDone)
    #expect(try await service.perform(Self.insert).isDone)
    #expect(try await service.perform(Self.insert).isUnknown)
  }

  @Test("what became of a batch that is answered in a later one is open", arguments: [200, 202])
  func batches(_ status: Int) async throws {
    let (_, service) = try service([Self.later(status, #"{"responses":[{"id":"1","status":201}]}"#)])
    var batch = BatchRequest()
    let changes = batch.addChangeSet([Self.insert])
    let outcomes = try await service.execute(batch).outcomes(changes)
    #expect(outcomes.count == 1 && outcomes.allSatisfy(\.isUnknown))
  }

  @Test("the number is told as it was sent")
  func text() {
    let error = Dialect.v3.refusal(of: ["OData-Version": " 4.01 ;x"])
    #expect(error?.message.contains("in version 4.01 of OData") == true)
    #expect(Dialect.v3.refusal(of: ["OData-Version": "4.0.1"]) == nil)
    #expect(Dialect.v3.refusal(of: ["OData-Version": "-4.0"]) == nil)
    #expect(Dialect.v3.refusal(of: ["OData-Version": "999999999999999999999.0"]) == nil)
  }

  @Test("4.0 is asked for, and 4.01 where that is set; a batch in JSON says that it is in it")
  func maximum() async throws {
    for (version, batchFormat, expected) in [
      (nil, BatchFormat.json, "4.0 4.0"), (ProtocolVersion.v4_01, .json, "4.01 4.01"),
      (.v4_01, .multipart, "4.0 4.01"), (nil, .multipart, "4.0 4.0"),
    ] {
      var (transport, service) = try service([.text(200, #"{"value":[]}"#), .noContent(), .text(202)])
      if let version { service.maximumVersion = version }
      service.batchFormat = batchFormat
      _ = try await service.serviceDocument()
      _ = try await service.perform(Self.insert)
      var batch = BatchRequest()
      _ = batch.addChangeSet([Self.insert])
      _ = try await service.execute(batch)
      let versions = transport.requests.map {
        "\($0.headers["OData-Version"] ?? "-") \($0.headers["OData-MaxVersion"] ?? "-")"
      }
      let single = "4.0 \(version ?? .v4_0)"
      #expect(versions == [single, single, expected])
    }
  }

  @Test("the earlier generations ask for their own, whatever is set")
  func earlier() async throws {
    let transport = ScriptedTransport([.respond(.text(200, #"{"value":[]}"#))])
    var service = try ODataService(
      root: "http://shop.test/svc", dialect: .v3, format: .json, transport: transport)
    service.maximumVersion = .v4_01
    _ = try await service.serviceDocument()
    #expect(transport.requests[0].headers["OData-MaxVersion"] == nil)
    #expect(transport.requests[0].headers["MaxDataServiceVersion"] == "3.0")
  }

  @Test("an answer in the short forms of 4.01 is read")
  func shortForms() async throws {
    var (transport, service) = try service([
      .text(
        200,
        ##"{"@context":"$metadata#Books","@count":1,"value":[{"@type":"#N.B","@etag":"W/\"1\"","ID":5,"A@type":"Int64","A":7}]}"##,
        type: "application/json", headers: ["OData-Version": "4.01"])
    ])
    service.maximumVersion = .v4_01
    let pages = RecordPages(
      service, set: "Books", url: try #require(RequestURL("http://shop.test/svc/Books")))
    let record = try #require(try await pages.next())
    #expect(record.control.typeName == "N.B" && record.control.entityTag?.rawValue == "W/\"1\"")
    #expect(record["A"] == .int64(7))
    #expect(transport.requests[0].headers["OData-MaxVersion"] == "4.01")
  }
}
