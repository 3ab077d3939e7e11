import Testing

@testable import ODataKit

/// Documents that are neither entities nor feeds: single values, references.
struct JSONDocumentTests {
  private static let values: [(String, EdmType?, EdmValue)] = [
    (##"{"@odata.context":"http://h/$metadata#Edm.Int64","value":"7"}"##, nil, .int64(7)),
    (##"{"@odata.context":"http://h/$metadata#Books(1)/Price","value":7}"##, .int64, .int64(7)),
    (##"{"odata.metadata":"http://h/$metadata#Edm.String","value":"7"}"##, nil, .string("7")),
    (##"{"@odata.type":"#Int64","value":"7"}"##, nil, .int64(7)),
    (##"{"value@odata.type":"#Guid","value":null}"##, nil, .null),
    (##"{"@odata.context":"c","@odata.null":true}"##, nil, .null), (##"{"odata.null":"true"}"##, nil, .null),
    (
      ##"{"@odata.context":"http://h/$metadata#Collection(Edm.Int32)","value":[1,2]}"##, nil,
      .collection(EdmCollection(elementType: .int32, [.int32(1), .int32(2)]))
    ),
    (
      ##"{"@odata.context":"http://h/$metadata#Books(1)/Address","@odata.type":"#L.Address","Zip":5}"##, nil,
      .object(["Zip": .int32(5)], "L.Address")
    ),
    (
      ##"{"@odata.context":"c","City":"C"}"##, EdmType(rawValue: "L.A"),
      .object(["City": .string("C")], "L.A")
    ),
    (##"{"d":{"Price":"7"}}"##, .int64, .int64(7)),
    (##"{"d":{"At":"/Date(0)/"}}"##, nil, .dateTime(.unixEpoch)),
    (##"{"d":5}"##, nil, .int32(5)), (##"{"d":null}"##, nil, .null),
    (
      ##"{"d":{"Address":{"__metadata":{"type":"L.Address"},"Zip":5}}}"##, nil,
      .object(["Zip": .int32(5)], "L.Address")
    ),
    (
      ##"{"d":{"__metadata":{"type":"L.Address"},"Zip":5}}"##, nil,
      .object(["Zip": .int32(5)], "L.Address")
    ),
    (
      ##"{"d":{"__metadata":{"type":"Collection(Edm.Int32)"},"results":[1]}}"##, nil,
      .collection(EdmCollection(elementType: .int32, [.int32(1)]))
    ),
    (##"{"d":{"results":[1]}}"##, nil, .collection(EdmCollection([.int32(1)]))),
  ]

  @Test("Single values of all versions", arguments: values)
  func value(text: String, type: EdmType?, expected: EdmValue) throws {
    #expect(try JSONValueDocument.read(Array(text.utf8), types: PayloadTypes(root: type)) == expected)
  }

  @Test(
    "What is no value is refused",
    arguments: ["", "[]", "5", "{", ##"{"value@odata.type":"#Int64","value":"x"}"##])
  func refused(text: String) {
    expectError(.malformedPayload) { try JSONValueDocument.read(Array(text.utf8)) }
    expectError(.malformedPayload) { try EntityReferenceDocument(json: Array(text.utf8)) }
  }

  @Test("An error in place of a value is thrown")
  func errors() {
    let text = Array(##"{"error":{"code":"X","message":"No."}}"##.utf8)
    #expect(expectError(.service) { try JSONValueDocument.read(text) }?.serviceCode == "X")
    #expect(expectError(.service) { try EntityReferenceDocument(json: text) }?.serviceCode == "X")
  }

  @Test(
    "References of all versions",
    arguments: [
      (##"{"d":{"uri":"http://h/A(1)"}}"##, ["http://h/A(1)"]),
      (##"{"uri":"http://h/A(1)"}"##, ["http://h/A(1)"]),
      (##"{"d":{"results":[{"uri":"a"},{"uri":"b"}]}}"##, ["a", "b"]), (##"{"d":[{"uri":"a"}]}"##, ["a"]),
      (##"{"odata.metadata":"http://h/s/$metadata#A/$links/B","url":"B(1)"}"##, ["http://h/s/B(1)"]),
      (##"{"value":[{"url":"a"}]}"##, ["a"]),
      (##"{"@odata.context":"http://h/s/$metadata#$ref","@odata.id":"B(1)"}"##, ["http://h/s/B(1)"]),
      (
        ##"{"@context":"http://h/s/$metadata#Collection($ref)","value":[{"@id":"B(1)"},{"@odata.id":"/B"}]}"##,
        ["http://h/s/B(1)", "http://h/B"]
      ),
      (##"{"value":[]}"##, []),
    ])
  func references(text: String, expected: [String]) throws {
    #expect(try EntityReferenceDocument(json: Array(text.utf8)).references == expected)
  }

  @Test("Lists of references have counts and next pages")
  func lists() throws {
    let old = try EntityReferenceDocument(
      json: Array(##"{"d":{"results":[],"__count":"5","__next":"n"}}"##.utf8))
    let new = try EntityReferenceDocument(
      json: Array(##"{"value":[],"@odata.count":5,"@odata.nextLink":"n"}"##.utf8))
    #expect(old.count == 5 && new.count == 5)
    #expect(old.nextLink == "n" && new.nextLink == "n")
    expectError(.malformedPayload) { try EntityReferenceDocument(json: Array("{\"a\":1}".utf8)) }
  }
}
