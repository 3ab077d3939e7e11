import Testing

@testable import ODataKit

/// Objects and arrays inside of entities: complex values, collections, related entities, streams, places.
struct JSONStructureTests {
  private func date(_ text: String) throws -> EdmValue { try .date(#require(EdmDate(text))) }
  private func decimal(_ text: String) throws -> EdmValue { try .decimal(#require(EdmDecimal(text))) }

  @Test("Types nested in an entity do not change what is known of the entity itself, however many there are")
  func manyNestedTypes() throws {
    struct Catalog: TypeCatalog {
      func property(_ name: String, of type: EdmType) -> DeclaredProperty? {
        guard name == "Z" else { return nil }
        return DeclaredProperty(type: type.rawValue == "N.Root" ? .int64 : .string, kind: .primitive)
      }
    }
    let types = PayloadTypes(root: EdmType(rawValue: "N.Root"), catalog: Catalog())
    for count in [1, 63, 64, 65, 200] {
      let nested = (0..<count).map { ##""c\##($0)":{"@odata.type":"#N.T\##($0)","Z":"5"}"## }
      let text = "{\(nested.joined(separator: ",")),\"Z\":\"5\"}"
      let record = try #require(try read([Array(text.utf8)], types: types).records.first)
      #expect(record["Z"] == .int64(5))
      guard case .complex(let last)? = record["c\(count - 1)"] else {
        Issue.record("no complex value")
        return
      }
      #expect(last["Z"] == .string("5"))
    }
  }

  @Test("An entity of which only a complex property called error was selected is no error")
  func propertyCalledError() throws {
    let text =
      #"{"@odata.context":"http://h/$metadata#Logs(error)/$entity","error":{"code":"x","message":"y"}}"#
    #expect(
      try readEntity(text)["error"]
        == .complex(EntityRecord(["code": .string("x"), "message": .string("y")])))
  }

  @Test("A removal that is null is none")
  func removedNull() throws {
    let text =
      #"{"@context":"http://h/$metadata#Books/$delta","value":[{"@removed":null,"@id":"Books(1)","A":1}]}"#
    let record = try #require(try readFeed(text).records.first)
    #expect(record.control.change == nil)
    #expect(record["A"] == .int32(1))
  }

  @Test("The metadata tells the types of what has no annotation, in nested values, too")
  func declared() throws {
    let text = ##"""
      {"Id":7,"Price":12.50,"Published":"2020-02-29","Tags":["a",null],"Colour":"Red","Colour2":"Red",
       "Address":{"Zip":1234,"Other":5},"Branches":[{"Zip":1},{"@odata.type":"#L.Kiosk","Zip":2}],
       "Author":{"Born":"1867-02-09"},"Orders":[{"Total":1.10}]}
      """##
    let record = try readEntity(text, types: BookCatalog.types)
    #expect(
      try record
        == EntityRecord([
          "Id": .int64(7), "Price": decimal("12.50"), "Published": date("2020-02-29"),
          "Tags": .collection(EdmCollection(elementType: .string, [.string("a"), .null])),
          "Colour": .enumeration(EdmEnumeration(type: EdmType(rawValue: "L.Colour"), member: "Red")),
          "Colour2": .string("Red"),
          "Address": .object(["Zip": .int16(1234), "Other": .int32(5)], "L.Address"),
          "Branches": .collection(
            EdmCollection(
              elementType: EdmType(rawValue: "L.Address"),
              // A type that the metadata does not know is read as the one that is declared.
              [.object(["Zip": .int16(1)], "L.Address"), .object(["Zip": .int16(2)], "L.Kiosk")])),
          "Author": .object(["Born": date("1867-02-09")]),
          "Orders": .collection(
            EdmCollection(
              elementType: EdmType(rawValue: "L.Order"), [.object(["Total": decimal("1.10")])])),
        ]).linked(NavigationLink("Author"), NavigationLink("Orders")))
  }

  @Test("Annotations count more than the metadata, in front of a value and behind it")
  func annotated() throws {
    for text in [
      ##"{"L@odata.type":"#Collection(Int64)","L":["9",8],"C@odata.type":"#L.Colour","C":"Red,Green"}"##,
      ##"{"L":["9",8],"L@odata.type":"#Collection(Int64)","C":"Red,Green","C@odata.type":"#L.Colour"}"##,
      ##"{"L":["9",8],"L@type":"Collection(Int64)","C":"Red,Green","C@type":"#L.Colour"}"##,
    ] {
      #expect(
        try readEntity(text)
          == EntityRecord([
            "L": .collection(EdmCollection(elementType: .int64, [.int64(9), .int64(8)])),
            "C": .enumeration(EdmEnumeration(type: EdmType(rawValue: "L.Colour"), member: "Red,Green")),
          ]))
    }
    expectError(.malformedPayload) { try readEntity(##"{"A@odata.type":"#Int64","A":[1]}"##) }
    expectError(.malformedPayload) { try readEntity(##"{"A@odata.type":"#Guid","A":{}}"##) }
    expectError(.malformedPayload) { try readEntity(##"{"A":{"B":1,"B":2}}"##) }
  }

  @Test("What is related comes with its links, its count and its next page")
  func related() throws {
    let text = ##"""
      {"@odata.context":"http://h/s/$metadata#Books/$entity","@odata.id":"Books(1)","@odata.etag":"W/\"1\"",
       "Author@odata.navigationLink":"Books(1)/Author","Author@odata.associationLink":"Books(1)/Author/$ref",
       "Orders@odata.count":12,"Orders":[{"@odata.id":"Orders(5)","Id":5}],"Orders@odata.nextLink":"Books(1)/Orders?$skip=1",
       "Shop@odata.navigationLink":"http://h/s/Shops(2)"}
      """##
    var order = EntityRecord(["Id": .int32(5)], control: ControlInformation(id: "Orders(5)"))
    order.control.base = "http://h/s/$metadata#Books/$entity"
    var book = EntityRecord(
      [
        "Orders": .collection(
          EdmCollection([.complex(order)], count: 12, nextLink: "http://h/s/Books(1)/Orders?$skip=1"))
      ], control: ControlInformation(id: "Books(1)", entityTag: EntityTag(rawValue: #"W/"1""#))
    ).linked(
      NavigationLink(
        "Author", navigationLink: "Books(1)/Author", associationLink: "Books(1)/Author/$ref"),
      NavigationLink("Shop", navigationLink: "http://h/s/Shops(2)"), NavigationLink("Orders"))
    book.control.base = "http://h/s/$metadata#Books/$entity"
    #expect(try readEntity(text) == book)
  }

  @Test("The context URL tells what is expanded, at any depth, where nothing else does")
  func expanded() throws {
    let (records, _) = try readFeed(
      ##"{"@odata.context":"http://h/$metadata#Books(Id,Author(Name,Home()),Address/City)","value":[{"Id":1,"Author":{"Name":"N","Home":{"Zip":1},"Pet":{"Zip":2}},"Address":{"City":"C"}}]}"##
    )
    let author = EntityRecord([
      "Name": .string("N"), "Home": .object(["Zip": .int32(1)]), "Pet": .object(["Zip": .int32(2)]),
    ]).linked(NavigationLink("Home"))
    #expect(
      records == [
        EntityRecord([
          "Id": .int32(1), "Author": .complex(author), "Address": .object(["City": .string("C")]),
        ]).linked(NavigationLink("Author"))
      ])
    let (orders, _) = try readFeed(
      ##"{"@odata.context":"http://h/$metadata#Books('a(b')/Parts(Details+(),Empty(X))","value":[{"Details":[{}],"Empty":[],"Other":[]}]}"##
    )
    #expect(orders[0].control.links.map(\.name) == ["Details", "Empty"])
  }

  @Test("An entity may have a property that is called value and a collection")
  func value() throws {
    let list = EdmValue.collection(EdmCollection([.int32(1)]))
    #expect(
      try readEntity(##"{"@odata.context":"http://h/$metadata#Books/$entity","value":[1]}"##)
        == EntityRecord(["value": list]))
    #expect(try readEntity(##"{"Id":1,"value":[1]}"##) == EntityRecord(["Id": .int32(1), "value": list]))
  }

  @Test("Streams are the links they come with, and so is the content of a media entity")
  func streams() throws {
    let record = try readEntity(
      ##"{"@odata.mediaReadLink":"http://h/m","@odata.mediaContentType":"image/png","@odata.mediaEtag":"\"5\"","Id":1,"Photo@odata.mediaEditLink":"http://h/p","Photo@odata.mediaContentType":"image/jpeg"}"##
    )
    #expect(
      record.control.media
        == EdmStream(
          readLink: "http://h/m", contentType: "image/png", entityTag: EntityTag(rawValue: "\"5\"")))
    #expect(
      Array(record.shape.names) == ["Id", "Photo"])
    #expect(
      record["Photo"] == .stream(EdmStream(editLink: "http://h/p", contentType: "image/jpeg")))
  }

  @Test(
    "Places are GeoJSON",
    arguments: [
      (
        ##"{"type":"Point","coordinates":[142.1,-64.10,7]}"##, "GeographyPoint",
        "SRID=4326;Point(142.1 -64.10 7)"
      ),
      (
        ##"{"type":"Point","coordinates":[1,2],"crs":{"type":"name","properties":{"name":"EPSG:3857"}}}"##,
        "GeometryPoint", "SRID=3857;Point(1 2)"
      ),
      (
        ##"{"coordinates":[[1,2],[3,4]],"type":"LineString"}"##, "GeometryLineString",
        "SRID=0;LineString(1 2,3 4)"
      ),
      (
        ##"{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]],[[2,2],[3,3],[2,2]]]}"##, "GeographyPolygon",
        "SRID=4326;Polygon((0 0,1 0,0 0),(2 2,3 3,2 2))"
      ),
      (
        ##"{"type":"MultiPoint","coordinates":[[0,0],[1,0]]}"##, "GeographyMultiPoint",
        "SRID=4326;MultiPoint((0 0),(1 0))"
      ),
      (
        ##"{"type":"MultiLineString","coordinates":[[[0,0],[1,0]]]}"##, "GeographyMultiLineString",
        "SRID=4326;MultiLineString((0 0,1 0))"
      ),
      (
        ##"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[0,0]]]]}"##, "GeographyMultiPolygon",
        "SRID=4326;MultiPolygon(((0 0,1 0,0 0)))"
      ),
      (
        ##"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1e3,2]}]}"##,
        "GeographyCollection", "SRID=4326;Collection(Point(1e3 2))"
      ),
    ])
  func places(json: String, type: String, literal: String) throws {
    let expected = EdmValue.spatial(EdmSpatial(type: EdmType(rawValue: "Edm." + type), text: literal))
    #expect(try readEntity("{\"P@odata.type\":\"#\(type)\",\"P\":\(json)}")["P"] == expected)
    #expect(try readEntity("{\"P\":\(json),\"P@odata.type\":\"#\(type)\"}")["P"] == expected)
    // The object that GeoJSON is in its own right.
    #expect(try readEntity("{\"P\":\(json)}")["P"]?.type == nil)
  }

  @Test(
    "What is no place is refused where it is said to be one",
    arguments: [
      "{}", ##"{"type":"Point"}"##, ##"{"type":"Point","coordinates":[1]}"##,
      ##"{"type":"Point","coordinates":["1","2"]}"##, ##"{"type":"Cube","coordinates":[1,2]}"##,
      ##"{"type":"Polygon","coordinates":[[1,2]]}"##,
    ])
  func noPlaces(json: String) {
    expectError(.malformedPayload) { try readEntity("{\"P@odata.type\":\"#GeographyPoint\",\"P\":\(json)}") }
  }

  @Test("The answer to a delta link has entities, removed entities and links, as 4.0 and 4.01 write them")
  func deltas() throws {
    let (records, summary) = try readFeed(
      ##"""
      {"@odata.context":"http://h/$metadata#Books/$delta","value":[
        {"@odata.id":"http://h/Books(1)","Id":1},
        {"@odata.context":"#Books/$deletedEntity","id":"Books(2)","reason":"deleted"},
        {"@odata.context":"#Books/$link","source":"Books(1)","relationship":"Author","target":"Authors(1)"},
        {"@odata.context":"#Books/$deletedLink","source":"Books(1)","relationship":"Author","target":"Authors(2)"},
        {"@removed":{"reason":"changed"},"@id":"http://h/Books(3)"},
        {"@odata.removed":{},"Id":4}
      ],"@odata.deltaLink":"Books?$deltatoken=1"}
      """##)
    #expect(summary.deltaLink == "http://h/Books?$deltatoken=1")
    #expect(
      records.map(\.control.change) == [
        nil, .removed(.deleted), .addedLink(source: "Books(1)", relationship: "Author", target: "Authors(1)"),
        .deletedLink(source: "Books(1)", relationship: "Author", target: "Authors(2)"), .removed(.changed),
        .removed(.deleted),
      ])
    #expect(
      records.map(\.control.id) == ["http://h/Books(1)", "Books(2)", nil, nil, "http://h/Books(3)", nil])
    #expect(records.map(\.count) == [1, 0, 0, 0, 0, 1])
  }

  @Test("A feed with ever new names does not keep them")
  func names() throws {
    let reader = JSONReader()
    _ = try reader.read(Array(#"{"value":["#.utf8))
    for row in 0..<200 {
      let members = (0..<100).map { "\"P\(row)_\($0)\":{\"Q\(row)_\($0)\":1}" }.joined(separator: ",")
      let records = try reader.read(Array(((row == 0 ? "" : ",") + "{\(members)}").utf8))
      #expect(records.first?.count == 100)
      #expect(records.first?["P\(row)_99"] == .object(["Q\(row)_99": .int32(1)]))
    }
    _ = try reader.read(Array("]}".utf8))
    #expect(try reader.finish().isFeed)
  }
}
