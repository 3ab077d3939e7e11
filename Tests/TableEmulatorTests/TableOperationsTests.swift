import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// Creating, listing, reading and deleting tables.
@Suite struct TableOperationsTests {
  @Test(arguments: Door.allCases) func creating(_ door: Door) async throws {
    try await withTables(door) { tables in
      let created = try await tables.send(
        .post, "/Tables",
        ["Accept": "application/json;odata=fullmetadata", "x-ms-client-request-id": "mine"],
        body: #"{"TableName":"Books"}"#)
      #expect(
        created.text == """
          201
          Cache-Control: no-cache
          Content-Type: application/json;odata=fullmetadata;streaming=true;charset=utf-8
          Date: Wed, 04 Mar 2026 05:06:07 GMT
          Location: http://HOST/devstoreaccount1/Tables('Books')
          Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0
          X-Content-Type-Options: nosniff
          x-ms-client-request-id: mine
          x-ms-request-id: 00000000-0000-0000-0000-000000000001
          x-ms-version: 2019-02-02

          {"odata.metadata":"http://HOST/devstoreaccount1/$metadata#Tables/@Element",\
          "odata.type":"devstoreaccount1.Tables","odata.id":"http://HOST/devstoreaccount1/Tables('Books')",\
          "odata.editLink":"Tables('Books')","TableName":"Books"}
          """)

      let quiet = try await tables.send(
        .post, "/Tables", ["Prefer": "return-no-content"], body: #"{"TableName":"Loans"}"#)
      #expect(
        quiet.text == """
          204
          Cache-Control: no-cache
          DataServiceId: http://HOST/devstoreaccount1/Tables('Loans')
          Date: Wed, 04 Mar 2026 05:06:07 GMT
          Location: http://HOST/devstoreaccount1/Tables('Loans')
          Preference-Applied: return-no-content
          Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0
          X-Content-Type-Options: nosniff
          x-ms-request-id: 00000000-0000-0000-0000-000000000002
          x-ms-version: 2019-02-02
          """)

      let again = try await tables.send(
        .post, "/Tables", ["Prefer": "return-no-content"], body: #"{"TableName":"BOOKS"}"#)
      #expect(
        again.text == """
          409
          Cache-Control: no-cache
          Content-Type: application/json;odata=nometadata;streaming=true;charset=utf-8
          Date: Wed, 04 Mar 2026 05:06:07 GMT
          Preference-Applied: return-no-content
          Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0
          X-Content-Type-Options: nosniff
          x-ms-request-id: 00000000-0000-0000-0000-000000000003
          x-ms-version: 2019-02-02

          {"odata.error":{"code":"TableAlreadyExists","message":{"lang":"en-US",\
          "value":"The table specified already exists.\\nRequestId:00000000-0000-0000-0000-000000000003\\n\
          Time:2026-03-04T05:06:07.1250000Z"}}}
          """)
    }
  }

  @Test(
    arguments: Door.allCases,
    [
      ("ab", "400 OutOfRangeInput: The specified resource name length is not within the permissible limits."),
      (
        String(repeating: "a", count: 64),
        "400 OutOfRangeInput: The specified resource name length is not within the permissible limits."
      ),
      ("", "400 OutOfRangeInput: The specified resource name length is not within the permissible limits."),
      ("1abc", "400 InvalidResourceName: The specifed resource name contains invalid characters."),
      ("a_bc", "400 InvalidResourceName: The specifed resource name contains invalid characters."),
      ("啊齄丂狛狜", "400 InvalidResourceName: The specifed resource name contains invalid characters."),
      ("tables", "400 InvalidResourceName: The specifed resource name contains invalid characters."),
    ])
  func namesThatTablesMayNotHave(_ door: Door, _ row: (name: String, fault: String)) async throws {
    try await withTables(door) { tables in
      let reply = try await tables.send(.post, "/Tables", body: #"{"TableName":"\#(row.name)"}"#)
      #expect(reply.fault == row.fault)
    }
  }

  @Test(arguments: Door.allCases) func bodiesWithoutAName(_ door: Door) async throws {
    try await withTables(door) { tables async throws in
      let needed = "400 PropertiesNeedValue: The values are not specified for all properties in the entity."
      #expect(try await tables.send(.post, "/Tables", body: "{}").fault == needed)
      #expect(try await tables.send(.post, "/Tables", body: #"{"TableName":null}"#).fault == needed)
      #expect(
        try await tables.send(.post, "/Tables", body: #"{"TableName":"#).fault
          == "400 InvalidInput: An error occurred while processing this request.")
    }
  }

  @Test(arguments: Door.allCases) func readingAndDeleting(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      #expect(try await tables.read("/Tables('bookS')") == #"{"TableName":"Books"}"#)
      #expect(try await tables.read("/Tables(%27Books%27)") == #"{"TableName":"Books"}"#)
      let missing = "404 ResourceNotFound: The specified resource does not exist."
      #expect(try await tables.send(.get, "/Tables('Loans')").fault == missing)

      try await tables.insert(#"{"PartitionKey":"p","RowKey":"r"}"#, into: "Books")
      let deleted = try await tables.send(.delete, "/Tables('BOOKS')")
      #expect(deleted.status == 204)
      #expect(deleted.bytes.isEmpty)
      #expect(try await tables.send(.delete, "/Tables('Books')").fault == missing)
      #expect(
        try await tables.send(.get, "/Books()").fault
          == "404 TableNotFound: The table specified does not exist.")
      try await tables.createTable("Books")
      #expect(try await tables.read("/Books()") == #"{"value":[]}"#)
    }
  }

  @Test(arguments: Door.allCases) func listingInPages(_ door: Door) async throws {
    try await withTables(door) { tables in
      for name in ["delta", "Alpha", "charlie", "Bravo"] { try await tables.createTable(name) }
      let first = try await tables.send(.get, "/Tables?$top=3")
      #expect(
        first.body == #"{"value":[{"TableName":"Alpha"},{"TableName":"Bravo"},{"TableName":"charlie"}]}"#)
      let token = try #require(first.headers["x-ms-continuation-NextTableName"])
      #expect(token == "1!8!ZGVsdGE-")
      let second = try await tables.send(.get, "/Tables?$top=3&NextTableName=1%218%21ZGVsdGE-")
      #expect(second.body == #"{"value":[{"TableName":"delta"}]}"#)
      #expect(second.headers["x-ms-continuation-NextTableName"] == nil)
      let exact = try await tables.send(.get, "/Tables?$top=4")
      #expect(exact.headers["x-ms-continuation-NextTableName"] == nil)
    }
  }

  @Test(arguments: Door.allCases) func listingByName(_ door: Door) async throws {
    try await withTables(door) { tables in
      for name in ["Books", "Bookings", "Loans"] { try await tables.createTable(name) }
      let prefix = "%24filter=TableName%20ge%20%27Book%27%20and%20TableName%20lt%20%27Book%7B%27"
      #expect(
        try await tables.read("/Tables?\(prefix)")
          == #"{"value":[{"TableName":"Bookings"},{"TableName":"Books"}]}"#)
      #expect(
        try await tables.read("/Tables()?%24filter=TableName+eq+'Loans'")
          == #"{"value":[{"TableName":"Loans"}]}"#)
    }
  }

  @Test(arguments: Door.allCases) func asAtom(_ door: Door) async throws {
    try await withTables(door) { tables in
      let empty = try await tables.send(.get, "/Tables", base: TestTables.atom)
      #expect(
        empty.text.replacingOccurrences(of: "\r\n", with: "\n") == """
          200
          Cache-Control: no-cache
          Content-Type: application/atom+xml;charset=utf-8
          Date: Wed, 04 Mar 2026 05:06:07 GMT
          Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0
          x-ms-request-id: 00000000-0000-0000-0000-000000000001
          x-ms-version: 2011-08-18

          <?xml version="1.0" encoding="utf-8" standalone="yes"?>
          <feed xml:base="http://HOST/devstoreaccount1/" \
          xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">
            <title type="text">Tables</title>
            <id>http://HOST/devstoreaccount1/Tables</id>
            <updated>2026-03-04T05:06:07Z</updated>
            <author>
              <name />
            </author>
            <link rel="self" title="Tables" href="Tables" />
          </feed>
          """)
      let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><title /><updated>2026-01-01T00:00:00Z\
        </updated><author><name /></author><id /><content type="application/xml"><m:properties>\
        <d:TableName>Books</d:TableName></m:properties></content></entry>
        """
      let created = try await tables.send(.post, "/Tables", body: entry, base: TestTables.atom)
      #expect(created.status == 201)
      #expect(created.body.contains("<d:TableName>Books</d:TableName>"))
      #expect(created.body.contains("<id>http://HOST/devstoreaccount1/Tables('Books')</id>"))
      let again = try await tables.send(.post, "/Tables", body: entry, base: TestTables.atom)
      #expect(
        again.body.replacingOccurrences(of: "\r\n", with: "\n") == """
          <?xml version="1.0" encoding="utf-8" standalone="yes"?>
          <error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <code>TableAlreadyExists</code>
            <message xml:lang="en-US">The table specified already exists.
          RequestId:00000000-0000-0000-0000-000000000003
          Time:2026-03-04T05:06:07.1250000Z</message>
          </error>
          """)
    }
  }
}
