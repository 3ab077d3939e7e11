import Foundation
import ODataKit

/// Makes records that a service of one generation could send in Atom, from a seed.
///
/// They stand in the order in which a document tells them: what is expanded in links, the properties, the streams.
struct RecordGenerator {
  let dialect: Dialect
  var random: SeededGenerator

  init(dialect: Dialect, seed: UInt64) {
    self.dialect = dialect
    random = SeededGenerator(state: seed)
  }

  private mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func pick<Element>(_ items: [Element]) -> Element { items[number(0..<items.count)] }

  /// Whatever XML can carry.
  mutating func text() -> String {
    let pieces = [
      "a", "Z", "7", " ", "\t", "\n", "\r\n", "\r", "&", "<", ">", "\"", "'", "]]>", "&amp;", "e\u{301}", "é",
      "棚",
      "\u{1F4DA}", "\u{85}", "\u{2028}", "\u{FFFD}", "\u{FEFF}", "<![CDATA[", "-->", "%20", "#38;",
    ]
    return (0..<number(0..<8)).map { _ in pick(pieces) }.joined()
  }

  private mutating func link() -> String {
    pick(["Books(1)", "http://host/svc/Books('a%20b')", "?a=1&b=<2>", "../x", "/y/z"])
      + (chance(20) ? text() : "")
  }

  private mutating func names(_ count: Int) -> [String] {
    var rest = [
      "Id", "Title", "element", "element2", "properties", "Größe", "名前", "é", "e\u{301}", "_x.y-z", "Rate",
      "type",
      "null", "A1",
    ]
    return (0..<count).map { _ in rest.remove(at: number(0..<rest.count)) }
  }

  // MARK: Entities

  mutating func feed() -> (records: [EntityRecord], summary: PayloadSummary) {
    var summary = PayloadSummary(isFeed: true)
    if chance(40) { summary.count = Int64(number(0..<1000)) }
    if chance(40) { summary.nextLink = link() }
    if dialect == .v4, chance(40) { summary.deltaLink = link() }
    return ((0..<number(0..<4)).map { _ in entity(depth: 2, base: nil) }, summary)
  }

  mutating func entity(depth: Int, base outer: String?) -> EntityRecord {
    var control = ControlInformation()
    if chance(80) { control.id = "http://host/" + text() + "/" }
    if chance(50) { control.entityTag = EntityTag(rawValue: "W/\"\(text())\"") }
    if chance(50) { control.editLink = link() }
    if chance(20) { control.readLink = link() + "#read" }
    if chance(60) { control.typeName = pick(["Model.Book", "Model.Größe", "Model.Sub.Type"]) }
    control.base = chance(30) ? "http://\(pick(["a", "b", "c"])).example/svc/" : outer
    if chance(20) {
      control.media = EdmStream(
        readLink: link(), editLink: chance(50) ? link() : nil, contentType: chance(50) ? "image/png" : nil,
        entityTag: chance(50) ? EntityTag(rawValue: "\"m\"") : nil)
    }
    var record = EntityRecord()
    for index in 0..<(chance(50) ? 0 : number(1..<4)) {
      var link = NavigationLink("Related\(index)")
      if chance(50) { link.associationLink = self.link() }
      if depth > 0, chance(60) {
        if chance(50) { link.navigationLink = self.link() }
        record[link.name] = expanded(depth: depth - 1, base: control.base)
      } else {
        link.navigationLink = self.link()
      }
      control.links.append(link)
    }
    for name in names(number(0..<6)) { record[name] = value(depth: 2, base: control.base) }
    if dialect != .v2, chance(20) {
      record["Stream"] = .stream(
        EdmStream(
          readLink: link(), editLink: chance(50) ? link() : nil, contentType: chance(50) ? "a/b" : nil))
    }
    record.control = control
    return record
  }

  private mutating func expanded(depth: Int, base: String?) -> EdmValue {
    switch number(0..<4) {
    case 0: return .null
    case 1: return .complex(entity(depth: depth, base: base))
    default:
      return .collection(
        EdmCollection(
          (0..<number(0..<3)).map { _ in .complex(entity(depth: depth, base: base)) },
          count: chance(30) ? Int64(number(0..<99)) : nil,
          nextLink: chance(30) ? "http://host/" + text() : nil))
    }
  }

  // MARK: Values

  private mutating func value(depth: Int, base: String?) -> EdmValue {
    switch number(0..<10) {
    case 0: return .null
    case 1 where depth > 0:
      return complex(depth: depth - 1, base: base, type: chance(70) ? "Model.Address" : nil)
    case 2 where depth > 0 && dialect != .v2: return collection(depth: depth - 1, base: base)
    default: return primitive(pick(kinds))
    }
  }

  private mutating func complex(depth: Int, base: String?, type: String?) -> EdmValue {
    var record = EntityRecord(control: ControlInformation(typeName: type))
    if dialect == .v4, chance(20) {
      record.control.links = [NavigationLink("Country", navigationLink: link())]
      record.control.base = base
    }
    // Without a type, it takes a property to tell a complex value from an empty text; and one that is called like the
    // elements of a collection tells the opposite.
    let properties = names(type == nil ? 2 : number(0..<3)).filter { $0 != "element" }
    for name in properties { record[name] = value(depth: depth, base: base) }
    return .complex(record)
  }

  private mutating func collection(depth: Int, base: String?) -> EdmValue {
    if chance(30) {
      return .collection(
        EdmCollection(
          elementType: EdmType(rawValue: "Model.Address"),
          (0..<number(0..<3)).map { _ in
            chance(10)
              ? .null : complex(depth: depth, base: base, type: pick(["Model.Address", "Model.Derived"]))
          }))
    }
    let kind = pick(kinds)
    return .collection(
      EdmCollection(
        elementType: primitive(kind).type,
        (0..<number(0..<4)).map { _ in chance(10) ? .null : primitive(kind) }))
  }

  private enum Kind: CaseIterable {
    case boolean, byte, sbyte, int16, int32, int64, single, double, decimal, string, binary, guid
    case dateTime, dateTimeOffset, duration, date, timeOfDay, enumeration, spatial
  }

  private var kinds: [Kind] {
    Kind.allCases.filter { kind in
      switch kind {
      case .dateTime: dialect != .v4
      case .date, .timeOfDay, .enumeration: dialect == .v4
      case .spatial: dialect != .v2
      default: true
      }
    }
  }

  private mutating func primitive(_ kind: Kind) -> EdmValue {
    switch kind {
    case .boolean: return .boolean(chance(50))
    case .byte: return .byte(.random(in: .min ... .max, using: &random))
    case .sbyte: return .sbyte(.random(in: .min ... .max, using: &random))
    case .int16: return .int16(.random(in: .min ... .max, using: &random))
    case .int32: return .int32(.random(in: .min ... .max, using: &random))
    case .int64: return .int64(.random(in: .min ... .max, using: &random))
    case .single: return .single(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
    case .double: return .double(Double(bitPattern: random.next()))
    case .decimal:
      let digits = String(Int64.random(in: .min ... .max, using: &random))
      return EdmDecimal(chance(50) ? digits : digits + ".\(number(0..<1000))0").map(EdmValue.decimal) ?? .null
    case .string: return .string(text())
    case .binary: return .binary((0..<number(0..<9)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    case .guid:
      let (a, b) = (random.next(), random.next())
      let bytes = [a, b].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> (8 * $0)) } }
      return .guid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case .dateTime:
      return .dateTime(
        EdmDateTime("20\(number(10..<99))-02-03T04:05:06.\(number(0..<9_999_999))Z") ?? .unixEpoch)
    case .dateTimeOffset:
      return EdmDateTimeOffset("19\(number(10..<99))-12-31T23:59:59.\(number(1..<9))-\(number(10..<14)):30")
        .map(EdmValue.dateTimeOffset) ?? .null
    case .duration:
      return EdmDuration("P\(number(0..<99))DT\(number(0..<24))H\(number(0..<60)).5S").map(EdmValue.duration)
        ?? .null
    case .date:
      return EdmDate("\(number(1000..<9999))-0\(number(1..<10))-\(number(10..<29))").map(EdmValue.date)
        ?? .null
    case .timeOfDay:
      return EdmTimeOfDay("\(number(10..<24)):\(number(10..<60)):00.25").map(EdmValue.timeOfDay) ?? .null
    case .enumeration:
      return .enumeration(
        EdmEnumeration(type: EdmType(rawValue: "Model.Color"), member: pick(["Red", "Red,Green", "7"])))
    case .spatial:
      return .spatial(
        EdmSpatial(
          type: .geographyPoint, text: "SRID=4326;Point(\(number(-180..<180)).50 \(number(-90..<90)))"))
    }
  }
}
