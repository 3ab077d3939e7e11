/// Spatial values, which JSON carries as GeoJSON (RFC 7946; OData 4 JSON Format § 7.1).
extension JSONRecordBuilder {
  /// Makes the text of a literal; the numbers stay as they are spelled.
  func spatial(at index: Int, _ type: EdmType, _ id: Int) throws(ODataError) -> EdmValue {
    guard let (name, body) = shape(at: index, depth: 0) else {
      throw JSONTokenizer.malformed(
        "the value of “\(members.properties[id].name)” is not the \(type.rawValue) that it is said to be",
        at: tape.nodes[index].offset)
    }
    // The reference systems that OData means where none is named (OData 4 CSDL § 6.2.6).
    let srid = referenceSystem(of: index) ?? (type.rawValue.hasPrefix("Edm.Geography") ? "4326" : "0")
    return .spatial(EdmSpatial(type: type, text: "SRID=\(srid);\(GMLShape.literal(name, body))"))
  }

  /// The digits of `{"type":"name","properties":{"name":"EPSG:4326"}}`.
  private func referenceSystem(of index: Int) -> String? {
    guard let crs = child(.crs, of: index), tape.nodes[crs].kind == .object,
      let properties = child(.properties, of: crs), tape.nodes[properties].kind == .object,
      let name = child(.name, of: properties), tape.nodes[name].kind == .string
    else { return nil }
    let digits = tape.text(tape.nodes[name]).reversed().prefix { $0.isDecimalDigit }
    return digits.isEmpty ? nil : String(decoding: digits.reversed(), as: UTF8.self)
  }

  /// The name of a shape and what stands in the brackets behind it. Collections may hold collections; no service's do as
  /// deep as 32.
  private func shape(at index: Int, depth: Int) -> (name: String, body: String)? {
    guard depth < 32, tape.nodes[index].kind == .object, let type = child(.type, of: index),
      tape.nodes[type].kind == .string
    else { return nil }
    let name = String(decoding: tape.text(tape.nodes[type]), as: UTF8.self)
    guard let shape = GMLShape(rawValue: name == "GeometryCollection" ? "Collection" : name) else {
      return nil
    }
    if shape == .collection {
      guard let geometries = child(.geometries, of: index), tape.nodes[geometries].kind == .array else {
        return nil
      }
      var parts: [(name: String, body: String)] = []
      for place in elements(of: geometries) {
        guard let part = self.shape(at: place, depth: depth + 1) else { return nil }
        parts.append(part)
      }
      return (shape.rawValue, shape.body(positions: [], parts: parts))
    }
    guard let coordinates = child(.coordinates, of: index), tape.nodes[coordinates].kind == .array else {
      return nil
    }
    let body: String? =
      switch shape {
      case .point: elements(of: coordinates).isEmpty ? "" : position(at: coordinates)
      case .line: list(coordinates, inBrackets: false) { position(at: $0) }
      case .polygon, .lines:
        list(coordinates, inBrackets: true) { list($0, inBrackets: false) { position(at: $0) } }
      case .points: list(coordinates, inBrackets: true) { position(at: $0) }
      case .polygons:
        list(coordinates, inBrackets: true) {
          list($0, inBrackets: true) { list($0, inBrackets: false) { position(at: $0) } }
        }
      case .collection: nil
      }
    return body.map { (shape.rawValue, $0) }
  }

  private func elements(of index: Int) -> [Int] {
    var places: [Int] = []
    var place = index + 1
    while place < tape.nodes[index].end {
      places.append(place)
      place = tape.nodes[place].next(behind: place)
    }
    return places
  }

  private func list(_ index: Int, inBrackets: Bool, _ item: (Int) -> String?) -> String? {
    guard tape.nodes[index].kind == .array else { return nil }
    var parts: [String] = []
    for place in elements(of: index) {
      guard let part = item(place) else { return nil }
      parts.append(inBrackets ? "(\(part))" : part)
    }
    return parts.joined(separator: ",")
  }

  /// Two to four numbers: longitude, latitude, height and measure.
  private func position(at index: Int) -> String? {
    guard tape.nodes[index].kind == .array else { return nil }
    let places = elements(of: index)
    guard (2...4).contains(places.count) else { return nil }
    var numbers: [String] = []
    for place in places {
      let node = tape.nodes[place]
      guard node.kind == .integer || node.kind == .number else { return nil }
      numbers.append(String(decoding: tape.text(node), as: UTF8.self))
    }
    return numbers.joined(separator: " ")
  }
}
