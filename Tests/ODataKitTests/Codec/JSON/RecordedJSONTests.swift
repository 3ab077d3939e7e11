import ODataTestSupport
import Testing

@testable import ODataKit

/// Every JSON body that was recorded from real services.
@Suite(.enabled(if: SharedFolder.url != nil, "needs the folder of recordings beside the checkout"))
struct RecordedJSONTests {
  private struct Body {
    var file: String
    var url: String
    var status: Int
    var bytes: [UInt8]
  }

  private func bodies() throws -> [Body] {
    var bodies: [Body] = []
    for folder in ["json", "json-full", "cosmos"] {
      for file in try Recordings.files(in: folder, extension: "json") {
        guard let exchanges = try? Recordings.exchanges(in: file) else {
          // A body by itself, not a conversation.
          let bytes = try SharedFolder.bytes("recordings/" + file)
          bodies.append(Body(file: file, url: "", status: file.contains("error") ? 415 : 200, bytes: bytes))
          continue
        }
        for exchange in exchanges where exchange.responseBody.first == UInt8(ascii: "{") {
          bodies.append(
            Body(file: file, url: exchange.url, status: exchange.status, bytes: exchange.responseBody))
        }
      }
    }
    let error = "odata/error-json-light-storage-404.json"
    bodies.append(
      Body(file: error, url: "", status: 404, bytes: try SharedFolder.bytes("recordings/" + error)))
    return bodies
  }

  @Test("Entities are read, wherever the body is cut, and written again read equal")
  func entities() throws {
    var count = 0
    for body in try bodies() where body.status < 300 {
      let whole = try read([body.bytes])
      count += whole.records.count
      #expect(whole.summary.isFeed == body.bytes.contains(UInt8(ascii: "[")), "\(body.file)")
      for chunks in cuts(of: body.bytes, limit: 12) {
        let again = try read(chunks)
        #expect(again == whole, "\(body.file)")
      }
      for record in whole.records {
        var writer = JSONEntityWriter()
        try writer.requestEntity(record, writesNulls: true)
        var properties = record
        properties.control = ControlInformation()
        #expect(try read([writer.bytes]).records == [properties], "\(body.file)")
      }
    }
    print("Read \(count) entities in recorded JSON bodies, and wrote each again.")
    #expect(count > 200)
  }

  @Test("Written as a server does, entities and feeds of Azure have the recorded bytes")
  func documents() throws {
    var count = 0
    for body in try bodies() where body.status < 300 && !body.file.hasPrefix("cosmos") {
      let text = String(decoding: body.bytes, as: UTF8.self)
      // The type is in the text only where the level is full, and Timestamp is told apart from strings by its
      // name.
      let metadata: JSONMetadata =
        text.contains("\"odata.type\"") ? .full : text.contains("\"odata.metadata\"") ? .minimal : .none
      let (records, summary) = try read([body.bytes], types: PayloadTypes(byName: ["Timestamp": .dateTime]))
      let context = Self.context(text, metadata)
      var writer = JSONEntityWriter()
      if summary.isFeed {
        writer.beginFeed(context: context)
        for record in records { try writer.feedEntity(record) }
        writer.endFeed()
      } else {
        try writer.entityDocument(try #require(records.first), context: context)
      }
      // The service's framework writes doubles with up to 17 digits and a plus sign.
      let written = String(decoding: writer.bytes, as: UTF8.self)
        .replacing("5.0E-324", with: "4.94065645841247E-324")
        .replacing("1.7976931348623157E308", with: "1.7976931348623157E+308")
      #expect(written.utf8.elementsEqual(text.utf8), "\(body.file) \(body.url)")
      count += 1
    }
    print("Wrote \(count) recorded JSON documents again, byte for byte.")
    #expect(count > 60)
  }

  @Test("Errors are read as errors, by both readers of them")
  func errors() throws {
    var count = 0
    var written = 0
    for body in try bodies() where body.status >= 400 {
      count += 1
      let error = try #require(JSONErrorBody.read(body.bytes), "\(body.file)")
      #expect(!error.code.isEmpty && error.message.contains("\n"), "\(body.file)")
      let thrown = expectError(.service, "\(body.file)") { try read([body.bytes]) }
      #expect(thrown?.serviceCode == error.code)
      #expect(thrown?.message == ServiceError.breakingOff(error).message)
      #expect(error.code.utf8.allSatisfy { $0 > 0x40 })
      // What the writer writes is Azure's form; Cosmos has another language tag and a line end behind the body.
      if body.file.hasPrefix("cosmos") { continue }
      written += 1
      var writer = JSONEntityWriter()
      writer.errorDocument(code: error.code, message: error.message)
      #expect(writer.bytes == body.bytes, "\(body.file)")
    }
    print("Read \(count) recorded JSON errors, and wrote \(written) of them again, byte for byte.")
    #expect(count > 10 && written > 10)
  }

  @Test("Bodies of recorded requests are read as a server reads them")
  func requests() throws {
    var count = 0
    for file in try Recordings.files(in: "json-full", extension: "json") {
      for exchange in try Recordings.exchanges(in: file) {
        guard let body = exchange.requestBody, body.first == UInt8(ascii: "{") else { continue }
        count += 1
        #expect(try read([body]).records.count == 1)
      }
    }
    #expect(count > 20)
  }

  @Test("All types of a full document")
  func types() throws {
    let exchange = try #require(
      Recordings.exchanges(in: "json/payload-metadata-levels-2016-05-31.json").first {
        $0.url.hasSuffix("tablepayloadteststestdata01(PartitionKey=%27partition1%27,RowKey=%27row1%27)")
      })
    let record = try #require(try read([exchange.responseBody]).records.first)
    #expect(
      record.values.map { $0.type } == [
        .string, .string, .dateTime, .string, .boolean, .binary, .int32, .int64, .double, .guid, .dateTime,
      ])
    #expect(record["Int64Property"] == .int64(5_432_873_627_392))
    #expect(record["DoubleProperty"] == .double(4.81516))
    #expect(record["BinaryProperty"] == .binary(Array("SampleStringInBuffer!".utf8)))
    #expect(record.control.typeName == "xplat.tablepayloadteststestdata01")
    #expect(record.control.editLink == "tablepayloadteststestdata01(PartitionKey='partition1',RowKey='row1')")
  }

  private static func context(_ text: String, _ metadata: JSONMetadata) -> JSONResponseContext {
    // https://acct.table.core.windows.net/$metadata#Table/@Element&$select=a,b
    let url = text.firstMatch(
      of: #/"odata.metadata":"([^$]*)\$metadata#([^/&"]+)(/@Element)?(&\$select=([^"]*))?"/#)
    let base = url.map { String($0.output.1) } ?? ""
    let account = base.firstMatch(of: #/https://([^.]+)/#).map { String($0.output.1) } ?? ""
    let select = url?.output.5.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return JSONResponseContext(
      base: base, accountName: account, tableName: url.map { String($0.output.2) } ?? "", metadata: metadata,
      select: select ?? [])
  }
}
