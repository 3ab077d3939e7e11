import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// Which formats a version has, and what says which one is wanted.
@Suite struct FormatTests {
  private static let atom = "200 application/atom+xml;charset=utf-8"
  private static let noAtom = "415 AtomFormatNotSupported"
  private static let noJSON = "415 JsonFormatNotSupported"

  /// Version, `Accept`, other headers, and what comes back: the type, or the code of the refusal.
  @Test(
    arguments: Door.allCases,
    [
      ("2009-04-14", "application/atom+xml", "", atom),
      ("2009-09-19", "application/json", "", noJSON),
      ("2011-08-18", "application/atom+xml,application/xml", "", atom),
      ("2012-02-12", "application/json;odata=nometadata", "", noJSON),
      ("2012-02-12", "", "", atom),
      ("2013-08-15", "application/atom+xml", "", atom),
      (
        "2013-08-15", "application/json;odata=fullmetadata", "",
        "200 application/json;odata=fullmetadata;streaming=true;charset=utf-8"
      ),
      ("2015-07-08", "", "", atom),
      ("2015-07-08", "*/*", "", atom),
      (
        "2015-07-08", "application/json", "",
        "200 application/json;odata=minimalmetadata;streaming=true;charset=utf-8"
      ),
      (
        "2015-07-08", "application/json; odata=NoMetadata", "",
        "200 application/json;odata=nometadata;streaming=true;charset=utf-8"
      ),
      ("2015-07-08", "application/json", "MaxDataServiceVersion: 2.0;NetFx", noJSON),
      ("2015-12-11", "application/atom+xml,application/xml", "", noAtom),
      ("2015-12-11", "", "", noAtom),
      ("2019-02-02", "*/*", "", noAtom),
      (
        "2019-02-02", "application/atom+xml,application/json", "",
        "200 application/json;odata=minimalmetadata;streaming=true;charset=utf-8"
      ),
      (
        "2030-01-01", "application/json;odata=nometadata", "",
        "200 application/json;odata=nometadata;streaming=true;charset=utf-8"
      ),
      ("2019-02-02", "application/json;odata=verbose", "", "415 JsonVerboseFormatNotSupported"),
      ("2019-02-02", "text/html", "", "415 MediaTypeNotSupported"),
      ("2019-02-02", "application/json", "DataServiceVersion: 4.0", "400 InvalidHeaderValue"),
      ("2009-09-19", "application/atom+xml", "DataServiceVersion: 2.0", "400 InvalidHeaderValue"),
      ("2009-09-19", "application/atom+xml", "MaxDataServiceVersion: 2.0", atom),
      ("2009-04-13", "application/atom+xml", "", "400 InvalidHeaderValue"),
      ("yesterday", "application/json", "", "400 InvalidHeaderValue"),
      ("", "application/json", "", "400 MissingRequiredHeader"),
    ])
  func accepted(
    _ door: Door, _ row: (version: String, accept: String, header: String, result: String)
  ) async throws {
    try await withTables(door) { tables in
      var headers: HeaderFields = [:]
      if !row.version.isEmpty { headers["x-ms-version"] = row.version }
      if !row.accept.isEmpty { headers["Accept"] = row.accept }
      let parts = row.header.components(separatedBy: ": ")
      if parts.count == 2 { headers[HeaderFields.Name(parts[0])] = parts[1] }
      let reply = try await tables.send(.get, "/Tables", base: headers)
      #expect(
        "\(reply.status) \(reply.status == 200 ? reply.headers["Content-Type"] ?? "" : reply.errorCode)"
          == row.result)
    }
  }

  @Test(arguments: Door.allCases) func aRefusedFormatIsToldInXML(_ door: Door) async throws {
    try await withTables(door) { tables in
      let reply = try await tables.send(.get, "/Tables", ["Accept": ""])
      #expect(reply.headers["Content-Type"] == "application/xml;charset=utf-8")
      #expect(
        reply.body.replacingOccurrences(of: "\r\n", with: "\n") == """
          <?xml version="1.0" encoding="utf-8" standalone="yes"?>
          <error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <code>AtomFormatNotSupported</code>
            <message xml:lang="en-US">Atom format is not supported.
          RequestId:00000000-0000-0000-0000-000000000001
          Time:2026-03-04T05:06:07.1250000Z</message>
          </error>
          """)
    }
  }

  @Test(arguments: Door.allCases) func theQueryOptionCountsBeforeTheHeader(_ door: Door) async throws {
    try await withTables(door) { tables in
      let reply = try await tables.send(
        .get, "/Tables?$format=application%2Fjson%3Bodata%3Dfullmetadata", ["Accept": "application/atom+xml"])
      #expect(
        reply.headers["Content-Type"] == "application/json;odata=fullmetadata;streaming=true;charset=utf-8")
    }
  }

  /// Version, `Content-Type`, and what comes back.
  @Test(
    arguments: Door.allCases,
    [
      ("2012-02-12", "application/json", noJSON), ("2015-12-11", "application/atom+xml", noAtom),
      ("2015-12-11", "application/json;odata=nometadata", "204"),
      ("2015-07-08", "application/json; charset=utf-8", "204"),
      ("2019-02-02", "text/plain", "415 MediaTypeNotSupported"), ("2019-02-02", "", noAtom),
    ])
  func bodies(_ door: Door, _ row: (version: String, type: String, result: String)) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      // An update is answered without a body, so it needs no Accept.
      let reply = try await tables.send(
        .merge, "/Books(PartitionKey='p',RowKey='r')",
        ["x-ms-version": row.version, "Accept": "", "DataServiceVersion": "", "Content-Type": row.type],
        body: "{}")
      #expect((reply.status == 204 ? "204" : "\(reply.status) \(reply.errorCode)") == row.result)
    }
  }

  @Test(arguments: Door.allCases) func oneEntityInEveryFormat(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert(
        #"{"PartitionKey":"p","RowKey":"r","L":"5","L@odata.type":"Edm.Int64"}"#, into: "Books")
      let row = "/Books(PartitionKey='p',RowKey='r')"
      #expect(
        try await tables.read(row, ["Accept": "application/json;odata=fullmetadata"]) == #"""
          {"odata.metadata":"http://HOST/devstoreaccount1/$metadata#Books/@Element",\#
          "odata.type":"devstoreaccount1.Books",\#
          "odata.id":"http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='r')",\#
          "odata.etag":"W/\"datetime'2026-03-04T05%3A06%3A07.125Z'\"",\#
          "odata.editLink":"Books(PartitionKey='p',RowKey='r')","PartitionKey":"p","RowKey":"r",\#
          "Timestamp@odata.type":"Edm.DateTime","Timestamp":"2026-03-04T05:06:07.125Z",\#
          "L@odata.type":"Edm.Int64","L":"5"}
          """#)
      #expect(
        try await tables.read(row + "?$select=L,No", ["Accept": "application/json"]) == #"""
          {"odata.metadata":"http://HOST/devstoreaccount1/$metadata#Books/@Element&$select=L,No",\#
          "odata.etag":"W/\"datetime'2026-03-04T05%3A06%3A07.125Z'\"","L@odata.type":"Edm.Int64","L":"5","No":null}
          """#)
      #expect(
        try await tables.read("/Books()?$select=", ["Accept": "application/json"]) == #"""
          {"odata.metadata":"http://HOST/devstoreaccount1/$metadata#Books","value":[{\#
          "odata.etag":"W/\"datetime'2026-03-04T05%3A06%3A07.125Z'\"","PartitionKey":"p","RowKey":"r",\#
          "Timestamp":"2026-03-04T05:06:07.125Z","L@odata.type":"Edm.Int64","L":"5"}]}
          """#)
      let atom = try await tables.send(.get, "/Books()?$select=L,No", base: TestTables.atom).body
      #expect(atom.contains("<d:L m:type=\"Edm.Int64\">5</d:L>"))
      #expect(atom.contains("<d:No m:null=\"true\" />"))
      #expect(!atom.contains("<d:PartitionKey>"))
      #expect(atom.contains("<id>http://HOST/devstoreaccount1/Books(PartitionKey='p',RowKey='r')</id>"))
    }
  }
}

extension Reply {
  /// The code of an error in either format.
  var errorCode: String {
    if let code = JSONErrorBody.read(bytes)?.code { return code }
    let text = body
    guard let start = text.range(of: "<code>"), let end = text.range(of: "</code>") else { return text }
    return String(text[start.upperBound..<end.lowerBound])
  }
}
