import Testing

@testable import ODataKit

/// The wire text of batches that are written.
struct BatchWritingTests {
  @Test("A change set, line by line")
  func changeSet() throws {
    var writer = BatchRequestWriter(boundary: "batch_1")
    writer.beginChangeSet(boundary: "changeset_1")
    try writer.add(
      BatchOperation(
        contentID: "1", method: .post, url: "/Books",
        headers: [.contentType: "application/json", .prefer: "return-no-content"],
        body: Array(#"{"N":"é🍖"}"#.utf8)))
    try writer.add(
      BatchOperation(method: .delete, url: "/Books(PartitionKey='p',RowKey='r')", headers: [.ifMatch: "*"]))
    writer.endChangeSet()
    #expect(writer.contentType == "multipart/mixed; boundary=batch_1")
    let text = """
      --batch_1
      Content-Type: multipart/mixed; boundary=changeset_1

      --changeset_1
      Content-Type: application/http
      Content-Transfer-Encoding: binary

      POST /Books HTTP/1.1
      Content-ID: 1
      Content-Type: application/json
      Prefer: return-no-content
      Content-Length: 14

      {"N":"é🍖"}
      --changeset_1
      Content-Type: application/http
      Content-Transfer-Encoding: binary

      DELETE /Books(PartitionKey='p',RowKey='r') HTTP/1.1
      If-Match: *


      --changeset_1--
      --batch_1--

      """
    #expect(
      lines(writer.finish()) == text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    )
  }

  @Test("A query stands directly under the boundary of the batch")
  func query() throws {
    var writer = BatchRequestWriter(boundary: "b")
    try writer.addQuery(BatchOperation(method: .get, url: "/Books(1)"))
    let text =
      "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
      + "GET /Books(1) HTTP/1.1\r\n\r\n\r\n--b--\r\n"
    #expect(String(decoding: writer.finish(), as: UTF8.self).utf8.elementsEqual(text.utf8))
  }

  @Test("OData 3 and 4 name an operation in the part around it")
  func contentIDOfPart() throws {
    var writer = BatchRequestWriter(boundary: "b", contentIDPlacement: .part)
    writer.beginChangeSet(boundary: "c")
    try writer.add(BatchOperation(contentID: "2", method: .post, url: "$1/Lines/$ref", body: [0x7B, 0x7D]))
    #expect(
      lines(writer.finish())[3...] == [
        "--c", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: 2", "",
        "POST $1/Lines/$ref HTTP/1.1", "Content-Length: 2", "", "{}", "--c--", "--b--", "",
      ])
  }

  @Test("Sizes are known before anything is written", arguments: [0, 1, 3, 100])
  func sizes(count: Int) throws {
    var operations = (0..<count).map { index in
      BatchOperation(
        contentID: "\(index)", method: .put, url: "/T(\(index))", headers: [.ifMatch: "*"],
        body: Array(String(repeating: "naïve 🍖 Ω", count: index).utf8))
    }
    operations.append(BatchOperation(method: .delete, url: "/T"))
    var expected = BatchRequestWriter.envelopeByteCount(
      boundary: "batch_x", changeSetBoundary: "changeset_yy")
    for operation in operations {
      expected += try BatchRequestWriter.byteCount(of: operation, changeSetBoundary: "changeset_yy")
    }
    var writer = BatchRequestWriter(boundary: "batch_x")
    try writer.add(.changeSet(operations), changeSetBoundary: "changeset_yy")
    #expect(writer.finish().count == expected)
  }

  @Test("Neither a target nor a header field can begin a line of its own")
  func injection() throws {
    var writer = BatchRequestWriter(boundary: "b")
    writer.beginChangeSet(boundary: "c")
    expectError(.invalidArgument) {
      try writer.add(BatchOperation(method: .get, url: "/T HTTP/1.1\r\nX-Evil: 1"))
    }
    expectError(.invalidArgument) {
      try writer.add(BatchOperation(method: .get, url: "/T a"))
    }
    expectError(.invalidArgument) {
      try writer.add(BatchOperation(method: .get, url: "/T", headers: ["X-A": "1\nX-Evil: 1"]))
    }
    expectError(.invalidArgument) {
      try writer.add(BatchOperation(contentID: "1\r\n", method: .get, url: "/T"))
    }
  }

  @Test("A response as the table service frames it")
  func response() throws {
    var writer = BatchResponseWriter(boundary: "batchresponse_1")
    try writer.add(
      .changeSet([
        BatchOperationResponse(
          contentID: "1", status: 204, headers: ["Cache-Control": "no-cache", .dataServiceVersion: "1.0;"]),
        BatchOperationResponse(
          status: 201, headers: [.contentType: "application/json"], body: Array("{}".utf8)),
      ]), changeSetBoundary: "changesetresponse_1")
    #expect(
      lines(writer.finish()) == [
        "--batchresponse_1", "Content-Type: multipart/mixed; boundary=changesetresponse_1", "",
        "--changesetresponse_1", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
        "HTTP/1.1 204 No Content", "Content-ID: 1", "Cache-Control: no-cache", "DataServiceVersion: 1.0;", "",
        "",
        "--changesetresponse_1", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
        "HTTP/1.1 201 Created", "Content-Type: application/json", "", "{}",
        "--changesetresponse_1--", "--batchresponse_1--", "",
      ])
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.replacing("\r\n", with: "").contains("\n"), "a line ends without a carriage return")
    return text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
  }
}
