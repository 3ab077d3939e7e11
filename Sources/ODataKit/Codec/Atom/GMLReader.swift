/// Makes the text of a spatial literal of the elements of GML, in which Atom carries spatial values (OData Atom Format
/// 4.0 § 7.1; MS-ODATA § 2.2.6.1.3): Simple Features of GML with `pos`, and `posList` where services abbreviate.
///
/// The numbers stay as they are spelled. GML gives latitude before longitude on the globe, the literal the other way.
struct GMLReader {
  private enum Kind: Equatable {
    case shape(GMLShape)
    /// A closed line of a polygon.
    case ring
    /// What stands between a shape and the shapes or rings it is made of.
    case member
    case position, positions
    case ignored
  }

  private struct Node {
    let kind: Kind
    /// The coordinates of each position, in the order of the literal.
    var positions: [String] = []
    /// The shapes and rings in it, as name and what stands in the brackets.
    var parts: [(name: String, body: String)] = []
    var dimension = 2
  }

  private var open: [Node] = []
  private var srid: String?
  private let type: EdmType?
  private var isBroken = false
  /// The name of the shape and what stands in the brackets, once all elements have ended.
  private var shape: (name: String, body: String)?

  /// Starts a value of a spatial type, or of one that is told by its shape: on the globe then, as most are.
  init(type: EdmType?) { self.type = type }

  private var isGeography: Bool { type.map { $0.rawValue.hasPrefix("Edm.Geography") } ?? true }

  mutating func startElement(_ name: XMLName, _ attributes: XMLAttributes, isGML: Bool) {
    var node = Node(kind: isGML ? Self.kind(of: name) : .ignored)
    for index in 0..<attributes.count {
      guard let attribute = attributes.name(index) else { continue }
      if attribute.isCalled("srsName"), srid == nil {
        // `http://www.opengis.net/def/crs/EPSG/0/4326`, `urn:ogc:def:crs:EPSG::4326`, `EPSG:4326`
        let digits = attributes.string(index).utf8.reversed().prefix { $0.isDecimalDigit }
        if !digits.isEmpty { srid = String(decoding: digits.reversed(), as: UTF8.self) }
      } else if attribute.isCalled("srsDimension") {
        node.dimension = min(max(Int(attributes.string(index)) ?? 2, 2), 4)
      }
    }
    open.append(node)
  }

  /// Ends an element with the text in it; `true` where the value is complete.
  mutating func endElement(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let node = open.popLast() else { return true }
    let parent = open.indices.last
    switch node.kind {
    case .position, .positions:
      let numbers = text.split(whereSeparator: { $0.isBlank || $0 == UInt8(ascii: ",") })
      isBroken = isBroken || !numbers.allSatisfy { $0.allSatisfy(Self.isOfNumber) }
      let size = node.kind == .position ? max(numbers.count, 1) : node.dimension
      isBroken = isBroken || numbers.isEmpty || numbers.count % size != 0 || size < 2 || size > 4
      guard !isBroken, let parent else { break }
      for start in stride(from: 0, to: numbers.count, by: size) {
        var position = numbers[start..<(start + size)].map { String(decoding: $0, as: UTF8.self) }
        if isGeography { position.swapAt(0, 1) }
        open[parent].positions.append(position.joined(separator: " "))
      }
    case .ring: append(("", node.positions.joined(separator: ",")), to: parent)
    case .shape(let shape):
      append((shape.rawValue, shape.body(positions: node.positions, parts: node.parts)), to: parent)
    case .member:
      guard let parent else { break }
      open[parent].parts += node.parts
      open[parent].positions += node.positions
    case .ignored: break
    }
    return open.isEmpty
  }

  /// The value, or `nil` where the elements make none.
  var value: EdmSpatial? {
    guard !isBroken, let shape else { return nil }
    let literal = GMLShape.literal(shape.name, shape.body)
    // The reference systems that OData means where none is named (OData 4 CSDL § 6.2.6).
    return EdmSpatial(
      type: type ?? EdmType(rawValue: "Edm.Geography" + shape.name),
      text: "SRID=\(srid ?? (isGeography ? "4326" : "0"));\(literal)")
  }

  private mutating func append(_ part: (name: String, body: String), to parent: Int?) {
    if let parent {
      open[parent].parts.append(part)
    } else if !part.name.isEmpty {
      shape = part
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func kind(of name: XMLName) -> Kind {
    let known: [(StaticString, Kind)] = [
      ("pos", .position), ("posList", .positions), ("LinearRing", .ring), ("Point", .shape(.point)),
      ("LineString", .shape(.line)), ("Polygon", .shape(.polygon)), ("MultiPoint", .shape(.points)),
      ("MultiCurve", .shape(.lines)), ("MultiLineString", .shape(.lines)),
      ("MultiSurface", .shape(.polygons)),
      ("MultiPolygon", .shape(.polygons)), ("MultiGeometry", .shape(.collection)),
    ]
    return known.first { name.isCalled($0.0) }?.1 ?? .member
  }
}

/// The shapes of spatial values, by their names in literals (OData 4 ABNF, rules `pointLiteral` and its kin).
enum GMLShape: String, CaseIterable {
  case point = "Point"
  case line = "LineString"
  case polygon = "Polygon"
  case points = "MultiPoint"
  case lines = "MultiLineString"
  case polygons = "MultiPolygon"
  case collection = "Collection"

  /// The name with its brackets. OData's own literals have no empty points, lines and polygons; well-known text has.
  static func literal(_ name: String, _ body: String) -> String {
    let mayBeEmpty = name.hasPrefix("Multi") || name == collection.rawValue
    return body.isEmpty && !mayBeEmpty ? "\(name) EMPTY" : "\(name)(\(body))"
  }

  /// What stands in the brackets behind the name.
  func body(positions: [String], parts: [(name: String, body: String)]) -> String {
    switch self {
    case .point, .line: positions.joined(separator: ",")
    case .polygon, .points, .lines, .polygons: parts.map { "(\($0.body))" }.joined(separator: ",")
    case .collection: parts.map { Self.literal($0.name, $0.body) }.joined(separator: ",")
    }
  }
}
