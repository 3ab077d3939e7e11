import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// Filters, projections and pages.
@Suite struct QueryTests {
  /// Inserts many entities of one partition, in batches.
  private func fill(_ tables: TestTables, partition: String, rows: Range<Int>) async throws {
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: 100) {
      var batch = BatchText()
      for row in start..<min(start + 100, rows.upperBound) {
        batch.insert("Books", #"{"PartitionKey":"\#(partition)","RowKey":"\#(String(format: "%05d", row))"}"#)
      }
      #expect(try await tables.send(batch).body.contains("HTTP/1.1 204 No Content"))
    }
  }

  /// All pages of a query, each as its row count, and the keys in all.
  private func pages(
    _ tables: TestTables, _ target: String, _ options: String = ""
  ) async throws -> (counts: [Int], keys: [String]) {
    var counts: [Int] = []
    var keys: [String] = []
    var next = ""
    repeat {
      let reply = try await tables.send(.get, "\(target)?$select=PartitionKey,RowKey\(options)\(next)")
      let reader = JSONReader()
      let records = try reader.read(reply.bytes)
      _ = try reader.finish()
      counts.append(records.count)
      for record in records {
        if case .string(let a)? = record["PartitionKey"], case .string(let b)? = record["RowKey"] {
          keys.append(a + b)
        }
      }
      next = ""
      if let token = reply.headers["x-ms-continuation-NextPartitionKey"] {
        next += "&NextPartitionKey=" + PercentEncoding.encode(token)
      }
      if let token = reply.headers["x-ms-continuation-NextRowKey"] {
        next += "&NextRowKey=" + PercentEncoding.encode(token)
      }
    } while !next.isEmpty
    return (counts, keys)
  }

  @Test(arguments: Door.allCases) func pagesGoOnAcrossPartitions(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await fill(tables, partition: "a", rows: 0..<2000)
      try await fill(tables, partition: "b", rows: 0..<2000)
      let all = try await pages(tables, "/Books()")
      #expect(all.counts == [1000, 1000, 1000, 1000])
      #expect(Set(all.keys).count == 4000)
      #expect(all.keys == all.keys.sorted())
      let odd = try await pages(tables, "/Books()", "&$top=999")
      #expect(odd.counts == [999, 999, 999, 999, 4])
      #expect(odd.keys == all.keys)
      let part = try await pages(
        tables, "/Books", "&$top=700&$filter=PartitionKey%20eq%20'b'%20and%20RowKey%20ge%20'00500'")
      #expect(part.counts == [700, 700, 100])
      #expect(part.keys.first == "b00500")
    }
  }

  @Test(arguments: Door.allCases) func tokens(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      for key in ["", "a", "é~"] {
        try await tables.insert(#"{"PartitionKey":"\#(key)","RowKey":""}"#, into: "Books")
        try await tables.insert(#"{"PartitionKey":"\#(key)","RowKey":"1"}"#, into: "Books")
      }
      let first = try await tables.send(.get, "/Books()?$top=1&$select=RowKey")
      #expect(first.headers["x-ms-continuation-NextPartitionKey"] == "1!0!")
      #expect(first.headers["x-ms-continuation-NextRowKey"] == "1!4!MQ--")
      let fourth = try await tables.send(.get, "/Books()?$top=4&$select=RowKey")
      #expect(fourth.headers["x-ms-continuation-NextPartitionKey"] == "1!4!w6l*")
      #expect(fourth.headers["x-ms-continuation-NextRowKey"] == "1!0!")
      // Half a token means the first row of the partition; a client that got no other half sends none.
      let half = try await tables.send(.get, "/Books()?$select=RowKey&NextPartitionKey=1!4!YQ--")
      #expect(half.body == #"{"value":[{"RowKey":""},{"RowKey":"1"},{"RowKey":""},{"RowKey":"1"}]}"#)
      // The whole and no more: the last page has no token.
      #expect(
        try await tables.send(.get, "/Books()?$top=6").headers["x-ms-continuation-NextPartitionKey"] == nil)
      for token in ["x", "1!5!YQ--", "2!4!YQ--", "1!4!%25%25%25%25", "1!4!_-_-"] {
        #expect(
          try await tables.send(.get, "/Books()?NextPartitionKey=\(token)").fault == """
            400 InvalidQueryParameterValue: Value for one of the query parameters specified in the request URI is \
            invalid.
            """, "\(token)")
      }
    }
  }

  @Test(arguments: Door.allCases) func aTokenIsGivenOnlyWhenAMatchIsLeft(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      for (row, value) in ["x", "x", "y", "y"].enumerated() {
        try await tables.insert(#"{"PartitionKey":"p","RowKey":"\#(row)","V":"\#(value)"}"#, into: "Books")
      }
      let reply = try await tables.send(.get, "/Books()?$top=2&$select=RowKey&$filter=V%20eq%20'x'")
      #expect(reply.body == #"{"value":[{"RowKey":"0"},{"RowKey":"1"}]}"#)
      #expect(reply.headers["x-ms-continuation-NextPartitionKey"] == nil)
    }
  }

  @Test func aLongScanGivesAnEmptyPageAndAToken() async throws {
    try await withTables(.inProcess, scanLength: 50) { tables in
      try await tables.createTable("Books")
      try await fill(tables, partition: "p", rows: 0..<60)
      try await tables.insert(#"{"PartitionKey":"q","RowKey":"r","V":1}"#, into: "Books")
      let found = try await pages(tables, "/Books()", "&$filter=V%20eq%201")
      #expect(found.counts == [0, 1])
      #expect(found.keys == ["qr"])
    }
  }

  @Test(arguments: Door.allCases) func largeRowsEndAPageEarly(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let text = (1...14).map { #""P\#($0)":"\#(String(repeating: "x", count: 32768))""# }.joined(
        separator: ",")
      for row in 0..<12 {
        try await tables.insert(#"{"PartitionKey":"p","RowKey":"\#(row + 10)",\#(text)}"#, into: "Books")
      }
      let found = try await pages(tables, "/Books()")
      #expect(found.counts == [9, 3])
      #expect(Set(found.keys).count == 12)
    }
  }

  @Test(
    arguments: Door.allCases,
    [
      ("$top=0", "400 InvalidInput: One of the request inputs is not valid."),
      ("$top=1001", "400 InvalidInput: One of the request inputs is not valid."),
      ("$top=x", "400 InvalidInput: One of the request inputs is not valid."),
      ("$filter=N%20eq", "400 InvalidInput: Bad Request - Error in query syntax."),
      ("$filter=N%20eq%201'invalid'", "400 InvalidInput: Bad Request - Error in query syntax."),
      ("$filter=N%20eq%20null", "400 InvalidInput: One of the request inputs is not valid."),
      ("$filter=Enabled", "400 InvalidInput: One of the request inputs is not valid."),
      (
        "$filter=" + (1...16).map { "N%20eq%20\($0)" }.joined(separator: "%20or%20"),
        "400 InvalidInput: One of the request inputs is not valid."
      ),
      (
        "$filter=startswith(A,'b')",
        "501 NotImplemented: The requested operation is not implemented on the specified resource."
      ),
      (
        "$orderby=N",
        "501 NotImplemented: The requested operation is not implemented on the specified resource."
      ),
      (
        "$skip=1", "501 NotImplemented: The requested operation is not implemented on the specified resource."
      ),
      (
        "$count=true",
        "501 NotImplemented: The requested operation is not implemented on the specified resource."
      ),
      (
        "$expand=A",
        "501 NotImplemented: The requested operation is not implemented on the specified resource."
      ),
      (
        "$top=1&$top=2",
        "400 InvalidQueryParameterValue: Value for one of the query parameters specified in the request URI is invalid."
      ),
      (
        "timeout=soon",
        "400 InvalidQueryParameterValue: Value for one of the query parameters specified in the request URI is invalid."
      ),
    ])
  func optionsThatAreRefused(_ door: Door, _ row: (options: String, fault: String)) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      #expect(try await tables.send(.get, "/Books()?\(row.options)").fault == row.fault)
    }
  }

  /// Eight rows of three booleans, and what each filter takes of them.
  @Test(
    arguments: Door.allCases,
    [
      ("(A eq true or B eq true) and C eq true", [1, 3, 5, 7].filter { $0 & 1 == 1 && $0 & 6 != 0 }),
      ("A eq true or (B eq true and C eq true)", [3, 4, 5, 6, 7]),
      ("A eq true or B eq true and C eq true", [3, 4, 5, 6, 7]),
      ("not (A eq true and B eq true)", [0, 1, 2, 3, 4, 5]),
      ("not (A eq true) and true", [0, 1, 2, 3]),
      ("true and C eq true", [1, 3, 5, 7]),
      ("false or C eq true", [1, 3, 5, 7]),
      ("'5' eq RowKey", [5]),
      ("(RowKey ge '2')and(RowKey lt '4')", [2, 3]),
      ("N ge 6", [6, 7]),
      ("N ge 6L", []),
      ("N ge 6.0", []),
      ("D ge 6.0", [6, 7]),
      ("RowKey ne '0' and Missing ne 1", []),
      ("PartitionKey gt 'p'", []),
      ("PartitionKey le 'p' and RowKey le '1'", [0, 1]),
    ])
  func filters(_ door: Door, _ row: (filter: String, rows: [Int])) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      for row in 0..<8 {
        try await tables.insert(
          #"""
          {"PartitionKey":"p","RowKey":"\#(row)","A":\#(row & 4 != 0),"B":\#(row & 2 != 0),"C":\#(row & 1 != 0),
          "N":\#(row),"D":\#(row).0}
          """#, into: "Books")
      }
      let found = try await tables.read("/Books()?$select=N&$filter=\(PercentEncoding.encode(row.filter))")
      #expect(found == "{\"value\":[" + row.rows.map { "{\"N\":\($0)}" }.joined(separator: ",") + "]}")
    }
  }

  @Test(arguments: Door.allCases) func aPlusInTheQueryIsABlank(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert(#"{"PartitionKey":"a+b c","RowKey":"r"}"#, into: "Books")
      let found = #"{"value":[{"RowKey":"r"}]}"#
      #expect(try await tables.read("/Books?$select=RowKey&$filter=PartitionKey+eq+'a%2Bb+c'") == found)
      #expect(
        try await tables.read("/Books?%24select=+RowKey+&%24filter=PartitionKey%20eq%20'a%2Bb%20c'") == found)
    }
  }
}
