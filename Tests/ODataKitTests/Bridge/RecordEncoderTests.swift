import Foundation
import ODataKit
import Testing

@Suite("Writing Swift types as records")
struct RecordEncoderTests {
  private func value(of value: some Codable, _ dialect: Dialect) throws -> EdmValue? {
    try RecordEncoder(dialect: dialect).encode(PropertyBox(value: value))["value"]
  }

  @Test("an entity becomes names and exact values in the order of its members")
  func entity() throws {
    let record = try RecordEncoder(naming: tableNaming, dialect: .azureTable).encode(ShelfBook.sample)
    #expect(
      record.shape.names == [
        "PartitionKey", "RowKey", "title", "author", "rate", "pages", "price", "published", "isbn", "kind",
        "cover",
      ])
    #expect(
      record.values == [
        .string("shelf-1"), .string("botchan"), .string("坊っちゃん"), .string("夏目漱石"), .int32(4), .int64(206),
        .double(9), .dateTime(try #require(EdmDateTime("1906-08-16T20:26:39.5Z"))),
        .guid(ShelfBook.sample.isbn),
        .string("novel"), .binary([1, 2]),
      ])
  }

  @Test("each Swift type becomes the one type a dialect has for it")
  func types() throws {
    let date = Date(timeIntervalSince1970: 1)
    let time = try #require(EdmDateTime(date))
    let offset = try #require(EdmDateTimeOffset(time))
    for dialect in Dialect.allCases {
      let isTable = dialect == .azureTable
      #expect(try value(of: 5, dialect) == .int64(5))
      #expect(try value(of: Int64(5), dialect) == .int64(5))
      #expect(try value(of: Int32(5), dialect) == .int32(5))
      #expect(try value(of: Int16(-5), dialect) == (isTable ? .int32(-5) : .int16(-5)))
      #expect(try value(of: Int8(-5), dialect) == (isTable ? .int32(-5) : .sbyte(-5)))
      #expect(try value(of: UInt8(200), dialect) == (isTable ? .int32(200) : .byte(200)))
      #expect(try value(of: UInt16.max, dialect) == .int32(65535))
      #expect(try value(of: UInt32.max, dialect) == .int64(4_294_967_295))
      #expect(try value(of: UInt64(5), dialect) == .int64(5))
      #expect(try value(of: UInt(5), dialect) == .int64(5))
      #expect(try value(of: Float(0.1), dialect) == (isTable ? .double(Double(Float(0.1))) : .single(0.1)))
      #expect(try value(of: 4.0, dialect) == .double(4))
      #expect(try value(of: true, dialect) == .boolean(true))
      #expect(try value(of: date, dialect) == (dialect == .v4 ? .dateTimeOffset(offset) : .dateTime(time)))
      #expect(try value(of: [UInt8]([1, 2]), dialect) == .binary([1, 2]))
      #expect(try value(of: Data([1, 2]), dialect) == .binary([1, 2]))
      #expect(
        try value(of: URL(string: "https://a.invalid/%20"), dialect) == .string("https://a.invalid/%20"))
      #expect(try value(of: EntityTag(rawValue: "W/\"1\""), dialect) == .string("W/\"1\""))
    }
    #expect(try value(of: Decimal(string: "1.50"), .v4) == .decimal(try #require(EdmDecimal("1.5"))))
    #expect(try value(of: Duration.milliseconds(1500), .v3) == .duration(EdmDuration(ticks: 15_000_000)))
  }

  @Test(
    "Edm's own values pass through unchanged, also what the dialect lacks",
    arguments: [
      EdmValue.null, .boolean(false), .byte(1), .sbyte(1), .int16(1), .int32(1), .int64(1), .single(1),
      .double(.nan),
      .string("e\u{301}"), .binary([]), .duration(EdmDuration(ticks: -1)),
    ])
  func exact(_ exact: EdmValue) throws {
    for dialect in Dialect.allCases {
      let record = try RecordEncoder(dialect: dialect).encode(PropertyBox(value: exact))
      #expect(record["value"] == exact)
      #expect(try RecordDecoder().decode(PropertyBox<EdmValue>.self, from: record).value == exact)
    }
  }

  @Test("a nil is left out, and a null where the type encodes it by itself")
  func nilAndNull() throws {
    struct Explicit: Encodable {
      var note: String?
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(note, forKey: .note)
        try container.encodeNil(forKey: .other)
      }
      enum Key: CodingKey { case note, other }
    }
    let encoder = RecordEncoder(dialect: .v4)
    var book = ShelfBook.sample
    book.note = "first edition"
    let before = try encoder.encode(book)
    book.note = nil
    let after = try encoder.encode(book)
    #expect(before["note"] == .string("first edition"))
    #expect(after["note"] == nil)
    #expect(before.shape.names.dropLast() == after.shape.names[...])
    #expect(try encoder.encode(Explicit(note: nil)) == EntityRecord(["note": .null, "other": .null]))
    #expect(try encoder.encode(Explicit(note: "x")) == EntityRecord(["note": .string("x"), "other": .null]))
  }

  @Test("entities with the same names share their shape; others do not disturb it")
  func shapes() throws {
    let encoder = RecordEncoder(dialect: .azureTable)
    let first = try encoder.encode(ShelfBook.sample)
    let second = try encoder.encode(ShelfBook.sample)
    #expect(first.shape === second.shape)
    #expect(try encoder.encode(PropertyBox(value: 1)) == EntityRecord(["value": .int64(1)]))
    #expect(try encoder.encode(ShelfBook.sample) == first)
    struct Prefix: Encodable { var partitionKey = "p", rowKey = "r" }
    #expect(
      try encoder.encode(Prefix()) == EntityRecord(["partitionKey": .string("p"), "rowKey": .string("r")]))
  }

  @Test("names that differ only in their normal form are two properties")
  func normalForms() throws {
    let properties = ["caf\u{E9}": EdmValue.int32(1)]
    let encoder = RecordEncoder(dialect: .v4)
    _ = try encoder.encode(properties)
    let record = try encoder.encode(["cafe\u{301}": EdmValue.int32(2)])
    #expect(record.shape.names[0].utf8.elementsEqual("cafe\u{301}".utf8))
    #expect(record["caf\u{E9}"] == nil)
  }

  @Test("a superclass's properties stand beside those of its subclass")
  func inheritance() throws {
    let record = try RecordEncoder(dialect: .v2).encode(Derived(id: 1, name: "x"))
    #expect(record == EntityRecord(["name": .string("x"), "id": .int64(1)]))
    let derived = try RecordDecoder().decode(Derived.self, from: record)
    #expect(derived.id == 1 && derived.name == "x")
  }

  private func message(_ value: some Encodable, _ dialect: Dialect) throws -> ODataError {
    try #require(throws: ODataError.self) {
      try RecordEncoder(naming: tableNaming, dialect: dialect).encode(value)
    }
  }

  @Test("what cannot be written is refused by the name of its property, and the value is not told")
  func refusals() throws {
    struct Counter: Codable { var rowKey: UInt64 }
    let counter = try message(Counter(rowKey: .max), .azureTable)
    #expect(counter.code == .invalidValue)
    #expect(
      counter.message
        == "Counter cannot be written: the property 'RowKey' has a value outside of the range that "
        + "Azure Table storage has for UInt64.")
    #expect(!"\(String(describing: counter.underlying))".contains("18446744073709551615"))

    let decimal = try message(PropertyBox(value: Decimal(1)), .azureTable)
    #expect(decimal.code == .unsupported)
    #expect(
      decimal.message
        == "PropertyBox<NSDecimal> cannot be written: the property 'value' is a NSDecimal, which Azure Table storage has no "
        + "type for."
        || decimal.message
          == "PropertyBox<Decimal> cannot be written: the property 'value' is a Decimal, which Azure Table storage has no "
          + "type for."
    )

    let nested = try message(PropertyBox(value: PropertyBox(value: 1)), .azureTable)
    #expect(nested.code == .unsupported)
    #expect(
      nested.message
        == "PropertyBox<PropertyBox<Int>> cannot be written: the property 'value' is a nested value; nested values are "
        + "not supported by Azure Table storage.")

    let empty = try message(PropertyBox(value: [String]()), .azureTable)
    #expect(
      empty.message
        == "PropertyBox<Array<String>> cannot be written: the property 'value' is a collection; collections are "
        + "not supported by Azure Table storage.")
    #expect(
      try message(PropertyBox(value: [String: Int]()), .azureTable).message.contains(
        "'value' is a nested value"))
    #expect(
      try message(PropertyBox(value: Date.distantFuture.addingTimeInterval(1e12)), .v4).code == .invalidValue)
    #expect(
      try message(5, .v4).message == "Int cannot be written: it is a single value, not an entity.")
    #expect(try message([ShelfBook.sample], .v4).message.contains("it is a collection"))
  }

  @Test("a type's own error is passed on")
  func ownErrors() {
    struct Refusal: Error {}
    struct Refusing: Encodable {
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    #expect(throws: Refusal.self) { try RecordEncoder(dialect: .v4).encode(Refusing()) }
  }
}

private class Base: Codable {
  var id: Int
  init(id: Int) { self.id = id }
}

private final class Derived: Base {
  var name: String
  init(id: Int, name: String) {
    self.name = name
    super.init(id: id)
  }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    name = try container.decode(String.self, forKey: .name)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try super.encode(to: container.superEncoder())
  }
  private enum Key: CodingKey { case name }
}
