/// A value of one of the spatial types (`Edm.GeographyPoint`, `Edm.GeometryPolygon`, …), opaque: its text is carried
/// from payload to payload and never calculated with.
public struct EdmSpatial: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The type, e.g. `Edm.GeographyPoint`.
  public var type: EdmType
  /// The value in the notation of literals (OData 4 ABNF, rule `fullPointLiteral` and its kin):
  /// `SRID=4326;Point(-122.1 47.6)`, longitude first.
  public var text: String

  /// Makes a value of its type and its text.
  public init(type: EdmType, text: String) {
    self.type = type
    self.text = text
  }

  /// The text of the literal.
  public var description: String { text }

  /// Whether the value lies on the globe (`geography`) rather than on a plane (`geometry`).
  public var isGeography: Bool { type.rawValue.hasPrefix("Edm.Geography") }

  /// Same type and same text, by code units.
  public static func == (a: EdmSpatial, b: EdmSpatial) -> Bool {
    a.type == b.type && a.text.utf8.elementsEqual(b.text.utf8)
  }
}

extension EdmType {
  /// Whether this is `Edm.Geography…` or `Edm.Geometry…`.
  public var isSpatial: Bool { rawValue.hasPrefix("Edm.Geography") || rawValue.hasPrefix("Edm.Geometry") }
}
