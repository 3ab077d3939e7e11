extension EdmSpatial {
  /// Reads what stands between the quotes of a spatial literal, `SRID=4326;Point(-122.1 47.6)` (OData 4 ABNF, rule
  /// `fullPointLiteral` and its kin). The text is kept as it is; blanks around commas and brackets, a missing SRID and
  /// the words in any case are let pass, as other writers of well-known text have them. `nil` for anything else.
  init?(literal content: some Collection<UInt8>, isGeography: Bool) {
    let text = String(decoding: content, as: UTF8.self)
    guard
      let shape = text.scanned({ scanner -> String? in
        var grammar = SpatialGrammar(scanner: scanner)
        defer { scanner = grammar.scanner }
        return grammar.whole()
      })
    else { return nil }
    self.init(type: EdmType(rawValue: (isGeography ? "Edm.Geography" : "Edm.Geometry") + shape), text: text)
  }
}

/// The grammar of spatial values: a shape's name and its positions, in brackets as deep as the shape is.
private struct SpatialGrammar {
  /// How deep collections may hold collections.
  private static let maximumNesting = 16
  var scanner: LexicalScanner

  /// The shape of the whole text, as it stands in the name of its type.
  mutating func whole() -> String? {
    if word("srid") {
      guard scanner.take(UInt8(ascii: "=")), scanner.number() != nil, scanner.take(UInt8(ascii: ";")) else {
        return nil
      }
    }
    return shape(nesting: 0)
  }

  /// Takes a word in any case; it is given in lower case.
  private mutating func word(_ word: StaticString) -> Bool {
    var copy = scanner
    for index in 0..<word.utf8CodeUnitCount {
      guard copy.take(letter: word.utf8Start[index]) else { return false }
    }
    scanner = copy
    return true
  }

  private mutating func blanks() { while scanner.take(UInt8(ascii: " ")) {} }

  private mutating func shape(nesting: Int) -> String? {
    // The longer words first, since some begin with others.
    if word("geometrycollection") || word("collection") {
      guard nesting < Self.maximumNesting else { return nil }
      return list(isEmptyAllowed: true) { $0.shape(nesting: nesting + 1) != nil } ? "Collection" : nil
    }
    if word("multipoint") {
      return list(isEmptyAllowed: true) { $0.list { $0.position() } } ? "MultiPoint" : nil
    }
    if word("multilinestring") {
      return list(isEmptyAllowed: true) { $0.positions() } ? "MultiLineString" : nil
    }
    if word("multipolygon") {
      return list(isEmptyAllowed: true) { $0.list { $0.positions() } } ? "MultiPolygon" : nil
    }
    if word("point") { return list { $0.position() } ? "Point" : nil }
    if word("linestring") { return positions() ? "LineString" : nil }
    if word("polygon") { return list { $0.positions() } ? "Polygon" : nil }
    return nil
  }

  private mutating func positions() -> Bool { list { $0.position() } }

  /// Items with commas between them, in brackets.
  private mutating func list(isEmptyAllowed: Bool = false, of item: (inout Self) -> Bool) -> Bool {
    blanks()
    guard scanner.take(UInt8(ascii: "(")) else { return false }
    blanks()
    if isEmptyAllowed, scanner.take(UInt8(ascii: ")")) { return true }
    repeat {
      blanks()
      guard item(&self) else { return false }
      blanks()
    } while scanner.take(UInt8(ascii: ","))
    return scanner.take(UInt8(ascii: ")"))
  }

  /// Two to four numbers: longitude and latitude, or x and y; height; measure.
  private mutating func position() -> Bool {
    var count = 0
    while count < 4, number() {
      count += 1
      guard scanner.next == UInt8(ascii: " ") else { break }
      blanks()
    }
    return count >= 2
  }

  private mutating func number() -> Bool {
    if !scanner.take(UInt8(ascii: "-")) { _ = scanner.take(UInt8(ascii: "+")) }
    guard digits() else { return false }
    if scanner.take(UInt8(ascii: ".")), !digits() { return false }
    guard scanner.take(letter: UInt8(ascii: "e")) else { return true }
    if !scanner.take(UInt8(ascii: "-")) { _ = scanner.take(UInt8(ascii: "+")) }
    return digits()
  }

  private mutating func digits() -> Bool {
    var isEmpty = true
    while let byte = scanner.next, byte.isDecimalDigit {
      _ = scanner.take(byte)
      isEmpty = false
    }
    return !isEmpty
  }
}
