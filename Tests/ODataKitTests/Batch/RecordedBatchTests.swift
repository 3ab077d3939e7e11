import ODataTestSupport
import Testing

@testable import ODataKit

/// Batches that real services and clients sent.
@Suite(.enabled(if: SharedFolder.url != nil, "needs the folder of recordings beside the checkout"))
struct RecordedBatchTests {
  private func read(_ chunks: [[UInt8]], _ type: String) throws -> [BatchResponsePart] {
    var reader = try BatchResponseReader(contentType: type)
    var parts: [BatchResponsePart] = []
    for chunk in chunks { parts += try reader.read(chunk) }
    parts += try reader.finish()
    #expect(reader.isComplete)
    return parts
  }

  private func boundary(of bytes: [UInt8]) -> String {
    String(decoding: bytes.dropFirst(2).prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
  }

  @Test(
    "Files of raw responses, cut anywhere",
    arguments: [
      ("json/batch-response-409-index3.multipart", [409]),
      ("cosmos/batch-response-409-index3.multipart", [409]),
      ("atom/raw/batch-response-202.multipart", Array(repeating: 201, count: 20)),
    ])
  func files(name: String, statuses: [Int]) throws {
    let bytes = try SharedFolder.bytes("recordings/" + name)
    let type = "multipart/mixed; boundary=" + boundary(of: bytes)
    let whole = try read([bytes], type)
    guard case .changeSet(let responses)? = whole.first, whole.count == 1 else {
      Issue.record("one change set expected")
      return
    }
    #expect(responses.map(\.status) == statuses)
    #expect(responses.allSatisfy { !$0.isTruncated && !$0.body.isEmpty })
    for response in responses {
      #expect([UInt8(ascii: "}"), UInt8(ascii: ">")].contains(response.body[response.body.count - 1]))
    }
    for chunks in cuts(of: bytes, limit: 900) {
      #expect(try read(chunks, type) == whole)
    }
  }

  @Test("Atom responses keep their names, locations and tags")
  func atomHeaders() throws {
    let bytes = try SharedFolder.bytes("recordings/atom/raw/batch-response-202.multipart")
    guard
      case .changeSet(let responses)? = try read([bytes], "multipart/mixed; boundary=" + boundary(of: bytes))
        .first
    else {
      Issue.record("one change set expected")
      return
    }
    #expect(responses.map(\.contentID) == (1...20).map { "\($0)" })
    #expect(responses[1].headers[.entityTag] == #"W/"datetime'2013-03-22T13%3A02%3A13.2979565Z'""#)
    #expect(
      responses[1].headers[.location]
        == "https://ciserversdk.table.core.windows.net/tablebatch5(PartitionKey='partition1',RowKey='2')")
  }

  @Test("Every recorded batch response is read and, written again, has the recorded bytes")
  func responses() throws {
    var count = 0
    for file in try Recordings.files(in: "json", extension: "json")
      + Recordings.files(in: "json-full", extension: "json") + Recordings.files(in: "atom", extension: "json")
    {
      guard let exchanges = try? Recordings.exchanges(in: file) else { continue }
      for exchange in exchanges {
        guard let type = exchange.responseHeaders["content-type"], type.hasPrefix("multipart/mixed"),
          exchange.responseBody.starts(with: "--".utf8)
        else { continue }
        count += 1
        let parts = try read([exchange.responseBody], type)
        #expect(try read(exchange.responseBody.map { [$0] }, type) == parts)
        let text = String(decoding: exchange.responseBody, as: UTF8.self)
        let inner = text.split(separator: "\r\n").first { $0.hasPrefix("--changesetresponse_") }?.dropFirst(2)
        var writer = BatchResponseWriter(boundary: boundary(of: exchange.responseBody))
        for part in parts { try writer.add(part, changeSetBoundary: inner.map(String.init) ?? "") }
        let written = String(decoding: writer.finish(), as: UTF8.self)
        // The JSON service puts the Content-ID of a 201 behind DataServiceVersion and Content-Type, unlike
        // that of a 204 and unlike the Atom service.
        let reordered = text.replacing(
          #/(DataServiceVersion: 3.0;\r\nContent-Type: [^\r]+\r\n)(Content-ID: \d+\r\n)/#
        ) {
          $0.output.2 + $0.output.1
        }
        #expect(written.utf8.elementsEqual(reordered.utf8), "\(file)")
      }
    }
    #expect(count >= 17)
  }

  @Test("A batch request with bare line feeds is read, lengths in bytes and all")
  func lineFeedRequest() throws {
    let exchange = try #require(
      Recordings.exchanges(in: "json-full/batch-all-operations.json").first { $0.url.hasSuffix("$batch") })
    let parts = try BatchRequestReader.read(
      try #require(exchange.requestBody), contentType: exchange.requestHeaders["content-type"])
    guard case .changeSet(let operations)? = parts.first, parts.count == 1 else {
      Issue.record("one change set expected")
      return
    }
    #expect(operations.map(\.method) == [.post, .delete, .put, .merge, .put, .merge])
    #expect(operations.map(\.contentID) == ["1", "2", "3", "4", "5", "6"])
    #expect(operations.map(\.body.count) == [272, 0, 275, 276, 275, 275])
    #expect(operations[0].url == "/table194014d4")
    #expect(operations[2].headers[.ifMatch] == "*")
    #expect(operations[0].headers[.contentLength] == nil)
  }

  @Test("OData 2 samples: relative targets, names in the part, placeholder lengths, bodies cut by length")
  func olingo() throws {
    let response = try SharedFolder.bytes("recordings/odata/olingo2-batchResponse.batch")
    for chunks in cuts(of: response) {
      let parts = try read(chunks, "multipart/mixed; boundary=batch_123")
      guard parts.count == 2, case .changeSet(let changes) = parts[0], case .operation(let query) = parts[1]
      else {
        Issue.record("a change set and a query expected")
        return
      }
      #expect(changes.map(\.status) == [204, 201])
      #expect(changes.map(\.contentID) == ["1", "2"])
      #expect(changes.map(\.body.count) == [0, 918])
      #expect(query.body == Array("Frederic Fall".utf8))
      #expect(!query.isTruncated)
    }
    var request = try SharedFolder.bytes("recordings/odata/olingo2-batchRequest.batch")
    // The sample begins with the outer request's own header.
    let start = try #require(request.firstRange(of: Array("--batch_36522ad7".utf8))?.lowerBound)
    request.removeFirst(start)
    let parts = try BatchRequestReader.read(
      request, contentType: "multipart/mixed; boundary=batch_36522ad7-fc75-4b56-8c71-56071383e77b")
    guard parts.count == 3, case .query(let first) = parts[0], case .changeSet(let changes) = parts[1],
      case .query(let last) = parts[2]
    else {
      Issue.record("query, change set, query expected")
      return
    }
    #expect(first.url == "/service/Customers('ALFKI')")
    #expect(changes.map(\.method) == [.post, .put])
    #expect(last.url == "service/Products")
  }
}
