import Foundation
import ODataTestSupport
import Testing

@testable import ODataKit

/// Faults that users of other clients met with batches; each case keeps its number.
@Suite("Field cases of batches")
struct BatchFieldCaseTests {
  private func makeContext(
    _ dialect: Dialect, _ steps: [ScriptedTransport.Step], format: PayloadFormat = .json,
    batchFormat: BatchFormat = .multipart, waits: RecordedWaits? = nil
  ) throws -> (ScriptedTransport, ObjectContext, EntitySet<ServiceBook>) {
    let transport = ScriptedTransport(steps)
    var service = try ODataService(
      root: "http://books.test/svc", dialect: dialect, format: format, transport: transport)
    service.batchFormat = batchFormat
    if let waits { service.retryPolicy = waits.policy }
    let context = ObjectContext(service)
    return (transport, context, try context.entitySet("Books", of: ServiceBook.self, key: \.id))
  }

  @Test(
    "G13 · every length counts the bytes that follow, in JSON and in Atom",
    arguments: [PayloadFormat.json, .atom], ["é🍖", "naïve 🍖 Ω"])
  func lengths(format: PayloadFormat, title: String) async throws {
    let (transport, context, books) = try makeContext(.v3, [], format: format)
    try books.add(ServiceBook(id: 1, title: title))
    try books.add(ServiceBook(id: 2, title: title))
    _ = try? await context.saveChanges(.batch)
    guard case .bytes(let bytes) = transport.requests[0].body else { throw CancellationError() }
    // Cut by the boundaries and not by the lengths, which are what is looked at.
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n--changeset_").dropFirst().map(String.init)
    #expect(parts.count == 3)
    for part in parts.dropLast() {
      let sections = part.split(separator: "\r\n\r\n", maxSplits: 2).map(String.init)
      let declared = sections[1].split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
      #expect(sections[2].contains(title))
      #expect(declared == "Content-Length: \(sections[2].utf8.count)")
      #expect(sections[2].count < sections[2].utf8.count)
    }
    let type = try #require(transport.requests[0].headers[.contentType])
    guard case .changeSet(let read)? = try BatchRequestReader.read(bytes, contentType: type).first else {
      throw CancellationError()
    }
    #expect(read.count == 2 && read.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains(title) })
  }

  @Test("G13 · a value of three characters and two scripts is fourteen bytes of JSON, and declared as such")
  func fourteenBytes() async throws {
    let transport = ScriptedTransport()
    let service = try ODataService(
      root: "http://books.test/svc", dialect: .v3, format: .json, transport: transport)
    var batch = BatchRequest()
    _ = batch.addChangeSet([
      ChangeOperation(.insert, at: .set("Books"), record: EntityRecord(["N": .string("é🍖")]))
    ])
    _ = try await service.execute(batch)
    let lines = transport.requests[0].batchLines
    #expect(lines.contains("Content-Length: 14"))
    #expect(lines.contains(#"{"N":"é🍖"}"#))
  }

  @Test("G13 · the length of the whole batch counts its bytes", arguments: [PayloadFormat.json, .atom])
  func outerLength(format: PayloadFormat) async throws {
    let server = try LoopbackServer { _ in
      [.receive, .send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")]
    }
    let service = try ODataService(
      root: server.url("/svc"), dialect: .v3, format: format, transport: LibcurlTransport.shared)
    var batch = BatchRequest()
    _ = batch.addChangeSet(
      ["é🍖", "naïve 🍖 Ω"].map {
        ChangeOperation(.insert, at: .set("Books"), record: EntityRecord(["N": .string($0)]))
      })
    _ = try await service.execute(batch)
    let request = try #require(server.requests.first)
    let text = String(decoding: request.body, as: UTF8.self)
    #expect(request.values(of: "Content-Length") == ["\(request.body.count)"])
    #expect(text.hasSuffix("--\r\n") && text.contains("é🍖") && text.contains("naïve 🍖 Ω"))
    #expect(text.count < request.body.count)
  }

  @Test(
    "G15 · a 202 says nothing: a refusal inside is a failure after exactly one request",
    arguments: [400, 404, 409, 412, 413], BatchFormat.allCases)
  func innerRefusal(status: Int, format: BatchFormat) async throws {
    let answer =
      format == .json
      ? HTTPResponse.json(#"{"responses":[{"id":"2","status":\#(status)}]}"#, status: 202)
      : .multipart([["HTTP/1.1 \(status) Refused\r\nContent-ID: 2\r\n\r\n"]], status: 202)
    let (transport, context, books) = try makeContext(.v4, [.respond(answer)], batchFormat: format)
    let added = try (1...3).map { try books.add(ServiceBook(id: $0, title: "t")) }
    let error = try await #require(throws: SaveError.self) { try await context.saveChanges(.batch) }
    #expect(error.result.outcomes.map(\.word) == ["rolledBack", "failed", "rolledBack"])
    #expect(error.cause.httpStatus == status && error.cause.failedOperation == 1)
    #expect(transport.requests.count == 1)
    #expect(added.allSatisfy { $0.entityState == .added })
  }

  @Test("G15 · a 202 with 204s inside is done, and nothing of it is sent again")
  func innerSuccess() async throws {
    let (transport, context, books) = try makeContext(
      .v3, [.respond(.multipart([["HTTP/1.1 204 No Content\r\nETag: W/\"1\"\r\n\r\n"]], status: 202))])
    let book = try books.add(ServiceBook(id: 1, title: "t"))
    try await context.saveChanges(.batch)
    #expect(book.entityState == .unchanged && book.entityTag?.rawValue == "W/\"1\"")
    try await context.saveChanges(.batch)
    #expect(transport.requests.count == 1)
  }

  @Test(
    "G15 · a change set that the service was too busy for is sent again, whole, after the time it asks for",
    arguments: [429, 503])
  func busyInside(status: Int) async throws {
    let waits = RecordedWaits()
    let done = "HTTP/1.1 204 No Content\r\n\r\n"
    let (transport, context, books) = try makeContext(
      .v3,
      [
        .respond(
          .multipart([["HTTP/1.1 \(status) Busy\r\nRetry-After: 1\r\n\r\n"]], status: 202)),
        .respond(.multipart([[done, done]], status: 202)),
      ], waits: waits)
    let added = try (1...2).map { try books.add(ServiceBook(id: $0, title: "t")) }
    try await context.saveChanges(.batch)
    #expect(added.allSatisfy { $0.entityState == .unchanged })
    #expect(transport.requests.count == 2)
    #expect(waits.all == [.seconds(1)])
    // The same operations, in a batch of its own.
    let sent = transport.requests.map { request in
      request.bodyText.split(separator: "\r\n").filter { !$0.hasPrefix("--") && !$0.contains("boundary=") }
    }
    #expect(sent[0] == sent[1])
  }

  @Test(
    "G15 · but not where something failed on the way, which only tables are known to undo",
    arguments: [408, 500, 502, 504])
  func failedInside(status: Int) async throws {
    let waits = RecordedWaits()
    let (transport, context, books) = try makeContext(
      .v3, [.respond(.multipart([["HTTP/1.1 \(status) Oops\r\n\r\n"]], status: 202))], waits: waits)
    try books.add(ServiceBook(id: 1, title: "t"))
    await #expect(throws: SaveError.self) { try await context.saveChanges(.batch) }
    #expect(transport.requests.count == 1 && waits.all.isEmpty)
    let error = ODataError(.service, "", httpStatus: status)
    #expect(error.allowsRetryOfChangeSet(in: .azureTable) && !error.allowsRetryOfChangeSet(in: .v4))
  }

  @Test("G15 · of several change sets only the refused ones are sent again, and only as often as allowed")
  func busyOne() async throws {
    let waits = RecordedWaits()
    let busy = "HTTP/1.1 503 Busy\r\n\r\n"
    let done = "HTTP/1.1 204 No Content\r\n\r\n"
    let transport = ScriptedTransport(
      [[[done], [busy], [done]], [[busy]], [[busy]], [[busy]]].map { .respond(.multipart($0, status: 202)) })
    var service = try ODataService(
      root: "http://books.test/svc", dialect: .v3, format: .json, transport: transport)
    service.retryPolicy = waits.policy
    var batch = BatchRequest()
    let sets = (1...3).map { id in
      batch.addChangeSet([
        ChangeOperation(.insert, at: .set("Books"), record: EntityRecord(["ID": .int32(id)]))
      ])
    }
    let result = try await service.execute(batch)
    #expect(sets.flatMap { result.outcomes($0) }.map(\.word) == ["done", "failed", "done"])
    #expect(transport.requests.count == 4)
    #expect(transport.requests[1...].allSatisfy { $0.bodyText.contains("{\"ID\":2}") })
    #expect(transport.requests[1...].allSatisfy { !$0.bodyText.contains("{\"ID\":1}") })
    #expect(waits.all == [.milliseconds(400), .milliseconds(800), .milliseconds(1600)])
  }

  @Test(
    "G16 · a change set that was sent again and then refused for what a first try would have left is not known, whole",
    arguments: [false, true])
  func refusedAfterRepetition(isWholeBatch: Bool) async throws {
    for (status, expected) in [(409, ["unknown", "unknown"]), (400, ["failed", "failed"])] {
      let busy: ScriptedTransport.Step =
        isWholeBatch
        ? .respond(.text(503)) : .respond(.multipart([["HTTP/1.1 503 Busy\r\n\r\n"]], status: 202))
      let refusal = "HTTP/1.1 \(status) No\r\n\r\n"
      let transport = ScriptedTransport([busy, .respond(.multipart([[refusal]], status: 202))])
      var service = try ODataService(
        root: "http://books.test/svc", dialect: .v3, format: .json, transport: transport)
      service.retryPolicy = RecordedWaits().policy
      var batch = BatchRequest()
      let set = batch.addChangeSet(
        (1...2).map {
          ChangeOperation(.insert, at: .set("Books"), record: EntityRecord(["ID": .int32($0)]))
        })
      #expect(try await service.execute(batch).outcomes(set).map(\.word) == expected)
      #expect(transport.requests.count == 2)
    }
  }

  // MARK: Compressed

  /// A multipart of one change set with two answers of 204, compressed.
  private static let compressed = [UInt8](
    Data(
      base64Encoded: """
        H4sIAAAAAAACA9PVTeLlcs7PK0nNK9ENqSxItVLILc0pySxILCrRz82sSE2xVkjKL81LSSyqtE3m5eLl0tVNRteRWFCQk5mcWJKZn6efUVJSgJD3\
        dLFSMATp8ggJCdA31DNUMDIwUfDLV4Aq4OVyDUlMt1II11cyVAKpI8N8I+LMN0KYr6sLopJAFABzEJAbAAEAAA==
        """) ?? Data())

  private func save(answeredBy bytes: [UInt8]) async throws -> [String] {
    let server = try LoopbackServer { _ in [.receive, .sendBytes(bytes)] }
    let service = try ODataService(root: server.url("/svc"), dialect: .v4, transport: LibcurlTransport.shared)
    let context = ObjectContext(service)
    let books = try context.entitySet("Books", of: ServiceBook.self, key: \.id)
    for id in 1...2 { try books.add(ServiceBook(id: Int32(id), title: "t")) }
    do {
      return try await context.saveChanges(.batch).outcomes.map(\.word)
    } catch let error as SaveError {
      return error.result.outcomes.map(\.word)
    }
  }

  private func head(_ length: Int) -> [UInt8] {
    Array(
      ("HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Encoding: gzip\r\n"
        + "Content-Length: \(length)\r\n\r\n").utf8)
  }

  @Test("G22 · a compressed multipart is read")
  func compressedAnswer() async throws {
    let body = Self.compressed
    #expect(body.count == 148)
    #expect(try await save(answeredBy: head(body.count) + body) == ["done", "done"])
  }

  @Test(
    "G22 · one that breaks off is an error for all of it, and one that was compressed short tells no untruth")
  func compressedAnswerCutShort() async throws {
    let body = Self.compressed
    for length in [0, 1, 9, 10, 11, 60, 120, body.count - 9, body.count - 1] {
      let cut = Array(body[..<length])
      #expect(try await save(answeredBy: head(body.count) + cut) == ["unknown", "unknown"], "\(length)")
      // The parts that came whole are told, the others are left open.
      let words = try await save(answeredBy: head(length) + cut)
      #expect(Set(words).isSubset(of: ["done", "unknown"]) && words.sorted() == words, "\(length): \(words)")
      if length <= 60 { #expect(words == ["unknown", "unknown"], "\(length)") }
    }
  }
}
