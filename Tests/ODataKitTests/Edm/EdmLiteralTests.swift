import Foundation
import ODataKit
import Testing

/// One value in all its spellings; `nil` where the dialect refuses it.
struct Spelling: Sendable, CustomTestStringConvertible {
  var value: EdmValue
  var v2: String?
  var v4: String?
  var azure: String?
  var text: String
  /// The type the text is read as, where it is not the value's own.
  var type: EdmType?

  init(
    _ value: EdmValue, v2: String?, v4: String?, azure: String?, text: String, type: EdmType? = nil
  ) {
    self.value = value
    self.v2 = v2
    self.v4 = v4
    self.azure = azure
    self.text = text
    self.type = type
  }

  var testDescription: String { text.isEmpty ? "\(value)" : text }
}

private let spellings: [Spelling] = [
  Spelling(.boolean(true), v2: "true", v4: "true", azure: "true", text: "true"),
  Spelling(.boolean(false), v2: "false", v4: "false", azure: "false", text: "false"),
  Spelling(.byte(255), v2: "255", v4: "255", azure: "255", text: "255"),
  Spelling(.sbyte(-128), v2: "-128", v4: "-128", azure: "-128", text: "-128"),
  Spelling(.int16(-32768), v2: "-32768", v4: "-32768", azure: "-32768", text: "-32768"),
  Spelling(.int32(.min), v2: "-2147483648", v4: "-2147483648", azure: "-2147483648", text: "-2147483648"),
  Spelling(.int32(0), v2: "0", v4: "0", azure: "0", text: "0"),
  Spelling(.int64(5), v2: "5L", v4: "5", azure: "5L", text: "5"),
  Spelling(
    .int64(.max), v2: "9223372036854775807L", v4: "9223372036854775807", azure: "9223372036854775807L",
    text: "9223372036854775807"),
  Spelling(
    .int64(.min), v2: "-9223372036854775808L", v4: "-9223372036854775808", azure: "-9223372036854775808L",
    text: "-9223372036854775808"),
  Spelling(.single(2.5), v2: "2.5f", v4: "2.5", azure: "2.5", text: "2.5"),
  Spelling(.single(0.1), v2: "0.1f", v4: "0.1", azure: "0.10000000149011612", text: "0.1"),
  Spelling(.single(.nan), v2: "NaNf", v4: "NaN", azure: "NaN", text: "NaN"),
  Spelling(.double(5), v2: "5.0", v4: "5.0", azure: "5.0", text: "5.0"),
  Spelling(.double(-0.5), v2: "-0.5", v4: "-0.5", azure: "-0.5", text: "-0.5"),
  Spelling(.double(0.1), v2: "0.1", v4: "0.1", azure: "0.1", text: "0.1"),
  Spelling(.double(1e20), v2: "1.0E20", v4: "1.0E20", azure: "1.0E20", text: "1.0E20"),
  Spelling(.double(1.5e-7), v2: "1.5E-7", v4: "1.5E-7", azure: "1.5E-7", text: "1.5E-7"),
  Spelling(
    .double(.leastNonzeroMagnitude), v2: "5.0E-324", v4: "5.0E-324", azure: "5.0E-324", text: "5.0E-324"),
  Spelling(
    .double(.greatestFiniteMagnitude), v2: "1.7976931348623157E308", v4: "1.7976931348623157E308",
    azure: "1.7976931348623157E308", text: "1.7976931348623157E308"),
  Spelling(.double(.nan), v2: "NaN", v4: "NaN", azure: "NaN", text: "NaN"),
  Spelling(.double(.infinity), v2: "INF", v4: "INF", azure: "INF", text: "INF"),
  Spelling(.double(-.infinity), v2: "-INF", v4: "-INF", azure: "-INF", text: "-INF"),
  Spelling(.decimal(parsed("1.50")), v2: "1.50M", v4: "1.50", azure: nil, text: "1.50"),
  Spelling(
    .decimal(parsed("-79228162514264337593543950335.0001")), v2: "-79228162514264337593543950335.0001M",
    v4: "-79228162514264337593543950335.0001", azure: nil, text: "-79228162514264337593543950335.0001"),
  Spelling(.string("o'clock"), v2: "'o''clock'", v4: "'o''clock'", azure: "'o''clock'", text: "o'clock"),
  Spelling(.string("''"), v2: "''''''", v4: "''''''", azure: "''''''", text: "''"),
  Spelling(.string(""), v2: "''", v4: "''", azure: "''", text: ""),
  Spelling(
    .string(" a&b \r\n"), v2: "' a&b \r\n'", v4: "' a&b \r\n'", azure: "' a&b \r\n'", text: " a&b \r\n"),
  Spelling(.string("坊っちゃん 🦊"), v2: "'坊っちゃん 🦊'", v4: "'坊っちゃん 🦊'", azure: "'坊っちゃん 🦊'", text: "坊っちゃん 🦊"),
  Spelling(.string("e\u{301}"), v2: "'e\u{301}'", v4: "'e\u{301}'", azure: "'e\u{301}'", text: "e\u{301}"),
  Spelling(
    .binary([0x00, 0x01, 0xA0, 0xFF]), v2: "X'0001A0FF'", v4: "binary'AAGg_w'", azure: "X'0001A0FF'",
    text: "AAGg/w=="),
  Spelling(.binary([]), v2: "X''", v4: "binary''", azure: "X''", text: ""),
  Spelling(
    .guid(UUID(uuidString: "DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833")!),
    v2: "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'", v4: "debc44d5-04a9-42ea-ab2f-4e2cb49ff833",
    azure: "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'", text: "debc44d5-04a9-42ea-ab2f-4e2cb49ff833"),
  Spelling(
    .dateTime(parsed("2014-09-02T21:09:14.8848547Z")), v2: "datetime'2014-09-02T21:09:14.8848547'",
    v4: "2014-09-02T21:09:14.8848547Z", azure: "datetime'2014-09-02T21:09:14.8848547Z'",
    text: "2014-09-02T21:09:14.8848547Z"),
  Spelling(
    .dateTime(parsed("2012-11-10T03:04:05.200Z")), v2: "datetime'2012-11-10T03:04:05.2'",
    v4: "2012-11-10T03:04:05.2Z",
    azure: "datetime'2012-11-10T03:04:05.2Z'", text: "2012-11-10T03:04:05.2Z"),
  Spelling(
    .dateTime(parsed("1601-01-01T00:00:00Z")), v2: "datetime'1601-01-01T00:00:00'",
    v4: "1601-01-01T00:00:00Z",
    azure: "datetime'1601-01-01T00:00:00Z'", text: "1601-01-01T00:00:00Z"),
  Spelling(
    .dateTimeOffset(parsed("2012-09-03T14:53:00+02:00")), v2: "datetimeoffset'2012-09-03T14:53:00+02:00'",
    v4: "2012-09-03T14:53:00+02:00", azure: nil, text: "2012-09-03T14:53:00+02:00"),
  Spelling(
    .dateTimeOffset(parsed("2012-09-03T14:53:00.0000001-09:30")),
    v2: "datetimeoffset'2012-09-03T14:53:00.0000001-09:30'",
    v4: "2012-09-03T14:53:00.0000001-09:30", azure: nil, text: "2012-09-03T14:53:00.0000001-09:30"),
  Spelling(
    .dateTimeOffset(parsed("2012-09-03T14:53Z")), v2: "datetimeoffset'2012-09-03T14:53:00Z'",
    v4: "2012-09-03T14:53:00Z",
    azure: nil, text: "2012-09-03T14:53:00Z"),
  Spelling(
    .duration(parsed("-P6DT23H59M59.9999S")), v2: "time'-P6DT23H59M59.9999S'",
    v4: "duration'-P6DT23H59M59.9999S'",
    azure: nil, text: "-P6DT23H59M59.9999S"),
  Spelling(
    .duration(parsed("PT0S")), v2: "time'PT0S'", v4: "duration'PT0S'", azure: nil, text: "PT0S", type: .time),
  Spelling(.date(parsed("2012-09-03")), v2: nil, v4: "2012-09-03", azure: nil, text: "2012-09-03"),
  Spelling(
    .timeOfDay(parsed("11:22:33.4444444")), v2: nil, v4: "11:22:33.4444444", azure: nil,
    text: "11:22:33.4444444"),
]

@Suite("Edm values and their spellings")
struct EdmLiteralTests {
  @Test("literals fit the protocol version, and the text reads back as the same value", arguments: spellings)
  func spelling(_ spelling: Spelling) throws {
    for dialect in Dialect.allCases {
      let expected =
        switch dialect {
        case .v2, .v3: spelling.v2
        case .v4: spelling.v4
        case .azureTable: spelling.azure
        }
      if let expected {
        let literal = try spelling.value.literal(for: dialect)
        #expect(literal.utf8.elementsEqual(expected.utf8), "\(dialect): \(literal)")
      } else {
        let error = #expect(throws: ODataError.self) { try spelling.value.literal(for: dialect) }
        #expect(error?.code == .unsupported)
        #expect(try #require(error?.message).contains(try #require(spelling.value.type).rawValue))
      }
    }
    var bytes: [UInt8] = []
    spelling.value.appendLexical(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(spelling.text.utf8))
    let type = try #require(spelling.type ?? spelling.value.type)
    #expect(try EdmValue(lexical: spelling.text, type) == spelling.value)
  }

  @Test("null is a literal everywhere but in Azure tables, and has no text")
  func null() throws {
    #expect(try EdmValue.null.literal(for: .v2) == "null")
    #expect(try EdmValue.null.literal(for: .v3) == "null")
    #expect(try EdmValue.null.literal(for: .v4) == "null")
    #expect(throws: ODataError.self) { try EdmValue.null.literal(for: .azureTable) }
    var bytes: [UInt8] = []
    EdmValue.null.appendLexical(to: &bytes)
    #expect(bytes.isEmpty)
  }

  @Test(
    "reading is tolerant where services differ",
    arguments: [
      ("1", .boolean, .boolean(true)), ("0", .boolean, .boolean(false)), ("True", .boolean, .boolean(true)),
      ("FALSE", .boolean, .boolean(false)), (" true\n", .boolean, .boolean(true)),
      ("+5", .int32, .int32(5)), (" 007 ", .int16, .int16(7)), ("-0", .int64, .int64(0)),
      ("Infinity", .double, .double(.infinity)), ("-Infinity", .double, .double(-.infinity)),
      ("+INF", .single, .single(.infinity)), ("4", .double, .double(4)), ("5.", .double, .double(5)),
      (".5", .double, .double(0.5)), ("1e+16", .double, .double(1e16)), ("1E-05", .double, .double(0.00001)),
      ("0.30000000000000004", .double, .double(0.1 + 0.2)), ("1e-999", .double, .double(0)),
      ("9007199254740993", .double, .double(9007199254740992)),
      ("0.000000000000000000000000000000000000001", .double, .double(1e-39)),
      ("AAGg_w", .binary, .binary([0, 1, 0xA0, 0xFF])),
      ("AAGg\r\n  /w= =", .binary, .binary([0, 1, 0xA0, 0xFF])),
      ("Zm8", .binary, .binary([0x66, 0x6F])),
      (
        "DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833", .guid,
        .guid(UUID(uuidString: "DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833")!)
      ),
      ("2024-05-06T07:08:09", .dateTime, .dateTime(parsed("2024-05-06T07:08:09Z"))),
      ("2024-05-06T07:08", .dateTime, .dateTime(parsed("2024-05-06T07:08:00Z"))),
      ("2024-05-06T07:08:09.1Z", .dateTime, .dateTime(parsed("2024-05-06T07:08:09.1000000Z"))),
      ("2024-05-06T07:08:09.123456789Z", .dateTime, .dateTime(parsed("2024-05-06T07:08:09.1234567Z"))),
      ("2024-05-06T07:08:09.99999999Z", .dateTime, .dateTime(parsed("2024-05-06T07:08:09.9999999Z"))),
      ("2024-05-06t07:08:09z", .dateTime, .dateTime(parsed("2024-05-06T07:08:09Z"))),
      ("2024-05-06T01:08:09+02:00", .dateTime, .dateTime(parsed("2024-05-05T23:08:09Z"))),
      ("1972-06-30T23:59:60Z", .dateTimeOffset, .dateTimeOffset(parsed("1972-07-01T00:00:00Z"))),
      ("2012-09-03T13:52", .dateTimeOffset, .dateTimeOffset(parsed("2012-09-03T13:52:00Z"))),
      ("P0Y0M1DT2H", .duration, .duration(parsed("P1DT2H"))), ("PT90M", .time, .duration(parsed("PT1H30M"))),
      ("11:22", .timeOfDay, .timeOfDay(parsed("11:22:00"))),
      ("1.5E3", .decimal, .decimal(parsed("1500"))), ("+.5", .decimal, .decimal(parsed("0.5"))),
    ] as [(String, EdmType, EdmValue)])
  func tolerance(text: String, type: EdmType, value: EdmValue) throws {
    #expect(try EdmValue(lexical: text, type) == value)
  }

  @Test(
    "what is no value of a type is refused, and the error names the type but not the value",
    arguments: [
      ("", .boolean), ("yes", .boolean), ("tru", .boolean), ("", .int32), ("-", .int32), ("4.0", .int32),
      ("4 4", .int64), ("٤", .int32), ("1e3", .int32), ("0x10", .int32), ("", .double), (".", .double),
      ("0x1p3", .double), ("1,5", .double), ("nan", .double), ("infinite", .double), ("1e", .double),
      ("1e5.5", .double), ("--1", .double), ("A", .binary), ("A===", .binary), ("AA=", .binary),
      ("AA==A", .binary),
      ("A*==", .binary), ("debc44d5-04a9-42ea-ab2f-4e2cb49ff83", .guid),
      ("debc44d504a9042ea0ab2f04e2cb49ff8330", .guid), ("gebc44d5-04a9-42ea-ab2f-4e2cb49ff833", .guid),
      ("2023-02-29T00:00:00Z", .dateTime), ("1900-02-29", .date), ("2024-13-01T00:00:00Z", .dateTime),
      ("0000-01-01T00:00:00Z", .dateTime), ("2024-05-06T24:00:00Z", .dateTime), ("2024-05-06", .dateTime),
      ("2024-05-06T07:08:09.Z", .dateTime), ("2024-05-06T07:08:09Z ", .date),
      ("10000-01-01T00:00:00Z", .dateTime),
      ("0001-01-01T00:00:00+01:00", .dateTime), ("9999-12-31T23:59:59-01:00", .dateTime),
      ("2024-05-06T07:08:09+0200", .dateTimeOffset), ("24:00:00", .timeOfDay), ("11:22:60", .timeOfDay),
      ("P", .duration), ("PT", .duration), ("P1DT", .duration), ("P1Y", .duration), ("P1M", .duration),
      ("P1W", .duration), ("PT1S1M", .duration), ("P1H", .duration), ("PT1.5M", .duration),
      ("+PT1S", .duration),
      ("1.2.3", .decimal), ("1E", .decimal), ("1E9999", .decimal), ("NaN", .decimal), ("-", .decimal),
    ] as [(String, EdmType)])
  func refusal(text: String, type: EdmType) throws {
    let error = #expect(throws: ODataError.self) { try EdmValue(lexical: text, type) }
    #expect(error?.message == "A value is not a valid \(type).")
  }

  @Test(
    "a number beyond its type is told apart from one that is none",
    arguments: [
      ("256", .byte), ("-1", .byte), ("128", .sbyte), ("32768", .int16), ("2147483648", .int32),
      ("9223372036854775808", .int64), ("-9223372036854775809", .int64),
      ("99999999999999999999999999", .int64),
      ("1e309", .double), ("-1e999999999999", .double), ("1e39", .single),
    ] as [(String, EdmType)])
  func range(text: String, type: EdmType) throws {
    let error = #expect(throws: ODataError.self) { try EdmValue(lexical: text, type) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message == "A value is outside of the range of \(type).")
  }

  @Test("a type that is not primitive is named")
  func unknownType() throws {
    let error = #expect(throws: ODataError.self) {
      try EdmValue(lexical: "POINT(1 2)", EdmType(rawValue: "Edm.GeographyPoint"))
    }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message
        == "Values of the type Edm.GeographyPoint cannot be read; only the primitive types of Edm can.")
    #expect(throws: ODataError.self) { try EdmValue(lexical: "1", EdmType(rawValue: "edm.int32")) }
    #expect(throws: ODataError.self) { try EdmValue(lexical: "1", EdmType(rawValue: "")) }
  }

  @Test("every primitive type is found by its name", arguments: EdmPrimitive.allCases)
  func primitive(_ primitive: EdmPrimitive) {
    #expect(EdmPrimitive(primitive.type) == primitive)
    #expect(EdmPrimitive(EdmType(rawValue: primitive.type.rawValue + " ")) == nil)
  }

  @Test("a string that is no UTF-8 is refused rather than repaired")
  func invalidText() throws {
    let bytes: [UInt8] = [0x61, 0xC3, 0x28]
    #expect(throws: ODataError.self) {
      try bytes.withUnsafeBufferPointer { try EdmValue(lexical: $0, type: .string) }
    }
  }
}

extension EdmValue {
  /// Reads a text as a type.
  init(lexical text: String, _ type: EdmType) throws {
    self = try Array(text.utf8).withUnsafeBufferPointer { try EdmValue(lexical: $0, type: type) }
  }
}

/// Test values are written as text; a typing error shows as a failed test, not as a crash.
private func parsed<Value: LosslessStringConvertible>(_ text: String) -> Value {
  guard let value = Value(text) else { preconditionFailure("\(text) is no \(Value.self).") }
  return value
}
