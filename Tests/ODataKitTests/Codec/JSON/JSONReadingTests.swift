import Foundation
import ODataTestSupport
import Testing

@testable import ODataKit

private let valuesRead: [(String, EdmValue)] = [
  (#""A":4"#, .int32(4)), (#""A":4.0"#, .double(4)), (#""A":-0"#, .int32(0)), (#""A":1e3"#, .double(1000)),
  (#""A":2147483647"#, .int32(.max)), (#""A":-2147483648"#, .int32(.min)),
  (#""A":2147483648"#, .int64(1 << 31)),
  (#""A":-9223372036854775808"#, .int64(.min)),
  (#""A":123456789012345.12"#, .double(123_456_789_012_345.12)),
  (#""A":4.94065645841247E-324"#, .double(.leastNonzeroMagnitude)),
  (#""A":1.7976931348623157E+308"#, .double(1.7976931348623157e308)),
  (#""A":true"#, .boolean(true)), (#""A":false"#, .boolean(false)), (#""A":null"#, .null),
  (#""A":"""#, .string("")), (#""A":"  x ""#, .string("  x ")), (#""A":"NaN""#, .string("NaN")),
  (#""A":"9333111000","A@odata.type":"Edm.Int64""#, .int64(9_333_111_000)),
  (#""A@odata.type":"Edm.Int64","A":"5""#, .int64(5)), (#""A@odata.type":"Edm.Int64","A":5"#, .int64(5)),
  (#""A":5,"A@odata.type":"Edm.Int64""#, .int64(5)), (#""A":4,"A@odata.type":"Edm.Double""#, .double(4)),
  (#""A@odata.type":"Edm.Double","A":4"#, .double(4)),
  (#""A@odata.type":"Edm.Double","A":"4""#, .double(4)),
  (#""A@odata.type":"Edm.Double","A":"NaN""#, .double(.nan)),
  (#""A@odata.type":"Edm.Double","A":"Infinity""#, .double(.infinity)),
  (#""A":"-INF","A@odata.type":"Edm.Double""#, .double(-.infinity)),
  (#""A@odata.type":"Edm.Binary","A":"AQIy""#, .binary([1, 2, 0x32])),
  (#""A":"AQIy","A@odata.type":"Edm.Binary""#, .binary([1, 2, 0x32])),
  (#""A@odata.type":"Edm.Int64","A":null"#, .null),
  (#""A@odata.type":"Edm.Boolean","A":true"#, .boolean(true)),
  (#""A@odata.type":"Edm.String","A":"x""#, .string("x")),
  (##""A@odata.type":"#Int64","A":"7""##, .int64(7)), (##""A@odata.type":"#Edm.Int64","A":7"##, .int64(7)),
  (##""A@type":"Int64","A":7"##, .int64(7)),
  (
    ##""A@odata.type":"#Ns.Colour","A":"Red""##,
    .enumeration(EdmEnumeration(type: EdmType(rawValue: "Ns.Colour"), member: "Red"))
  ),
]

/// What is read out of JSON, wherever it is cut.
struct JSONReadingTests {
  @Test("Types from tokens and annotations", arguments: valuesRead)
  func values(members: String, value: EdmValue) throws {
    #expect(try readEntity("{\(members)}") == EntityRecord(["A": value]))
  }

  @Test("Decimals keep every digit, also where the type stands behind them")
  func decimals() throws {
    for text in ["0.1000000000000000055511151231257827", "1.50", "18446744073709551616"] {
      let value = try #require(EdmDecimal(text))
      for members in [
        "\"A@odata.type\":\"#Decimal\",\"A\":\(text)", "\"A\":\(text),\"A@odata.type\":\"#Decimal\"",
        "\"A@odata.type\":\"Edm.Decimal\",\"A\":\"\(text)\"",
      ] {
        guard case .decimal(let read)? = try readEntity("{\(members)}")["A"] else {
          Issue.record("a decimal was expected in \(members)")
          continue
        }
        if text.utf8.count > 15 || !members.hasPrefix("\"A\":") { #expect(read.description == text) }
        #expect(read == value)
      }
    }
    // An integer beyond 64 bits has no other type that holds it.
    #expect(
      try readEntity(#"{"A":18446744073709551615}"#)["A"]
        == .decimal(#require(EdmDecimal("18446744073709551615"))))
  }

  @Test(
    "Escapes",
    arguments: [
      (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u00e9\u00E9"#, "éé"), (#"\ud83c\udf56!"#, "🍖!"),
      (#"a\ud83cb"#, "a\u{FFFD}b"), (#"\udf56\ud83c"#, "\u{FFFD}\u{FFFD}"),
      (#"\ud83c\ud83c\udf56"#, "\u{FFFD}🍖"),
      (#"\ud83c\n"#, "\u{FFFD}\n"), (#"\u0000"#, "\0"), ("é🍖 e\u{301}", "é🍖 e\u{301}"), ("\u{7F}", "\u{7F}"),
    ])
  func escapes(text: String, expected: String) throws {
    #expect(
      try readEntity("{\"A\":\"\(text)\",\"\(text)\":1}")
        == EntityRecord(["A": .string(expected), expected: .int32(1)]))
  }

  @Test("Control information stands apart from properties that look like it")
  func control() throws {
    let record = try readEntity(
      #"""
      {"odata.metadata":"https://a/$metadata#T/@Element","odata.type":"a.T","odata.id":"https://a/T(1)",
       "odata.etag":"W/\"datetime'2013%3A14Z'\"","odata.editLink":"T(1)","odata.other":{"x":[1]},
       "ETag":"mine","etag":"other","default":1,"self":true,"Type":"t","id":"i","type":"u","value":"v","error":"e",
       "d":2,"results":"r","Nav@odata.navigationLinkUrl":"T(1)/Nav","#C.Act":{"target":"x"}}
      """#)
    var control = ControlInformation(
      id: "https://a/T(1)", entityTag: EntityTag(rawValue: "W/\"datetime'2013%3A14Z'\""), editLink: "T(1)",
      typeName: "a.T")
    control.base = "https://a/$metadata#T/@Element"
    control.links = [NavigationLink("Nav", navigationLink: "T(1)/Nav")]
    #expect(
      record
        == EntityRecord(
          [
            "ETag": .string("mine"), "etag": .string("other"), "default": .int32(1), "self": .boolean(true),
            "Type": .string("t"), "id": .string("i"), "type": .string("u"), "value": .string("v"),
            "error": .string("e"), "d": .int32(2), "results": .string("r"),
          ],
          control: control))
  }

  @Test(
    "OData 4 and 4.01 spell annotations their own ways",
    arguments: [
      ##"{"@odata.context":"c","@odata.count":3,"value":[{"@odata.id":"i","@odata.etag":"e","@odata.type":"#N.T","@odata.editLink":"l","A@odata.type":"#Int64","A":7}],"@odata.nextLink":"n"}"##,
      ##"{"@context":"c","@count":3,"value":[{"@id":"i","@etag":"e","@type":"#N.T","@editLink":"l","A@type":"Int64","A":7}],"@nextLink":"n"}"##,
      ##"{"odata.metadata":"c","odata.count":"3","odata.nextLink":"n","value":[{"odata.id":"i","odata.etag":"e","odata.type":"#N.T","odata.editLink":"l","A":"7","A@odata.type":"Edm.Int64"}]}"##,
    ])
  func annotations(text: String) throws {
    let (records, summary) = try readFeed(text)
    var control = ControlInformation(
      id: "i", entityTag: EntityTag(rawValue: "e"), editLink: "l", typeName: "N.T")
    control.base = "c"
    #expect(records == [EntityRecord(["A": .int64(7)], control: control)])
    #expect(summary == PayloadSummary(isFeed: true, count: 3, nextLink: "n"))
  }

  @Test("Rows with the same names share their shape; rows without keep their own")
  func shapes() throws {
    let (records, _) = try readFeed(
      #"{"value":[{"A":1,"B":2},{"A":3,"B":4},{"B":5},{"A":6,"B":7},{},{"B":8,"A":9},{"C":1,"A":2,"B":3},{"A":1,"B":2}]}"#
    )
    #expect(
      records
        == [
          ["A": .int32(1), "B": .int32(2)], ["A": .int32(3), "B": .int32(4)], ["B": .int32(5)],
          ["A": .int32(6), "B": .int32(7)], [:], ["B": .int32(8), "A": .int32(9)],
          ["C": .int32(1), "A": .int32(2), "B": .int32(3)], ["A": .int32(1), "B": .int32(2)],
        ].map { (properties: KeyValuePairs<String, EdmValue>) in EntityRecord(properties) })
    #expect(records[0].shape === records[1].shape)
    #expect(records[0].shape === records[3].shape)
    #expect(records[0].shape === records[7].shape)
  }

  @Test("Entities come out as soon as they are complete")
  func streaming() throws {
    let reader = JSONReader()
    #expect(try reader.read(Array(#"{"value":[{"A":1},{"A""#.utf8)).count == 1)
    #expect(try reader.read(Array(#":2"#.utf8)).isEmpty)
    #expect(try reader.read(Array(#"},{"A":3}"#.utf8)).map { $0["A"] } == [.int32(2), .int32(3)])
    #expect(try reader.read(Array(#"]}"#.utf8)).isEmpty)
    #expect(try reader.finish() == PayloadSummary(isFeed: true))
  }

  @Test("Nested values are values, and leave no trace in the properties around them")
  func nested() throws {
    let record = try readEntity(
      ##"{"Id":1,"Extra":{"a":[1,{"Id":9,"odata.etag":"e"}],"value":[{}]},"L":[[],[{}],"x"],"Extra2@odata.type":"#Int64","Extra2":"7","value":[{"A":1}]}"##
    )
    func list(_ elements: EdmValue...) -> EdmValue { .collection(EdmCollection(elements)) }
    let inner = EntityRecord(
      ["Id": .int32(9)], control: ControlInformation(entityTag: EntityTag(rawValue: "e")))
    var extra = EntityRecord([
      "a": list(.int32(1), .complex(inner)), "value": list(.complex(EntityRecord())),
    ])
    // What has an entity tag is an entity, and so this is a link to some.
    extra.control.links = [NavigationLink("a")]
    #expect(
      record
        == EntityRecord([
          "Id": .int32(1), "Extra": .complex(extra),
          "L": list(list(), list(.complex(EntityRecord())), .string("x")), "Extra2": .int64(7),
          "value": list(.complex(EntityRecord(["A": .int32(1)]))),
        ]))
    let (records, _) = try readFeed(
      #"{"value":[{"C":{"PartitionKey":"no"},"A":1,"error":{"code":"x"}},{"A":2}],"x":[{}],"y":{}}"#)
    #expect(
      records == [
        EntityRecord([
          "C": .complex(EntityRecord(["PartitionKey": .string("no")])), "A": .int32(1),
          "error": .complex(EntityRecord(["code": .string("x")])),
        ]), EntityRecord(["A": .int32(2)]),
      ])
  }

  @Test("What the caller declares fills what the payload leaves open, and yields where the text does not fit")
  func declaredTypes() throws {
    let types: [String: EdmType] = ["Timestamp": .dateTime, "I": .int64, "G": .guid, "D": .double]
    let time = try #require(EdmDateTime("2013-05-30T20:57:14.07173Z"))
    let text = #"{"Timestamp":"2013-05-30T20:57:14.07173Z","I":"5","G":"no guid","D":4,"S":"5"}"#
    let expected = EntityRecord([
      "Timestamp": .dateTime(time), "I": .int64(5), "G": .string("no guid"), "D": .double(4),
      "S": .string("5"),
    ])
    for chunks in cuts(of: Array(text.utf8)) {
      #expect(try read(chunks, types: PayloadTypes(byName: types)).records == [expected])
    }
    // The payload's own word counts more.
    #expect(
      try read([Array(#"{"I@odata.type":"Edm.Int32","I":5}"#.utf8)], types: PayloadTypes(byName: types))
        .records
        == [EntityRecord(["I": .int32(5)])])
    #expect(
      try read([Array(#"{"I":"5","I@odata.type":"Edm.Double"}"#.utf8)], types: PayloadTypes(byName: types))
        .records
        == [EntityRecord(["I": .double(5)])])
  }

  @Test("Verbose JSON of OData 2")
  func verbose() throws {
    let (records, summary) = try readFeed(
      #"""
      {"d":{"results":[{"__metadata":{"id":"i","uri":"u","etag":"W/\"1\"","type":"N.T","properties":{"A":1}},
        "A":"7","At":"\/Date(1400000000123)\/","Off":"/Date(0+60)/","Nav":{"__deferred":{"uri":"x"}}}],
        "__count":"12","__next":"n"}}
      """#)
    let instant = try #require(EdmDateTime("2014-05-13T16:53:20.123Z"))
    let offset = try #require(EdmDateTimeOffset(.unixEpoch, offset: 60))
    var expected = EntityRecord(
      ["A": .string("7"), "At": .dateTime(instant), "Off": .dateTimeOffset(offset)],
      control: ControlInformation(
        id: "i", entityTag: EntityTag(rawValue: "W/\"1\""), editLink: "u", typeName: "N.T"))
    expected.control.links = [NavigationLink("Nav", navigationLink: "x")]
    #expect(records == [expected])
    #expect(summary == PayloadSummary(isFeed: true, count: 12, nextLink: "n"))
    #expect(try readEntity(#"{"d":{"__metadata":{"uri":"u"},"A":"7"}}"#)["A"] == .string("7"))
    #expect(try readFeed(#"{"d":[{"A":1},{"A":2}]}"#).records.count == 2)
    // In JSON light that text is a string like any other.
    #expect(
      try readEntity(#"{"odata.metadata":"m","d":{"A":1},"At":"/Date(1)/"}"#)
        == EntityRecord(["d": .complex(EntityRecord(["A": .int32(1)])), "At": .string("/Date(1)/")]))
  }

  @Test("A byte order mark and white space around everything are legal")
  func blanks() throws {
    #expect(
      try readEntity("\u{FEFF} \r\n{ \"A\" :\t1 , \"B\"\n: [ ] }\r\n ")
        == EntityRecord(["A": .int32(1), "B": .collection(EdmCollection())]))
    #expect(try readEntity(" {}") == EntityRecord())
    #expect(try readFeed("{\"value\" : [ ] }").records.isEmpty)
  }

  @Test("Only names, strings and numbers have a text: that of the token before may be gone")
  func texts() throws {
    var tokenizer = JSONTokenizer(limits: PayloadLimits())
    let bytes = Array(#"{"a":["b",{"c":1},true,null,false]}"#.utf8)
    var found: [String] = []
    try bytes.withUnsafeBufferPointer { bytes in
      while let token = try tokenizer.next(in: bytes, isFinal: true) {
        let text = String(decoding: tokenizer.text, as: UTF8.self)
        found.append(text)
        switch token {
        case .name, .string, .number: #expect(!text.isEmpty)
        case .beginObject, .endObject, .beginArray, .endArray, .boolean, .null: #expect(text.isEmpty)
        }
      }
    }
    #expect(found == ["", "a", "", "b", "", "c", "1", "", "", "", "", "", ""])
  }
}
