/// A version of OData 4, an open set.
public struct ProtocolVersion: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  /// The number as it stands in header fields: `4.01` is not `4.1`.
  public let rawValue: String
  /// Makes a version of its number.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The number as it stands in header fields.
  public var description: String { rawValue }

  /// OData 4.0, which every service of OData 4 speaks.
  public static let v4_0 = ProtocolVersion(rawValue: "4.0")
  /// OData 4.01, whose payloads leave out what does not have to be said (`@id` for `@odata.id`).
  public static let v4_01 = ProtocolVersion(rawValue: "4.01")
}

/// The version that a message says it is in.
struct MessageVersion: Equatable {
  /// The number as it was sent.
  let text: String
  let major: Int

  /// What a response says: `OData-Version` of OData 4 (Protocol § 8.1.5), `DataServiceVersion` before, behind whose number
  /// a remark may stand (MS-ODATA § 2.2.5.4); `nil` where it says nothing that can be read.
  init?(of headers: HeaderFields) {
    guard let field = headers[.odataVersion] ?? headers[.dataServiceVersion] else { return nil }
    let number = field.prefix { $0 != ";" && $0 != "," }.filter { $0 != " " }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), number.utf8.count <= 20,
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
      let major = Int(parts[0])
    else { return nil }
    self.major = major
    text = number
  }
}

extension HeaderFields.Name {
  /// `OData-Version`, of OData 4.
  static let odataVersion: Self = "OData-Version"
  /// `OData-MaxVersion`, of OData 4.
  static let odataMaxVersion: Self = "OData-MaxVersion"
}

extension Dialect {
  /// The latest major version whose payloads a client of this generation takes. Within it the payload itself tells how it
  /// is to be read, and so do those of earlier ones.
  private var latestMajorVersion: Int {
    switch self {
    case .v2: 2
    case .v3, .azureTable: 3
    case .v4: 4
    }
  }

  /// Why a response cannot be read; `nil` where it can. A client must not read what is in a later version than it knows
  /// (OData 4 Protocol § 8.1.5, OData 3 Core § 5.3).
  func refusal(of headers: HeaderFields) -> ODataError? {
    guard let version = MessageVersion(of: headers), version.major > latestMajorVersion else { return nil }
    let advice =
      switch version.major {
      case 3: "make the service with the dialect v3"
      case 4: "make the service with the dialect v4"
      default: "no later version than OData 4.01 is supported"
      }
    return ODataError(
      .unsupported,
      "The service answered in version \(version.text) of OData, and at most \(latestMajorVersion) was asked for; \(advice)."
    )
  }
}

/// Stands for the payload of a response that cannot be read.
final class RefusedPayload: PayloadReader {
  private let error: ODataError

  init(_ error: ODataError) { self.error = error }

  var isFeed: Bool { false }
  func read(_ bytes: [UInt8]) throws -> [EntityRecord] { throw error }
  func finish() throws -> PayloadSummary { throw error }
}
