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

/// Which of the formats called JSON is written.
package enum JSONAnnotations: Sendable, Hashable, CaseIterable {
  /// Control information in objects of their own, no types of primitive values, dates as `/Date(…)/`: OData 1 and 2
  /// (MS-ODATA § 2.2.6.3).
  case verbose
  /// `"N@odata.type":"Edm.Int64","N":"5"`: OData 3 and Azure tables.
  case odata3
  /// `"N@odata.type":"#Int64","N":5`: OData 4.
  case odata4
  /// `"N@type":"Int64","N":5`, and entities that are only referred to stand in the place of related ones: OData 4.01
  /// (JSON Format 4.01 § 4.6 and § 8.5).
  case odata401

  /// The one that services of a dialect take.
  package init(_ dialect: Dialect) {
    self =
      switch dialect {
      case .v2: .verbose
      case .v3, .azureTable: .odata3
      case .v4: .odata4
      }
  }

  /// Whether this is one of those of OData 4.
  var isVersion4: Bool { self == .odata4 || self == .odata401 }

  /// What stands in front of the name of a piece of control information about an object, and about a property.
  var prefixes: (object: StaticString, property: StaticString) {
    switch self {
    case .verbose, .odata3: ("odata.", "@odata.")
    case .odata4: ("@odata.", "@odata.")
    case .odata401: ("@", "@")
    }
  }
}

/// How values are written.
package struct JSONOptions: Sendable {
  /// Which of the formats.
  package var annotations: JSONAnnotations
  /// Whether Int64 and Decimal of OData 4 are strings, since readers that keep every number in a Double would lose
  /// digits (OData 4 JSON Format § 3.2). The media type has to say so: `;IEEE754Compatible=true`.
  package var isIEEE754Compatible = false
  /// Whether the types of primitive values are told at all. Without them dynamic properties are taken for what their
  /// spelling looks like.
  package var writesPrimitiveTypes = true
  /// What the reader knows: a type that the metadata declares needs no annotation.
  package var types = PayloadTypes()

  /// Everything is told that the spelling leaves open.
  package init(_ annotations: JSONAnnotations) { self.annotations = annotations }
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
