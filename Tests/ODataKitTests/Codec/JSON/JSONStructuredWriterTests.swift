import Foundation
import Testing

@testable import ODataKit

/// The exact text of values with a structure and of related entities in requests, in each of the formats.
struct JSONStructuredWriterTests {
  private func request(
    _ record: EntityRecord, _ annotations: JSONAnnotations, includesType: Bool = false
  ) throws -> String {
    var writer = JSONEntityWriter(annotations: annotations)
    try writer.requestEntity(record, writesNulls: true, includesType: includesType)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  private func failure(_ value: EdmValue, _ annotations: JSONAnnotations) throws -> String {
    var writer = JSONEntityWriter(annotations: annotations)
    var found: ODataError?
    do { try writer.requestEntity(EntityRecord(["A": .int32(1), "P": value])) } catch { found = error }
    let bytes = writer.bytes
    #expect(bytes.isEmpty)
    #expect(found?.code == .invalidValue)
    return found?.message ?? ""
  }

  private static let home = EntityRecord(
    ["City": .string("Ō"), "Zip": .int64(5), "Geo": .complex(EntityRecord(["X": .double(1)]))],
    control: ControlInformation(typeName: "M.Home"))
  private static let structured = EntityRecord([
    "Home": .complex(home),
    "Tags": .collection(EdmCollection(elementType: .string, [.string("a\"b"), .null])),
    "Sizes": .collection(EdmCollection(elementType: .int64, [.int64(5)])),
    "Homes": .collection(
      EdmCollection(
        elementType: EdmType(rawValue: "M.Home"),
        [
          .complex(EntityRecord(["City": .string("A")])),
          .complex(EntityRecord(["City": .string("B")], control: ControlInformation(typeName: "M.Villa"))),
        ])),
  ])

  @Test("Complex values and collections of OData 3")
  func version3() throws {
    #expect(
      try request(Self.structured, .odata3) == """
        {"Home":{"odata.type":"M.Home","City":"Ō","Zip@odata.type":"Edm.Int64","Zip":"5","Geo":{"X":1.0}},\
        "Tags@odata.type":"Collection(Edm.String)","Tags":["a\\"b",null],\
        "Sizes@odata.type":"Collection(Edm.Int64)","Sizes":["5"],\
        "Homes@odata.type":"Collection(M.Home)","Homes":[{"City":"A"},{"odata.type":"M.Villa","City":"B"}]}
        """)
  }

  @Test("Complex values and collections of OData 4 and 4.01")
  func version4() throws {
    #expect(
      try request(Self.structured, .odata4) == """
        {"Home":{"@odata.type":"#M.Home","City":"Ō","Zip@odata.type":"#Int64","Zip":5,"Geo":{"X":1.0}},\
        "Tags@odata.type":"#Collection(String)","Tags":["a\\"b",null],\
        "Sizes@odata.type":"#Collection(Int64)","Sizes":[5],\
        "Homes@odata.type":"#Collection(M.Home)","Homes":[{"City":"A"},{"@odata.type":"#M.Villa","City":"B"}]}
        """)
    #expect(
      try request(Self.structured, .odata401) == """
        {"Home":{"@type":"#M.Home","City":"Ō","Zip@type":"Int64","Zip":5,"Geo":{"X":1.0}},\
        "Tags@type":"Collection(String)","Tags":["a\\"b",null],\
        "Sizes@type":"Collection(Int64)","Sizes":[5],\
        "Homes@type":"#Collection(M.Home)","Homes":[{"City":"A"},{"@type":"#M.Villa","City":"B"}]}
        """)
  }

  @Test("Complex values of OData 1 and 2")
  func verbose() throws {
    #expect(
      try request(EntityRecord(["Home": .complex(Self.home)]), .verbose) == """
        {"Home":{"__metadata":{"type":"M.Home"},"City":"Ō","Zip":"5","Geo":{"X":1.0}}}
        """)
  }

  @Test("The type of an entity, where it is asked for")
  func entityType() throws {
    let record = EntityRecord(["A": .int32(1)], control: ControlInformation(typeName: "M.Book"))
    let texts: [(JSONAnnotations, String)] = [
      (.verbose, #"{"__metadata":{"type":"M.Book"},"A":1}"#), (.odata3, #"{"odata.type":"M.Book","A":1}"#),
      (.odata4, ##"{"@odata.type":"#M.Book","A":1}"##), (.odata401, ##"{"@type":"#M.Book","A":1}"##),
    ]
    for (annotations, text) in texts {
      #expect(try request(record, annotations, includesType: true) == text)
      #expect(try request(record, annotations) == #"{"A":1}"#)
    }
  }

  @Test("Int64 and Decimal are strings where OData 4 is asked for what a Double cannot hold")
  func exactNumbers() throws {
    var options = JSONOptions(.odata4)
    options.isIEEE754Compatible = true
    options.writesPrimitiveTypes = false
    var writer = JSONEntityWriter(options)
    let decimal = try #require(EdmDecimal("1.50"))
    try writer.requestEntity(
      EntityRecord([
        "I": .int64(9_007_199_254_740_993), "D": .decimal(decimal), "F": .double(2), "S": .int32(1),
        "Is": .collection(EdmCollection(elementType: .int64, [.int64(-1)])),
      ]))
    #expect(
      String(decoding: writer.take(), as: UTF8.self)
        == ##"{"I":"9007199254740993","D":"1.50","F":2.0,"S":1,"Is@odata.type":"#Collection(Int64)","Is":["-1"]}"##
    )
  }

  @Test("What the metadata declares needs no annotation; what it does not, or otherwise, does")
  func declaredTypes() throws {
    var options = JSONOptions(.odata4)
    options.types = PayloadTypes(byName: [
      "I": .int64, "N": .int32, "Tags": EdmType.string.collection, "Home": EdmType(rawValue: "M.Home"),
    ])
    var writer = JSONEntityWriter(options)
    try writer.requestEntity(
      EntityRecord([
        "I": .int64(1), "N": .int64(2), "Open": .int64(3), "Home": .complex(Self.home),
        "Tags": .collection(EdmCollection(elementType: .string, [.string("a")])),
      ]))
    #expect(
      String(decoding: writer.take(), as: UTF8.self) == """
        {"I":1,"N@odata.type":"#Int64","N":2,"Open@odata.type":"#Int64","Open":3,\
        "Home":{"City":"Ō","Zip@odata.type":"#Int64","Zip":5,"Geo":{"X":1.0}},"Tags":["a"]}
        """)
  }

  @Test("Spatial values are GeoJSON, with the numbers as they are spelled")
  func spatial() throws {
    func text(_ literal: String, _ type: String = "Edm.GeographyPoint") throws -> String {
      let value = EdmValue.spatial(EdmSpatial(type: EdmType(rawValue: type), text: literal))
      let text = try request(EntityRecord(["P": value]), .odata4)
      return String(
        text.dropFirst(##"{"P@odata.type":"#"##.count + type.count - 4 + ##"","P":"##.count).dropLast())
    }
    #expect(
      try request(
        EntityRecord([
          "P": .spatial(EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(-122.10 47.6)"))
        ]), .odata3) == """
          {"P@odata.type":"Edm.GeographyPoint","P":{"type":"Point","coordinates":[-122.10,47.6],\
          "crs":{"type":"name","properties":{"name":"EPSG:4326"}}}}
          """)
    #expect(try text("Point(+1. .5)") == #"{"type":"Point","coordinates":[1,0.5]}"#)
    #expect(try text("POINT (007 -00.5E+3 1e5)") == #"{"type":"Point","coordinates":[7,-0.5E+3,1e5]}"#)
    #expect(
      try text("LineString(1 2,3 4)", "Edm.GeometryLineString")
        == #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#)
    #expect(
      try text("Polygon((0 0,9 0,0 0),(1 1,2 1,1 1))")
        == #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[0,0]],[[1,1],[2,1],[1,1]]]}"#)
    #expect(
      try text("MultiPoint((1 2),(3 4))") == #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#)
    #expect(try text("MultiPoint()") == #"{"type":"MultiPoint","coordinates":[]}"#)
    #expect(
      try text("MultiLineString((1 2,3 4),(5 6,7 8))")
        == #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#)
    #expect(
      try text("MultiPolygon(((0 0,9 0,0 0)))")
        == #"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[0,0]]]]}"#)
    #expect(
      try text("SRID=0;Collection(Point(1 2),Collection(LineString(1 2,3 4)))") == """
        {"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},\
        {"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[1,2],[3,4]]}]}],\
        "crs":{"type":"name","properties":{"name":"EPSG:0"}}}
        """)
    for literal in ["", "Point(1)", "Circle(1 2)", "Point(1e 2)", "Point(- 2)", "Point(1-2 3)"] {
      #expect(
        try failure(.spatial(EdmSpatial(type: .geometryPoint, text: literal)), .odata4)
          == "The spatial value of property 'P' is no literal like SRID=4326;Point(-122.1 47.6), so it cannot be "
          + "written in JSON.")
    }
  }

  @Test("Enumerations are strings in OData 4")
  func enumerations() throws {
    let color = EdmType(rawValue: "M.Color")
    let red = EdmValue.enumeration(EdmEnumeration(type: color, member: "Red"))
    #expect(
      try request(
        EntityRecord([
          "C": red, "Cs": .collection(EdmCollection(elementType: color, [red])),
          "U": .enumeration(EdmEnumeration(type: nil, member: "1")),
        ]), .odata4)
        == ##"{"C@odata.type":"#M.Color","C":"Red","Cs@odata.type":"#Collection(M.Color)","Cs":["Red"],"U":"1"}"##
    )
  }

  @Test("What a generation lacks is refused in one sentence, with the path to it")
  func refusals() throws {
    let red = EdmValue.enumeration(EdmEnumeration(type: EdmType(rawValue: "M.Color"), member: "Red"))
    let date = EdmValue.date(try #require(EdmDate("2012-09-03")))
    let point = EdmValue.spatial(EdmSpatial(type: .geographyPoint, text: "Point(1 2)"))
    let time = EdmValue.dateTime(try #require(EdmDateTime("2014-09-02T21:09:14.8848547Z")))
    func inside(_ value: EdmValue) -> EdmValue {
      .complex(EntityRecord(["A": .complex(EntityRecord(["At": value]))]))
    }
    #expect(
      try failure(red, .verbose)
        == "Property 'P' is of type M.Color, which OData 1 and 2 do not have; give it another type.")
    #expect(
      try failure(inside(date), .verbose)
        == "Property 'P/A/At' is of type Edm.Date, which OData 1 and 2 do not have; give it another type.")
    #expect(
      try failure(inside(red), .odata3)
        == "Property 'P/A/At' is of type M.Color, which OData 3 does not have; give it another type.")
    #expect(
      try failure(date, .odata3)
        == "Property 'P' is of type Edm.Date, which OData 3 does not have; give it another type.")
    #expect(
      try failure(point, .verbose)
        == "Property 'P' is of type Edm.GeographyPoint, which OData 1 and 2 do not have; give it another type."
    )
    #expect(
      try failure(inside(.collection(EdmCollection([.string("a")]))), .verbose)
        == "Property 'P/A/At' is a collection, which OData 1 and 2 do not have; leave it out.")
    #expect(
      try failure(inside(time), .verbose)
        == "Property 'P/A/At' is a time with fractions of a millisecond, which the JSON of OData 1 and 2 cannot carry; "
        + "round it, or choose the format atom.")
    #expect(
      try failure(.collection(EdmCollection([.stream(EdmStream())])), .odata4)
        == "Property 'P' is a stream, which is written through its links and not with other values.")
  }

  @Test("Names that readers take for control information are refused", arguments: JSONAnnotations.allCases)
  func controlNames(annotations: JSONAnnotations) throws {
    let names =
      annotations == .verbose ? ["__metadata"] : ["odata.etag", "@odata.etag", "A@odata.type", "a@b"]
    for name in names {
      let inside = EntityRecord(["P": .complex(EntityRecord([name: .int32(1)]))])
      let error = #expect(throws: ODataError.self) { _ = try request(inside, annotations) }
      #expect(
        error?.message
          == "The property name '\(name)' cannot be written in JSON, since it would be read as control information; "
          + "rename the property.")
    }
    #expect(try request(EntityRecord(["odata": .int32(1)]), annotations) == #"{"odata":1}"#)
  }

  @Test("Streams are never sent")
  func streams() throws {
    let record = EntityRecord(["A": .int32(1), "Photo": .stream(EdmStream(readLink: "x"))])
    for annotations in JSONAnnotations.allCases { #expect(try request(record, annotations) == #"{"A":1}"#) }
  }

  // MARK: Related entities

  private static let order: EntityRecord = {
    let line = EntityRecord(["N": .int32(1)], control: ControlInformation(typeName: "M.Line"))
    let known = EntityRecord(control: ControlInformation(id: "http://svc/Lines(2)"))
    var record = EntityRecord([
      "Lines": .collection(EdmCollection([.complex(line), .complex(known)])),
      "Customer": .complex(EntityRecord(["Name": .string("X")])), "Note": .string("n"), "Nobody": .null,
    ])
    record.control.links = [
      NavigationLink("Lines"), NavigationLink("Customer"), NavigationLink("Nobody"),
      NavigationLink("Shop", navigationLink: "http://svc/Shops(1)"),
      NavigationLink("Tags", navigationLink: "http://svc/Tags(1)"),
      NavigationLink("Tags", navigationLink: "http://svc/Tags(2)"), NavigationLink("Unread"),
      NavigationLink("Parts", navigationLink: "http://svc/Orders(1)/Parts"),
    ]
    return record
  }()

  @Test("Related entities are inserted along, and entities that there are bound to")
  func relatedEntities() throws {
    #expect(
      try request(Self.order, .odata3) == """
        {"Note":"n","Lines@odata.bind":["http://svc/Lines(2)"],"Lines":[{"odata.type":"M.Line","N":1}],\
        "Customer":{"Name":"X"},"Nobody":null,"Shop@odata.bind":"http://svc/Shops(1)",\
        "Tags@odata.bind":["http://svc/Tags(1)","http://svc/Tags(2)"]}
        """)
    #expect(
      try request(Self.order, .odata4) == """
        {"Note":"n","Lines@odata.bind":["http://svc/Lines(2)"],"Lines":[{"@odata.type":"#M.Line","N":1}],\
        "Customer":{"Name":"X"},"Nobody":null,"Shop@odata.bind":"http://svc/Shops(1)",\
        "Tags@odata.bind":["http://svc/Tags(1)","http://svc/Tags(2)"]}
        """)
    #expect(
      try request(Self.order, .odata401) == """
        {"Note":"n","Lines":[{"@type":"#M.Line","N":1},{"@id":"http://svc/Lines(2)"}],\
        "Customer":{"Name":"X"},"Nobody":null,"Shop":{"@id":"http://svc/Shops(1)"},\
        "Tags":[{"@id":"http://svc/Tags(1)"},{"@id":"http://svc/Tags(2)"}]}
        """)
    #expect(
      try request(Self.order, .verbose) == """
        {"Note":"n","Lines":[{"__metadata":{"type":"M.Line"},"N":1},{"__metadata":{"uri":"http://svc/Lines(2)"}}],\
        "Customer":{"Name":"X"},"Nobody":null,"Shop":{"__metadata":{"uri":"http://svc/Shops(1)"}},\
        "Tags":[{"__metadata":{"uri":"http://svc/Tags(1)"}},{"__metadata":{"uri":"http://svc/Tags(2)"}}]}
        """)
  }

  @Test("An error in a related entity names it")
  func relatedErrors() throws {
    let date = EdmValue.date(try #require(EdmDate("2012-09-03")))
    var record = EntityRecord(["Line": .complex(EntityRecord(["Due": date]))])
    record.control.links = [NavigationLink("Line")]
    let error = #expect(throws: ODataError.self) { _ = try request(record, .odata3) }
    #expect(error?.message.hasPrefix("Property 'Line/Due' is of type Edm.Date") == true)
    record["Line"] = .int32(1)
    let other = #expect(throws: ODataError.self) { _ = try request(record, .odata4) }
    #expect(
      other?.message == "Property 'Line' holds no entities, although a link of that name leads to some.")
  }

  @Test("A writer that is used again writes the same, whatever it wrote before")
  func usedAgain() throws {
    var writer = JSONEntityWriter(annotations: .odata3)
    for index in 0..<40 {
      let names = (0...index % 12).map { "P\($0)" }
      let record = EntityRecord(
        shape: RecordShape(names: names), values: names.indices.map { .int32(Int32($0)) })
      try writer.requestEntity(record)
      let text = String(decoding: writer.take(), as: UTF8.self)
      #expect(text == "{" + names.indices.map { "\"P\($0)\":\($0)" }.joined(separator: ",") + "}")
    }
  }
}
