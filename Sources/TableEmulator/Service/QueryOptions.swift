internal import ODataKit

/// The options of a request's query string. Only what the service knows: other names that begin with `$` are 501,
/// names without `$` that mean nothing here are ignored, as the service does.
struct QueryOptions: Hashable, Sendable {
  var filter: String?
  /// The names of `$select`, or `nil` for all properties.
  var select: [String]?
  var top: Int?
  var format: String?
  var nextPartitionKey: String?
  var nextRowKey: String?
  var nextTableName: String?
  /// `comp` and `restype` address settings, statistics and access policies of the service.
  var component: String?

  /// Reads an encoded query; `+` is a blank in it.
  init(_ query: String?) throws(ServiceFault) {
    var seen: Set<String> = []
    for pair in query?.utf8.split(separator: UInt8(ascii: "&")) ?? [] {
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count == 2 ? Substring(halves[1]) : ""
      guard let name = PercentEncoding.decode(Substring(halves[0]), plusIsSpace: true),
        let value = PercentEncoding.decode(value, plusIsSpace: true)
      else { throw .urlFailedToParse }
      guard seen.insert(name).inserted else { throw .invalidQueryParameterValue }
      try set(name, value)
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(ServiceFault) {
    switch name {
    case "$filter": filter = value.isEmpty ? nil : value
    case "$select": setSelect(value)
    case "$top": top = try Self.top(value)
    case "$format": format = value
    case "NextPartitionKey": nextPartitionKey = value
    case "NextRowKey": nextRowKey = value
    case "NextTableName": nextTableName = value
    case "comp", "restype": component = value
    case "timeout": guard Int(value) != nil else { throw .invalidQueryParameterValue }
    case _ where name.utf8.first == UInt8(ascii: "$"): throw .notImplemented
    default: break
    }
  }

  /// An empty `$select` and `*` mean all properties.
  private mutating func setSelect(_ value: String) {
    var names: [String] = []
    for part in value.split(separator: ",") {
      let name = String(part).trimmingBlanks()
      if name == "*" { return }
      if !name.isEmpty, !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { names.append(name) }
    }
    if !names.isEmpty { select = names }
  }

  /// A page holds 1 to 1000 rows.
  private static func top(_ value: String) throws(ServiceFault) -> Int {
    guard let number = Int(value), (1...ServiceLimits.pageLength).contains(number) else {
      throw .inputNotValid
    }
    return number
  }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    var text = self[...]
    while text.utf8.first == UInt8(ascii: " ") { text.removeFirst() }
    while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
    return String(text)
  }
}
