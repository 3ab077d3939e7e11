internal import ODataKit

/// The format of an answer.
enum ResponseFormat: Hashable, Sendable {
  case atom
  case json(JSONMetadata)
}

/// Which formats a request may use at its version; "Payload format for Table service operations" has the rules:
///
/// | version | Atom | JSON |
/// |---|---|---|
/// | 2009-04-14 … 2012-02-12 | yes | 415 JsonFormatNotSupported |
/// | 2013-08-15 … 2015-07-08 | yes | yes, with OData 3 |
/// | 2015-12-11 … | 415 AtomFormatNotSupported | yes |
///
/// Without `Accept` a request asks for Atom, at every version.
enum FormatNegotiation {
  /// The format to answer in. `$format` counts before `Accept`.
  static func response(
    accept: String?, format: String?, version: ServiceVersion, dataServiceVersion: Int?
  ) throws(ServiceFault) -> ResponseFormat {
    let asked = format ?? accept ?? ""
    var refusal = ServiceFault.mediaTypeNotSupported
    for member in asked.isEmpty ? ["*/*"] : asked.split(separator: ",").map(String.init) {
      guard let type = MediaType(member) else { continue }
      switch type.name {
      case "application/json":
        guard let metadata = metadata(of: type) else {
          refusal = .jsonVerboseFormatNotSupported
          continue
        }
        guard version.speaksJSON, dataServiceVersion ?? 3 >= 3 else {
          refusal = .jsonFormatNotSupported
          continue
        }
        return .json(metadata)
      case "application/atom+xml", "application/xml", "application/*", "*/*":
        guard version.speaksAtom else {
          refusal = .atomFormatNotSupported
          continue
        }
        return .atom
      default: continue
      }
    }
    throw refusal
  }

  /// The format a body is in; without a `Content-Type` it is taken for Atom.
  static func body(contentType: String?, version: ServiceVersion) throws(ServiceFault) -> PayloadFormat {
    switch contentType.flatMap({ MediaType($0) })?.name {
    case "application/json":
      guard version.speaksJSON else { throw .jsonFormatNotSupported }
      return .json
    case "application/atom+xml", "application/xml", nil:
      guard version.speaksAtom else { throw .atomFormatNotSupported }
      return .atom
    default: throw .mediaTypeNotSupported
    }
  }

  /// The OData version a client says it understands: `MaxDataServiceVersion`, or else `DataServiceVersion`; `nil`
  /// where it says nothing.
  ///
  /// A `DataServiceVersion` above what the service's version has is refused; a maximum above it is only a maximum.
  static func dataServiceVersion(_ headers: HeaderFields, version: ServiceVersion) throws(ServiceFault)
    -> Int?
  {
    let own = try number(headers[.dataServiceVersion])
    let maximum = try number(headers[.maxDataServiceVersion])
    if let own, own > version.maximumDataServiceVersion { throw .invalidHeaderValue }
    return maximum ?? own
  }

  /// Bare `application/json` means minimal metadata; `nil` for the verbose form, which the service never spoke.
  private static func metadata(of type: MediaType) -> JSONMetadata? {
    switch type["odata"]?.lowercased() {
    case nil, "minimalmetadata": .minimal
    case "nometadata": JSONMetadata.none
    case "fullmetadata": .full
    default: nil
    }
  }

  /// The `3` of `3.0;NetFx`.
  private static func number(_ header: String?) throws(ServiceFault) -> Int? {
    guard let header else { return nil }
    let text = header.split(separator: ";", omittingEmptySubsequences: false)[0].filter { $0 != " " }
    switch text {
    case "1.0": return 1
    case "2.0": return 2
    case "3.0": return 3
    default: throw .invalidHeaderValue
    }
  }
}
