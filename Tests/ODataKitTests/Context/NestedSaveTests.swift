import Foundation
import ODataTestSupport
import Testing

@testable import ODataKit

/// An entity with a complex property, a collection, a related entity and a stream. The service has more than it declares.
private struct House: Codable {
  struct Address: Codable {
    var city: String
    var zip: String?

    enum CodingKeys: String, CodingKey { case city = "City", zip = "Zip" }
  }

  struct Owner: Codable {
    var id: Int32
    enum CodingKeys: String, CodingKey { case id = "ID" }
  }

  var id: Int32
  var name: String?
  var built: Date?
  var home: Address?
  var tags: [String]?
  var rooms: [Address]?
  var owner: Owner?
  var photo: EdmStream?

  enum CodingKeys: String, CodingKey {
    case id = "ID", name = "Name", built = "Built", home = "Address", tags = "Tags", rooms = "Rooms"
    case owner = "Owner", photo = "Photo"
  }
}

private func complex(_ properties: KeyValuePairs<String, EdmValue>, type: String? = nil) -> EdmValue {
  .complex(EntityRecord(properties, control: ControlInformation(typeName: type)))
}

private let exactTime = EdmValue.dateTimeOffset(EdmDateTimeOffset("2014-09-02T21:09:14.8848547Z")!)

private func address(_ city: String, zip: EdmValue = .string("790"), floor: Int16 = 2) -> EdmValue {
  complex(["City": .string(city), "Zip": zip, "Floor": .int16(floor)], type: "Sample.Address")
}

/// What a service answers: with members that the model lacks at every depth, and a date of more digits than a `Date` has.
private let stored = EntityRecord(
  [
    "ID": .int32(1), "Name": .string("n"), "Built": exactTime, "Address": address("松山"),
    "Tags": .collection(EdmCollection(elementType: .string, [.string("a")])),
    "Rooms": .collection(
      EdmCollection(elementType: EdmType(rawValue: "Sample.Address"), [address("x"), address("y", floor: 3)])),
    "Owner": complex(["ID": .int32(5), "Secret": .string("s")]),
    "Photo": .stream(EdmStream(readLink: "photo")),
    "Extra": complex(["a": .collection(EdmCollection([.int32(1), .int32(2)]))]),
  ], control: ControlInformation(id: "http://a.test/Houses(1)", entityTag: EntityTag(rawValue: "W/\"1\"")))

@Suite("Saving entities with nested values")
struct NestedSaveTests {
  private func tracked(
    _ dialect: Dialect, _ record: EntityRecord = stored, expanded: [String] = ["Owner"]
  ) throws -> (ObjectContext, Tracked<House>) {
    let service = try ODataService(
      root: "http://a.test", dialect: dialect, transport: ScriptedTransport())
    let context = ObjectContext(service)
    let houses = try context.entitySet("Houses", of: House.self, key: \.id)
    let house = try context.materialize(
      record, in: houses, isComplete: true, merge: .appendOnly, expanded: expanded)
    return (context, house)
  }

  private func change(
    _ house: Tracked<House>, _ context: ObjectContext, _ options: SaveOptions = []
  ) throws -> ChangeOperation {
    let pending = try #require(house.pendingChange(options, context.service.conventions))
    if let refusal = pending.refusal { throw refusal }
    return pending.operation
  }

  @Test(
    "nothing was changed, so nothing is sent, whatever the model cannot hold",
    arguments: [Dialect.v2, .v3, .v4])
  func unchanged(dialect: Dialect) throws {
    let (context, house) = try tracked(dialect)
    house.name = "n"
    #expect(house.pendingChange([], context.service.conventions) == nil)
  }

  @Test("OData 4 merges into a complex value, so only the members that differ are sent")
  func memberWise() throws {
    let (context, house) = try tracked(.v4)
    house.home?.city = "東京"
    house.home?.zip = nil
    #expect(
      try change(house, context).record
        == EntityRecord(["Address": complex(["City": .string("東京"), "Zip": .null], type: "Sample.Address")]))
  }

  @Test(
    "services of OData 1 to 3 get the whole value with what the model does not declare",
    arguments: [Dialect.v2, .v3])
  func whole(dialect: Dialect) throws {
    let (context, house) = try tracked(dialect)
    house.home?.city = "東京"
    house.home?.zip = nil
    let operation = try change(house, context)
    #expect(operation.kind == .merge)
    #expect(operation.record == EntityRecord(["Address": address("東京", zip: .null)]))
  }

  @Test("a complex value that is cleared is sent as null, one that comes is sent whole")
  func wholes() throws {
    let (context, house) = try tracked(.v4)
    house.home = nil
    #expect(try change(house, context).record == EntityRecord(["Address": .null]))
    house.home = House.Address(city: "c", zip: nil)
    #expect(
      try change(house, context).record
        == EntityRecord(["Address": complex(["City": .string("c"), "Zip": .null], type: "Sample.Address")]))
    let (other, homeless) = try tracked(.v4, EntityRecord(["ID": .int32(1)]))
    homeless.home = House.Address(city: "c", zip: "1")
    #expect(
      try change(homeless, other).record
        == EntityRecord(["Address": complex(["City": .string("c"), "Zip": .string("1")])]))
  }

  @Test("a collection is sent whole, and its elements keep what the model does not declare")
  func collections() throws {
    let (context, house) = try tracked(.v4)
    house.tags?.append("b")
    house.rooms?.remove(at: 0)
    house.rooms?.append(House.Address(city: "new", zip: nil))
    #expect(
      try change(house, context).record
        == EntityRecord([
          "Tags": .collection(EdmCollection(elementType: .string, [.string("a"), .string("b")])),
          "Rooms": .collection(
            EdmCollection(
              elementType: EdmType(rawValue: "Sample.Address"),
              [address("y", floor: 3), complex(["City": .string("new")], type: "Sample.Address")])),
        ]))
  }

  @Test("related entities and streams are never sent, changed or not", arguments: [Dialect.v2, .v3, .v4])
  func foreign(dialect: Dialect) throws {
    let (context, house) = try tracked(dialect)
    house.owner?.id = 6
    house.photo = EdmStream(readLink: "other")
    #expect(house.pendingChange([], context.service.conventions) == nil)
    house.name = "m"
    #expect(try change(house, context).record.shape.names == ["Name"])
    house.owner = nil
    #expect(try change(house, context).record.shape.names == ["Name"])
    try context.update(house)
    let everything = try change(house, context).record.shape.names
    #expect(!everything.contains("Owner") && !everything.contains("Photo"))
    let replacement = try change(house, context, .replaceOnUpdate).record
    #expect(replacement["Owner"] == nil && replacement["Photo"] == nil)
  }

  @Test(
    "G27 · what nobody declared is untouched by a merge and goes along in a replace as it was read",
    arguments: [Dialect.v2, .v3, .v4])
  func undeclared(dialect: Dialect) throws {
    let (context, house) = try tracked(dialect)
    house.name = "m"
    #expect(try change(house, context).record == EntityRecord(["Name": .string("m")]))
    house.home?.city = "東京"
    let replacement = try change(house, context, .replaceOnUpdate)
    #expect(replacement.kind == .replace)
    var expected = stored
    expected["Name"] = .string("m")
    expected["Address"] = address("東京")
    expected["Owner"] = nil
    expected["Photo"] = nil
    expected.control = ControlInformation()
    // The date is the one that was read, to the tick.
    #expect(replacement.record == expected)
  }

  @Test("after a save the stored version has the changes, so the next one sends nothing")
  func afterwards() async throws {
    for dialect in [Dialect.v2, .v3, .v4] {
      let (context, house) = try tracked(dialect)
      house.home?.zip = nil
      house.rooms?[1].city = "z"
      let pending = try #require(house.pendingChange([], context.service.conventions))
      context.apply(OperationOutcome(pending.operation, .done), to: pending)
      #expect(house.entityState == .unchanged)
      #expect(house.stored["Address"] == address("松山", zip: .null))
      house.name = "x"
      #expect(try change(house, context).record == EntityRecord(["Name": .string("x")]))
      let replacement = try #require(house.pendingChange(.replaceOnUpdate, context.service.conventions))
      context.apply(OperationOutcome(replacement.operation, .done), to: replacement)
      #expect(house.owner?.id == 5 && house.stored["Owner"] == stored["Owner"])
      house.name = "y"
      #expect(try change(house, context).record == EntityRecord(["Name": .string("y")]))
    }
  }

  @Test("what is read anew goes below the members that were changed here")
  func preserveChanges() throws {
    let (context, house) = try tracked(.v4)
    house.home?.city = "東京"
    var newer = stored
    newer["Address"] = address("松山", zip: .string("791"), floor: 9)
    let houses = try context.entitySet("Houses", of: House.self, key: \.id)
    _ = try context.materialize(
      newer, in: houses, isComplete: true, merge: .preserveChanges, expanded: ["Owner"])
    #expect(house.home?.city == "東京")
    #expect(house.home?.zip == "791")
    #expect(
      try change(house, context).record
        == EntityRecord(["Address": complex(["City": .string("東京")], type: "Sample.Address")]))
  }

  @Test("the navigation properties that a query expands are known for it")
  func expanded() {
    var query = Query()
    query.expand = ["Owner", "Rooms/Door", "Lines($select=A/B.C;$expand=X)", "Sample.Villa/Pool", "*"]
    #expect(query.expandedProperties == ["Owner", "Rooms", "Lines", "Pool", "*"])
  }
}
