import Foundation
import ODataKit
import Testing

@Suite("Reading records into Swift types")
struct RecordDecoderTests {
  @Test("an entity survives the way there and back, in every dialect", arguments: Dialect.allCases)
  func roundTrip(_ dialect: Dialect) throws {
    let record = try RecordEncoder(naming: tableNaming, dialect: dialect).encode(ShelfBook.sample)
    #expect(try RecordDecoder(naming: tableNaming).decode(ShelfBook.self, from: record) == ShelfBook.sample)
  }

  @Test("the order of the properties does not matter, and unknown ones are left alone")
  func order() throws {
    let record = try RecordEncoder(dialect: .v3).encode(ShelfBook.sample)
    var reversed = EntityRecord(["Timestamp": .string("not asked for")])
    for (name, value) in record.properties.reversed() { reversed[name] = value }
    reversed["odata"] = .null
    #expect(try RecordDecoder().decode(ShelfBook.self, from: reversed) == ShelfBook.sample)
  }

  @Test("numbers become any type they fit")
  func numbers() throws {
    #expect(try PropertyBox<Int>.reading(.int32(5)) == 5)
    #expect(try PropertyBox<Int64>.reading(.byte(5)) == 5)
    #expect(try PropertyBox<Int32>.reading(.int64(-5)) == -5)
    #expect(try PropertyBox<Int16>.reading(.int32(5)) == 5)
    #expect(try PropertyBox<Int8>.reading(.int32(-128)) == -128)
    #expect(try PropertyBox<UInt8>.reading(.int32(255)) == 255)
    #expect(try PropertyBox<UInt16>.reading(.int32(5)) == 5)
    #expect(try PropertyBox<UInt32>.reading(.int64(4_294_967_295)) == .max)
    #expect(try PropertyBox<UInt64>.reading(.int64(.max)) == 9_223_372_036_854_775_807)
    #expect(try PropertyBox<UInt>.reading(.sbyte(5)) == 5)
    #expect(try PropertyBox<Double>.reading(.int32(5)) == 5)
    #expect(try PropertyBox<Double>.reading(.int64(1 << 53)) == 9_007_199_254_740_992)
    #expect(try PropertyBox<Double>.reading(.single(0.5)) == 0.5)
    #expect(try PropertyBox<Double>.reading(.decimal(try #require(EdmDecimal("12.50")))) == 12.5)
    #expect(try PropertyBox<Float>.reading(.double(Double(Float(0.1)))) == 0.1)
    #expect(try PropertyBox<Float>.reading(.double(0.1)) == 0.1)
    #expect(try PropertyBox<Float>.reading(.double(.nan)).isNaN)
    #expect(try PropertyBox<Decimal>.reading(.double(0.1)) == Decimal(string: "0.1"))
    #expect(try PropertyBox<Decimal>.reading(.int64(.min)) == Decimal(string: "-9223372036854775808"))
    #expect(try PropertyBox<EdmDecimal>.reading(.string("1.50")).description == "1.50")
  }

  @Test("what would lose something is refused")
  func losses() {
    let third = EdmDecimal("0.333333333333333333333333333333333333333333")
    let refused: [() throws -> Any] = [
      { try PropertyBox<Int32>.reading(.int64(2_147_483_648)) },
      { try PropertyBox<UInt>.reading(.int32(-1)) },
      { try PropertyBox<Int8>.reading(.int32(128)) },
      { try PropertyBox<Double>.reading(.int64((1 << 53) + 1)) },
      { try PropertyBox<Float>.reading(.double(0.123456789012345)) },
      { try PropertyBox<Int>.reading(.double(5)) },
      { try PropertyBox<Double>.reading(.decimal(#require(third))) },
      { try PropertyBox<Decimal>.reading(.decimal(#require(third))) },
      { try PropertyBox<String>.reading(.int32(5)) },
      { try PropertyBox<Bool>.reading(.int32(1)) }, { try PropertyBox<Int>.reading(.boolean(true)) },
      { try PropertyBox<Date>.reading(.date(#require(EdmDate("2024-01-01")))) },
    ]
    for (index, read) in refused.enumerated() {
      let error = #expect(throws: ODataError.self, "\(index)") { _ = try read() }
      #expect(error?.code == .typeMismatch)
    }
  }

  @Test("instants keep their ticks where the Swift type can")
  func instants() throws {
    let time = try #require(EdmDateTime("2014-09-02T21:09:14.8848547Z"))
    let offset = try #require(EdmDateTimeOffset("2014-09-02T23:09:14.8848547+02:00"))
    #expect(try PropertyBox<EdmDateTime>.reading(.dateTime(time)) == time)
    #expect(try PropertyBox<EdmDateTime>.reading(.dateTimeOffset(offset)) == time)
    #expect(try PropertyBox<EdmDateTimeOffset>.reading(.dateTimeOffset(offset)) == offset)
    #expect(try PropertyBox<EdmDateTimeOffset>.reading(.dateTime(time)) == EdmDateTimeOffset(time))
    #expect(try PropertyBox<Date>.reading(.dateTimeOffset(offset)) == time.date)
    #expect(try PropertyBox<Duration>.reading(.duration(EdmDuration(ticks: 5))) == .nanoseconds(500))
  }

  @Test("text is read as the Swift type, for payloads that leave out the types")
  func text() throws {
    #expect(try PropertyBox<Int64>.reading(.string("9333111000")) == 9_333_111_000)
    #expect(try PropertyBox<Bool>.reading(.string("true")))
    #expect(try PropertyBox<Double>.reading(.string("-INF")) == -.infinity)
    #expect(
      try PropertyBox<Date>.reading(.string("2001-01-01T00:00:00Z"))
        == Date(timeIntervalSinceReferenceDate: 0))
    #expect(try PropertyBox<UUID>.reading(.string(ShelfBook.sample.isbn.uuidString)) == ShelfBook.sample.isbn)
    #expect(try PropertyBox<Data>.reading(.string("AAGg_w")) == Data([0, 1, 0xA0, 0xFF]))
    #expect(try PropertyBox<EdmDuration>.reading(.string("PT1S")) == EdmDuration(ticks: 10_000_000))
    #expect(try PropertyBox<EdmDate>.reading(.string("2024-02-29")).description == "2024-02-29")
    #expect(try PropertyBox<EdmTimeOfDay>.reading(.string("11:22")).description == "11:22:00")
    #expect(try PropertyBox<URL>.reading(.string("https://a.invalid/b")).path() == "/b")
    #expect(throws: ODataError.self) { try PropertyBox<Int32>.reading(.string("2147483648")) }
    #expect(throws: ODataError.self) { try PropertyBox<Int32>.reading(.string("five")) }
  }

  @Test("null and missing become nil")
  func optionals() throws {
    struct Optionals: Codable {
      var text: String?
      var number: Int?
      var date: Date?
      var value: EdmValue?
    }
    let nulls = EntityRecord(["text": .null, "number": .null, "date": .null, "value": .null])
    for record in [EntityRecord(), nulls] {
      let read = try RecordDecoder().decode(Optionals.self, from: record)
      #expect(read.text == nil && read.number == nil && read.date == nil && read.value == nil)
    }
    #expect(try PropertyBox<EdmValue>.reading(.null) == .null)
    #expect(
      try PropertyBox<String??>.reading(.null) == .some(.none) || PropertyBox<String??>.reading(.null) == nil)
    let present = try RecordDecoder().decode(
      Optionals.self, from: EntityRecord(["text": .string(""), "number": .int32(0)]))
    #expect(present.text == "" && present.number == 0)
  }

  @Test("enums, wrappers, dictionaries and types that wrap the entity are read too")
  func customTypes() throws {
    enum Grade: Int32, Codable { case low = 10, high = 20 }
    struct Name: RawRepresentable, Codable { var rawValue: String }
    struct Wrapper: Decodable {
      var book: ShelfBook
      init(from decoder: any Decoder) throws {
        book = try decoder.singleValueContainer().decode(ShelfBook.self)
      }
    }
    #expect(try PropertyBox<Grade>.reading(.int32(20)) == .high)
    #expect(try PropertyBox<Grade>.reading(.int64(10)) == .low)
    #expect(try PropertyBox<Name>.reading(.string("e\u{301}")).rawValue.utf8.count == 3)
    let record = try RecordEncoder(dialect: .v4).encode(ShelfBook.sample)
    #expect(try RecordDecoder().decode(Wrapper.self, from: record).book == ShelfBook.sample)
    let naming = PropertyNaming.upperCamelCase
    let properties = try RecordDecoder(naming: naming)
      .decode([String: EdmValue].self, from: EntityRecord(["Title": .string("x"), "ID": .int32(1)]))
    #expect(properties == ["title": .string("x"), "iD": .int32(1)])
  }

  @Test("names compare by code units")
  func normalForms() throws {
    struct Cafe: Decodable {
      var composed: Int
      var decomposed: Int
      enum CodingKeys: String, CodingKey { case composed = "caf\u{E9}", decomposed = "cafe\u{301}" }
    }
    let record = EntityRecord(["cafe\u{301}": .int32(2), "caf\u{E9}": .int32(1)])
    let cafe = try RecordDecoder().decode(Cafe.self, from: record)
    #expect(cafe.composed == 1 && cafe.decomposed == 2)
  }

  private func message<T: Decodable>(_ type: T.Type, _ record: EntityRecord) throws -> String {
    try #require(throws: ODataError.self) {
      try RecordDecoder(naming: tableNaming).decode(type, from: record)
    }
    .message
  }

  @Test("errors name the property on the wire and the types, never the value")
  func errors() throws {
    var record = try RecordEncoder(naming: tableNaming, dialect: .v3).encode(ShelfBook.sample)
    record["RowKey"] = nil
    #expect(
      try message(ShelfBook.self, record)
        == "ShelfBook cannot be read: the property 'RowKey' is missing and not optional.")
    record["RowKey"] = .null
    #expect(
      try message(ShelfBook.self, record)
        == "ShelfBook cannot be read: the property 'RowKey' is null, but String is not optional.")
    record["RowKey"] = .string("r")
    record["rate"] = .string("secret")
    #expect(
      try message(ShelfBook.self, record)
        == "ShelfBook cannot be read: the property 'rate' is an Edm.String that Int32 cannot be read from.")
    record["rate"] = .int64(4_000_000_000)
    #expect(
      try message(ShelfBook.self, record)
        == "ShelfBook cannot be read: the property 'rate' is an Edm.Int64 that Int32 cannot hold without loss."
    )
    record["rate"] = .int32(4)
    record["kind"] = .string("secret")
    #expect(
      try message(ShelfBook.self, record)
        == "ShelfBook cannot be read: the property 'kind' has a value that its type refuses.")
    #expect(
      try message(PropertyBox<[Int]>.self, EntityRecord(["value": .int32(1)]))
        == "PropertyBox<Array<Int>> cannot be read: the property 'value' is an Edm.Int32 that Array<Int> cannot be read "
        + "from.")
    #expect(
      try message(PropertyBox<PropertyBox<Int>>.self, EntityRecord(["value": .int32(1)]))
        == "PropertyBox<PropertyBox<Int>> cannot be read: the property 'value' is an Edm.Int32 that PropertyBox<Int> "
        + "cannot be read from.")
    #expect(
      try message(PropertyBox<PropertyBox<Int>>.self, EntityRecord(["value": .null]))
        == "PropertyBox<PropertyBox<Int>> cannot be read: the property 'value' is null, but PropertyBox<Int> is not "
        + "optional.")
    #expect(try message(Int.self, record) == "Int cannot be read: it is an entity, not a single value.")
  }

  @Test("a type can catch the errors of its coding code, and its own error is passed on")
  func ownErrors() throws {
    struct Lenient: Decodable {
      var rate: Int
      enum CodingKeys: CodingKey { case rate }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        do {
          rate = try container.decode(Int.self, forKey: .rate)
        } catch DecodingError.keyNotFound {
          rate = -1
        } catch DecodingError.typeMismatch {
          rate = -2
        }
      }
    }
    struct Refusal: Error {}
    struct Refusing: Decodable {
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    #expect(try RecordDecoder().decode(Lenient.self, from: EntityRecord()).rate == -1)
    #expect(try RecordDecoder().decode(Lenient.self, from: EntityRecord(["rate": .boolean(true)])).rate == -2)
    #expect(throws: Refusal.self) { try RecordDecoder().decode(Refusing.self, from: EntityRecord()) }
  }
}
