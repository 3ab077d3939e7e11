import Foundation
import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Edm, all of it")
struct EdmTableTests {
  private static let rows =
    EdmRow.numbers + EdmRow.texts + EdmRow.times + EdmRow.exactTimes + EdmRow.structured

  @Test("each value is written in each way with this text and no other", arguments: rows)
  func writes(_ row: EdmRow) throws {
    for column in row.columns {
      let written = Result { try Self.write(row.value, column) }
      guard let text = row.texts[column] else {
        #expect(throws: ODataError.self, "\(column.rawValue)") { try written.get() }
        continue
      }
      let got = try written.get()
      #expect(got.utf8.elementsEqual(text.utf8), "\(column.rawValue): \(got)")
    }
  }

  @Test("each text is read as the value again, as far as the text tells it", arguments: rows)
  func reads(_ row: EdmRow) throws {
    let type = row.declared ?? row.value.type
    for column in row.columns {
      for text in [row.texts[column]].compactMap(\.self) + (row.others[column] ?? []) {
        let value = try Self.read(text, column, as: type)
        #expect(value == row.reads[column] ?? row.value, "\(column.rawValue): \(text)")
      }
    }
  }

  @Test("no type of Edm is left out")
  func complete() {
    let types = Set(Self.rows.compactMap { $0.declared ?? $0.value.type })
    // Edm.Duration and Edm.Time are one kind of value.
    for primitive in EdmPrimitive.allCases where primitive != .duration {
      #expect(types.contains(primitive.type), "\(primitive.type)")
    }
  }

  // MARK: Columns

  private static func write(_ value: EdmValue, _ column: EdmColumn) throws -> String {
    let record = EntityRecord(["P": value])
    switch column {
    case .urlV2, .urlV3, .urlV4, .urlTable:
      // Collections are constants of filters only.
      guard case .collection = value else { return try value.literal(for: column.dialect) }
      return try QueryExpression.literal(value).rendered(for: column.dialect)
    case .verbose, .light, .jsonV4:
      var writer = JSONEntityWriter(annotations: JSONAnnotations(column.dialect))
      try writer.requestEntity(record, writesNulls: true)
      return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
    case .atomV2, .atomV3, .atomV4:
      var writer = AtomWriter(dialect: column.dialect)
      try writer.requestEntry(record, updated: .minimum)
      let text = String(decoding: writer.bytes, as: UTF8.self)
      let start = try #require(text.range(of: "<m:properties>")).upperBound
      return String(text[start..<(try #require(text.range(of: "</m:properties>")).lowerBound)])
    }
  }

  private static func read(_ text: String, _ column: EdmColumn, as type: EdmType?) throws -> EdmValue {
    let records: [EntityRecord]
    switch column {
    case .urlV2, .urlV3, .urlV4, .urlTable:
      let tree = try FilterParser.parse("P eq \(text)", dialect: column.dialect)
      guard case .binary(.equal, .property(["P"]), .literal(let value)) = tree else {
        throw ODataError(.invalidQuery, "The text is no literal.")
      }
      return value
    case .verbose:
      let declared = type.map { ["P": $0] } ?? [:]
      records = try ODataKitTests.read(
        [Array("{\"d\":{\(text)}}".utf8)], types: PayloadTypes(byName: declared)
      ).records
    case .light, .jsonV4:
      records = try ODataKitTests.read([Array("{\(text)}".utf8)]).records
    case .atomV2, .atomV3, .atomV4:
      let names = column == .atomV4 ? version4Namespaces : namespaces
      let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom" \(names)><content type="application/xml"><m:properties>\
        \(text)</m:properties></content></entry>
        """
      records = try readAtom(entry).records
    }
    return try #require(records.first?["P"])
  }

  private static let namespaces = """
    xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    """
  private static let version4Namespaces = """
    xmlns:d="http://docs.oasis-open.org/odata/ns/data" xmlns:m="http://docs.oasis-open.org/odata/ns/metadata"
    """
}
