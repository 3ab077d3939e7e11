import Testing

@testable import ODataKit

/// The verbose JSON of OData 1 to 3 (MS-ODATA § 2.2.6.3).
struct VerboseJSONTests {
  @Test(
    "A date that no DateTime holds is a text, and no trap",
    arguments: [
      "1000000000000000", "-1000000000000000", "922337203685478", "-922337203685478", "999999999999999999",
      "253402300800000", "-62135596800001",
    ])
  func hugeDates(_ number: String) throws {
    #expect(try readEntity(#"{"d":{"D":"\/Date(\#(number))\/"}}"#)["D"] == .string("/Date(\(number))/"))
    expectError(.malformedPayload) {
      try read([Array(#"{"D@odata.type":"Edm.DateTime","D":"/Date(\#(number))/"}"#.utf8)])
    }
  }

  @Test("An entity tells its address, its tag, its type and its content in __metadata")
  func metadata() throws {
    let record = try readEntity(
      ##"""
      {"d":{"__metadata":{"uri":"http://h/Books(1)","etag":"W/\"1\"","type":"L.Book","media_src":"http://h/Books(1)/$value",
        "edit_media":"http://h/Books(1)/$value","content_type":"image/png","media_etag":"\"7\"",
        "properties":{"Author":{"associationuri":"http://h/Books(1)/$links/Author"}}},
       "Id":"9007199254740993","Price":"12.50","Author":{"__deferred":{"uri":"http://h/Books(1)/Author"}},
       "Address":{"__metadata":{"type":"L.Address"},"Zip":12}}}
      """##, types: BookCatalog.types)
    var expected = EntityRecord(
      [
        "Id": .int64(9_007_199_254_740_993), "Price": .decimal(try #require(EdmDecimal("12.50"))),
        "Address": .object(["Zip": .int16(12)], "L.Address"),
      ],
      control: ControlInformation(
        id: "http://h/Books(1)", entityTag: EntityTag(rawValue: #"W/"1""#), editLink: "http://h/Books(1)",
        typeName: "L.Book")
    ).linked(
      NavigationLink(
        "Author", navigationLink: "http://h/Books(1)/Author",
        associationLink: "http://h/Books(1)/$links/Author"))
    expected.control.media = EdmStream(
      readLink: "http://h/Books(1)/$value", editLink: "http://h/Books(1)/$value", contentType: "image/png",
      entityTag: EntityTag(rawValue: "\"7\""))
    #expect(record == expected)
  }

  @Test("Expanded entities stand in results or alone, with a count and a next page")
  func expanded() throws {
    let record = try readEntity(
      ##"""
      {"d":{"__metadata":{"uri":"u"},"Id":1,"Author":{"__metadata":{"uri":"a"},"Name":"N"},
       "Orders":{"results":[{"__metadata":{"uri":"o"},"Id":2}],"__count":"5","__next":"n"},"Parts":{"results":[]},
       "Tags":{"__metadata":{"type":"Collection(Edm.String)"},"results":["a"]},
       "Photo":{"__mediaresource":{"media_src":"p","edit_media":"q","content_type":"c","media_etag":"e"}}}}
      """##)
    func entity(_ properties: KeyValuePairs<String, EdmValue>, _ uri: String) -> EdmValue {
      .complex(EntityRecord(properties, control: ControlInformation(id: uri, editLink: uri)))
    }
    #expect(
      record
        == EntityRecord(
          [
            "Id": .int32(1), "Author": entity(["Name": .string("N")], "a"),
            "Orders": .collection(EdmCollection([entity(["Id": .int32(2)], "o")], count: 5, nextLink: "n")),
            "Parts": .collection(EdmCollection()),
            "Tags": .collection(EdmCollection(elementType: .string, [.string("a")])),
            "Photo": .stream(
              EdmStream(
                readLink: "p", editLink: "q", contentType: "c", entityTag: EntityTag(rawValue: "e"))),
          ], control: ControlInformation(id: "u", editLink: "u")
        ).linked(NavigationLink("Author"), NavigationLink("Orders"), NavigationLink("Parts")))
  }

  @Test("A single entity may stand in results, and a request has no d at all")
  func frames() throws {
    #expect(
      try readEntity(##"{"d":{"results":{"__metadata":{"uri":"u"},"A":1}}}"##)["A"] == .int32(1))
    let request = try readEntity(
      ##"{"__metadata":{"type":"L.Book"},"At":"/Date(0)/","A":{"__metadata":{"type":"L.A"}}}"##)
    #expect(
      request
        == EntityRecord(
          ["At": .dateTime(.unixEpoch), "A": .object([:], "L.A")],
          control: ControlInformation(typeName: "L.Book")))
    #expect(try readFeed(##"{"d":{"__count":"2","results":[{"A":1},{"A":2}]}}"##).summary.count == 2)
    let expanded = try readEntity(
      ##"{"d":{"__metadata":{"uri":"u"},"A":{"results":[],"__next":{"uri":"n"}}}}"##)
    #expect(expanded["A"] == .collection(EdmCollection(nextLink: "n")))
    // The one property that is called so, behind the control information.
    #expect(
      try readEntity(##"{"d":{"__metadata":{"uri":"u"},"results":{"A":1}}}"##)["results"]
        == .object(["A": .int32(1)]))
  }

  @Test("Names of verbose JSON are ordinary where there are annotations")
  func ordinary() throws {
    let record = try readEntity(
      ##"{"@odata.context":"c","A":{"results":[1]},"B":{"__deferred":{"uri":"x"}},"__metadata":{"uri":"y"}}"##
    )
    #expect(
      record
        == EntityRecord([
          "A": .object(["results": .collection(EdmCollection([.int32(1)]))]),
          "B": .object(["__deferred": .object(["uri": .string("x")])]),
          "__metadata": .object(["uri": .string("y")]),
        ]))
  }
}
