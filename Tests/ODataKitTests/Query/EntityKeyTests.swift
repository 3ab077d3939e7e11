import Foundation
import ODataKit
import Testing

@Suite struct EntityKeyTests {
  @Test(arguments: [
    ("O'Neil's", "", "(PartitionKey='O%27%27Neil%27%27s',RowKey='')"),
    ("", "r", "(PartitionKey='',RowKey='r')"),
    ("p", "'", "(PartitionKey='p',RowKey='%27%27')"),
    ("Forêt d'été", "🦊no", "(PartitionKey='For%C3%AAt%20d%27%27%C3%A9t%C3%A9',RowKey='%F0%9F%A6%8Ano')"),
    ("a+b %20", "x=y,z(1)", "(PartitionKey='a%2Bb%20%2520',RowKey='x%3Dy%2Cz%281%29')"),
    ("e\u{301}", "\u{E9}", "(PartitionKey='e%CC%81',RowKey='%C3%A9')"),
    ("\r\n", "\t", "(PartitionKey='%0D%0A',RowKey='%09')"),
  ])
  func tableKey(partition: String, row: String, text: String) throws {
    let key = EntityKey(["PartitionKey": .string(partition), "RowKey": .string(row)])
    #expect(try key.predicate(for: .azureTable) == text)
    #expect(try EntityKey.parse(text, dialect: .azureTable) == key)
    // Recorded clients encode the brackets and the outer quotes as well, and services take it.
    let encoded = PercentEncoding.encode(try #require(PercentEncoding.decode(text)))
    #expect(try EntityKey.parse(encoded, dialect: .azureTable) == key)
  }

  @Test(arguments: [
    (EdmValue.int32(5), "(5)", "(5)"), (.int64(5), "(5L)", "(5)"), (.string("x"), "('x')", "('x')"),
    (.int32(-5), "(-5)", "(-5)"), (.decimal(EdmDecimal("1.5")!), "(1.5M)", "(1.5)"),
    (.double(1e20), "(1.0E20)", "(1.0E20)"), (.boolean(true), "(true)", "(true)"),
    (
      .guid(UUID(uuidString: "debc44d5-04a9-42ea-ab2f-4e2cb49ff833")!),
      "(guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833')", "(debc44d5-04a9-42ea-ab2f-4e2cb49ff833)"
    ),
    (
      .dateTimeOffset(EdmDateTimeOffset("2012-11-10T03:04:05+02:00")!),
      "(datetimeoffset'2012-11-10T03%3A04%3A05%2B02%3A00')", "(2012-11-10T03%3A04%3A05%2B02%3A00)"
    ),
    (.binary([0, 0xFF]), "(X'00FF')", "(binary'AP8')"),
  ])
  func keyOfOneValue(value: EdmValue, two: String, four: String) throws {
    #expect(try EntityKey(value).predicate(for: .v2) == two)
    #expect(try EntityKey(value).predicate(for: .v4) == four)
    #expect(try EntityKey.parse(two, dialect: .v2) == EntityKey(value))
  }

  @Test func severalValues() throws {
    let key = EntityKey(["OrderID": .int32(7), "製品": .string("a/b")])
    #expect(try key.predicate(for: .v4) == "(OrderID=7,%E8%A3%BD%E5%93%81='a%2Fb')")
    #expect(try EntityKey.parse("( OrderID = 7 , 製品 = 'a/b' )", dialect: .v4) == key)
    #expect(key["OrderID"] == .int32(7))
    #expect(key["orderid"] == nil)
  }

  @Test(arguments: [
    ("", "1: found its end, expected an opening bracket"),
    ("()", "2: found the character ')', expected a value or a name"),
    ("('a'", "5: found its end, expected a comma or a closing bracket"),
    ("('a')x", "6: found the word 'x', expected the end"),
    ("('O'Neil')", "5: found the word 'Neil', expected a comma or a closing bracket"),
    ("('O%27Neil')", "5: found the word 'Neil', expected a comma or a closing bracket"),
    ("(A='x',A='y')", "8: found the name 'A' again, expected each name once"),
    ("('x','y')", "6: found several values, expected a name in front of each"),
    ("('x',A='y')", "6: found several values, expected a name in front of each"),
    ("(A=)", "4: found the character ')', expected a value behind the name"),
    ("(null)", "2: found the word 'null', expected a value or a name"),
    ("(A=B)", "4: found the word 'B', expected a value behind the name"),
  ])
  func error(text: String, problem: String) {
    #expect(
      message { try EntityKey.parse(text, dialect: .azureTable) }
        == "The key predicate cannot be read at character \(problem).")
  }

  @Test func brokenEscape() {
    #expect(
      message { try EntityKey.parse("('%2')", dialect: .v2) }
        == "The key predicate has a broken percent escape or is not UTF-8.")
    #expect(
      message { try EntityKey.parse("('%FF')", dialect: .v2) }
        == "The key predicate has a broken percent escape or is not UTF-8.")
  }

  @Test func keysThatCannotBeWritten() {
    #expect(
      message { try EntityKey([:]).predicate(for: .v2) }
        == "The key of an entity has no values.")
    #expect(
      message { try EntityKey(["A": .null]).predicate(for: .v2) }
        == "The key property 'A' is null; a key always has a value.")
    #expect { try EntityKey(["A=1,B": .int32(1)]).predicate(for: .v2) } throws: {
      ODataError.Code.invalidQuery ~= $0
    }
  }

  @Test(arguments: [
    (
      "Books(PartitionKey='a(b',RowKey='%29')", "Books",
      EntityKey(["PartitionKey": .string("a(b"), "RowKey": .string(")")])
    ),
    (
      "Books%28PartitionKey=%27a%27,RowKey=%27%27%29", "Books",
      EntityKey(["PartitionKey": .string("a"), "RowKey": .string("")])
    ),
    ("Books()", "Books", nil), ("Books", "Books", nil), ("%E6%9C%AC('x')", "本", EntityKey(.string("x"))),
  ])
  func segment(text: String, name: String, key: EntityKey?) throws {
    let parsed = try EntityKey.parse(segment: text, dialect: .azureTable)
    #expect(parsed.name == name)
    #expect(parsed.key == key)
  }
}
