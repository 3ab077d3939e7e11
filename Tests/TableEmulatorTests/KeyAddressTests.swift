import ODataKit
import Testing

@testable import TableEmulator

/// Keys in addresses: quotes, escapes, Unicode, empty ones; and what is no address.
@Suite struct KeyAddressTests {
  /// The partition key and row key as JSON, and the address that reaches them.
  @Test(
    arguments: Door.allCases,
    [
      (#"O'Neil's"#, #"''"#, "PartitionKey='O''Neil''s',RowKey=''''''"),
      (#"O'Neil's"#, #"''"#, "PartitionKey=%27O%27%27Neil%27%27s%27,RowKey='%27%27%27%27'"),
      ("p", "", "PartitionKey='p',RowKey=''"),
      ("", "r", "PartitionKey='',RowKey='r'"),
      ("", "", "RowKey='',PartitionKey=''"),
      ("a+b c", "a%20b", "PartitionKey='a%2Bb%20c',RowKey='a%2520b'"),
      ("a+b", "a,b)=(", "PartitionKey='a+b',RowKey='a%2Cb%29%3D%28'"),
      ("Forêt d'été", "🦊no", "PartitionKey='For%C3%AAt%20d%27%27%C3%A9t%C3%A9',RowKey='%F0%9F%A6%8Ano'"),
      (
        #"partition1-ô- -'-\"-%20-%27-pk"#, "r",
        "PartitionKey=%27partition1-%C3%B4-%20-%27%27-%22-%2520-%2527-pk%27,RowKey=%27r%27"
      ),
    ])
  func everyVerbReachesTheKey(_ door: Door, _ row: (partition: String, row: String, address: String))
    async throws
  {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let path = "/Books(\(row.address))"
      let keys = #""RowKey":"\#(row.row)","PartitionKey":"\#(row.partition)""#
      let sent = try #require(Reply.record(of: Array("{\(keys)}".utf8)))
      let inserted = try await tables.send(.post, "/Books", body: "{\(keys),\"N\":1}")
      #expect(inserted.status == 201)
      #expect(try await tables.send(.get, path + "?$select=RowKey,PartitionKey").record == sent)
      #expect(try await tables.send(.merge, path, ["If-Match": "*"], body: #"{"N":2}"#).status == 204)
      #expect(try await tables.send(.put, path, ["If-Match": "*"], body: "{\(keys),\"N\":3}").status == 204)
      #expect(try await tables.read(path + "?$select=N") == #"{"N":3}"#)
      // The address the service itself gives leads to the entity too.
      let location = try #require(inserted.headers["Location"].flatMap { RequestURL($0) })
      let itself = String(location.path.dropFirst("/devstoreaccount1".count))
      #expect(try await tables.send(.delete, itself, ["If-Match": "*"]).status == 204)
      #expect(try await tables.send(.get, path).status == 404)
    }
  }

  @Test(arguments: Door.allCases) func spellingsOfOneTextAreTwoKeys(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert("{\"PartitionKey\":\"p\",\"RowKey\":\"\u{E9}\",\"N\":1}", into: "Books")
      try await tables.insert("{\"PartitionKey\":\"p\",\"RowKey\":\"e\u{301}\",\"N\":2}", into: "Books")
      #expect(try await tables.read("/Books(PartitionKey='p',RowKey='%C3%A9')?$select=N") == #"{"N":1}"#)
      #expect(try await tables.read("/Books(PartitionKey='p',RowKey='e%CC%81')?$select=N") == #"{"N":2}"#)
      #expect(
        try await tables.read("/Books()?$filter=RowKey%20eq%20'e%CC%81'&$select=N") == #"{"value":[{"N":2}]}"#
      )
    }
  }

  @Test(arguments: Door.allCases) func keysAreOrderedByCodeUnits(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      // U+FF21 is above the surrogates that U+1F98A is made of, though its UTF-8 bytes are below.
      for (index, key) in ["\u{FF21}", "b", "🦊", "a", "B", "", "\u{E000}"].enumerated() {
        try await tables.insert(#"{"PartitionKey":"\#(key)","RowKey":"","N":\#(index)}"#, into: "Books")
      }
      #expect(
        try await tables.read("/Books()?$select=N")
          == #"{"value":[{"N":5},{"N":4},{"N":3},{"N":1},{"N":2},{"N":6},{"N":0}]}"#)
      #expect(
        try await tables.read("/Books()?$select=N&$filter=PartitionKey%20ge%20'%F0%9F%A6%8A'")
          == #"{"value":[{"N":2},{"N":6},{"N":0}]}"#)
      #expect(
        try await tables.read(
          "/Books()?$select=N&$filter=PartitionKey%20lt%20'%EF%BC%A1'%20and%20PartitionKey%20gt%20'b'")
          == #"{"value":[{"N":2},{"N":6}]}"#)
    }
  }

  @Test(
    arguments: Door.allCases,
    [
      ("/Books(PartitionKey='p')", "400 InvalidInput: Bad Request - Error in query syntax."),
      ("/Books(PartitionKey='p',RowKey='r", "400 InvalidInput: Bad Request - Error in query syntax."),
      ("/Books(PartitionKey='p',RowKey='a'b')", "400 InvalidInput: Bad Request - Error in query syntax."),
      ("/Books(PartitionKey='p',PartitionKey='r')", "400 InvalidInput: Bad Request - Error in query syntax."),
      ("/Books(PartitionKey=p,RowKey='r')", "400 InvalidInput: Bad Request - Error in query syntax."),
      ("/Tables('a','b')", "400 InvalidInput: Bad Request - Error in query syntax."),
      (
        "/Books(PartitionKey='%FF',RowKey='r')",
        "400 RequestUrlFailedToParse: The url in the request could not be parsed."
      ),
      (
        "/Books(PartitionKey='%4',RowKey='r')",
        "400 RequestUrlFailedToParse: The url in the request could not be parsed."
      ),
      ("/Books()?$filter=%ZZ", "400 RequestUrlFailedToParse: The url in the request could not be parsed."),
      ("/Books/more", "400 InvalidUri: The requested URI does not represent any resource on the server."),
      (
        "/(PartitionKey='p',RowKey='r')",
        "400 InvalidUri: The requested URI does not represent any resource on the server."
      ),
      ("/", "501 NotImplemented: The requested operation is not implemented on the specified resource."),
      ("", "501 NotImplemented: The requested operation is not implemented on the specified resource."),
      (
        "/?restype=service&comp=properties",
        "501 NotImplemented: The requested operation is not implemented on the specified resource."
      ),
      (
        "/Books?comp=acl",
        "501 NotImplemented: The requested operation is not implemented on the specified resource."
      ),
      ("/$batch", "405 MethodNotAllowed: The requested method is not allowed on the specified resource."),
    ])
  func whatIsNoAddress(_ door: Door, _ row: (target: String, fault: String)) async throws {
    try await withTables(door) { tables async throws in
      #expect(try await tables.send(.get, row.target).fault == row.fault)
    }
  }

  @Test(
    arguments: Door.allCases,
    [
      (
        "PUT", "/Tables",
        "405 MethodNotAllowed: The requested method is not allowed on the specified resource."
      ),
      (
        "POST", "/Tables('Books')",
        "405 MethodNotAllowed: The requested method is not allowed on the specified resource."
      ),
      (
        "DELETE", "/Books()",
        "405 MethodNotAllowed: The requested method is not allowed on the specified resource."
      ),
      (
        "POST", "/Books(PartitionKey='p',RowKey='r')",
        "405 MethodNotAllowed: The requested method is not allowed on the specified resource."
      ),
      ("BREW", "/Books()", "405 UnsupportedHttpVerb: The resource doesn't support the specified HTTP verb."),
    ])
  func verbsThatDoNotFit(_ door: Door, _ row: (verb: String, target: String, fault: String)) async throws {
    try await withTables(door) { tables async throws in
      #expect(try await tables.send(HTTPMethod(rawValue: row.verb), row.target).fault == row.fault)
    }
  }

  @Test(arguments: Door.allCases) func anotherAccount(_ door: Door) async throws {
    try await withTables(door) { tables in
      var url = tables.endpoint
      url.path = "/somebodyelse/Tables"
      let reply = try await tables.send(HTTPRequest(.get, url, headers: TestTables.json))
      #expect(reply.fault == "404 ResourceNotFound: The specified resource does not exist.")
    }
  }

  @Test(arguments: Door.allCases) func theSecondaryIsForReading(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      var url = tables.endpoint
      url.path += "-secondary/Tables"
      #expect(
        try await tables.send(HTTPRequest(.get, url, headers: TestTables.json)).body
          == #"{"value":[{"TableName":"Books"}]}"#)
      let write = HTTPRequest(
        .post, url, headers: TestTables.json, body: .bytes(Array(#"{"TableName":"Loans"}"#.utf8)))
      #expect(
        try await tables.send(write).fault == """
          403 InsufficientAccountPermissions: The account being accessed does not have sufficient permissions to \
          execute this operation.
          """)
    }
  }
}
