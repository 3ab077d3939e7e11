import AzureTable
import ODataKit
import ODataTestSupport
import Testing

/// The documents of the service that are plain XML in every version: settings, access policies, statistics.
@Suite("Settings of the service")
struct TableSettingsTests {
  private static let settings = """
    \u{FEFF}<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties>\
    <Logging><Version>1.0</Version><Read>true</Read><Write>False</Write><Delete>1</Delete>\
    <RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy></Logging>\
    <HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>false</IncludeAPIs>\
    <RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>\
    <Cors><CorsRule><AllowedMethods>GET,PUT</AllowedMethods><AllowedOrigins>http://a.example</AllowedOrigins>\
    <AllowedHeaders>x-ms-*</AllowedHeaders><ExposedHeaders /><MaxAgeInSeconds>500</MaxAgeInSeconds></CorsRule></Cors>\
    </StorageServiceProperties>
    """

  @Test("settings are read, and asked for at the service itself")
  func reads() async throws {
    let fixture = try TableContextFixture([
      .respond(.text(200, Self.settings, type: "application/xml"))
    ])
    let found = try await fixture.service.properties()
    #expect(found.logging?.read == true && found.logging?.write == false && found.logging?.delete == true)
    #expect(found.logging?.retentionDays == 7)
    #expect(found.hourMetrics?.isEnabled == true && found.hourMetrics?.includesAPIs == false)
    #expect(found.hourMetrics?.retentionDays == nil && found.minuteMetrics == nil)
    #expect(found.cors?.first?.allowedMethods == ["GET", "PUT"])
    #expect(found.cors?.first?.exposedHeaders == [] && found.cors?.first?.maxAgeInSeconds == 500)
    #expect(try TableServiceProperties(reading: found.document()) == found)
    let request = fixture.transport.requests[0]
    #expect(request.method == .get && request.headers[.accept] == "application/xml")
    #expect(request.url.target == "/devstoreaccount1/?restype=service&comp=properties")
  }

  @Test("only what is set is sent")
  func writes() async throws {
    let fixture = try TableContextFixture([.respond(.text(202))])
    var settings = TableServiceProperties()
    settings.minuteMetrics = .init()
    settings.cors = []
    try await fixture.service.setProperties(settings)
    #expect(
      fixture.transport.requests[0].bodyText == """
        <?xml version="1.0" encoding="utf-8"?><StorageServiceProperties><MinuteMetrics><Version>1.0</Version>\
        <Enabled>false</Enabled><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></MinuteMetrics><Cors />\
        </StorageServiceProperties>
        """)
  }

  @Test("access policies are replaced as a whole, and read with what they leave to the signature")
  func policies() async throws {
    let answer = """
      \u{FEFF}<?xml version="1.0" encoding="utf-8"?><SignedIdentifiers><SignedIdentifier><Id>a&amp;b</Id><AccessPolicy>\
      <Start>2011-10-11</Start><Expiry>2011-10-12T00:00:00.1234567Z</Expiry><Permission>raud</Permission></AccessPolicy>\
      </SignedIdentifier><SignedIdentifier><Id>open</Id></SignedIdentifier></SignedIdentifiers>
      """
    let fixture = try TableContextFixture([
      .respond(.text(200, answer, type: "application/xml")), .respond(.noContent()),
    ])
    let table = try fixture.service.table("Books")
    let policies = try await table.accessPolicies()
    #expect(
      policies == [
        TableAccessPolicy(
          id: "a&b", start: EdmDateTime("2011-10-11T00:00:00Z"),
          expiry: EdmDateTime("2011-10-12T00:00:00.1234567Z"),
          permissions: "raud"),
        TableAccessPolicy(id: "open"),
      ])
    try await table.setAccessPolicies(policies)
    let request = fixture.transport.requests[1]
    #expect(request.url.target == "/devstoreaccount1/Books?comp=acl")
    #expect(try TableAccessPolicy.read(Array(request.bodyText.utf8)) == policies)
  }

  @Test(
    "policies that the service would refuse are refused before",
    arguments: [
      (0..<6).map { "p\($0)" }, [""], [String(repeating: "x", count: 65)], ["a", "a"],
    ])
  func refusesPolicies(_ ids: [String]) async throws {
    let fixture = try TableContextFixture([])
    let table = try fixture.service.table("Books")
    let error = await #expect(throws: ODataError.self) {
      try await table.setAccessPolicies(ids.map { TableAccessPolicy(id: $0) })
    }
    #expect(error?.code == .invalidArgument)
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test(
    "statistics are asked for at the secondary location",
    arguments: [
      ("https://acct.table.core.windows.net", "https://acct-secondary.table.core.windows.net/"),
      ("http://127.0.0.1:10002/devstoreaccount1", "http://127.0.0.1:10002/devstoreaccount1-secondary/"),
    ])
  func statistics(_ endpoint: String, _ secondary: String) async throws {
    let answer = """
      \u{FEFF}<?xml version="1.0" encoding="utf-8"?><StorageServiceStats><GeoReplication><Status>live</Status>\
      <LastSyncTime>Mon, 02 Oct 2017 20:14:03 GMT</LastSyncTime></GeoReplication></StorageServiceStats>
      """
    let transport = ScriptedTransport([.respond(.text(200, answer, type: "application/xml"))])
    let service = try TableService(
      connectionString: "AccountName=acct;AccountKey=YWJj;TableEndpoint=\(endpoint)", transport: transport)
    let found = try await service.statistics()
    #expect(
      found
        == TableServiceStatistics(status: "live", lastSyncTime: EdmDateTime("2017-10-02T20:14:03Z")))
    #expect(try TableServiceStatistics(reading: found.document()) == found)
    let request = transport.requests[0]
    #expect(request.url.description == secondary + "?restype=service&comp=stats")
    #expect(request.headers[.authorization]?.hasPrefix("SharedKey acct:") == true)
  }

  @Test("another document in its place is an error that says which")
  func refusesOtherDocuments() {
    let error = #expect(throws: ODataError.self) {
      _ = try TableServiceProperties(reading: Array("<html><body/></html>".utf8))
    }
    #expect(error?.message.contains("<html>") == true)
    #expect(throws: ODataError.self) {
      _ = try TableServiceProperties(
        reading: Array("<StorageServiceProperties><Logging/></StorageServiceProperties>".utf8))
    }
  }
}
