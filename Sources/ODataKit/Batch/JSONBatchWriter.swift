/// Writes a batch request as JSON (OData JSON Format 4.01 § 19.1) into one buffer.
///
/// ```json
/// {"requests":[
///   {"id":"1","atomicityGroup":"g1","method":"POST","url":"/svc/Orders",
///    "headers":{"content-type":"application/json"},"body":{"ID":1}},
///   {"id":"2","atomicityGroup":"g1","dependsOn":["1"],"method":"POST","url":"$1/Lines", …}]}
/// ```
package struct JSONBatchWriter {
  private static let opening = Array(#"{"requests":["#.utf8)
  private static let closing = Array("]}".utf8)

  private var bytes = Self.opening
  private var isFirst = true

  package init() {}

  /// The `Content-Type` of the request that carries the batch.
  package static let contentType = "application/json"

  /// Adds an operation, whose `contentID` is its id. All operations of a group stand one behind the other, and what an
  /// operation depends on in front of it: ids of its own group, and other groups by their names.
  ///
  /// Throws ``ODataError/Code/invalidArgument`` for an operation without an id, and
  /// ``ODataError/Code/invalidValue`` for a text that is not UTF-8.
  package mutating func add(
    _ operation: BatchOperation, group: String? = nil, dependsOn: [String] = []
  ) throws(ODataError) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes += try Self.object(of: operation, group: group, dependsOn: dependsOn)
  }

  /// Ends the batch and gives its bytes.
  package consuming func finish() -> [UInt8] {
    bytes += Self.closing
    return bytes
  }

  /// The bytes around the operations of a batch.
  package static var envelopeByteCount: Int { opening.count + closing.count }

  /// The bytes that an operation adds to a batch, with the comma in front.
  package static func byteCount(
    of operation: BatchOperation, group: String?, dependsOn: [String]
  ) throws(ODataError) -> Int {
    try object(of: operation, group: group, dependsOn: dependsOn).count + 1
  }

  private static func object(
    of operation: BatchOperation, group: String?, dependsOn: [String]
  ) throws(ODataError) -> [UInt8] {
    guard let id = operation.contentID else {
      throw ODataError(.invalidArgument, "An operation of a JSON batch has no id; every one needs its own.")
    }
    var bytes = Array(#"{"id":"#.utf8)
    bytes.appendJSON(id, isASCII: false)
    if let group {
      bytes += #","atomicityGroup":"#.utf8
      bytes.appendJSON(group, isASCII: false)
    }
    if !dependsOn.isEmpty {
      bytes += #","dependsOn":["#.utf8
      for (index, id) in dependsOn.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSON(id, isASCII: false)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes += #","method":"#.utf8
    bytes.appendJSON(operation.method.rawValue, isASCII: false)
    bytes += #","url":"#.utf8
    bytes.appendJSON(operation.url, isASCII: false)
    appendHeaders(operation.headers, to: &bytes)
    if !operation.body.isEmpty { try appendBody(of: operation, to: &bytes) }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Names are written in lower case, and only once each, as the format demands.
  private static func appendHeaders(_ headers: HeaderFields, to bytes: inout [UInt8]) {
    var seen: Set<HeaderFields.Name> = [.contentLength, .contentID]
    var isFirst = true
    for field in headers.fields where seen.insert(field.name).inserted {
      bytes += isFirst ? #","headers":{"#.utf8 : ",".utf8
      isFirst = false
      bytes.appendJSON(field.name.rawName.lowercased(), isASCII: false)
      bytes.append(UInt8(ascii: ":"))
      bytes.appendJSON(headers[field.name] ?? field.value, isASCII: false)
    }
    if !isFirst { bytes.append(UInt8(ascii: "}")) }
  }

  /// JSON stands there as it is, text as a string, everything else in base64url.
  private static func appendBody(of operation: BatchOperation, to bytes: inout [UInt8]) throws(ODataError) {
    bytes += #","body":"#.utf8
    switch JSONBatchBody(contentType: operation.headers[.contentType]) {
    case .json: bytes += operation.body
    case .text:
      guard let text = String(validating: operation.body, as: UTF8.self) else {
        throw ODataError(.invalidValue, "The text in the body of a batch operation is not UTF-8.")
      }
      bytes.appendJSON(text, isASCII: false)
    case .binary:
      bytes.append(UInt8(ascii: "\""))
      Base64.append(operation.body, alphabet: .urlSafe, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }
}

/// How a body of a media type stands in a JSON batch.
enum JSONBatchBody {
  case json, text, binary

  /// Without a type the body is JSON.
  init(contentType: String?) {
    guard let contentType, let type = MediaType(contentType) else {
      self = .json
      return
    }
    let name = type.name
    self =
      name == "application/json" || name.hasSuffix("+json")
      ? .json : name.utf8.starts(with: "text/".utf8) ? .text : .binary
  }
}
