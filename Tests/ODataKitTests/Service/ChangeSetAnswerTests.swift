import ODataTestSupport
import Testing

@testable import ODataKit

/// What became of each operation of a change set, told by answers that are not as they should be.
@Suite("Answers to a change set")
struct ChangeSetAnswerTests {
  /// The words, the transport and the outcomes of one change set of inserts.
  private struct Run {
    let outcomes: [OperationOutcome]
    let requestCount: Int
    var words: [String] { outcomes.map(\.word) }
    var tags: [String?] { outcomes.map { $0.entityTag?.rawValue } }
  }

  private func insert(
    _ count: Int32, answeredBy answers: [HTTPResponse], _ dialect: Dialect = .v4,
    format: PayloadFormat = .json, batchFormat: BatchFormat = .multipart
  ) async throws -> Run {
    let transport = ScriptedTransport(answers.map { .respond($0) })
    var service = try ODataService(
      root: "http://books.test/svc", dialect: dialect, format: format, transport: transport)
    service.batchFormat = batchFormat
    service.retryPolicy = RecordedWaits().policy
    var batch = BatchRequest()
    let set = batch.addChangeSet(
      (1...count).map {
        ChangeOperation(.insert, at: .set("Books"), record: EntityRecord(["ID": .int32($0)]))
      })
    let outcomes = try await service.execute(batch).outcomes(set)
    return Run(outcomes: outcomes, requestCount: transport.requests.count)
  }

  private func done(_ id: String?) -> String {
    let name = id.map { "Content-ID: \($0)\r\n" } ?? ""
    return "HTTP/1.1 204 No Content\r\n\(name)ETag: W/\"\(id ?? "-")\"\r\n\r\n"
  }

  private func refused(_ status: Int, _ id: String?) -> String {
    "HTTP/1.1 \(status) No\r\n" + (id.map { "Content-ID: \($0)\r\n" } ?? "") + "\r\n"
  }

  // MARK: Which answer belongs to which operation

  @Test(
    "answers may come in any order, their Content-ID tells them apart", arguments: [Dialect.v2, .v3, .v4])
  func reordered(dialect: Dialect) async throws {
    let run = try await insert(
      3, answeredBy: [.multipart([[done("3"), done("1"), done("2")]], status: 202)], dialect)
    #expect(run.words == ["done", "done", "done"])
    #expect(run.tags == ["W/\"1\"", "W/\"2\"", "W/\"3\""])
  }

  @Test("what was answered in another order is saved to its own address, under its own tag")
  func reorderedThenSaved() async throws {
    func answer(_ id: Int, _ tag: String) -> String {
      "HTTP/1.1 201 Created\r\nContent-ID: \(id)\r\nContent-Type: application/json\r\nETag: W/\"\(tag)\"\r\n\r\n"
        + #"{"ID":\#(id + 10),"Title":"t\#(id)"}"#
    }
    let transport = ScriptedTransport([
      .respond(.multipart([[answer(2, "two"), answer(1, "one")]], status: 202)), .respond(.noContent()),
    ])
    let service = try ODataService(
      root: "http://books.test/svc", dialect: .v4, format: .json, transport: transport)
    let context = ObjectContext(service)
    let books = try context.entitySet("Books", of: ServiceBook.self, key: \.id)
    let first = try books.add(ServiceBook(id: 1, title: "t1"))
    try books.add(ServiceBook(id: 2, title: "t2"))
    try await context.saveChanges(.batch)
    first.title = "changed"
    try await context.saveChanges()
    let last = try #require(transport.requests.last)
    #expect(last.url.target == "/svc/Books(11)")
    #expect(last.headers[.ifMatch] == "W/\"one\"")
  }

  @Test(
    "answers whose names are missing, foreign or double are nobody's",
    arguments: [
      (["2"], ["unknown", "done"]), (["1", "1"], ["unknown", "unknown"]), (["2", nil], ["unknown", "done"]),
      (["7", "8"], ["unknown", "unknown"]), (["0", "1"], ["done", "unknown"]),
      (["2", "+1"], ["unknown", "done"]), (["1", "2", "1"], ["unknown", "unknown"]),
      ([nil, nil], ["done", "done"]), ([nil], ["done", "unknown"]),
      ([nil, nil, nil], ["unknown", "unknown"]),
    ] as [([String?], [String])])
  func names(ids: [String?], words: [String]) async throws {
    let run = try await insert(2, answeredBy: [.multipart([ids.map(done)], status: 202)])
    #expect(run.words == words)
  }

  @Test("the numbers go through all change sets of a batch")
  func secondSet() async throws {
    let transport = ScriptedTransport([
      .respond(.multipart([[done("2"), done("1")], [done("4"), done("3")]], status: 202))
    ])
    let service = try ODataService(
      root: "http://books.test/svc", dialect: .v4, format: .json, transport: transport)
    var batch = BatchRequest()
    let sets = [[1, 2], [3, 4]].map { ids in
      batch.addChangeSet(
        ids.map { ChangeOperation(.insert, at: .set("Books"), record: EntityRecord(["ID": .int32($0)])) })
    }
    let result = try await service.execute(batch)
    #expect(
      sets.flatMap { result.outcomes($0) }.map(\.entityTag?.rawValue)
        == ["W/\"1\"", "W/\"2\"", "W/\"3\"", "W/\"4\""])
  }

  @Test("the single operation of a change set has the single answer, whatever that is called")
  func single() async throws {
    let run = try await insert(1, answeredBy: [.multipart([[done("99")]], status: 202)])
    #expect(run.words == ["done"])
  }

  @Test(
    "numbers that nobody sent, however large or small, are no operation's",
    arguments: ["-9223372036854775808", "9223372036854775807", "-1", "0", "99999999999999999999", "x", ""],
    BatchFormat.allCases)
  func foreignNumbers(id: String, format: BatchFormat) async throws {
    for status in [200, 400] {
      let answer =
        format == .json
        ? HTTPResponse.json(#"{"responses":[{"id":"\#(id)","status":\#(status)}]}"#)
        : .multipart([["HTTP/1.1 \(status) S\r\nContent-ID: \(id)\r\n\r\n"]], status: 202)
      let run = try await insert(2, answeredBy: [answer], batchFormat: format)
      #expect(
        run.words
          == (format == .json || status == 200 ? ["unknown", "unknown"] : ["failed", "failed"]))
      #expect(run.outcomes.allSatisfy { $0.error?.failedOperation == nil })
    }
  }

  // MARK: Success and refusal in one change set

  @Test(
    "what is said to be done beside a refusal is unknown, and nothing is sent again",
    arguments: [409, 415, 429, 500, 503], BatchFormat.allCases)
  func doneAndRefused(status: Int, format: BatchFormat) async throws {
    let error = #"{"error":{"code":"MediaTypeNotSupported","message":"m"}}"#
    let answer =
      format == .json
      ? HTTPResponse.json(
        #"{"responses":[{"id":"2","status":\#(status),"body":\#(error)},{"id":"1","status":201}]}"#)
      : .multipart(
        [
          [
            "HTTP/1.1 201 Created\r\nContent-ID: 1\r\n\r\n",
            "HTTP/1.1 \(status) No\r\nContent-ID: 2\r\nContent-Type: application/json\r\n\r\n\(error)",
          ]
        ], status: 202)
    let again = HTTPResponse.multipart([[done("1"), done("2")]], status: 202)
    let run = try await insert(2, answeredBy: [answer, again], batchFormat: format)
    #expect(run.requestCount == 1)
    #expect(run.words == ["unknown", "failed"])
    // The first failure of the save is what was refused, with the service's words.
    #expect(run.outcomes.map { $0.error?.httpStatus } == [status, status])
    #expect(run.outcomes.map { $0.error?.failedOperation } == [1, 1])
    #expect(
      run.outcomes[0].error?.message
        == "The service says that this operation was done, but refused another one of the same change set; "
        + "read the entity to see whether it was done. The refusal: m")
  }

  @Test("a refused format is not tried again in the other one where a part was done")
  func formatAndDone() async throws {
    let refusal =
      "HTTP/1.1 415 No\r\nContent-ID: 2\r\nContent-Type: application/json\r\n\r\n"
      + #"{"error":{"code":"MediaTypeNotSupported","message":"m"}}"#
    let answers = [
      HTTPResponse.multipart([["HTTP/1.1 201 Created\r\nContent-ID: 1\r\n\r\n", refusal]], status: 202),
      .multipart([[done("1"), done("2")]], status: 202),
    ]
    let run = try await insert(2, answeredBy: answers, .v3, format: .automatic)
    #expect(run.requestCount == 1)
    #expect(run.words == ["unknown", "failed"])
    // The same refusal alone changes nothing and is answered in the other format.
    let alone = try await insert(
      2, answeredBy: [.multipart([[refusal]], status: 202), answers[1]], .v3, format: .automatic)
    #expect(alone.requestCount == 2)
    #expect(alone.words == ["done", "done"])
  }

  @Test(
    "of a contradictory change set each operation has what its own answer says",
    arguments: [
      (["204 1", "409 2", "424 3"], ["unknown", "failed", "rolledBack"]),
      (["204 3", "409 2"], ["unknown", "failed", "unknown"]),
      (["409 1", "412 3", "204 2"], ["failed", "unknown", "failed"]),
      (["204 1", "503 1"], ["unknown", "unknown", "unknown"]),
      (["204 9", "503 2"], ["unknown", "failed", "unknown"]),
      (["204 1", "424 2", "424 3"], ["unknown", "rolledBack", "rolledBack"]),
      (["204 -", "503 -"], ["unknown", "failed", "unknown"]),
      (["204 -", "503 -", "503 -", "503 -"], ["unknown", "unknown", "unknown"]),
    ] as [([String], [String])])
  func contradictory(answers: [String], words: [String]) async throws {
    let messages = answers.map { answer in
      let id = answer.dropFirst(4)
      return refused(Int(answer.prefix(3)) ?? 0, id == "-" ? nil : String(id))
    }
    let run = try await insert(3, answeredBy: [.multipart([messages], status: 202)])
    #expect(run.requestCount == 1)
    #expect(run.words == words)
  }

  // MARK: The text of a refusal

  @Test(
    "a message that begins with a number keeps it where there is no table service",
    arguments: BatchFormat.allCases)
  func messageWithTime(format: BatchFormat) async throws {
    let body = #"{"error":{"code":"x","message":"0:30 is no valid time"}}"#
    let answer =
      format == .json
      ? HTTPResponse.json(#"{"responses":[{"id":"2","status":400,"body":\#(body)}]}"#)
      : .multipart([["HTTP/1.1 400 Bad\r\nContent-ID: 2\r\n\r\n\(body)"]], status: 202)
    let run = try await insert(3, answeredBy: [answer], batchFormat: format)
    #expect(run.words == ["rolledBack", "failed", "rolledBack"])
    #expect(run.outcomes[1].error?.message == "0:30 is no valid time")
  }

  @Test(
    "the index in front of a message is taken off where the batch has such an operation",
    arguments: [
      ("3:The entity exists.", .index(3), "The entity exists."), ("0: Oops", .index(0), "Oops"),
      ("4:Beyond", .beyond, "4:Beyond"), ("12:30 is no time", .beyond, "12:30 is no time"),
      ("2:", .index(2), "2:"), ("12345678: no index", .none, "12345678: no index"),
      ("1 : no index", .none, "1 : no index"), ("-1:no index", .none, "-1:no index"),
      ("１:no index", .none, "１:no index"), ("Syntax error: 5", .none, "Syntax error: 5"), ("", .none, ""),
    ] as [(String, OperationIndex, String)])
  func index(message: String, index: OperationIndex, rest: String) {
    var error = ODataError(.service, message)
    #expect(error.takeOperationIndex(below: 4) == index)
    #expect(error.message == rest)
  }
}
