import Foundation
import ODataKit
import Testing

/// One way of writing a value.
enum EdmColumn: String, CaseIterable, Sendable {
  case urlV2 = "a URL of OData 2"
  case urlV3 = "a URL of OData 3"
  case urlV4 = "a URL of OData 4"
  case urlTable = "a URL of Azure tables"
  case verbose = "verbose JSON"
  case light = "JSON light of OData 3"
  case jsonV4 = "JSON of OData 4"
  case atomV2 = "Atom of OData 2"
  case atomV3 = "Atom of OData 3"
  case atomV4 = "Atom of OData 4"

  /// What the column is written for.
  var dialect: Dialect {
    switch self {
    case .urlV2, .verbose, .atomV2: .v2
    case .urlV3, .light, .atomV3: .v3
    case .urlV4, .jsonV4, .atomV4: .v4
    case .urlTable: .azureTable
    }
  }
}

/// A value with its text in each column; `nil` where the version of the protocol has no such value.
struct EdmRow: Sendable, CustomTestStringConvertible {
  /// URLs of OData 2, OData 3, OData 4 and Azure tables.
  typealias URLTexts = (String?, String?, String?, String?)
  /// Verbose JSON, JSON light, JSON of OData 4.
  typealias JSONTexts = (String?, String?, String?)
  /// Atom of OData 2, of OData 3, of OData 4.
  typealias AtomTexts = (String?, String?, String?)

  var value: EdmValue
  var texts: [EdmColumn: String]
  /// What the text of a column is read as, where that is not the value: the text says less than the value.
  var reads: [EdmColumn: EdmValue]
  /// Texts of a column that others write for the value.
  var others: [EdmColumn: [String]]
  /// The columns that the row shows.
  var columns: [EdmColumn]
  /// The type that metadata gives the property, where it is not the value's own.
  var declared: EdmType?

  init(
    _ value: EdmValue, url: URLTexts, json: JSONTexts, atom: AtomTexts, reads: [EdmColumn: EdmValue] = [:],
    others: [EdmColumn: [String]] = [:], declared: EdmType? = nil
  ) {
    self.value = value
    self.reads = reads
    self.others = others
    self.declared = declared
    columns = EdmColumn.allCases
    texts = [:]
    (texts[.urlV2], texts[.urlV3], texts[.urlV4], texts[.urlTable]) = url
    (texts[.verbose], texts[.light], texts[.jsonV4]) = json
    (texts[.atomV2], texts[.atomV3], texts[.atomV4]) = atom
  }

  /// A row of literals only.
  init(_ value: EdmValue, url: URLTexts, others: [EdmColumn: [String]] = [:]) {
    self.init(value, url: url, json: (nil, nil, nil), atom: (nil, nil, nil), others: others)
    columns = [.urlV2, .urlV3, .urlV4, .urlTable]
  }

  var testDescription: String { "\(value.kindName) \(texts[.urlV4] ?? texts[.atomV3] ?? "")" }
}
