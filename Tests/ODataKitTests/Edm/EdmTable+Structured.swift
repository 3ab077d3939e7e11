import ODataKit

extension EdmRow {
  private static let color = EdmType(rawValue: "Sample.Color")
  private static let address = EntityRecord(
    ["City": .string("松山")], control: ControlInformation(typeName: "Sample.Address"))

  /// Values of types that a service declares, spatial values, and what holds other values. Their texts in payloads are held
  /// in the suites of the formats.
  static let structured: [EdmRow] = [
    EdmRow(
      .enumeration(EdmEnumeration(type: color, member: "Red")),
      url: (nil, "Sample.Color'Red'", "Sample.Color'Red'", nil)),
    EdmRow(
      .enumeration(EdmEnumeration(type: color, member: "Red,-7")),
      url: (nil, "Sample.Color'Red,-7'", "Sample.Color'Red,-7'", nil)),
    EdmRow(
      .spatial(EdmSpatial(type: .geographyPoint, text: "SRID=4326;Point(-122.1 47.6)")),
      url: (
        nil, "geography'SRID=4326;Point(-122.1 47.6)'", "geography'SRID=4326;Point(-122.1 47.6)'", nil
      )),
    EdmRow(
      .spatial(
        EdmSpatial(type: EdmType(rawValue: "Edm.GeometryPolygon"), text: "SRID=0;Polygon((0 0,9 0,0 0))")),
      url: (nil, "geometry'SRID=0;Polygon((0 0,9 0,0 0))'", "geometry'SRID=0;Polygon((0 0,9 0,0 0))'", nil)),
    // OData 4 has collections as constants of filters, and of nothing else.
    EdmRow(
      .collection(EdmCollection(elementType: .int32, [.int32(1), .null])), url: (nil, nil, "[1,null]", nil)),
    EdmRow(
      .collection(EdmCollection(elementType: .string, [.string("a\"b"), .string("")])),
      url: (nil, nil, #"["a\"b",""]"#, nil), others: [.urlV4: [#"[ 'a"b' ,'']"#]]),
    EdmRow(.collection(EdmCollection([])), url: (nil, nil, "[]", nil)),
    EdmRow(
      .collection(EdmCollection(elementType: EdmType(rawValue: "Sample.Address"), [.complex(address)])),
      url: (nil, nil, nil, nil)),
    EdmRow(.complex(address), url: (nil, nil, nil, nil)),
    EdmRow(.stream(EdmStream(readLink: "Books(1)/Cover")), url: (nil, nil, nil, nil)),
  ]
}
