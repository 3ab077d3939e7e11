import Foundation
import ODataTestSupport

@testable import ODataKit

/// Reads recorded bodies, writes them again in their own format, reads that, and tells what came of it.
struct RecordedMeaning {
  /// What a body turned out to be.
  enum Kind: String, CaseIterable {
    case entities = "entities"
    case error = "error"
    case batch = "batch"
    case storage = "document of the storage service"
    /// The samples of the specification have words in the place of entities.
    case placeholder = "words in the place of a body"
  }

  /// The number of bodies of each kind.
  private(set) var bodies: [Kind: Int] = [:]
  /// The entities in them.
  private(set) var entities = 0
  /// What does not mean the same; empty where all does.
  private(set) var differences: [String] = []

  /// A line of the table.
  var result: String {
    let kinds = Kind.allCases.compactMap { kind in bodies[kind].map { "\($0) x \(kind.rawValue)" } }
    return (differences.isEmpty ? "equal" : "DIFFERENT") + ": "
      + (kinds.isEmpty ? "no body" : kinds.joined(separator: ", "))
  }

  /// Takes the body of an answer, or of a request where `isRequest`.
  mutating func take(_ body: [UInt8], status: Int = 200, contentType: String? = nil, isRequest: Bool = false)
    throws
  {
    // Some answers begin with a byte order mark.
    let bytes = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
    switch bytes.first {
    case nil: return
    case UInt8(ascii: "<") where Self.placeholders.contains(where: bytes.starts(with:)): count(.placeholder)
    case UInt8(ascii: "{"): try json(bytes, isRequest: isRequest)
    case UInt8(ascii: "<"): try xml(bytes)
    case UInt8(ascii: "-") where isRequest: try batchRequest(bytes, contentType)
    case UInt8(ascii: "-"): try batchResponse(bytes, contentType)
    default:
      // The bare value of a property, which has no structure to read.
      guard contentType?.hasPrefix("text/plain") == true else {
        return differences.append("a body that is none of the known ones: \(status) \(contentType ?? "")")
      }
    }
  }

  private static let placeholders = ["<AtomPub representation", "<JSON representation"].map { Array($0.utf8) }

  private mutating func count(_ kind: Kind) { bodies[kind, default: 0] += 1 }

  private mutating func compare<Value: Equatable>(_ again: Value, _ first: Value) {
    if again != first { differences.append("\(first) was read again as \(again)") }
  }

  /// Notes that a body cannot be read or written.
  mutating func fail(_ what: String) { differences.append(what) }

  // MARK: Formats

  private mutating func json(_ bytes: [UInt8], isRequest: Bool) throws {
    let text = String(decoding: bytes.prefix(20), as: UTF8.self)
    if text.hasPrefix(#"{"odata.error""#) || text.hasPrefix(#"{"error""#),
      let error = JSONErrorBody.read(bytes)
    {
      count(.error)
      var writer = JSONEntityWriter()
      writer.errorDocument(code: error.code, message: error.message)
      return compare(JSONErrorBody.read(writer.take()), error)
    }
    count(.entities)
    let (records, summary) = try read([bytes])
    entities += records.count
    let isVerbose = text.hasPrefix(#"{"d":"#)
    var writer = JSONEntityWriter(annotations: isVerbose ? .verbose : .odata3)
    if isRequest {
      try writer.requestEntity(records[0], writesNulls: true)
    } else if summary.isFeed {
      try writer.serviceFeed(records, summary: summary)
    } else {
      try writer.serviceEntity(records[0])
    }
    let again = try read([writer.take()])
    compare(again.records, records)
    compare(again.summary, summary)
  }

  private mutating func xml(_ bytes: [UInt8]) throws {
    let root = try XMLElement.read(bytes)
    switch root.name {
    case "entry", "feed":
      count(.entities)
      let (records, summary) = try readAtom([bytes])
      entities += records.count
      var writer = AtomWriter(dialect: .v3)
      if summary.isFeed {
        try writer.serviceFeed(records, summary: summary)
      } else {
        try writer.serviceEntry(records[0])
      }
      let again = try readAtom([writer.take()])
      compare(again.records, records)
      compare(again.summary, summary)
    case "error":
      count(.error)
      guard let error = XMLErrorBody.read(bytes) else {
        return differences.append("an error that is not read")
      }
      var writer = AtomWriter()
      writer.errorDocument(code: error.code, message: error.message)
      compare(XMLErrorBody.read(writer.take()), error)
    case "StorageServiceProperties", "StorageServiceStats", "SignedIdentifiers":
      // No documents of OData: they are read, and nothing of the library writes them in another way.
      count(.storage)
    default: differences.append("an unknown document <\(root.name)>")
    }
  }

  private mutating func batchResponse(_ bytes: [UInt8], _ contentType: String?) throws {
    count(.batch)
    let parts = try Self.parts(bytes, contentType ?? Self.contentType(of: bytes))
    var writer = BatchResponseWriter(boundary: "again")
    for part in parts { try writer.add(part, changeSetBoundary: "inner") }
    let type = writer.contentType
    compare(try Self.parts(writer.finish(), type), parts)
    for part in parts {
      let responses =
        switch part {
        case .operation(let response): [response]
        case .changeSet(let responses): responses
        }
      for response in responses {
        try take(response.body, status: response.status, contentType: response.headers[.contentType])
      }
    }
  }

  private mutating func batchRequest(_ bytes: [UInt8], _ contentType: String?) throws {
    count(.batch)
    let parts = try BatchRequestReader.read(bytes, contentType: contentType ?? Self.contentType(of: bytes))
    var writer = BatchRequestWriter(boundary: "again")
    for part in parts { try writer.add(part, changeSetBoundary: "inner") }
    let type = writer.contentType
    compare(try BatchRequestReader.read(writer.finish(), contentType: type), parts)
    for case .changeSet(let operations) in parts {
      for operation in operations { try take(operation.body, isRequest: true) }
    }
  }

  private static func parts(_ bytes: [UInt8], _ type: String) throws -> [BatchResponsePart] {
    var reader = try BatchResponseReader(contentType: type)
    return try reader.read(bytes) + reader.finish()
  }

  /// A file that is a batch begins with the boundary that the header fields of its message named.
  private static func contentType(of bytes: [UInt8]) -> String {
    let line = bytes.dropFirst(2).prefix { $0 != 0x0D && $0 != 0x0A }
    return "multipart/mixed; boundary=" + String(decoding: line, as: UTF8.self)
  }
}
