import Foundation
import Testing

@testable import ODataKit

private let typesWritten: [(Sample, String, String)] = [
  (.string("a"), #""P":"a""#, #""P":"a""#), (.boolean(true), #""P":true"#, #""P":true"#),
  (.int32(4), ##""P":4"##, ##""P":4"##),
  (.int64(4), ##""P@odata.type":"Edm.Int64","P":"4""##, ##""P@odata.type":"#Int64","P":4"##),
  (.double(4), #""P":4.0"#, #""P":4.0"#), (.double(-0.0), #""P":-0.0"#, #""P":-0.0"#),
  (.double(1e20), #""P":1.0E20"#, #""P":1.0E20"#),
  (.double(.leastNonzeroMagnitude), #""P":5.0E-324"#, #""P":5.0E-324"#),
  (.double(.nan), ##""P@odata.type":"Edm.Double","P":"NaN""##, ##""P@odata.type":"#Double","P":"NaN""##),
  (
    .double(.infinity), ##""P@odata.type":"Edm.Double","P":"Infinity""##,
    ##""P@odata.type":"#Double","P":"INF""##
  ),
  (
    .double(-.infinity), ##""P@odata.type":"Edm.Double","P":"-Infinity""##,
    ##""P@odata.type":"#Double","P":"-INF""##
  ),
  (.single(1.5), ##""P@odata.type":"Edm.Single","P":1.5"##, ##""P@odata.type":"#Single","P":1.5"##),
  (.int16(-3), ##""P@odata.type":"Edm.Int16","P":-3"##, ##""P@odata.type":"#Int16","P":-3"##),
  (
    .binary([1, 2, 0xFF]), ##""P@odata.type":"Edm.Binary","P":"AQL/""##,
    ##""P@odata.type":"#Binary","P":"AQL_""##
  ),
  (
    .duration(EdmDuration("PT1H")), ##""P@odata.type":"Edm.Time","P":"PT1H""##,
    ##""P@odata.type":"#Duration","P":"PT1H""##
  ),
  (
    .decimal(EdmDecimal("1.50")), ##""P@odata.type":"Edm.Decimal","P":"1.50""##,
    ##""P@odata.type":"#Decimal","P":1.50"##
  ),
  (
    .guid(UUID(uuidString: "DD3CB8F8-93B7-44E2-B74A-C0AA3B27A6D2")),
    #""P@odata.type":"Edm.Guid","P":"dd3cb8f8-93b7-44e2-b74a-c0aa3b27a6d2""#,
    ##""P@odata.type":"#Guid","P":"dd3cb8f8-93b7-44e2-b74a-c0aa3b27a6d2""##
  ),
  (
    .dateTime(EdmDateTime("2014-05-07T08:20:53.5Z")),
    #""P@odata.type":"Edm.DateTime","P":"2014-05-07T08:20:53.5Z""#,
    ##""P@odata.type":"#DateTimeOffset","P":"2014-05-07T08:20:53.5Z""##
  ),
  (.null, "", ""),
]

/// The wire text of JSON that is written.
struct JSONWritingTests {
  @Test("Each type in the body of a request", arguments: typesWritten)
  func types(sample: Sample, odata3: String, odata4: String) throws {
    let record = EntityRecord(["P": try #require(sample.value)])
    #expect(try request(record) == "{\(odata3)}")
    var writer = JSONEntityWriter(annotations: .odata4)
    try writer.requestEntity(record)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\(odata4)}")
    guard sample.value?.isNull == false else { return }
    #expect(try read([Array("{\(odata3)}".utf8)]).records == [record])
    if case .dateTime? = sample.value { return }  // OData 4 has no such type.
    #expect(try read([Array("{\(odata4)}".utf8)]).records == [record])
  }

  @Test("A request holds no control information, and nulls only where they are asked for")
  func request() throws {
    let record = EntityRecord(
      ["ETag": .string("mine"), "N": .null, "B": .boolean(false)],
      control: ControlInformation(id: "i", entityTag: .any, editLink: "l", typeName: "t"))
    #expect(try request(record) == #"{"ETag":"mine","B":false}"#)
    var writer = JSONEntityWriter()
    try writer.requestEntity(record, writesNulls: true)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"ETag":"mine","N":null,"B":false}"#)
    #expect(try request(EntityRecord()) == "{}")
    #expect(try request(EntityRecord(["N": .string("é🍖")])).utf8.count == 14)
  }

  @Test("Strings are escaped where they must be, and in ASCII where a server writes them")
  func strings() throws {
    let text = "\"\\/\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}<'é€🍖\u{2028}"
    #expect(
      try request(EntityRecord([text: .string(text)]))
        == #"{"\"\\/\u0000\u0001\b\t\n\u000b\f\r\u001f\#u{7F}<'é€🍖\#u{2028}":"\"\\/\u0000\u0001\b\t\n\u000b\f\r\u001f\#u{7F}<'é€🍖\#u{2028}"}"#
    )
    var writer = JSONEntityWriter()
    try writer.entityDocument(EntityRecord(["A": .string(text)]), context: context(.none))
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"A":"\"\\/\u0000\u0001\b\t\n\u000b\f\r\u001f\#u{7F}<'\u00e9\u20ac\ud83c\udf56\u2028"}"#)
  }

  @Test(
    "The document of an entity at the three levels",
    arguments: [
      (.none, #"{"PartitionKey":"p","Timestamp":"2017-01-05T03:25:36Z","N":"5","D":10.0,"X":null}"#),
      (
        .minimal,
        #"{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Books/@Element","odata.etag":"W/\"1\"","PartitionKey":"p","Timestamp":"2017-01-05T03:25:36Z","N@odata.type":"Edm.Int64","N":"5","D":10.0,"X":null}"#
      ),
      (
        .full,
        #"{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Books/@Element","odata.type":"acct.Books","odata.id":"https://acct.table.core.windows.net/Books(PartitionKey='p',RowKey='r')","odata.etag":"W/\"1\"","odata.editLink":"Books(PartitionKey='p',RowKey='r')","PartitionKey":"p","Timestamp@odata.type":"Edm.DateTime","Timestamp":"2017-01-05T03:25:36Z","N@odata.type":"Edm.Int64","N":"5","D":10.0,"X":null}"#
      ),
    ] as [(JSONMetadata, String)])
  func entityDocument(metadata: JSONMetadata, text: String) throws {
    let time = try #require(EdmDateTime("2017-01-05T03:25:36Z"))
    let record = EntityRecord(
      [
        "PartitionKey": .string("p"), "Timestamp": .dateTime(time), "N": .int64(5), "D": .double(10),
        "X": .null,
      ],
      control: ControlInformation(
        entityTag: EntityTag(rawValue: "W/\"1\""), editLink: "Books(PartitionKey='p',RowKey='r')"))
    var writer = JSONEntityWriter()
    try writer.entityDocument(record, context: context(metadata))
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
  }

  @Test("Feeds, with and without metadata and rows, and a projection")
  func feeds() throws {
    let rows = [EntityRecord(["TableName": .string("a")]), EntityRecord(["TableName": .string("b")])]
    #expect(try feed(rows, context(.none)) == #"{"value":[{"TableName":"a"},{"TableName":"b"}]}"#)
    #expect(try feed([], context(.none)) == #"{"value":[]}"#)
    var tables = context(.minimal)
    tables.tableName = "Tables"
    #expect(
      try feed(rows, tables)
        == #"{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Tables","value":[{"TableName":"a"},{"TableName":"b"}]}"#
    )
    tables.select = ["age", "sex"]
    #expect(
      try feed([], tables)
        == #"{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Tables&$select=age,sex","value":[]}"#
    )
  }

  @Test("An error as the table service writes it")
  func errorDocument() {
    var writer = JSONEntityWriter()
    writer.errorDocument(
      code: "ResourceNotFound", message: "The specified resource does not exist.\nRequestId:1")
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"odata.error":{"code":"ResourceNotFound","message":{"lang":"en-US","value":"The specified resource does not exist.\nRequestId:1"}}}"#
    )
  }

  @Test("The media types of the levels")
  func mediaTypes() {
    #expect(
      JSONMetadata.allCases.map(\.mediaType) == [
        "application/json;odata=nometadata", "application/json;odata=minimalmetadata",
        "application/json;odata=fullmetadata",
      ])
    #expect(
      JSONMetadata.minimal.responseMediaType
        == "application/json;odata=minimalmetadata;streaming=true;charset=utf-8")
  }

  private func context(_ metadata: JSONMetadata) -> JSONResponseContext {
    JSONResponseContext(
      base: "https://acct.table.core.windows.net/", accountName: "acct", tableName: "Books",
      metadata: metadata)
  }

  private func request(_ record: EntityRecord) throws -> String {
    var writer = JSONEntityWriter()
    try writer.requestEntity(record)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func feed(_ records: [EntityRecord], _ context: JSONResponseContext) throws -> String {
    var writer = JSONEntityWriter()
    writer.beginFeed(context: context)
    for record in records { try writer.feedEntity(record) }
    writer.endFeed()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// A value made of a text that is checked in the test.
enum Sample: Sendable {
  case null, boolean(Bool), int16(Int16), int32(Int32), int64(Int64), single(Float), double(Double), string(
    String)
  case binary([UInt8]), decimal(EdmDecimal?), guid(UUID?), dateTime(EdmDateTime?), duration(EdmDuration?)

  var value: EdmValue? {
    switch self {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .int16(let value): .int16(value)
    case .int32(let value): .int32(value)
    case .int64(let value): .int64(value)
    case .single(let value): .single(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .binary(let value): .binary(value)
    case .decimal(let value): value.map(EdmValue.decimal)
    case .guid(let value): value.map(EdmValue.guid)
    case .dateTime(let value): value.map(EdmValue.dateTime)
    case .duration(let value): value.map(EdmValue.duration)
    }
  }
}
