internal import ODataKit

/// The protocol version of a request, `x-ms-version`: a date, and an order.
///
/// Any date from the first version of the service on is taken, also those of versions to come, so that new clients
/// need no new emulator; they get what the newest known version does.
struct ServiceVersion: Comparable, Hashable, Sendable {
  let text: String

  /// Batches and the first version that can be asked for.
  static let first = ServiceVersion(unchecked: "2009-04-14")
  /// Upserts, `$select`, OData 2.
  static let upserts = ServiceVersion(unchecked: "2011-08-18")
  /// JSON, `Prefer`, OData 3.
  static let json = ServiceVersion(unchecked: "2013-08-15")
  /// No Atom from here on.
  static let withoutAtom = ServiceVersion(unchecked: "2015-12-11")

  private init(unchecked text: String) { self.text = text }

  /// Reads the header; a missing one is an error in its own right, since signatures and formats depend on it.
  init(_ header: String?) throws(ServiceFault) {
    guard let header else { throw .missingRequiredHeader }
    guard Self.isDate(header) else { throw .invalidHeaderValue }
    text = header
    guard self >= Self.first else { throw .invalidHeaderValue }
  }

  static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  var speaksAtom: Bool { self < Self.withoutAtom }
  var speaksJSON: Bool { self >= Self.json }
  /// The highest `DataServiceVersion` a request may carry.
  var maximumDataServiceVersion: Int { self >= Self.json ? 3 : self >= Self.upserts ? 2 : 1 }

  /// `yyyy-mm-dd`; such texts compare as the dates do.
  private static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 10 else { return false }
    return bytes.indices.allSatisfy { index in
      index == 4 || index == 7
        ? bytes[index] == UInt8(ascii: "-") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
    }
  }
}
