/// How much a JSON payload says about its entities beside their properties.
package enum JSONMetadata: String, Sendable, Hashable, CaseIterable {
  /// Properties only; types that JSON has not are lost.
  case none = "nometadata"
  /// The types that JSON has not, and the entity tag.
  case minimal = "minimalmetadata"
  /// All types, ids and links.
  case full = "fullmetadata"

  /// The media type that asks for this level: `application/json;odata=minimalmetadata`.
  package var mediaType: String { "application/json;odata=" + rawValue }

  /// The media type of a response of this level, as Azure's table service spells it.
  package var responseMediaType: String { mediaType + ";streaming=true;charset=utf-8" }
}

/// Which generation of annotations is written.
package enum JSONAnnotations: Sendable, Hashable {
  /// `"N@odata.type":"Edm.Int64","N":"5"`: OData 3 and Azure tables.
  case odata3
  /// `"N@odata.type":"#Int64","N":5`: OData 4.
  case odata4
}

/// What a server's JSON documents say about the place of their entities.
package struct JSONResponseContext: Sendable, Hashable {
  /// The root of the service with a `/` at its end.
  package var base: String
  /// The account, the first half of type names.
  package var accountName: String
  /// The table, or `Tables`.
  package var tableName: String
  /// How much is said.
  package var metadata: JSONMetadata
  /// The names in `$select`; empty where the query has none.
  package var select: [String]

  package init(
    base: String, accountName: String, tableName: String, metadata: JSONMetadata, select: [String] = []
  ) {
    self.base = base
    self.accountName = accountName
    self.tableName = tableName
    self.metadata = metadata
    self.select = select
  }

  /// What stands in `odata.metadata`.
  func metadataURL(isFeed: Bool) -> String {
    base + "$metadata#" + tableName + (isFeed ? "" : "/@Element")
      + (select.isEmpty ? "" : "&$select=" + select.joined(separator: ","))
  }
}
