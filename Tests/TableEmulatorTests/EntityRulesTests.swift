import Foundation
import ODataKit
import Testing

@testable import TableEmulator

/// What may be stored: names, types, sizes, keys, dates.
@Suite struct EntityRulesTests {
  private static let tooLarge = """
    400 PropertyValueTooLarge: The property value exceeds the maximum allowed size (64KB). If the property value is a \
    string, it is UTF-16 encoded and the maximum number of characters should be 32K or less.
    """

  /// Members of an entity beside its keys, and the answer to its insert.
  @Test(
    arguments: Door.allCases,
    [
      (#""S":"\#(String(repeating: "é", count: 32768))""#, "204"),
      (#""S":"\#(String(repeating: "é", count: 32769))""#, tooLarge),
      (#""S":"\#(String(repeating: "🦊", count: 16385))""#, tooLarge),
      (#""B":"\#(Data(count: 65536).base64EncodedString())","B@odata.type":"Edm.Binary""#, "204"),
      (#""B":"\#(Data(count: 65537).base64EncodedString())","B@odata.type":"Edm.Binary""#, tooLarge),
      (
        #""D":"0001-01-01T00:00:00Z","D@odata.type":"Edm.DateTime""#,
        "400 OutOfRangeInput: The 'D' parameter of value '01/01/0001 00:00:00' is out of range."
      ),
      (
        #""D":"1600-12-31T23:59:59.9999999Z","D@odata.type":"Edm.DateTime""#,
        "400 OutOfRangeInput: The 'D' parameter of value '12/31/1600 23:59:59' is out of range."
      ),
      (#""D":"1601-01-01T00:00:00Z","D@odata.type":"Edm.DateTime""#, "204"),
      (#""D":"9999-12-31T23:59:59.9999999Z","D@odata.type":"Edm.DateTime""#, "204"),
      (#""X":{"A":1}"#, "400 InvalidInput: An error occurred while processing this request."),
      (#""X":[1]"#, "400 InvalidInput: An error occurred while processing this request."),
      (#""X":"1.5","X@odata.type":"Edm.Decimal""#, "400 InvalidValueType: The value specified is invalid."),
      (
        #""X":"2024-01-01T00:00:00Z","X@odata.type":"Edm.DateTimeOffset""#,
        "400 InvalidValueType: The value specified is invalid."
      ),
      (
        #""X":"abc","X@odata.type":"Edm.Int64""#,
        "400 InvalidInput: An error occurred while processing this request."
      ),
      (#""X":1,"X":2"#, "400 InvalidInput: An error occurred while processing this request."),
      (#""a-b":1"#, "400 PropertyNameInvalid: The property name is invalid."),
      (#""Distinguished Name":1"#, "400 PropertyNameInvalid: The property name is invalid."),
      (#""1a":1"#, "400 PropertyNameInvalid: The property name is invalid."),
      (#""啊齄丂狛狜":1,"_x9":2"#, "204"),
      (#""\#(String(repeating: "n", count: 255))":1"#, "204"),
      (
        #""\#(String(repeating: "n", count: 256))":1"#,
        "400 PropertyNameTooLong: The property name exceeds the maximum allowed length (255)."
      ),
      ((1...252).map { "\"P\($0)\":1" }.joined(separator: ","), "204"),
      (
        (1...253).map { "\"P\($0)\":1" }.joined(separator: ","),
        """
        400 TooManyProperties: The entity contains more properties than allowed. Each entity can include up to 252 \
        properties to store data. Each entity also has 3 system properties.
        """
      ),
      ((1...253).map { "\"P\($0)\":null" }.joined(separator: ","), "204"),
      (
        (1...17).map { #""P\#($0)":"\#(String(repeating: "x", count: 32768))""# }.joined(separator: ","),
        "400 EntityTooLarge: The entity is larger than the maximum allowed size (1MB)."
      ),
    ])
  func properties(_ door: Door, _ row: (members: String, result: String)) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let reply = try await tables.send(
        .post, "/Books", ["Prefer": "return-no-content"],
        body: #"{"PartitionKey":"p","RowKey":"r",\#(row.members)}"#)
      #expect((reply.status == 204 ? "204" : reply.fault) == row.result)
    }
  }

  @Test(
    arguments: Door.allCases,
    [
      (
        #""RowKey":"r""#,
        "400 PropertiesNeedValue: The values are not specified for all properties in the entity."
      ),
      (
        #""PartitionKey":null,"RowKey":"r""#,
        "400 PropertiesNeedValue: The values are not specified for all properties in the entity."
      ),
      (
        #""PartitionKey":5,"RowKey":"r""#,
        "400 PrimaryKeyPropertyIsInvalidType: The primary key property is not of type Edm.String."
      ),
      (
        #""PartitionKey":"a/b","RowKey":"r""#,
        "400 OutOfRangeInput: The 'PartitionKey' parameter of value 'a/b' is out of range."
      ),
      (
        #""PartitionKey":"p","RowKey":"a\\b""#,
        #"400 OutOfRangeInput: The 'RowKey' parameter of value 'a\b' is out of range."#
      ),
      (
        #""PartitionKey":"p","RowKey":"a#b""#,
        "400 OutOfRangeInput: The 'RowKey' parameter of value 'a#b' is out of range."
      ),
      (
        #""PartitionKey":"p","RowKey":"a?b""#,
        "400 OutOfRangeInput: The 'RowKey' parameter of value 'a?b' is out of range."
      ),
      (
        #""PartitionKey":"p","RowKey":"\u0080""#,
        "400 OutOfRangeInput: The 'RowKey' parameter of value '\u{80}' is out of range."
      ),
      (#""PartitionKey":"p","RowKey":"\#(String(repeating: "k", count: 512))""#, "204"),
      (
        #""PartitionKey":"p","RowKey":"\#(String(repeating: "k", count: 513))""#,
        "400 KeyValueTooLarge: The key value exceeds the maximum allowed size (1KB)."
      ),
    ])
  func keys(_ door: Door, _ row: (members: String, result: String)) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let reply = try await tables.send(
        .post, "/Books", ["Prefer": "return-no-content"], body: "{\(row.members)}")
      #expect((reply.status == 204 ? "204" : reply.fault) == row.result)
    }
  }

  @Test(arguments: Door.allCases) func anErrorInXMLHoldsNoForbiddenCharacter(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let reply = try await tables.send(
        .put, "/Books(PartitionKey='%01',RowKey='r')", ["Accept": ""], body: "{}")
      #expect(reply.body.contains("The 'PartitionKey' parameter of value '\u{FFFD}' is out of range."))
    }
  }

  @Test(arguments: Door.allCases) func mergingStaysWithinTheLimits(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let half = (1...200).map { "\"P\($0)\":1" }.joined(separator: ",")
      try await tables.insert(#"{"PartitionKey":"p","RowKey":"r",\#(half)}"#, into: "Books")
      let more = (150...260).map { "\"P\($0)\":2" }.joined(separator: ",")
      let refused = try await tables.send(.merge, "/Books(PartitionKey='p',RowKey='r')", body: "{\(more)}")
      #expect(refused.fault.hasPrefix("400 TooManyProperties"))
      #expect(
        try await tables.read("/Books(PartitionKey='p',RowKey='r')?$select=P150,P201")
          == #"{"P150":1,"P201":null}"#)
    }
  }

  @Test(arguments: Door.allCases) func valuesKeepTypeAndDigits(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert(
        #"""
        {"PartitionKey":"p","RowKey":"r","I":4,"D":4.0,"L":"4","L@odata.type":"Edm.Int64","N":"NaN",
        "N@odata.type":"Edm.Double","M":"-Infinity","M@odata.type":"Edm.Double","S":"NaN","Z":-0.0,
        "T":"2014-09-02T21:09:14.8848547Z","T@odata.type":"Edm.DateTime","G":"C9DA6455-213D-42C9-9A79-3E9149A57833",
        "G@odata.type":"Edm.Guid","B":"AP8=","B@odata.type":"Edm.Binary","E":"","C":"a\u0008\u0000b","F":false}
        """#, into: "Books")
      let body = try await tables.read(
        "/Books(PartitionKey='p',RowKey='r')?$select=I,D,L,N,M,S,Z,T,G,B,E,C,F",
        ["Accept": "application/json;odata=minimalmetadata"])
      #expect(
        body.hasSuffix(
          #"""
          "I":4,"D":4.0,"L@odata.type":"Edm.Int64","L":"4","N@odata.type":"Edm.Double","N":"NaN",\#
          "M@odata.type":"Edm.Double","M":"-Infinity","S":"NaN","Z":0.0,"T@odata.type":"Edm.DateTime",\#
          "T":"2014-09-02T21:09:14.8848547Z","G@odata.type":"Edm.Guid","G":"c9da6455-213d-42c9-9a79-3e9149a57833",\#
          "B@odata.type":"Edm.Binary","B":"AP8=","E":"","C":"a\b\u0000b","F":false}
          """#), "\(body)")
    }
  }

  @Test(arguments: Door.allCases) func propertiesThatLookLikeTheSystems(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let tag = try await tables.insert(
        #"""
        {"PartitionKey":"p","RowKey":"r","Timestamp":"2001-01-01T00:00:00Z","ETag":"mine","etag":"other","default":1,
        "self":true,"Type":"t","timestamp":"low"}
        """#, into: "Books")
      let row = "/Books(PartitionKey='p',RowKey='r')"
      #expect(
        try await tables.read(row) == #"""
          {"PartitionKey":"p","RowKey":"r","Timestamp":"2026-03-04T05:06:07.125Z","ETag":"mine","etag":"other",\#
          "default":1,"self":true,"Type":"t","timestamp":"low"}
          """#)
      #expect(try await tables.send(.merge, row, ["If-Match": tag], body: #"{"ETag":"new"}"#).status == 204)
    }
  }

  @Test(arguments: Door.allCases) func noValueWithAStructureIsLost(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">\
        <m:properties><d:PartitionKey>p</d:PartitionKey><d:RowKey>r</d:RowKey><d:X><d:A>1</d:A></d:X></m:properties>\
        </content></entry>
        """
      let reply = try await tables.send(.post, "/Books", body: entry, base: TestTables.atom)
      #expect(reply.status == 400)
      #expect(reply.body.contains("<code>InvalidInput</code>"))
    }
  }

  @Test(arguments: Door.allCases) func textThatAtomCannotCarry(_ door: Door) async throws {
    try await withTables(door) { tables in
      try await tables.createTable("Books")
      try await tables.insert(#"{"PartitionKey":"p","RowKey":"r","S":"a\u0008b"}"#, into: "Books")
      let reply = try await tables.send(.get, "/Books(PartitionKey='p',RowKey='r')", base: TestTables.atom)
      #expect(reply.status == 400)
      #expect(reply.body.contains("JSON"))
    }
  }
}
