import ODataTestSupport
import Testing

@testable import ODataKit

private func complex(_ properties: KeyValuePairs<String, EdmValue>, type: String? = nil) -> EdmValue {
  .complex(EntityRecord(properties, control: ControlInformation(typeName: type)))
}

@Suite("Differences between two states of an entity")
struct RecordDiffTests {
  @Test("added, changed, cleared; null and no value are the same")
  func diff() {
    let old = EntityRecord(["a": .int32(1), "b": .string("x"), "c": .null, "d": .int32(4)])
    let new = EntityRecord(["a": .int32(1), "b": .string("y"), "d": .null, "e": .boolean(true)])
    let diff = RecordDiff(from: old, to: new)
    #expect(diff.changed == EntityRecord(["b": .string("y"), "e": .boolean(true)]))
    #expect(diff.cleared == ["d"])
    #expect(RecordDiff(from: old, to: old).isEmpty)
  }

  @Test("another type, or another spelling of the same text, is a change")
  func exactness() {
    let old = EntityRecord(["a": .int32(1), "s": .string("caf\u{E9}")])
    let new = EntityRecord(["a": .int64(1), "s": .string("cafe\u{301}")])
    #expect(RecordDiff(from: old, to: new).changed.count == 2)
  }

  @Test("of a complex value only the members that differ are in it, with a null for each that is gone")
  func members() {
    let old = EntityRecord([
      "Id": .int64(1),
      "Address": complex(["City": .string("松山"), "Zip": .string("790"), "Floor": .int64(2)]),
    ])
    let new = EntityRecord([
      "Id": .int64(1), "Address": complex(["City": .string("東京"), "Floor": .int64(2)]),
    ])
    let stored = EntityRecord([
      "Id": .int32(1),
      "Address": complex(
        ["City": .string("松山"), "Zip": .string("790"), "Floor": .int16(2), "Extra": .boolean(true)],
        type: "Sample.Address"),
    ])
    let diff = RecordDiff(from: old, to: new, over: stored)
    let address = complex(["City": .string("東京"), "Zip": .null], type: "Sample.Address")
    #expect(diff.changed == EntityRecord(["Address": address]))
    #expect(diff.cleared.isEmpty)
    #expect(
      stored.overlaid(with: diff.changed)["Address"]
        == complex(
          ["City": .string("東京"), "Zip": .null, "Floor": .int16(2), "Extra": .boolean(true)],
          type: "Sample.Address"))
    #expect(RecordDiff(from: old, to: old, over: stored).isEmpty)
  }

  @Test("a complex value that comes or goes is a change as a whole")
  func wholes() {
    let with = EntityRecord(["Address": complex(["City": .string("c")])])
    let without = EntityRecord()
    #expect(RecordDiff(from: without, to: with).changed == with)
    #expect(RecordDiff(from: with, to: without).cleared == ["Address"])
    let other = EntityRecord(["Address": complex(["Country": .string("x")], type: "Sample.Foreign")])
    let typed = EntityRecord(["Address": complex(["City": .string("c")], type: "Sample.Address")])
    #expect(RecordDiff(from: typed, to: other, over: typed).changed == other)
  }

  @Test("values keep the types they were read in, at any depth")
  func types() throws {
    let color = EdmType(rawValue: "Sample.Color")
    let stored = EntityRecord([
      "Color": .enumeration(EdmEnumeration(type: color, member: "Red")),
      "Flags": .enumeration(EdmEnumeration(type: color, member: "Green,Red")),
      "Number": .enumeration(EdmEnumeration(type: color, member: "1")),
      "Inner": complex([
        "Rate": .double(1), "Color": .enumeration(EdmEnumeration(type: color, member: "Red")),
      ]),
      "Rates": .collection(EdmCollection(elementType: .double, [.double(1)])),
    ])
    let old = EntityRecord([
      "Color": .string("Red"), "Flags": .collection(EdmCollection([.string("Red"), .string("Green")])),
      "Number": .int32(1), "Inner": complex(["Rate": .int64(1), "Color": .string("Red")]),
      "Rates": .collection(EdmCollection([.int64(1)])),
    ])
    let new = EntityRecord([
      "Color": .string("Green"),
      "Flags": .collection(EdmCollection([.string("Blue"), .string("Red"), .string("Amber")])),
      "Number": .int32(2), "Inner": complex(["Rate": .int64(2), "Color": .string("Green")]),
      "Rates": .collection(EdmCollection([.int64(1), .int64(2)])),
    ])
    let diff = RecordDiff(from: old, to: new, over: stored)
    func member(_ text: String) -> EdmValue { .enumeration(EdmEnumeration(type: color, member: text)) }
    #expect(
      diff.changed
        == EntityRecord([
          "Color": member("Green"), "Flags": member("Red,Amber,Blue"), "Number": member("2"),
          "Inner": complex(["Rate": .double(2), "Color": member("Green")]),
          "Rates": .collection(EdmCollection(elementType: .double, [.double(1), .double(2)])),
        ]))
  }

  @Test(
    "a set that comes out in another order is no change where the value it makes is the one that is stored")
  func order() {
    let flags = EdmValue.enumeration(EdmEnumeration(type: EdmType(rawValue: "S.C"), member: "A,B"))
    let diff = RecordDiff(
      from: EntityRecord(["F": .collection(EdmCollection([.string("A"), .string("B")]))]),
      to: EntityRecord(["F": .collection(EdmCollection([.string("B"), .string("A")]))]),
      over: EntityRecord(["F": flags]))
    #expect(diff.isEmpty)
  }

  @Test("a collection is whole, and its elements keep what the model does not declare")
  func collections() {
    func stored(_ name: String, _ extra: Int32) -> EdmValue {
      complex(["N": .string(name), "X": .int32(extra)])
    }
    func known(_ name: String) -> EdmValue { complex(["N": .string(name)]) }
    func lines(_ elements: EdmValue...) -> EntityRecord {
      EntityRecord(["Lines": .collection(EdmCollection(elements))])
    }
    let before = lines(stored("a", 1), stored("b", 2), stored("c", 3))
    let old = lines(known("a"), known("b"), known("c"))
    func after(_ new: EntityRecord) -> EntityRecord { RecordDiff(from: old, to: new, over: before).changed }
    // Moved and removed elements take theirs along.
    #expect(after(lines(known("c"), known("a"))) == lines(stored("c", 3), stored("a", 1)))
    // One that was edited in its place keeps it.
    #expect(
      after(lines(known("a"), known("B"), known("c")))
        == lines(stored("a", 1), stored("B", 2), stored("c", 3)))
    // A new one has none.
    #expect(
      after(lines(known("a"), known("b"), known("c"), known("d")))
        == lines(stored("a", 1), stored("b", 2), stored("c", 3), known("d")))
  }

  @Test("related entities and streams are never part of it")
  func foreign() {
    var stored = EntityRecord([
      "Customer": complex(["Id": .int32(1)]), "Photo": .stream(EdmStream(readLink: "a")),
      "Note": .string("x"),
    ])
    stored.control.links = [NavigationLink("Customer"), NavigationLink("Orders")]
    let new = EntityRecord([
      "Customer": complex(["Id": .int32(2)]), "Photo": .stream(EdmStream(readLink: "b")),
      "Orders": .collection(EdmCollection([complex(["Id": .int32(3)])])), "Note": .string("y"),
    ])
    let diff = RecordDiff(from: stored, to: new, over: stored)
    #expect(diff.changed == EntityRecord(["Note": .string("y")]))
    let gone = RecordDiff(from: stored, to: EntityRecord(), over: stored)
    #expect(gone.cleared == ["Note"])
    #expect(stored.writable == EntityRecord(["Note": .string("x")]))
  }

  @Test("an overlay takes related entities, collections and other entities whole")
  func overlay() {
    var below = EntityRecord([
      "Customer": complex(["Id": .int32(1), "Old": .boolean(true)]),
      "Address": complex(["City": .string("a"), "Zip": .string("1")]),
      "Tags": .collection(EdmCollection([.string("a")])),
    ])
    below.control = ControlInformation(
      id: "T(1)", entityTag: EntityTag(rawValue: "\"1\""), editLink: "T(1)", typeName: "S.T")
    below.control.base = "http://a.test/"
    var above = EntityRecord([
      "Customer": complex(["Id": .int32(2)]), "Address": complex(["City": .string("b")]),
      "Tags": .collection(EdmCollection()),
    ])
    above.control.links = [NavigationLink("Customer", navigationLink: "T(1)/Customer")]
    above.control.entityTag = EntityTag(rawValue: "\"2\"")
    let result = below.overlaid(with: above)
    #expect(result["Customer"] == complex(["Id": .int32(2)]))
    #expect(result["Address"] == complex(["City": .string("b"), "Zip": .string("1")]))
    #expect(result["Tags"] == .collection(EdmCollection()))
    #expect(result.control.entityTag?.rawValue == "\"2\"")
    #expect(result.control.base == "http://a.test/" && result.control.id == "T(1)")
    #expect(result.control.links.map(\.name) == ["Customer"])
  }
}
