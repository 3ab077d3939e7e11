import Foundation
import ODataKit
import Testing

/// An entity with everything that is not a single value of Edm.
private struct Order: Codable, Equatable {
  enum Status: String, Codable, CaseIterable { case open = "Open", sent = "Sent" }
  enum Priority: Int16, Codable { case low = 1, high = 9 }

  struct Address: Codable, Equatable {
    var city: String
    var zip: String?
    var country: Country?
  }

  struct Country: Codable, Equatable { var code: String }

  struct Line: Codable, Equatable {
    var quantity: Int32
    var notes: [String]
  }

  struct Customer: Codable, Equatable {
    var id: Int
    var name: String
  }

  var id: Int
  var status: Status
  var priority: Priority
  var address: Address
  var billing: Address?
  var lines: [Line]
  var tags: [String]
  var marks: Set<Int32>
  var hashes: [[UInt8]]
  var prices: [String: Double]
  var customer: Customer?
  var related: [Customer]?

  static let sample = Order(
    id: 1, status: .sent, priority: .high,
    address: Address(city: "松山", zip: nil, country: Country(code: "JP")), billing: nil,
    lines: [Line(quantity: 2, notes: ["a", ""]), Line(quantity: 3, notes: [])], tags: ["x", "y"], marks: [7],
    hashes: [[0, 255]], prices: ["net": 9.5], customer: Customer(id: 5, name: "Kiyo"), related: nil)
}

private let upper = PropertyNaming.upperCamelCase

@Suite("Nested values between records and Swift types")
struct NestedValueTests {
  private func decode<T: Decodable>(_ type: T.Type = T.self, _ record: EntityRecord) throws -> T {
    try RecordDecoder(naming: upper).decode(type, from: record)
  }

  private func message<T: Decodable>(_ type: T.Type, _ record: EntityRecord) throws -> String {
    try #require(throws: ODataError.self) { _ = try decode(type, record) }.message
  }

  @Test("a nested type becomes a complex value, an array a collection, an enum its raw value")
  func encoding() throws {
    let record = try RecordEncoder(naming: upper, dialect: .v4).encode(Order.sample)
    let expected = EntityRecord([
      "Id": .int64(1), "Status": .string("Sent"), "Priority": .int16(9),
      "Address": .complex(
        EntityRecord(["City": .string("松山"), "Country": .complex(EntityRecord(["Code": .string("JP")]))])),
      "Lines": .collection(
        EdmCollection([
          .complex(
            EntityRecord([
              "Quantity": .int32(2),
              "Notes": .collection(EdmCollection(elementType: .string, [.string("a"), .string("")])),
            ])),
          .complex(EntityRecord(["Quantity": .int32(3), "Notes": .collection(EdmCollection())])),
        ])),
      "Tags": .collection(EdmCollection(elementType: .string, [.string("x"), .string("y")])),
      "Marks": .collection(EdmCollection(elementType: .int32, [.int32(7)])),
      "Hashes": .collection(EdmCollection(elementType: .binary, [.binary([0, 255])])),
      "Prices": .complex(EntityRecord(["Net": .double(9.5)])),
      "Customer": .complex(EntityRecord(["Id": .int64(5), "Name": .string("Kiyo")])),
    ])
    #expect(record == expected)
  }

  @Test("it survives the way there and back", arguments: [Dialect.v2, .v3, .v4])
  func roundTrip(dialect: Dialect) throws {
    let record = try RecordEncoder(naming: upper, dialect: dialect).encode(Order.sample)
    #expect(try decode(Order.self, record) == Order.sample)
  }

  @Test("records that are encoded one after the other share the shapes at every depth")
  func sharedShapes() throws {
    let encoder = RecordEncoder(naming: upper, dialect: .v4)
    func shapes(_ record: EntityRecord) throws -> [RecordShape] {
      guard case .complex(let address)? = record["Address"], case .complex(let country)? = address["Country"],
        case .collection(let lines)? = record["Lines"], case .complex(let first) = lines.elements[0],
        case .complex(let second) = lines.elements[1]
      else { throw ODataError(.invalidValue, "another shape") }
      return [record.shape, address.shape, country.shape, first.shape, second.shape]
    }
    let first = try shapes(encoder.encode(Order.sample))
    var other = Order.sample
    other.address.city = "東京"
    let second = try shapes(encoder.encode(other))
    for (a, b) in zip(first, second) { #expect(a === b) }
    #expect(first[3] === first[4])
  }

  @Test(
    "a related entity that did not come along is nil, and one that did is read with its control information")
  func relatedEntities() throws {
    struct Model: Codable {
      var customer: Order.Customer?
      var orders: [Order.Customer]?
      var raw: EntityRecord?
    }
    let empty = try decode(Model.self, EntityRecord())
    #expect(empty.customer == nil && empty.orders == nil && empty.raw == nil)
    let customer = EntityRecord(
      ["Id": .int32(5), "Name": .string("Kiyo")],
      control: ControlInformation(id: "http://a.test/Customers(5)", entityTag: EntityTag(rawValue: "W/\"1\""))
    )
    let record = EntityRecord([
      "Customer": .complex(customer), "Raw": .complex(customer),
      "Orders": .collection(EdmCollection([.complex(customer)], count: 20, nextLink: "next")),
    ])
    let model = try decode(Model.self, record)
    #expect(model.customer == Order.Customer(id: 5, name: "Kiyo"))
    #expect(model.orders?.count == 1)
    #expect(model.raw == customer)
  }

  @Test("members of enumerations are read by name and by number, and those of flags one by one")
  func enumerations() throws {
    enum Color: String, Codable, Hashable { case red = "Red", green = "Green" }
    struct Flags: OptionSet, Codable { var rawValue: Int }
    func member(_ text: String) -> EdmValue {
      .enumeration(EdmEnumeration(type: EdmType(rawValue: "Sample.Color"), member: text))
    }
    #expect(try PropertyBox<Color>.reading(member("Green")) == .green)
    #expect(try PropertyBox<Order.Priority>.reading(member("9")) == .high)
    #expect(try PropertyBox<Flags>.reading(member("3")).rawValue == 3)
    #expect(try PropertyBox<Set<Color>>.reading(member("Red, Green")) == [.red, .green])
    #expect(try PropertyBox<[Color]>.reading(member("Green,Red")) == [.green, .red])
    #expect(try PropertyBox<String>.reading(member("Red,Green")) == "Red,Green")
    #expect(try PropertyBox<EdmEnumeration>.reading(member("Red,Green")).members == ["Red", "Green"])
    #expect(try PropertyBox<EdmEnumeration>.reading(.string("Red")).member == "Red")
    #expect(
      try message(PropertyBox<Flags>.self, EntityRecord(["Value": member("Red")]))
        == "PropertyBox<Flags> cannot be read: the property 'Value' is a Sample.Color that Int cannot be read from."
    )
  }

  @Test("Edm's own types are members of a model as they are")
  func exact() throws {
    struct Model: Codable, Equatable {
      var color: EdmEnumeration
      var place: EdmSpatial
      var photo: EdmStream
      var list: EdmCollection
      var raw: EntityRecord
      var any: EdmValue
    }
    let model = Model(
      color: EdmEnumeration(type: EdmType(rawValue: "S.C"), member: "Red"),
      place: EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(-122.1 47.6)"),
      photo: EdmStream(readLink: "photo", contentType: "image/png"),
      list: EdmCollection(elementType: .int32, [.int32(1), .null]), raw: EntityRecord(["x": .boolean(true)]),
      any: .complex(EntityRecord(["y": .null])))
    for dialect in Dialect.allCases {
      let record = try RecordEncoder(naming: upper, dialect: dialect).encode(model)
      #expect(record["Photo"] == .stream(model.photo))
      #expect(record["Raw"] == .complex(model.raw))
      #expect(try decode(Model.self, record) == model)
    }
  }

  @Test("an entity without a type of its own is the record, control information and all")
  func records() throws {
    struct Wrapper: Codable, Equatable {
      var record: EntityRecord
      init(from decoder: any Decoder) throws {
        record = try decoder.singleValueContainer().decode(EntityRecord.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(record)
      }
    }
    let record = EntityRecord(["iD": .int32(1)], control: ControlInformation(id: "a", typeName: "S.T"))
    #expect(try decode(EntityRecord.self, record) == record)
    #expect(try RecordEncoder(naming: upper, dialect: .v3).encode(record) == record)
    let wrapper = try decode(Wrapper.self, record)
    #expect(wrapper.record == EntityRecord(["iD": .int32(1)]))
    #expect(try RecordEncoder(naming: upper, dialect: .v3).encode(wrapper) == wrapper.record)
  }

  @Test("types that write their containers by hand are nested too, in as many steps as they like")
  func byHand() throws {
    struct Manual: Codable, Equatable {
      var a = 1
      var b = 2
      var c = [3, 4]
      enum Key: CodingKey { case inner, list, rest }
      enum Inner: CodingKey { case a, b }
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let inner = try container.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        a = try inner.decode(Int.self, forKey: .a)
        b = try inner.decode(Int.self, forKey: .b)
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        c = []
        while !list.isAtEnd { c.append(try list.decode(Int.self)) }
        var rest = try container.nestedUnkeyedContainer(forKey: .rest)
        #expect(try rest.decodeNil())
        #expect(
          try rest.nestedContainer(keyedBy: Inner.self).decodeIfPresent(Int.self, forKey: .b) == nil)
        #expect(throws: DecodingError.self) { try rest.decode(Int.self) }
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var first = container.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        try first.encode(a, forKey: .a)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(c[0])
        var second = container.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        try second.encode(b, forKey: .b)
        try list.encode(c[1])
        var rest = container.nestedUnkeyedContainer(forKey: .rest)
        try rest.encodeNil()
        var element = rest.nestedContainer(keyedBy: Inner.self)
        try element.encode(a, forKey: .a)
      }
    }
    let encoder = RecordEncoder(dialect: .v4)
    for _ in 1...2 {
      let record = try encoder.encode(Manual())
      #expect(
        record
          == EntityRecord([
            "inner": .complex(EntityRecord(["a": .int64(1), "b": .int64(2)])),
            "list": .collection(EdmCollection(elementType: .int64, [.int64(3), .int64(4)])),
            "rest": .collection(EdmCollection([.null, .complex(EntityRecord(["a": .int64(1)]))])),
          ]))
      #expect(try RecordDecoder().decode(Manual.self, from: record) == Manual())
    }
  }

  @Test("errors name the whole path and both types, never the value")
  func paths() throws {
    var record = try RecordEncoder(naming: upper, dialect: .v4).encode(Order.sample)
    let whole = record
    record["Address"] = .complex(EntityRecord(["City": .int32(77)]))
    #expect(
      try message(Order.self, record)
        == "Order cannot be read: the property 'Address.City' is an Edm.Int32 that String cannot be read from."
    )
    record["Address"] = .complex(EntityRecord(["Zip": .null]))
    #expect(
      try message(Order.self, record)
        == "Order cannot be read: the property 'Address.City' is missing and not optional.")
    record = whole
    let line = EdmValue.complex(EntityRecord(["Quantity": .int32(1), "Notes": .collection(EdmCollection())]))
    let broken = EdmValue.complex(
      EntityRecord(["Quantity": .string("secret"), "Notes": .collection(EdmCollection())]))
    record["Lines"] = .collection(EdmCollection([line, line, line, broken]))
    #expect(
      try message(Order.self, record)
        == "Order cannot be read: the property 'Lines[3].Quantity' is an Edm.String that Int32 cannot be read from."
    )
    record["Lines"] = .collection(EdmCollection([line, .null]))
    #expect(
      try message(Order.self, record)
        == "Order cannot be read: the property 'Lines[1]' is null, but Line is not optional.")
    record["Lines"] = .complex(EntityRecord())
    #expect(
      try message(Order.self, record)
        == "Order cannot be read: the property 'Lines' is a complex value that Array<Line> cannot be read from."
    )
    #expect(
      try message(PropertyBox<String>.self, EntityRecord(["Value": .collection(EdmCollection())]))
        .hasSuffix("the property 'Value' is a collection that String cannot be read from."))

    struct Limit: Encodable {
      struct Line: Encodable { var amounts: [UInt64] }
      var lines = [Line(amounts: []), Line(amounts: [1, .max])]
    }
    let error = try #require(throws: ODataError.self) {
      try RecordEncoder(naming: upper, dialect: .v4).encode(Limit())
    }
    #expect(
      error.message
        == "Limit cannot be written: the property 'Lines[1].Amounts[1]' has a value outside of the range that OData 4 has for "
        + "UInt64.")
  }

  @Test("a collection of collections is refused both ways")
  func collectionsOfCollections() throws {
    let write = try #require(throws: ODataError.self) {
      try RecordEncoder(dialect: .v4).encode(PropertyBox(value: [[1], [2]]))
    }
    #expect(write.code == .unsupported)
    #expect(
      write.message
        == "PropertyBox<Array<Array<Int>>> cannot be written: the property 'value[0]' is a collection within a collection, "
        + "which OData does not have.")
    let inner = EdmValue.collection(EdmCollection([.int32(1)]))
    #expect(
      try message(PropertyBox<[[Int]]>.self, EntityRecord(["Value": .collection(EdmCollection([inner]))]))
        .hasSuffix("the property 'Value[0]' is a collection within a collection, which OData does not have."))
  }

  @Test("a type that holds itself is read as deep as the record goes")
  func recursion() throws {
    final class Node: Codable {
      var name: String
      var child: Node?
      var children: [Node]?
    }
    var value = EntityRecord(["Name": .string("leaf")])
    for _ in 1..<100 { value = EntityRecord(["Name": .string("n"), "Child": .complex(value)]) }
    var node = try decode(Node.self, value)
    var depth = 1
    while let child = node.child { (node, depth) = (child, depth + 1) }
    #expect(depth == 100 && node.name == "leaf" && node.children == nil)
  }

  @Test("a superclass's members stand beside those of its subclass in a nested value as well")
  func inheritance() throws {
    class Base: Codable { var id = 1 }
    final class Derived: Base {
      var name = "n"
      enum Key: CodingKey { case name }
      override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
      }
    }
    struct Holder: Encodable { var part = Derived() }
    #expect(
      try RecordEncoder(dialect: .v3).encode(Holder())
        == EntityRecord(["part": .complex(EntityRecord(["id": .int64(1), "name": .string("n")]))]))
  }
}
