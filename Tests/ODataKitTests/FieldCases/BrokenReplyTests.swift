import ODataKit
import ODataTestSupport
import Testing

/// Replies that are compressed, or that end before their end, over a real socket.
@Suite("Compressed and cut replies")
struct BrokenReplyTests {
  private struct Row: Codable {
    var name: String
    enum CodingKeys: String, CodingKey { case name = "Name" }
  }

  /// `{"value":[{"Name":"1"},{"Name":"2"}]}`
  private static let zippedPage: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 42, 75, 204, 41, 77, 85, 178, 138, 174, 86, 242, 75, 204, 5, 50,
    148, 12, 149, 106, 117, 224, 28, 35, 165, 218, 216, 90, 0, 30, 207, 4, 176, 37, 0, 0, 0,
  ]

  private func read(
    _ steps: [LoopbackServer.Step], format: PayloadFormat = .json
  ) async throws -> [String] {
    let server = try LoopbackServer { _ in [.receive] + steps }
    let service = try ODataService(root: server.url("/svc"), dialect: .v3, format: format)
    return try await ObjectContext(service).entitySet("Rows", of: Row.self, key: \.name).query.values
      .execute()
      .map(\.name)
  }

  @Test("G22 · a compressed page is read as one that is not")
  func compressedPage() async throws {
    let names = try await read([
      .send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
          + "Content-Length: \(Self.zippedPage.count)\r\n\r\n"),
      .sendBytes(Self.zippedPage),
    ])
    #expect(names == ["1", "2"])
  }

  private static let feed =
    #"<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" "#
    + #"xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"><entry><content type="application/xml">"#
    + "<m:properties><d:Name>1</d:Name></m:properties></content></entry>"

  @Test(
    "G22 · a reply that ends early is an error for the whole, not a shorter list",
    arguments: [
      "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n" + #"{"value":[{"Name":"1"},"#,
      "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n17\r\n"
        + #"{"value":[{"Name":"1"},"# + "\r\n",
      "Content-Type: application/json\r\nConnection: close\r\n\r\n" + #"{"value":[{"Name":"1"}"#,
      "Content-Type: application/json\r\nContent-Length: 23\r\n\r\n" + #"{"value":[{"Name":"1"},"#,
      "Content-Type: application/atom+xml\r\nContent-Length: 500\r\n\r\n" + feed,
      "Content-Type: application/atom+xml\r\nConnection: close\r\n\r\n" + feed,
    ])
  func cutPage(_ reply: String) async throws {
    let error = await #expect(throws: ODataError.self) {
      _ = try await read([.send("HTTP/1.1 200 OK\r\n" + reply)])
    }
    #expect(error?.code == .malformedPayload || error?.code == .transport)
    #expect(error?.message.isEmpty == false)
  }

  @Test("G22 · a compressed error tells what it holds")
  func compressedError() async throws {
    // {"odata.error":{"code":"Gone","message":{"value":"It is gone."}}}
    let body: [UInt8] = Self.zippedError
    let error = await #expect(throws: ODataError.self) {
      _ = try await read([
        .send(
          "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"),
        .sendBytes(body),
      ])
    }
    #expect(error?.serviceCode == "Gone")
    #expect(error?.message == "It is gone.")
  }

  private static let zippedError: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 202, 79, 73, 44, 73, 212, 75, 45, 42, 202, 47, 82, 178, 170, 86,
    74, 206, 79, 73, 85, 178, 82, 114, 207, 207, 75, 85, 210, 81, 202, 77, 45, 46, 78, 76, 79, 5, 73, 148, 37,
    230, 148, 130, 100, 60, 75, 20, 50, 139, 21, 210, 129, 242, 122, 74, 181, 181, 181, 0, 168, 253, 30, 178,
    65, 0, 0, 0,
  ]
}
