internal import ODataKit

/// Reads the one entity a request's body holds.
enum RequestBody {
  /// No entity of 1 MiB needs this much as text; nesting has no meaning in a flat entity.
  private static var limits: PayloadLimits {
    var limits = PayloadLimits()
    limits.totalLength = ServiceLimits.body
    limits.depth = 16
    return limits
  }

  static func entity(of request: ServiceRequest) throws -> EntityRecord {
    let format = try FormatNegotiation.body(
      contentType: request.headers[.contentType], version: request.version)
    let reader: any PayloadReader =
      format == .json ? JSONReader(limits: limits) : AtomReader(limits: limits)
    do {
      let records = try reader.read(request.body)
      let summary = try reader.finish()
      // Entities are flat: to store one without the value that has a structure would be to lose it silently.
      guard records.count == 1, !summary.isFeed, !records[0].values.contains(where: \.isStructured),
        format == .atom || records[0].control.links.isEmpty
      else {
        throw ServiceFault.invalidInput
      }
      return records[0]
    } catch is ODataError {
      // The readers say what is wrong and where; the service only says that something is.
      throw ServiceFault.invalidInput
    }
  }
}
