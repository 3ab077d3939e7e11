/// Spatial values as GML, the inverse of ``GMLReader``.
extension AtomWriter {
  /// Writes the elements of a spatial value; `what` names the property in errors.
  mutating func spatial(_ value: EdmSpatial, of what: String) throws(ODataError) {
    var scanner = SpatialScanner(value.text)
    guard let (srid, shape) = scanner.literal() else {
      throw ODataError(
        .invalidValue,
        "The spatial value of \(what) is no literal like SRID=4326;Point(-122.1 47.6), so it cannot be written in Atom."
      )
    }
    gml(shape, srid: srid, isOutermost: true, isGeography: value.isGeography)
  }

  private mutating func gml(
    _ shape: SpatialScanner.Shape, srid: String?, isOutermost: Bool, isGeography: Bool
  ) {
    let element: StaticString =
      switch shape.kind {
      case .point: "gml:Point"
      case .line: "gml:LineString"
      case .polygon: "gml:Polygon"
      case .points: "gml:MultiPoint"
      case .lines: "gml:MultiCurve"
      case .polygons: "gml:MultiSurface"
      case .collection: "gml:MultiGeometry"
      }
    bytes.append(markup: "<")
    bytes.append(markup: element)
    if isOutermost {
      bytes.append(markup: " xmlns:gml=\"")
      bytes.append(markup: AtomNamespace.gml)
      bytes.append(markup: "\"")
    }
    if let srid {
      bytes.append(markup: " gml:srsName=\"http://www.opengis.net/def/crs/EPSG/0/")
      bytes.append(contentsOf: srid.utf8)
      bytes.append(markup: "\"")
    }
    bytes.append(markup: ">")
    positions(shape.positions, isGeography: isGeography)
    for (index, ring) in shape.rings.enumerated() {
      bytes.append(markup: index == 0 ? "<gml:exterior><gml:LinearRing>" : "<gml:interior><gml:LinearRing>")
      positions(ring, isGeography: isGeography)
      bytes.append(
        markup: index == 0 ? "</gml:LinearRing></gml:exterior>" : "</gml:LinearRing></gml:interior>")
    }
    if !shape.members.isEmpty {
      let members: StaticString =
        switch shape.kind {
        case .points: "gml:pointMembers>"
        case .lines: "gml:curveMembers>"
        case .polygons: "gml:surfaceMembers>"
        default: "gml:geometryMembers>"
        }
      bytes.append(markup: "<")
      bytes.append(markup: members)
      for member in shape.members { gml(member, srid: nil, isOutermost: false, isGeography: isGeography) }
      bytes.append(markup: "</")
      bytes.append(markup: members)
    }
    bytes.append(markup: "</")
    bytes.append(markup: element)
    bytes.append(markup: ">")
  }

  private mutating func positions(_ positions: [[String]], isGeography: Bool) {
    for var position in positions {
      if isGeography { position.swapAt(0, 1) }
      bytes.append(markup: "<gml:pos>")
      bytes.append(contentsOf: position.joined(separator: " ").utf8)
      bytes.append(markup: "</gml:pos>")
    }
  }
}

/// Reads the literals of spatial values, as far as their shape goes: the numbers are kept as they are spelled.
struct SpatialScanner {
  struct Shape {
    var kind: GMLShape
    var positions: [[String]] = []
    var rings: [[[String]]] = []
    var members: [Shape] = []
  }

  private var rest: Substring.UTF8View
  /// Collections may hold collections; no service's do as deep as this.
  private static let depth = 32

  init(_ text: String) { rest = text.utf8[...] }

  /// The reference system and the shape, or `nil` for what is no literal. The reference system may be missing.
  mutating func literal() -> (srid: String?, shape: Shape)? {
    var srid: String?
    if take("srid=") {
      let digits = rest.prefix { $0.isDecimalDigit }
      guard !digits.isEmpty else { return nil }
      srid = String(Substring(digits))
      rest = rest.dropFirst(digits.count)
      guard take(";") else { return nil }
    }
    guard let shape = shape(Self.depth) else { return nil }
    skipBlanks()
    return rest.isEmpty ? (srid, shape) : nil
  }

  private mutating func shape(_ depth: Int) -> Shape? {
    guard depth > 0 else { return nil }
    skipBlanks()
    // The longer names first, since some begin with the shorter ones.
    let names: [(String, GMLShape)] =
      [("geometrycollection", .collection)]
      + GMLShape.allCases.reversed().map { ($0.rawValue.lowercased(), $0) }
    guard let kind = names.first(where: { take($0.0) })?.1 else { return nil }
    skipBlanks()
    var shape = Shape(kind: kind)
    if take("empty") { return shape }
    let isRead: Bool
    switch kind {
    case .point, .line: isRead = list { $0.position().map { shape.positions.append($0) } }
    case .polygon: isRead = list { $0.ring().map { shape.rings.append($0) } }
    case .points:
      isRead = list { $0.ring().map { shape.members.append(Shape(kind: .point, positions: $0)) } }
    case .lines:
      isRead = list { $0.ring().map { shape.members.append(Shape(kind: .line, positions: $0)) } }
    case .polygons:
      isRead = list { scanner in
        var polygon = Shape(kind: .polygon)
        guard scanner.list({ $0.ring().map { polygon.rings.append($0) } }) else { return nil }
        shape.members.append(polygon)
        return ()
      }
    case .collection: isRead = list { $0.shape(depth - 1).map { shape.members.append($0) } }
    }
    return isRead && (kind != .point || shape.positions.count == 1) ? shape : nil
  }

  /// Items with commas between them, in brackets; none at all is a list, too.
  private mutating func list(_ item: (inout SpatialScanner) -> Void?) -> Bool {
    skipBlanks()
    guard take("(") else { return false }
    skipBlanks()
    if take(")") { return true }
    repeat {
      guard item(&self) != nil else { return false }
      skipBlanks()
    } while take(",")
    return take(")")
  }

  private mutating func ring() -> [[String]]? {
    var positions: [[String]] = []
    return list { $0.position().map { positions.append($0) } } ? positions : nil
  }

  private mutating func position() -> [String]? {
    var numbers: [String] = []
    while true {
      skipBlanks()
      let number = rest.prefix { byte in
        byte.isDecimalDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "+")
          || byte | 0x20 == UInt8(ascii: "e")
      }
      if number.isEmpty { break }
      numbers.append(String(Substring(number)))
      rest = rest.dropFirst(number.count)
    }
    return (2...4).contains(numbers.count) ? numbers : nil
  }

  private mutating func skipBlanks() { rest = rest.drop { $0.isBlank } }

  /// Takes `word`, given in lower case, whatever the case of its letters.
  private mutating func take(_ word: String) -> Bool {
    let count = word.utf8.count
    guard rest.count >= count else { return false }
    for (byte, expected) in zip(rest, word.utf8) {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      guard (isCapital ? byte | 0x20 : byte) == expected else { return false }
    }
    rest = rest.dropFirst(count)
    return true
  }
}
