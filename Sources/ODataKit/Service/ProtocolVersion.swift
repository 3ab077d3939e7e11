/// The version of the protocol that a message says it is in.
struct ProtocolVersion: Equatable {
  let major: Int
  let minor: Int

  /// What a response says: `OData-Version` of OData 4 (Protocol § 8.1.5), `DataServiceVersion` before, behind whose number
  /// a remark may stand (MS-ODATA § 2.2.5.4); `nil` where it says nothing that can be read.
  init?(of headers: HeaderFields) {
    guard let field = headers["OData-Version"] ?? headers[.dataServiceVersion] else { return nil }
    let number = field.prefix { $0 != ";" && $0 != "," }.filter { $0 != " " }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let major = Int(parts[0]) else { return nil }
    self.major = major
    minor = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
  }
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
    guard let version = ProtocolVersion(of: headers), version.major > latestMajorVersion else { return nil }
    let advice =
      switch version.major {
      case 3: "make the service with the dialect v3"
      case 4: "make the service with the dialect v4"
      default: "no later version than OData 4.01 is supported"
      }
    return ODataError(
      .unsupported,
      "The service answered in version \(version.major).\(version.minor) of OData, and at most \(latestMajorVersion) was asked "
        + "for; \(advice).")
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
