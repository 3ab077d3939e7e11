import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// Entity group transactions.
@Suite struct BatchTests {
  /// The text of a reply's body with LF, as Swift literals have it.
  private func lines(_ reply: Reply) -> String { reply.body.replacingOccurrences(of: "\r\n", with: "\n") }

  /// Status line and message of the one part of a failed batch.
  private func failure(_ reply: Reply) -> String {
    let text = lines(reply)
    let parts = text.components(separatedBy: "\n\n")
    guard reply.status == 202, let head = parts.first(where: { $0.hasPrefix("HTTP/1.1") }),
      let body = parts.last, let end = body.range(of: "\n--")
    else { return "\(reply.status) \(text)" }
    let status = head.split(separator: "\n")[0].dropFirst("HTTP/1.1 ".count).prefix(3)
    guard let error = JSONErrorBody.read(Array(body[..<end.lowerBound].utf8)) else { return text }
    return "\(status) \(error.code): \(error.message.split(separator: "\n")[0])"
  }

  @Test(arguments: Door.allCases) func everyKindOfChange(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      for row in ["b", "c", "d"] {
        try await tables.insert(#"{"PartitionKey":"p","RowKey":"\#(row)","A":1,"B":1}"#, into: "Books")
      }
      var batch = BatchText()
      batch.insert(
        "Books", #"{"PartitionKey":"p","RowKey":"a"}"#, "Prefer: return-no-content\r\nContent-ID: 1\r\n")
      batch.insert("books", #"{"PartitionKey":"p","RowKey":"é🍖"}"#, "")
      batch.add(
        "DELETE http://elsewhere/devstoreaccount1/Books(PartitionKey='p',RowKey='b')", "If-Match: *\r\n")
      batch.add("PUT /Books(PartitionKey='p',RowKey='c')", "If-Match: *\r\n", body: #"{"B":2}"#)
      batch.add(
        "MERGE /devstoreaccount1/Books(PartitionKey='p',RowKey='d')", "If-Match: *\r\n", body: #"{"B":3}"#)
      batch.add("PATCH /devstoreaccount1/Books(PartitionKey='p',RowKey='e')", body: #"{"B":4}"#)
      let reply = try await tables.send(batch)
      #expect(
        reply.text.replacingOccurrences(of: "\r\n", with: "\n") == #"""
          202
          Cache-Control: no-cache
          Content-Type: multipart/mixed; boundary=batchresponse_00000000-0000-0000-0000-000000000006
          Date: Wed, 04 Mar 2026 05:06:07 GMT
          Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0
          X-Content-Type-Options: nosniff
          x-ms-request-id: 00000000-0000-0000-0000-000000000005
          x-ms-version: 2019-02-02

          --batchresponse_00000000-0000-0000-0000-000000000006
          Content-Type: multipart/mixed; boundary=changesetresponse_00000000-0000-0000-0000-000000000007

          --changesetresponse_00000000-0000-0000-0000-000000000007
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 204 No Content
          Content-ID: 1
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          Preference-Applied: return-no-content
          DataServiceVersion: 3.0;
          Location: http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='a')
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.1250003Z'"
          DataServiceId: http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='a')


          --changesetresponse_00000000-0000-0000-0000-000000000007
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 201 Created
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          DataServiceVersion: 3.0;
          Location: http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='%C3%A9%F0%9F%8D%96')
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.1250004Z'"
          Content-Type: application/json;odata=nometadata;streaming=true;charset=utf-8

          {"PartitionKey":"p","RowKey":"\u00e9\ud83c\udf56","Timestamp":"2026-03-04T05:06:07.1250004Z"}
          --changesetresponse_00000000-0000-0000-0000-000000000007
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 204 No Content
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          DataServiceVersion: 1.0;


          --changesetresponse_00000000-0000-0000-0000-000000000007
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 204 No Content
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          DataServiceVersion: 1.0;
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.1250005Z'"


          --changesetresponse_00000000-0000-0000-0000-000000000007
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 204 No Content
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          DataServiceVersion: 1.0;
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.1250006Z'"


          --changesetresponse_00000000-0000-0000-0000-000000000007
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 204 No Content
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          DataServiceVersion: 1.0;
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.1250007Z'"


          --changesetresponse_00000000-0000-0000-0000-000000000007--
          --batchresponse_00000000-0000-0000-0000-000000000006--

          """#)
      #expect(
        try await tables.read("/Books()?$select=RowKey,A,B") == #"""
          {"value":[{"RowKey":"a","A":null,"B":null},{"RowKey":"c","A":null,"B":2},{"RowKey":"d","A":1,"B":3},\#
          {"RowKey":"e","A":null,"B":4},{"RowKey":"\u00e9\ud83c\udf56","A":null,"B":null}]}
          """#)
    }
  }

  @Test(arguments: Door.allCases) func aFailureIsOnePartAndChangesNothing(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert(#"{"PartitionKey":"p","RowKey":"c"}"#, into: "Books")
      var batch = BatchText()
      for row in ["a", "b", "c", "d"] { batch.insert("Books", #"{"PartitionKey":"p","RowKey":"\#(row)"}"#) }
      let reply = try await tables.send(batch)
      #expect(reply.status == 202)
      #expect(
        lines(reply) == #"""
          --batchresponse_00000000-0000-0000-0000-000000000004
          Content-Type: multipart/mixed; boundary=changesetresponse_00000000-0000-0000-0000-000000000005

          --changesetresponse_00000000-0000-0000-0000-000000000005
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 409 Conflict
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          Preference-Applied: return-no-content
          DataServiceVersion: 3.0;
          Content-Type: application/json;odata=nometadata;streaming=true;charset=utf-8

          {"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US",\#
          "value":"2:The specified entity already exists.\nRequestId:00000000-0000-0000-0000-000000000003\n\#
          Time:2026-03-04T05:06:07.1250000Z"}}}
          --changesetresponse_00000000-0000-0000-0000-000000000005--
          --batchresponse_00000000-0000-0000-0000-000000000004--

          """#)
      #expect(try await tables.read("/Books()?$select=RowKey") == #"{"value":[{"RowKey":"c"}]}"#)
    }
  }

  @Test(arguments: Door.allCases) func theFirstOperationHasNoIndexWhenTheStateForbidsIt(_ door: Door)
    async throws
  {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert(#"{"PartitionKey":"p","RowKey":"r"}"#, into: "Books")
      let row = "/devstoreaccount1/Books(PartitionKey='p',RowKey='r')"
      for (line, headers, body, expected) in [
        (
          "POST /devstoreaccount1/Books", "", #"{"PartitionKey":"p","RowKey":"r"}"#,
          "409 EntityAlreadyExists: The specified entity already exists."
        ),
        (
          "PUT \(row)", "If-Match: W/\"x\"\r\n", "{}",
          "412 UpdateConditionNotSatisfied: The update condition specified in the request was not satisfied."
        ),
        (
          "DELETE /devstoreaccount1/Books(PartitionKey='p',RowKey='x')", "If-Match: *\r\n", nil,
          "404 ResourceNotFound: The specified resource does not exist."
        ),
        (
          "DELETE \(row)", "", nil,
          "400 MissingRequiredHeader: 0:An HTTP header that's mandatory for this request is not specified."
        ),
        (
          "POST /devstoreaccount1/Loans", "", #"{"PartitionKey":"p","RowKey":"r"}"#,
          "404 TableNotFound: 0:The table specified does not exist."
        ),
        (
          "POST /devstoreaccount1/Books", "", #"{"RowKey":"r"}"#,
          "400 PropertiesNeedValue: 0:The values are not specified for all properties in the entity."
        ),
        (
          "POST /devstoreaccount1/Tables", "", #"{"TableName":"Loans"}"#,
          "405 MethodNotAllowed: 0:The requested method is not allowed on the specified resource."
        ),
        ("GET \(row)", "", nil, "400 InvalidInput: 0:One of the request inputs is not valid."),
        ("POST /somebody/Books", "", "{}", "404 ResourceNotFound: The specified resource does not exist."),
      ] {
        var batch = BatchText()
        batch.add(line, headers, body: body)
        #expect(failure(try await tables.send(batch)) == expected, "\(line)")
      }
    }
  }

  @Test(arguments: Door.allCases) func rulesOfAGroup(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.createTable("Loans")
      var twice = BatchText()
      twice.insert("Books", #"{"PartitionKey":"p","RowKey":"a"}"#, "Content-ID: 7\r\n")
      twice.add("PUT /devstoreaccount1/Books(PartitionKey='p',RowKey='a')", "Content-ID: 8\r\n", body: "{}")
      let reply = try await tables.send(twice)
      #expect(
        failure(reply) == """
          400 InvalidDuplicateRow: 1:The batch request contains multiple changes with same row key. An entity can \
          appear only once in a batch request.
          """)
      #expect(lines(reply).contains("\nContent-ID: 8\n"))

      var partitions = BatchText()
      partitions.insert("Books", #"{"PartitionKey":"p","RowKey":"a"}"#)
      partitions.insert("Books", #"{"PartitionKey":"q","RowKey":"a"}"#)
      #expect(
        failure(try await tables.send(partitions))
          == "400 CommandsInBatchActOnDifferentPartitions: 1:All commands in a batch must operate on same entity group."
      )

      var mixed = BatchText()
      mixed.insert("Books", #"{"PartitionKey":"p","RowKey":"a"}"#)
      mixed.insert("Loans", #"{"PartitionKey":"p","RowKey":"b"}"#)
      #expect(
        failure(try await tables.send(mixed)) == "400 InvalidInput: 1:One of the request inputs is not valid."
      )

      var many = BatchText()
      for row in 0...100 { many.insert("Books", #"{"PartitionKey":"p","RowKey":"\#(row)"}"#) }
      #expect(
        failure(try await tables.send(many))
          == "400 InvalidInput: 0:The batch request operation exceeds the maximum 100 changes per change set."
      )
      #expect(try await tables.read("/Books()?$select=RowKey") == #"{"value":[]}"#)
    }
  }

  @Test(arguments: Door.allCases) func fourMebibytesAreTheLimit(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let text = String(repeating: "é", count: 32768)
      var batch = BatchText()
      for row in 0..<32 {
        batch.insert("Books", #"{"PartitionKey":"p","RowKey":"\#(row)","A":"\#(text)","B":"\#(text)"}"#)
      }
      let reply = try await tables.send(batch)
      #expect(
        reply.fault
          == "413 RequestBodyTooLarge: The request body is too large and exceeds the maximum permissible limit."
      )
      #expect(try await tables.read("/Books()?$select=RowKey") == #"{"value":[]}"#)
    }
  }

  @Test(arguments: Door.allCases) func oneQuery(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert(#"{"PartitionKey":"a&b+c","RowKey":"r"}"#, into: "Books")
      var batch = BatchText()
      batch.queries = ["GET /devstoreaccount1/Books(PartitionKey='a%26b%2Bc',RowKey='r')?$select=RowKey"]
      #expect(
        lines(try await tables.send(batch)) == #"""
          --batchresponse_00000000-0000-0000-0000-000000000004
          Content-Type: application/http
          Content-Transfer-Encoding: binary

          HTTP/1.1 200 OK
          X-Content-Type-Options: nosniff
          Cache-Control: no-cache
          DataServiceVersion: 3.0;
          Content-Type: application/json;odata=nometadata;streaming=true;charset=utf-8
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.125Z'"

          {"RowKey":"r"}
          --batchresponse_00000000-0000-0000-0000-000000000004--

          """#)
      batch.queries = ["GET /Books(PartitionKey='p',RowKey='x')"]
      #expect(
        failure(try await tables.send(batch))
          == "404 ResourceNotFound: 0:The specified resource does not exist.")
      batch.queries = ["GET /Books()?$filter=PartitionKey%20eq%20%27a%26b%2Bc%27&$select=RowKey"]
      #expect(try await tables.send(batch).body.contains(#"{"value":[{"RowKey":"r"}]}"#))
      batch.queries = ["DELETE /Books(PartitionKey='p',RowKey='x')"]
      #expect(
        failure(try await tables.send(batch)) == "400 InvalidInput: 0:One of the request inputs is not valid."
      )
    }
  }

  @Test(arguments: Door.allCases) func batchesThatAreRefusedAsAWhole(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      var mixed = BatchText()
      mixed.queries = ["GET /devstoreaccount1/Books(PartitionKey='p',RowKey='r')"]
      mixed.insert("Books", #"{"PartitionKey":"p","RowKey":"r"}"#)
      #expect(
        try await tables.send(mixed).fault == "400 InvalidInput: One of the request inputs is not valid.")
      mixed.queries = ["GET /Books(PartitionKey='p',RowKey='r')", "GET /Books(PartitionKey='p',RowKey='s')"]
      #expect(
        try await tables.send(mixed).fault == "400 InvalidInput: One of the request inputs is not valid.")

      var good = BatchText()
      good.insert("Books", #"{"PartitionKey":"p","RowKey":"r"}"#)
      let cut = String(good.text.dropLast(20))
      let type: HeaderFields = ["Content-Type": BatchText.contentType]
      #expect(
        try await tables.send(.post, "/$batch", type, body: cut).fault
          == "400 InvalidInput: An error occurred while processing this request.")
      #expect(
        try await tables.send(.post, "/$batch", ["Content-Type": "application/json"], body: good.text).fault
          == "400 InvalidInput: An error occurred while processing this request.")
      #expect(try await tables.read("/Books()") == #"{"value":[]}"#)
    }
  }

  @Test(arguments: Door.allCases) func aBatchThatNamesNoFormatIsRefused(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let body = """
        --b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: application/http\r\n\
        Content-Transfer-Encoding: binary\r\n\r\nMERGE /Books(PartitionKey='p',RowKey='r') HTTP/1.1\r\n\
        Content-Type: application/json\r\n\r\n{}\r\n--c--\r\n--b--\r\n
        """
      let reply = try await tables.send(
        .post, "/$batch", ["Accept": "", "Content-Type": "multipart/mixed; boundary=b"], body: body)
      #expect(reply.status == 415)
      #expect(reply.errorCode == "AtomFormatNotSupported")
      // With an Accept on the inside only, as older clients send it, it is taken.
      var batch = BatchText()
      batch.add("MERGE /Books(PartitionKey='p',RowKey='r')", body: "{}")
      #expect(try await tables.send(batch, ["Accept": ""]).body.contains("HTTP/1.1 204 No Content"))
    }
  }

  @Test(arguments: Door.allCases) func inAtom(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">\
        <m:properties><d:PartitionKey>p</d:PartitionKey><d:RowKey>r</d:RowKey></m:properties></content></entry>
        """
      let body = """
        --b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: application/http\r\n\
        Content-Transfer-Encoding: binary\r\n\r\nPOST http://HOST/devstoreaccount1/Books HTTP/1.1\r\nContent-ID: 1\r\n\
        Content-Type: application/atom+xml;type=entry\r\nContent-Length: \(entry.utf8.count)\r\n\r\n\(entry)\r\n--c--\r\n\
        --b--\r\n
        """
      let type: HeaderFields = ["Content-Type": "multipart/mixed; boundary=b"]
      let created = try await tables.send(.post, "/$batch", type, body: body, base: TestTables.atom)
      #expect(
        lines(created).contains(
          """
          HTTP/1.1 201 Created
          Content-ID: 1
          Cache-Control: no-cache
          DataServiceVersion: 1.0;
          Location: http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='r')
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.125Z'"
          Content-Type: application/atom+xml;charset=utf-8

          <?xml version="1.0" encoding="utf-8" standalone="yes"?>
          """), "\(lines(created))")
      let again = try await tables.send(.post, "/$batch", type, body: body, base: TestTables.atom)
      #expect(lines(again).contains("HTTP/1.1 409 Conflict\n"))
      #expect(lines(again).contains("<code>EntityAlreadyExists</code>"))
    }
  }
}
