import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// Inserting, updating, merging and deleting one entity, with every condition.
@Suite struct EntityWriteTests {
  private static let missing = "404 ResourceNotFound: The specified resource does not exist."
  private static let stale =
    "412 UpdateConditionNotSatisfied: The update condition specified in the request was not satisfied."
  private static let row = "/Books(PartitionKey='p',RowKey='r')"

  @Test(arguments: Door.allCases) func insertingWithAndWithoutContent(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let entity = #"{"PartitionKey":"O'Neil's","RowKey":"a b","N":5,"Gone":null}"#
      let plain = try await tables.send(
        .post, "/books", ["Accept": "application/json;odata=minimalmetadata"], body: entity)
      #expect(
        plain.text == """
          201
          Cache-Control: no-cache
          Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8
          Date: Wed, 04 Mar 2026 05:06:07 GMT
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.125Z'"
          Location: http://HOST/devstoreaccount1/Books(PartitionKey='O''Neil''s',RowKey='a%20b')
          Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0
          X-Content-Type-Options: nosniff
          x-ms-request-id: 00000000-0000-0000-0000-000000000002
          x-ms-version: 2019-02-02

          {"odata.metadata":"http://HOST/devstoreaccount1/$metadata#Books/@Element",\
          "odata.etag":"W/\\"datetime'2026-03-04T05%3A06%3A07.125Z'\\"","PartitionKey":"O'Neil's","RowKey":"a b",\
          "Timestamp":"2026-03-04T05:06:07.125Z","N":5}
          """)

      let quiet = try await tables.send(
        .post, "/Books", ["Prefer": "return-no-content"], body: #"{"PartitionKey":"p","RowKey":""}"#)
      #expect(
        quiet.text == """
          204
          Cache-Control: no-cache
          DataServiceId: http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='')
          Date: Wed, 04 Mar 2026 05:06:07 GMT
          ETag: W/"datetime'2026-03-04T05%3A06%3A07.1250001Z'"
          Location: http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='')
          Preference-Applied: return-no-content
          Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0
          X-Content-Type-Options: nosniff
          x-ms-request-id: 00000000-0000-0000-0000-000000000003
          x-ms-version: 2019-02-02
          """)

      let asked = try await tables.send(
        .post, "/Books", ["Prefer": "return-content"], body: #"{"PartitionKey":"p","RowKey":"c"}"#)
      #expect(asked.status == 201)
      #expect(asked.headers["Preference-Applied"] == "return-content")

      let again = try await tables.send(.post, "/Books", ["Prefer": "return-no-content"], body: entity)
      #expect(again.fault == "409 EntityAlreadyExists: The specified entity already exists.")
      #expect(again.headers["Preference-Applied"] == "return-no-content")
      #expect(again.headers["Location"] == nil)
    }
  }

  @Test(arguments: Door.allCases) func preferIsUnknownBeforeItsVersion(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">\
        <m:properties><d:PartitionKey>p</d:PartitionKey><d:RowKey>r</d:RowKey><d:N m:type="Edm.Int64">5</d:N>\
        <d:Gone m:null="true" /></m:properties></content></entry>
        """
      let reply = try await tables.send(
        .post, "/Books", ["Prefer": "return-no-content"], body: entry, base: TestTables.atom)
      #expect(reply.status == 201)
      #expect(reply.headers["Preference-Applied"] == nil)
      #expect(reply.headers["X-Content-Type-Options"] == nil)
      #expect(
        reply.body.replacingOccurrences(of: "\r\n", with: "\n") == """
          <?xml version="1.0" encoding="utf-8" standalone="yes"?>
          <entry xml:base="http://HOST/devstoreaccount1/" \
          xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
          m:etag="W/&quot;datetime'2026-03-04T05%3A06%3A07.125Z'&quot;" xmlns="http://www.w3.org/2005/Atom">
            <id>http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='r')</id>
            <title type="text"></title>
            <updated>2026-03-04T05:06:07Z</updated>
            <author>
              <name />
            </author>
            <link rel="edit" title="Books" href="Books(PartitionKey='p',RowKey='r')" />
            <category term="devstoreaccount1.Books" \
          scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />
            <content type="application/xml">
              <m:properties>
                <d:PartitionKey>p</d:PartitionKey>
                <d:RowKey>r</d:RowKey>
                <d:Timestamp m:type="Edm.DateTime">2026-03-04T05:06:07.125Z</d:Timestamp>
                <d:N m:type="Edm.Int64">5</d:N>
              </m:properties>
            </content>
          </entry>
          """)
    }
  }

  /// Verb by condition by what is stored: status, and for 204 whether a tag comes with it.
  @Test(
    arguments: Door.allCases,
    [
      ("PUT", "", false, "204 tag"), ("PUT", "", true, "204 tag"),
      ("MERGE", "", false, "204 tag"), ("MERGE", "", true, "204 tag"),
      ("PATCH", "", false, "204 tag"), ("PATCH", "", true, "204 tag"),
      (
        "DELETE", "", false,
        "400 MissingRequiredHeader: An HTTP header that's mandatory for this request is not specified."
      ),
      (
        "DELETE", "", true,
        "400 MissingRequiredHeader: An HTTP header that's mandatory for this request is not specified."
      ),
      ("PUT", "*", false, missing), ("PUT", "*", true, "204 tag"),
      ("MERGE", "*", false, missing), ("MERGE", "*", true, "204 tag"),
      ("DELETE", "*", false, missing), ("DELETE", "*", true, "204"),
      ("PUT", "current", true, "204 tag"), ("MERGE", "current", true, "204 tag"),
      ("DELETE", "current", true, "204"),
      ("PUT", "stale", true, stale), ("MERGE", "stale", true, stale), ("PATCH", "stale", true, stale),
      ("DELETE", "stale", true, stale),
      ("PUT", "stale", false, missing), ("MERGE", "stale", false, missing),
      ("DELETE", "stale", false, missing),
    ])
  func conditions(_ door: Door, _ row: (verb: String, condition: String, isStored: Bool, result: String))
    async throws
  {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      var tag = ""
      if row.isStored {
        tag = try await tables.insert(#"{"PartitionKey":"p","RowKey":"r","N":1}"#, into: "Books")
      }
      let condition =
        switch row.condition {
        case "current": tag
        case "stale": "W/\"datetime'2012-06-15T22%3A51%3A44.9662825Z'\""
        default: row.condition
        }
      let reply = try await tables.send(
        HTTPMethod(rawValue: row.verb), Self.row, ["If-Match": condition],
        body: row.verb == "DELETE" ? nil : #"{"PartitionKey":"p","RowKey":"r","N":2}"#)
      let result = reply.status == 204 ? (reply.headers["ETag"] == nil ? "204" : "204 tag") : reply.fault
      #expect(result == row.result)
      #expect(reply.status != 204 || reply.bytes.isEmpty)
      #expect(reply.headers["ETag"] == nil || reply.headers["ETag"] != tag)
    }
  }

  @Test(arguments: Door.allCases) func mergeKeepsAndReplaceDrops(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let select = Self.row + "?$select=A,B,C"
      try await tables.insert(#"{"PartitionKey":"p","RowKey":"r","A":"x","B":"y"}"#, into: "Books")
      for (verb, override, body, expected) in [
        ("MERGE", "", #"{"A":null}"#, #"{"A":"x","B":"y","C":null}"#),
        ("PATCH", "", #"{"C":"z"}"#, #"{"A":"x","B":"y","C":"z"}"#),
        ("POST", "MERGE", #"{"B":5}"#, #"{"A":"x","B":5,"C":"z"}"#),
        ("POST", "PUT", #"{"PartitionKey":"p","RowKey":"r","B":6,"C":null}"#, #"{"A":null,"B":6,"C":null}"#),
        ("PUT", "", "{}", #"{"A":null,"B":null,"C":null}"#),
      ] {
        let reply = try await tables.send(
          HTTPMethod(rawValue: verb), Self.row, ["X-HTTP-Method": override, "If-Match": "*"], body: body)
        #expect(reply.status == 204, "\(reply.text)")
        #expect(try await tables.read(select) == expected)
      }
      let deleted = try await tables.send(.post, Self.row, ["X-HTTP-Method": "DELETE", "If-Match": "*"])
      #expect(deleted.status == 204)
      #expect(try await tables.send(.get, Self.row).fault == Self.missing)
    }
  }

  @Test(arguments: Door.allCases) func tunnellingHasRules(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      #expect(
        try await tables.send(.post, Self.row, ["X-HTTP-Method": "TRACE"], body: "{}").fault
          == "400 XMethodIncorrectValue: The specified X-HTTP-Method is invalid.")
      #expect(
        try await tables.send(.put, Self.row, ["X-HTTP-Method": "MERGE"], body: "{}").fault
          == "400 XMethodNotUsingPost: The request uses X-HTTP-Method with an HTTP verb other than POST.")
      var url = tables.endpoint
      url.path += Self.row
      var request = HTTPRequest(.post, url, headers: TestTables.json, body: .bytes(Array("{}".utf8)))
      request.headers.append("X-HTTP-Method", "MERGE")
      request.headers.append("X-HTTP-Method", "PUT")
      #expect(
        try await tables.send(request).fault
          == "400 XMethodIncorrectCount: More than one X-HTTP-Method is specified.")
    }
  }

  @Test(arguments: Door.allCases) func conditionsThatAreNone(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      #expect(
        try await tables.send(.put, Self.row, ["If-Match": "5"], body: "{}").fault == """
          400 InvalidInput: The etag value '5' specified in one of the request headers is not valid. Please make sure \
          only one etag value is specified and is valid.
          """)
      #expect(
        try await tables.send(.put, Self.row, ["If-Match": #"W/"a", W/"b""#], body: "{}").status == 400)
      #expect(
        try await tables.send(.put, Self.row, ["If-None-Match": "*"], body: "{}").fault
          == "400 InvalidInput: If-None-Match HTTP header cannot be specified for PUT operations.")
      #expect(
        try await tables.send(.delete, Self.row, ["If-None-Match": "*"]).fault
          == "400 InvalidInput: If-None-Match HTTP header cannot be specified for DELETE operations.")
      #expect(
        try await tables.send(.delete, Self.row, ["If-None-Match": "*", "If-Match": "*"]).fault == """
          400 InvalidInput: Both If-Match and If-None-Match HTTP headers cannot be specified at the same time. Please \
          specify either one of the headers or none of them.
          """)
    }
  }

  @Test(arguments: Door.allCases) func upsertsNeedTheirVersion(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      var old = TestTables.atom
      old["x-ms-version"] = "2009-09-19"
      let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">\
        <m:properties><d:PartitionKey>p</d:PartitionKey><d:RowKey>r</d:RowKey></m:properties></content></entry>
        """
      let refused = try await tables.send(.put, Self.row, body: entry, base: old)
      #expect(refused.status == 400)
      #expect(refused.body.contains("<code>MissingRequiredHeader</code>"))
      #expect(try await tables.send(.put, Self.row, body: entry, base: TestTables.atom).status == 204)
    }
  }

  @Test(arguments: Door.allCases) func theBodysKeysMustBeTheAddresss(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      #expect(
        try await tables.send(.put, Self.row, body: #"{"PartitionKey":"q","RowKey":"r"}"#).fault
          == "400 PartitionKeyPropertyCannotBeUpdated: The partition key property cannot be updated.")
      #expect(
        try await tables.send(.merge, Self.row, body: #"{"PartitionKey":"p","RowKey":"R"}"#).fault
          == "400 PrimaryKeyPropertyCannotBeUpdated: The row key property cannot be updated.")
      #expect(try await tables.send(.merge, Self.row, body: #"{"PartitionKey":"p"}"#).status == 204)
    }
  }

  @Test(arguments: Door.allCases) func writesNeedATable(_ door: Door) async throws {
    try await withTables(door) { tables async throws in
      let fault = "404 TableNotFound: The table specified does not exist."
      let entity = #"{"PartitionKey":"p","RowKey":"r"}"#
      #expect(try await tables.send(.post, "/Books", body: entity).fault == fault)
      #expect(try await tables.send(.put, Self.row, body: entity).fault == fault)
      #expect(try await tables.send(.delete, Self.row, ["If-Match": "*"]).fault == fault)
      #expect(try await tables.send(.get, Self.row).fault == fault)
      #expect(try await tables.send(.get, "/Books").fault == fault)
    }
  }

  @Test(arguments: Door.allCases) func tagsDifferEvenWhenTheClockStandsStill(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      var tags: Set<String> = [try await tables.insert(#"{"PartitionKey":"p","RowKey":"r"}"#, into: "Books")]
      for _ in 0..<5 {
        tags.insert(try await tables.send(.put, Self.row, body: "{}").headers["ETag"] ?? "")
      }
      #expect(tags.count == 6)
    }
  }
}
