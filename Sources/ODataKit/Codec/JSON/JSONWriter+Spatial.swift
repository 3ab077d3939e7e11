/// Spatial values as GeoJSON (RFC 7946; OData 4 JSON Format § 7.1; OData 3 JSON Format § 7.1).
extension JSONEntityWriter {
  /// Writes the object of a spatial value. The numbers stay as they are spelled, as far as JSON takes the spelling.
  mutating func spatial(_ value: EdmSpatial, of name: String) throws(ODataError) {
    var scanner = SpatialScanner(value.text)
    guard let (srid, shape) = scanner.literal(), geoJSON(shape, srid: srid) else {
      throw ODataError(
        .invalidValue,
        "The spatial value of \(described(name).lowercasedFirst) is no literal like SRID=4326;Point(-122.1 47.6), so it "
          + "cannot be written in JSON.")
    }
  }

  /// `false` where some number is none.
  private mutating func geoJSON(_ shape: SpatialScanner.Shape, srid: String?) -> Bool {
    let kind: StaticString =
      switch shape.kind {
      case .point: "Point"
      case .line: "LineString"
      case .polygon: "Polygon"
      case .points: "MultiPoint"
      case .lines: "MultiLineString"
      case .polygons: "MultiPolygon"
      case .collection: "GeometryCollection"
      }
    buffer.append("{\"type\":\"")
    buffer.append(kind)
    buffer.append(UInt8(ascii: "\""))
    var isWritten: Bool
    if shape.kind == .collection {
      member("geometries")
      isWritten = list(shape.members) { $0.geoJSON($1, srid: nil) }
    } else {
      member("coordinates")
      isWritten = coordinates(shape)
    }
    if let srid {
      member("crs")
      buffer.append("{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:")
      buffer.append(plain: srid)
      buffer.append("\"}}")
    }
    buffer.append(UInt8(ascii: "}"))
    return isWritten
  }

  private mutating func coordinates(_ shape: SpatialScanner.Shape) -> Bool {
    switch shape.kind {
    case .point:
      // A point of nowhere.
      guard let position = shape.positions.first else { return list([String]()) { $0.number($1) } }
      return list(position) { $0.number($1) }
    case .line: return positions(shape.positions)
    case .polygon: return list(shape.rings) { $0.positions($1) }
    default: return list(shape.members) { $0.coordinates($1) }
    }
  }

  private mutating func positions(_ positions: [[String]]) -> Bool {
    list(positions) { writer, position in writer.list(position) { $0.number($1) } }
  }

  private mutating func list<Item>(
    _ items: [Item], _ write: (inout JSONEntityWriter, Item) -> Bool
  ) -> Bool {
    buffer.append(UInt8(ascii: "["))
    for item in items {
      separate()
      guard write(&self, item) else { return false }
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }

  /// Writes a number in its spelling; JSON takes no plus sign, no zeros in front, and no point without digits on both of
  /// its sides (RFC 8259 § 6).
  private mutating func number(_ text: String) -> Bool {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
      if rest.removeFirst() == UInt8(ascii: "-") { buffer.append(UInt8(ascii: "-")) }
    }
    let whole = rest.prefix { $0.isDecimalDigit }
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { $0.isDecimalDigit }
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return false }
    let significant = whole.drop { $0 == UInt8(ascii: "0") }
    buffer.append(plain: significant.isEmpty ? "0" : String(Substring(significant)))
    if !fraction.isEmpty { buffer.append(plain: "." + String(Substring(fraction))) }
    guard let letter = rest.first else { return true }
    let exponent = rest.dropFirst()
    let digits = exponent.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    guard letter | 0x20 == UInt8(ascii: "e"), exponent.count - digits.count < 2, !digits.isEmpty,
      digits.allSatisfy(\.isDecimalDigit)
    else { return false }
    buffer.append(plain: String(Substring(rest)))
    return true
  }
}

extension String {
  /// The text as it stands within a sentence.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
