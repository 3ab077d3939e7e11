import Testing

@testable import ODataKit

/// What is read from a service in JSON and goes back to it, in the format that the service speaks.
struct JSONWritingCases {
  private func written(_ record: EntityRecord, _ annotations: JSONAnnotations) throws -> String {
    var writer = JSONEntityWriter(annotations: annotations)
    try writer.requestEntity(record, writesNulls: true)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  @Test(
    "G04 · dates keep their 100 ns where the format has room for them, and are refused where not",
    arguments: [
      ("2014-09-02T21:09:14.8848547Z", nil), ("1601-01-01T00:00:00Z", "-11644473600000"),
      ("9999-12-31T23:59:59.9999999Z", nil), ("2024-05-06T07:08:09Z", "1714979289000"),
      ("2024-05-06T07:08:09.1Z", "1714979289100"), ("0001-01-01T00:00:00Z", "-62135596800000"),
      ("1969-12-31T23:59:59.999Z", "-1"), ("1969-12-31T23:59:59.9999999Z", nil),
    ] as [(String, String?)])
  func dates(_ text: String, _ milliseconds: String?) throws {
    let light = #"{"D@odata.type":"Edm.DateTime","D":"\#(text)","S":"x"}"#
    let record = try readEntity(light)
    #expect(try written(record, .odata3) == light)
    #expect(try written(record, .odata4) == ##"{"D@odata.type":"#DateTimeOffset","D":"\##(text)","S":"x"}"##)
    if let milliseconds {
      let verbose = #"{"D":"\/Date(\#(milliseconds))\/","S":"x"}"#
      #expect(try written(record, .verbose) == verbose)
      #expect(try readEntity(#"{"d":\#(verbose)}"#) == record)
    } else {
      let error = #expect(throws: ODataError.self) { _ = try written(record, .verbose) }
      #expect(error?.message.hasPrefix("Property 'D' is a time with fractions of a millisecond") == true)
    }
  }

  @Test(
    "G05 · an Int64 goes back as one, small or large, wherever its type stood",
    arguments: [
      #"{"A":"9333111000","A@odata.type":"Edm.Int64"}"#, #"{"A@odata.type":"Edm.Int64","A":"9333111000"}"#,
      #"{"B@odata.type":"Edm.Int64","A":"9333111000","B":"5","A@odata.type":"Edm.Int64"}"#,
    ])
  func largeNumbers(_ text: String) throws {
    let record = try readEntity(text)
    let (light, version4, verbose) =
      record.count == 1
      ? (
        #"{"A@odata.type":"Edm.Int64","A":"9333111000"}"#, ##"{"A@odata.type":"#Int64","A":9333111000}"##,
        #"{"A":"9333111000"}"#
      )
      : (
        #"{"A@odata.type":"Edm.Int64","A":"9333111000","B@odata.type":"Edm.Int64","B":"5"}"#,
        ##"{"A@odata.type":"#Int64","A":9333111000,"B@odata.type":"#Int64","B":5}"##,
        #"{"A":"9333111000","B":"5"}"#
      )
    #expect(try written(record, .odata3) == light)
    #expect(try written(record, .odata4) == version4)
    #expect(try written(record, .verbose) == verbose)
  }

  @Test("G06 · NaN and the infinities are strings in each format, and a text that spells one stays a text")
  func specials() throws {
    let table =
      #"{"D1@odata.type":"Edm.Double","D1":"NaN","D2@odata.type":"Edm.Double","D2":"Infinity","D3@odata.type":"Edm.Double","D3":"-Infinity","S":"NaN"}"#
    let record = try readEntity(table)
    #expect(try written(record, .odata3) == table)
    let version4 =
      ##"{"D1@odata.type":"#Double","D1":"NaN","D2@odata.type":"#Double","D2":"INF","D3@odata.type":"#Double","D3":"-INF","S":"NaN"}"##
    #expect(try written(record, .odata4) == version4)
    #expect(try readEntity(version4) == record)
    let verbose = #"{"D1":"NaN","D2":"INF","D3":"-INF","S":"NaN"}"#
    #expect(try written(record, .verbose) == verbose)
    let types = PayloadTypes(byName: ["D1": .double, "D2": .double, "D3": .double])
    #expect(try readEntity(#"{"d":\#(verbose)}"#, types: types) == record)
  }

  @Test("G09 · words that look like the system's are names, and nothing of the system's goes back")
  func names() throws {
    let text =
      #"{"ETag":"mine","etag":"other","default":1,"self":true,"Type":"t","id":"i","uri":"u","results":2}"#
    let record = try readEntity(
      #"{"odata.metadata":"http://h/$metadata#T/@Element","odata.type":"a.T","odata.id":"http://h/T(1)","odata.etag":"W/\"1\"","odata.editLink":"T(1)","#
        + text.dropFirst())
    #expect(record.control.entityTag == EntityTag(rawValue: "W/\"1\""))
    for annotations in JSONAnnotations.allCases { #expect(try written(record, annotations) == text) }
  }

  @Test(
    "G20 · characters that XML cannot carry go through JSON",
    arguments: ["ok\u{8}bad", "\u{0}", "\u{1F}", "\u{FFFE}", "\t\n\r\u{7F}\u{85}"], JSONAnnotations.allCases)
  func controlCharacters(_ text: String, _ annotations: JSONAnnotations) throws {
    let record = EntityRecord(["S": .string(text), "In": .complex(EntityRecord(["S": .string(text)]))])
    let body = try written(record, annotations)
    #expect(!body.utf8.contains { $0 < 0x20 })
    #expect(try readEntity(annotations == .verbose ? #"{"d":\#(body)}"# : body) == record)
  }

  @Test("G27 · what nobody declared goes back as it was read, and an open type takes it from a cold start")
  func openTypes() throws {
    let text = ##"{"Id":1,"Name":"n","Extra":{"a":[1,2]},"Extra2@odata.type":"#Int64","Extra2":7}"##
    let record = try readEntity(text.replacing(":7}", with: #":"7"}"#))
    // The reader saw Int32 in the array, and a collection says what its elements are.
    let expected = text.replacing(
      #"{"a":"#, with: ##"{"a@odata.type":"#Collection(Int32)","a":"##)
    #expect(try written(record, .odata4) == expected)
    #expect(try readEntity(expected)["Extra2"] == .int64(7))
    var options = JSONOptions(.odata4)
    options.types = PayloadTypes(byName: ["Id": .int64])
    var writer = JSONEntityWriter(options)
    try writer.requestEntity(EntityRecord(["Id": .int64(2), "Colour": .string("red"), "Size": .int64(3)]))
    #expect(
      String(decoding: writer.take(), as: UTF8.self)
        == ##"{"Id":2,"Colour":"red","Size@odata.type":"#Int64","Size":3}"##)
  }
}
