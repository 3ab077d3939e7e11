import Foundation

/// A type whose made-up values are known.
///
/// The first ones are odd on purpose: whoever trims, rounds, clamps or takes the lower case of them gets something else,
/// and a computed property that does is told apart from the member. The later ones are tame, for types that accept
/// nothing odd.
protocol Probeable {
  static var probes: [Self] { get }
}

/// A value as it is compared: by type, and by what it is on the wire or else by its content.
struct Sample: Hashable {
  private enum Content: Hashable {
    case value(EdmValue)
    case dump(String)
  }

  private let type: ObjectIdentifier
  private let content: Content

  /// `nil` for the nil of an optional of any depth.
  init?(_ any: Any) {
    // Most members are of Edm's own types; the cast sees through optionals, and costs less than a mirror.
    if let convertible = any as? any EdmConvertible, let exact = try? convertible.edmValue(for: .v3) {
      type = ObjectIdentifier(Swift.type(of: convertible))
      content = .value(exact)
      return
    }
    var value = any
    while case let mirror = Mirror(reflecting: value), mirror.displayStyle == .optional {
      guard let wrapped = mirror.children.first?.value else { return nil }
      value = wrapped
    }
    type = ObjectIdentifier(Swift.type(of: value))
    if let exact = (value as? any Encodable).flatMap({ try? RecordEncoding.value(of: $0) }) {
      content = .value(exact)
    } else {
      var text = ""
      dump(value, to: &text)
      content = .dump(text)
    }
  }
}

extension Probeable where Self: FixedWidthInteger {
  static var probes: [Self] {
    let odd = Self.isSigned ? [Self.max / 3 + 17, Self.min / 5] : [Self.max / 3 + 17, Self.max / 5]
    return odd + [3, 1, 2, 0, 4, 5, 10, 50, 100, 2001, 1999, 200, 404].compactMap { Self(exactly: $0) }
  }
}

extension Int: Probeable {}
extension Int8: Probeable {}
extension Int16: Probeable {}
extension Int32: Probeable {}
extension Int64: Probeable {}
extension UInt: Probeable {}
extension UInt8: Probeable {}
extension UInt16: Probeable {}
extension UInt32: Probeable {}
extension UInt64: Probeable {}

extension Bool: Probeable {
  static var probes: [Bool] { [false, true] }
}

extension Double: Probeable {
  static var probes: [Double] { [1234.5678, -98_765.4321, 0.25, 1, 0, 0.75, 3, 10, 50, 100] }
}

extension Float: Probeable {
  static var probes: [Float] { [1234.5, -98.75, 0.25, 1, 0, 0.75, 3, 10, 50, 100] }
}

extension String: Probeable {
  /// Odd ones, words, and pairs of what types like to take apart: numbers, dates, guids, addresses, codes.
  static var probes: [String] {
    [
      " Pröbe\t⌁ 'One' ", "\nzWEI/🦊  ", "Probe", "other", "a", "b", "7", "42", "true", "false",
      "2001-02-03", "1999-12-31", "2001-02-03T04:05:06Z", "1999-12-31T23:59:59Z",
      "debc44d5-04a9-42ea-ab2f-4e2cb49ff833", "01234567-89ab-4cde-8f01-23456789abcd",
      "https://one.invalid/a", "https://two.invalid/b", "one@example.invalid", "two@example.invalid",
      "9780306406157", "9783161484100", "AAGg", "Zm9v", "de", "ja", "EUR", "JPY", "#00ff7f", "#123456", "",
    ]
  }
}

extension UUID: Probeable {
  static var probes: [UUID] {
    [
      UUID(
        uuid: (0xDE, 0xBC, 0x44, 0xD5, 0x04, 0xA9, 0x42, 0xEA, 0xAB, 0x2F, 0x4E, 0x2C, 0xB4, 0x9F, 0xF8, 0x33)
      ),
      UUID(
        uuid: (0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0x4C, 0xDE, 0x8F, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD)
      ),
    ]
  }
}

extension Data: Probeable {
  static var probes: [Data] { [Data([0xA5, 0, 1, 0xFF]), Data([0x5A]), Data()] }
}

extension [UInt8]: Probeable {
  static var probes: [[UInt8]] { [[0xA5, 0, 1, 0xFF], [0x5A], []] }
}

extension URL: Probeable {
  static var probes: [URL] {
    ["https://one.invalid/A%20b?q=1", "file:///two", "https://one.invalid/a"].compactMap(URL.init(string:))
  }
}

extension Decimal: Probeable {
  static var probes: [Decimal] { [Decimal(sign: .plus, exponent: -4, significand: 12_345_678), -7, 1, 0] }
}

extension Date: Probeable {
  static var probes: [Date] {
    [0.5, -4_000_000_000.25, 1_000_000_000].map(Date.init(timeIntervalSince1970:))
  }
}

extension Duration: Probeable {
  static var probes: [Duration] { [.milliseconds(90_061_500), .seconds(-3), .seconds(1)] }
}

extension EdmValue: Probeable {
  static var probes: [EdmValue] { [.string("Probe"), .int32(7)] }
}

extension EntityTag: Probeable {
  static var probes: [EntityTag] { ["W/\"Probe\"", "\"other\""].map(EntityTag.init(rawValue:)) }
}

extension EdmDateTime: Probeable {
  static var probes: [EdmDateTime] { Date.probes.compactMap(EdmDateTime.init(_:)) }
}

extension EdmDateTimeOffset: Probeable {
  static var probes: [EdmDateTimeOffset] {
    EdmDateTime.probes.flatMap { [EdmDateTimeOffset($0, offset: 90), EdmDateTimeOffset($0)] }.compactMap(
      \.self)
  }
}

extension EdmDecimal: Probeable {
  static var probes: [EdmDecimal] { ["1234.5678", "-7", "1", "0"].compactMap(EdmDecimal.init(_:)) }
}

extension EdmDuration: Probeable {
  static var probes: [EdmDuration] { [900_615_000_001, -30_000_000, 0].map(EdmDuration.init(ticks:)) }
}

extension EdmDate: Probeable {
  static var probes: [EdmDate] { [734_747, 577_735, 0].compactMap(EdmDate.init(days:)) }
}

extension EdmTimeOfDay: Probeable {
  static var probes: [EdmTimeOfDay] {
    [409_534_444_444, 36_000_000_000, 0].compactMap(EdmTimeOfDay.init(ticks:))
  }
}

extension EdmEnumeration: Probeable {
  static var probes: [EdmEnumeration] {
    ["Probe", "other"].map { EdmEnumeration(type: nil, member: $0) }
  }
}

extension EdmSpatial: Probeable {
  static var probes: [EdmSpatial] {
    ["SRID=0;Point(1 2)", "SRID=0;Point(3 4)"].map { EdmSpatial(type: .geometryPoint, text: $0) }
  }
}

extension EdmStream: Probeable {
  static var probes: [EdmStream] { ["Probe", "other"].map { EdmStream(readLink: $0) } }
}

extension EdmCollection: Probeable {
  static var probes: [EdmCollection] { [EdmCollection(), EdmCollection([.string("Probe")])] }
}

extension EntityRecord: Probeable {
  static var probes: [EntityRecord] { [EntityRecord(["Probe": .int32(7)]), EntityRecord()] }
}
