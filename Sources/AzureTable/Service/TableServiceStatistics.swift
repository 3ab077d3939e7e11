public import ODataKit

/// How far the secondary location of a geo-redundant account has come.
public struct TableServiceStatistics: Sendable, Hashable {
  /// The state of the replication, `live`, `bootstrap` or `unavailable`.
  public var status: String
  /// What was written before this moment can be read at the secondary; `nil` where the service does not say.
  public var lastSyncTime: EdmDateTime?

  /// Makes statistics.
  public init(status: String, lastSyncTime: EdmDateTime?) {
    self.status = status
    self.lastSyncTime = lastSyncTime
  }
}

extension TableServiceStatistics {
  /// Reads the document of the service. Throws ``ODataKit/ODataError/Code/malformedPayload`` for another one.
  package init(reading bytes: [UInt8]) throws(ODataError) {
    let root = try XMLElement.read(bytes)
    try root.expect("StorageServiceStats")
    let replication = root.child("GeoReplication")
    status = replication?.child("Status")?.trimmedText ?? "unavailable"
    lastSyncTime = replication?.child("LastSyncTime").flatMap { HTTPDate.instant($0.trimmedText) }
  }

  /// The document as the service sends it.
  package func document() throws(ODataError) -> [UInt8] {
    let replication = XMLElement(
      "GeoReplication",
      children: [
        XMLElement("Status", text: status),
        XMLElement("LastSyncTime", text: lastSyncTime.map(HTTPDate.text) ?? ""),
      ])
    return try XMLElement("StorageServiceStats", children: [replication]).document()
  }
}
