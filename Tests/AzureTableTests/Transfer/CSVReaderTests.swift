import AzureTable
import Foundation
import ODataKit
import ODataTestSupport
import Testing

@Suite struct CSVReaderTests {
  struct Fixture: Sendable {
    var bytes: [UInt8]
    /// Line and fields of each record, or its problem.
    var records: [(line: Int, fields: [String], problem: String?)]

    init(_ text: String, _ records: (Int, [String], String?)...) {
      bytes = Array(text.utf8)
      self.records = records
    }
  }

  static let behind = "something stands between the end of a quoted field and the next comma"
  static let fixtures = [
    Fixture(""),
    Fixture("\n\r\n\n"),
    Fixture("a,b,c", (1, ["a", "b", "c"], nil)),
    Fixture("a,b\n1,2\n", (1, ["a", "b"], nil), (2, ["1", "2"], nil)),
    Fixture("a,b\r\n1,2\r\n", (1, ["a", "b"], nil), (2, ["1", "2"], nil)),
    Fixture("\u{FEFF}a,b\n", (1, ["a", "b"], nil)),
    Fixture("a\n\n\nb\n", (1, ["a"], nil), (4, ["b"], nil)),
    Fixture(",,\n", (1, ["", "", ""], nil)),
    Fixture("\"\"\n", (1, [""], nil)),
    Fixture(
      "p,r\np,\"a\rb \"\"q\"\" è\",TRUE\n", (1, ["p", "r"], nil), (2, ["p", "a\rb \"q\" è", "TRUE"], nil)),
    Fixture(
      "a\n\"1\n2\r\n3\r4\"\nb\n", (1, ["a"], nil), (2, ["1\n2\r\n3\r4"], nil), (5, ["b"], nil)),
    Fixture("a,b\n1\r2,3\n", (1, ["a", "b"], nil), (2, ["1\r2", "3"], nil)),
    Fixture("a,b\n1,2\r\r\n", (1, ["a", "b"], nil), (2, ["1", "2\r"], nil)),
    Fixture("a,b\r1,2\r3,4", (1, ["a", "b"], nil), (2, ["1", "2"], nil), (3, ["3", "4"], nil)),
    Fixture("a\r", (1, ["a"], nil)),
    Fixture("5\" disk,b\n", (1, ["5\" disk", "b"], nil)),
    Fixture("\"a\"b,c\nd\n", (1, ["ab", "c"], behind), (2, ["d"], nil)),
    Fixture("\"a\" \"b\",c\n", (1, ["a \"b\"", "c"], behind)),
    Fixture(
      "a\n\"b\nc\n", (1, ["a"], nil),
      (2, ["b\nc\n"], "the quoted field that begins in this row is never closed")),
    Fixture("\"a,b\"\"\",\"坊っちゃん\"\n", (1, ["a,b\"", "坊っちゃん"], nil)),
    Fixture("\"\u{301}x\",y", (1, ["\u{301}x", "y"], nil)),
  ]

  @Test(arguments: fixtures) func `reads the same wherever the file is cut`(fixture: Fixture) throws {
    for cut in 0...fixture.bytes.count {
      let records = try read([Array(fixture.bytes[..<cut]), Array(fixture.bytes[cut...])])
      expect(records, fixture)
    }
    expect(try read(fixture.bytes.map { [$0] }), fixture)
  }

  @Test func `reports bytes that are not UTF-8, and goes on`() throws {
    let bytes = Array("a,b\nx,caf".utf8) + [0xE9] + Array("\ny,z\n".utf8)
    for cut in 0...bytes.count {
      let records = try read([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(records.map(\.problem) == [nil, "column 2 is not UTF-8", nil])
      #expect(records[1].bytes == Array("x,caf".utf8) + [0xE9])
    }
  }

  @Test func `keeps the row as it stands in the file`() throws {
    let records = try read([Array("a,\"b\r\nc\",\"d\"\"\"\r\n\"e".utf8)])
    #expect(records[0].bytes == Array("a,\"b\r\nc\",\"d\"\"\"".utf8))
    #expect(records[1].bytes == Array("\"e\"".utf8))
  }

  @Test func `refuses UTF-16`() {
    for bytes in [[0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0xFF, 0xFE]] as [[UInt8]] {
      #expect(throws: ODataError.self) { try read(bytes.map { [$0] }) }
    }
  }

  @Test func `stops at a record over the limit instead of holding the rest of the file`() throws {
    var reader = CSVReader(recordLimit: 1000)
    #expect(try reader.read(Array("a\nb,\"".utf8)).count == 1)
    let chunk = [UInt8](repeating: 0x61, count: 600)
    #expect(try reader.read(chunk).isEmpty)
    let error = #expect(throws: ODataError.self) { try reader.read(chunk) }
    #expect(error?.code == .payloadTooLarge)
    #expect(error?.description.contains("line 2") == true)
  }

  @Test func `gives the records in front of one over the limit before it stops`() throws {
    var reader = CSVReader(recordLimit: 10)
    let chunk = Array("a,b\nc,d\n".utf8) + [UInt8](repeating: 0x61, count: 600)
    #expect(try reader.read(chunk).map(\.fields) == [["a", "b"], ["c", "d"]])
    for _ in 0..<2 {
      let error = #expect(throws: ODataError.self) { try reader.read(Array("e,f\n".utf8)) }
      #expect(error?.description.contains("line 3") == true)
    }
    #expect(throws: ODataError.self) { try reader.finish() }
  }

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\rb", "\"a\rb\""),
    ("a\nb", "\"a\nb\""),
    ("a\"\u{301}b", "\"a\"\"\u{301}b\""), ("a\r\nb", "\"a\r\nb\""), (" a ", " a "),
  ])
  func `writes fields that are read back`(field: String, text: String) throws {
    #expect(CSVRecord.text(of: field).utf8.elementsEqual(text.utf8))
    let read = try read([Array("x,\(text)".utf8)])
    #expect(read[0].fields[1].utf8.elementsEqual(field.utf8))
  }

  @Test(.enabled(if: SharedFolder.url != nil, "needs the shared folder beside the checkout"))
  func `reads ten thousand real rows`() throws {
    let bytes = try SharedFolder.bytes("data/goodbooks-10k.csv")
    var chunks: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: 4093) {
      chunks.append(Array(bytes[start..<min(start + 4093, bytes.count)]))
    }
    let records = try read(chunks)
    #expect(records.count == 10_001)
    #expect(records.allSatisfy { $0.fields.count == 23 && $0.problem == nil })
    #expect(records.last?.fields.first == "10000")
    #expect(records[1].fields[10] == "The Hunger Games (The Hunger Games, #1)")
    #expect(records[2].fields[7] == "J.K. Rowling, Mary GrandPré")
  }

  private func read(_ chunks: [[UInt8]]) throws -> [CSVRecord] {
    var reader = CSVReader()
    var records: [CSVRecord] = []
    for chunk in chunks { records += try reader.read(chunk) }
    return records + (try reader.finish())
  }

  private func expect(_ records: [CSVRecord], _ fixture: Fixture, at: SourceLocation = #_sourceLocation) {
    #expect(records.map(\.line) == fixture.records.map(\.line), sourceLocation: at)
    #expect(
      records.map { $0.fields.map { Array($0.utf8) } }
        == fixture.records.map { $0.fields.map { Array($0.utf8) } },
      sourceLocation: at)
    #expect(records.map(\.problem) == fixture.records.map(\.problem), sourceLocation: at)
  }
}
