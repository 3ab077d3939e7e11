import ODataKit

extension EdmRow {
  private static let color = EdmType(rawValue: "Sample.Color")
  private static let addressType = EdmType(rawValue: "Sample.Address")
  private static let address = EntityRecord(
    ["City": .string("松山")], control: ControlInformation(typeName: "Sample.Address"))
  private static let gml =
    "xmlns:gml=\"http://www.opengis.net/gml\" gml:srsName=\"http://www.opengis.net/def/crs/EPSG/0"

  /// Values of types that a service declares, spatial values, and what holds other values.
  static let structured: [EdmRow] = [
    EdmRow(
      .enumeration(EdmEnumeration(type: color, member: "Red")),
      url: (nil, "Sample.Color'Red'", "Sample.Color'Red'", nil),
      json: (nil, nil, ##""P@odata.type":"#Sample.Color","P":"Red""##),
      atom: (nil, nil, ##"<d:P m:type="#Sample.Color">Red</d:P>"##)),
    EdmRow(
      .enumeration(EdmEnumeration(type: color, member: "Red,-7")),
      url: (nil, "Sample.Color'Red,-7'", "Sample.Color'Red,-7'", nil),
      json: (nil, nil, ##""P@odata.type":"#Sample.Color","P":"Red,-7""##),
      atom: (nil, nil, ##"<d:P m:type="#Sample.Color">Red,-7</d:P>"##)),
    EdmRow(
      .spatial(EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(-122.1 47.6)")),
      url: (
        nil, "geography'SRID=4326;Point(-122.1 47.6)'", "geography'SRID=4326;Point(-122.1 47.6)'", nil
      ),
      json: (
        nil,
        #""P@odata.type":"Edm.GeographyPoint","P":{"type":"Point","coordinates":[-122.1,47.6],"crs":{"type":"name","properties":{"name":"EPSG:4326"}}}"#,
        ##""P@odata.type":"#GeographyPoint","P":{"type":"Point","coordinates":[-122.1,47.6],"crs":{"type":"name","properties":{"name":"EPSG:4326"}}}"##
      ),
      // GML has the latitude first.
      atom: (
        nil,
        "<d:P m:type=\"Edm.GeographyPoint\"><gml:Point \(gml)/4326\"><gml:pos>47.6 -122.1</gml:pos></gml:Point></d:P>",
        "<d:P m:type=\"GeographyPoint\"><gml:Point \(gml)/4326\"><gml:pos>47.6 -122.1</gml:pos></gml:Point></d:P>"
      ),
      others: [
        .jsonV4: [##""P@odata.type":"#GeographyPoint","P":{"type":"Point","coordinates":[-122.1,47.6]}"##]
      ]
    ),
    EdmRow(
      .spatial(
        EdmSpatial(type: EdmType(rawValue: "Edm.GeometryPolygon"), text: "SRID=0;Polygon((0 0,9 0,0 0))")),
      url: (nil, "geometry'SRID=0;Polygon((0 0,9 0,0 0))'", "geometry'SRID=0;Polygon((0 0,9 0,0 0))'", nil),
      json: (
        nil,
        #""P@odata.type":"Edm.GeometryPolygon","P":{"type":"Polygon","coordinates":[[[0,0],[9,0],[0,0]]],"crs":{"type":"name","properties":{"name":"EPSG:0"}}}"#,
        ##""P@odata.type":"#GeometryPolygon","P":{"type":"Polygon","coordinates":[[[0,0],[9,0],[0,0]]],"crs":{"type":"name","properties":{"name":"EPSG:0"}}}"##
      ),
      atom: (
        nil, "<d:P m:type=\"Edm.GeometryPolygon\">\(polygon)</d:P>",
        "<d:P m:type=\"GeometryPolygon\">\(polygon)</d:P>"
      )),
    // OData 4 has collections as constants of filters, and of nothing else.
    EdmRow(
      .collection(EdmCollection(elementType: .int32, [.int32(1), .null])), url: (nil, nil, "[1,null]", nil),
      json: (
        nil, #""P@odata.type":"Collection(Edm.Int32)","P":[1,null]"#,
        ##""P@odata.type":"#Collection(Int32)","P":[1,null]"##
      ),
      atom: (
        nil,
        #"<d:P m:type="Collection(Edm.Int32)"><d:element>1</d:element><d:element m:null="true" /></d:P>"#,
        ##"<d:P m:type="#Collection(Int32)"><m:element>1</m:element><m:element m:null="true" /></d:P>"##
      )),
    EdmRow(
      .collection(EdmCollection(elementType: .string, [.string("a\"b"), .string("")])),
      url: (nil, nil, #"["a\"b",""]"#, nil),
      json: (
        nil, #""P@odata.type":"Collection(Edm.String)","P":["a\"b",""]"#,
        ##""P@odata.type":"#Collection(String)","P":["a\"b",""]"##
      ),
      atom: (
        nil,
        #"<d:P m:type="Collection(Edm.String)"><d:element>a"b</d:element><d:element></d:element></d:P>"#,
        ##"<d:P m:type="#Collection(String)"><m:element>a"b</m:element><m:element></m:element></d:P>"##
      ), others: [.urlV4: [#"[ 'a"b' ,'']"#]]),
    // Without a type, XML does not tell no elements from no letters.
    EdmRow(
      .collection(EdmCollection([])), url: (nil, nil, "[]", nil),
      json: (nil, #""P":[]"#, #""P":[]"#), atom: (nil, "<d:P></d:P>", "<d:P></d:P>"),
      reads: [.atomV3: .string(""), .atomV4: .string("")]),
    EdmRow(
      .collection(EdmCollection(elementType: addressType, [.complex(address)])), url: (nil, nil, nil, nil),
      json: (
        nil, #""P@odata.type":"Collection(Sample.Address)","P":[{"City":"松山"}]"#,
        ##""P@odata.type":"#Collection(Sample.Address)","P":[{"City":"松山"}]"##
      ),
      atom: (
        nil,
        #"<d:P m:type="Collection(Sample.Address)"><d:element><d:City>松山</d:City></d:element></d:P>"#,
        ##"<d:P m:type="#Collection(Sample.Address)"><m:element><d:City>松山</d:City></m:element></d:P>"##
      )),
    EdmRow(
      .complex(address), url: (nil, nil, nil, nil),
      json: (
        #""P":{"__metadata":{"type":"Sample.Address"},"City":"松山"}"#,
        #""P":{"odata.type":"Sample.Address","City":"松山"}"#,
        ##""P":{"@odata.type":"#Sample.Address","City":"松山"}"##
      ),
      atom: (
        #"<d:P m:type="Sample.Address"><d:City>松山</d:City></d:P>"#,
        #"<d:P m:type="Sample.Address"><d:City>松山</d:City></d:P>"#,
        ##"<d:P m:type="#Sample.Address"><d:City>松山</d:City></d:P>"##
      )),
    // Payloads have links in its place.
    EdmRow(.stream(EdmStream(readLink: "Books(1)/Cover")), url: (nil, nil, nil, nil)),
  ]

  private static let polygon =
    "<gml:Polygon \(gml)/0\"><gml:exterior><gml:LinearRing><gml:pos>0 0</gml:pos><gml:pos>9 0</gml:pos>"
    + "<gml:pos>0 0</gml:pos></gml:LinearRing></gml:exterior></gml:Polygon>"
}
