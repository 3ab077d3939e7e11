import Foundation
import ODataKit
import Testing

@Suite struct FilterParserTests {
  /// Precedence, grouping and names: the text and the tree it means.
  @Test(arguments: [
    ("A eq 1", "(eq A Int32:1)"),
    ("A eq 1 and B eq 2 or C eq 3", "(or (and (eq A Int32:1) (eq B Int32:2)) (eq C Int32:3))"),
    ("A eq 1 or B eq 2 and C eq 3", "(or (eq A Int32:1) (and (eq B Int32:2) (eq C Int32:3)))"),
    ("(A eq 1 or B eq 2) and C eq 3", "(and (or (eq A Int32:1) (eq B Int32:2)) (eq C Int32:3))"),
    ("A and B and C", "(and (and A B) C)"),
    ("A and (B and C)", "(and A (and B C))"),
    ("not A and B", "(and (not A) B)"),
    ("not (A and B)", "(not (and A B))"),
    ("not(A eq 1)", "(not (eq A Int32:1))"),
    ("not A eq true", "(eq (not A) Boolean:true)"),
    ("(A eq 1)and(B eq 2)", "(and (eq A Int32:1) (eq B Int32:2))"),
    ("  ( ( A )eq( 1 ) )  ", "(eq A Int32:1)"),
    ("A add B mul C", "(add A (mul B C))"),
    ("A sub B sub C", "(sub (sub A B) C)"),
    ("(A add B) mod C eq 0", "(eq (mod (add A B) C) Int32:0)"),
    ("A gt B eq true", "(eq (gt A B) Boolean:true)"),
    ("-A add -5 sub -(5)", "(sub (add (- A) Int32:-5) (- Int32:5))"),
    ("'v' eq PartitionKey", "(eq 'v' PartitionKey)"),
    ("true and X eq 1", "(and Boolean:true (eq X Int32:1))"),
    ("Address/City eq 'Kyōto'", "(eq Address/City 'Kyōto')"),
    ("著者 eq '夏目漱石'", "(eq 著者 '夏目漱石')"),
    ("eq eq 1 and and eq 2", "(and (eq eq Int32:1) (eq and Int32:2))"),
    ("datetime eq 1 or guid eq 2", "(or (eq datetime Int32:1) (eq guid Int32:2))"),
    ("length(trim(A)) eq 3", "(eq length(trim(A)) Int32:3)"),
    ("substringof('b',A)", "contains(A, 'b')"),
    ("startswith( A , 'b' ) eq true", "(eq startswith(A, 'b') Boolean:true)"),
    ("A eq 'it''s (not) and'", "(eq A 'it's (not) and')"),
    ("A eq ''", "(eq A '')"),
    ("A\teq\r\n1", "(eq A Int32:1)"),
    ("Items/any(i:i/Price gt 5)", "(any Items i (gt i/Price Int32:5))"),
    ("Items/any()", "(any Items - -)"),
    ("Order/Items/all( i : i/Done )", "(all Order/Items i i/Done)"),
  ])
  func tree(text: String, outline: String) throws {
    #expect(try FilterParser.parse(text, dialect: .v3).outline == outline)
  }

  @Test(arguments: [
    ("Name EQ 'Milk' AND NOT Sold", "(and (eq Name 'Milk') (not Sold))"),
    ("Sold eq TRUE", "(eq Sold Boolean:true)"),
    ("A in ('x','y')", "(or (eq A 'x') (eq A 'y'))"),
    ("A in ('x') and B", "(and (eq A 'x') B)"),
    ("A in () or B", "(or Boolean:false B)"),
    ("$it/Completed", "$it/Completed"),
    ("Products/$count gt 0", "(gt Products/$count Int32:0)"),
    ("Address/Model.Located/Street eq 'x'", "(eq Address/Model.Located/Street 'x')"),
    ("geo.distance(A,B) lt 2.5", "(lt geo.distance(A, B) Double:2.5)"),
    ("now() gt A", "(gt now() A)"),
    ("substringof('b',A)", "contains(A, 'b')"),
  ])
  func treeOfODataFour(text: String, outline: String) throws {
    #expect(try FilterParser.parse(text, dialect: .v4).outline == outline)
  }

  // MARK: Literals

  static let old: [(String, EdmValue)] = [
    ("5", .int32(5)), ("-5", .int32(-5)), ("2147483647", .int32(.max)), ("-2147483648", .int32(.min)),
    ("5L", .int64(5)), ("5l", .int64(5)), ("-9223372036854775808L", .int64(.min)),
    ("4294967296L", .int64(4_294_967_296)),
    ("2.5", .double(2.5)), ("2.5d", .double(2.5)), ("2D", .double(2)), ("1e5", .double(1e5)),
    ("-1.5E-3", .double(-0.0015)), ("NaN", .double(.nan)), ("INF", .double(.infinity)),
    ("-INF", .double(-.infinity)),
    ("2.5f", .single(2.5)), ("-INFf", .single(-.infinity)), ("1.5M", .decimal(EdmDecimal("1.5")!)),
    ("7m", .decimal(EdmDecimal("7")!)), ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
    ("'o''clock'", .string("o'clock")), ("''''", .string("'")),
    ("X'0001A0FF'", .binary([0, 1, 0xA0, 0xFF])), ("X'0001a0ff'", .binary([0, 1, 0xA0, 0xFF])),
    ("binary'0001A0FF'", .binary([0, 1, 0xA0, 0xFF])), ("X''", .binary([])),
    ("datetime'2012-11-10T03:04:05.200Z'", .dateTime(EdmDateTime("2012-11-10T03:04:05.2Z")!)),
    ("datetime'2014-09-02T21:09:14.8848547Z'", .dateTime(EdmDateTime("2014-09-02T21:09:14.8848547Z")!)),
    (
      "datetimeoffset'2012-11-10T03:04:05+02:00'",
      .dateTimeOffset(EdmDateTimeOffset("2012-11-10T03:04:05+02:00")!)
    ),
    ("time'PT3H20M'", .duration(EdmDuration("PT3H20M")!)),
    (
      "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'",
      .guid(.init(uuidString: "debc44d5-04a9-42ea-ab2f-4e2cb49ff833")!)
    ),
  ]

  @Test(arguments: old)
  func literalOfODataTwo(text: String, value: EdmValue) throws {
    for dialect in [Dialect.v2, .v3, .azureTable] {
      #expect(try FilterParser.parse(text, dialect: dialect) == .literal(value))
      #expect(
        try FilterParser.parse("(A eq \(text))and(\(text) eq A)", dialect: dialect)
          == .binary(
            .and, .binary(.equal, .property(["A"]), .literal(value)),
            .binary(.equal, .literal(value), .property(["A"]))))
    }
  }

  static let new: [(String, EdmValue)] = [
    ("5", .int32(5)), ("+42", .int32(42)), ("4294967296", .int64(4_294_967_296)),
    ("12222455555555155555", .decimal(EdmDecimal("12222455555555155555")!)),
    ("2.5", .double(2.5)), ("-0.314e1", .double(-3.14)), ("INF", .double(.infinity)),
    ("-INF", .double(-.infinity)),
    ("binary'AAGg_w'", .binary([0, 1, 0xA0, 0xFF])), ("binary'AAGg_w=='", .binary([0, 1, 0xA0, 0xFF])),
    ("duration'PT3H20M'", .duration(EdmDuration("PT3H20M")!)),
    ("2012-09-03", .date(EdmDate("2012-09-03")!)),
    ("2012-09-03T14:53:00Z", .dateTimeOffset(EdmDateTimeOffset("2012-09-03T14:53:00Z")!)),
    (
      "2012-09-03T14:53:00.1234567-08:30",
      .dateTimeOffset(EdmDateTimeOffset("2012-09-03T14:53:00.1234567-08:30")!)
    ),
    ("11:22:33.5", .timeOfDay(EdmTimeOfDay("11:22:33.5")!)),
    (
      "debc44d5-04a9-42ea-ab2f-4e2cb49ff833",
      .guid(.init(uuidString: "debc44d5-04a9-42ea-ab2f-4e2cb49ff833")!)
    ),
    (
      "01234567-89ab-cdef-0123-456789abcdef",
      .guid(.init(uuidString: "01234567-89ab-cdef-0123-456789abcdef")!)
    ),
  ]

  @Test(arguments: new)
  func literalOfODataFour(text: String, value: EdmValue) throws {
    #expect(try FilterParser.parse(text, dialect: .v4) == .literal(value))
    #expect(
      try FilterParser.parse("(A eq \(text))", dialect: .v4)
        == .binary(.equal, .property(["A"]), .literal(value)))
  }

  @Test func wholeNumberWithoutSuffix() throws {
    #expect(try FilterParser.parse("2147483648", dialect: .v2) == .literal(.int64(2_147_483_648)))
    #expect(
      message("A eq 2147483648", .azureTable)
        == "The filter cannot be read at character 6: found an integer above Edm.Int32, expected an L behind it, "
        + "which makes it an Edm.Int64.")
  }

  // MARK: Errors

  private func message(_ text: String, _ dialect: Dialect) -> String {
    do throws(ODataError) {
      return "no error, but \(try FilterParser.parse(text, dialect: dialect).outline)"
    } catch {
      #expect(error.code == .invalidQuery)
      return error.message
    }
  }

  @Test(arguments: [
    ("", "1: found its end, expected a property, a literal, a function or a bracket"),
    ("A eq", "5: found its end, expected a property, a literal, a function or a bracket"),
    ("A eq 1 B", "8: found the word 'B', expected an operator or the end"),
    ("A == 1", "3: found the character '=', expected an operator or the end"),
    ("A EQ 1", "3: found the word 'EQ', expected an operator or the end"),
    ("(A eq 1", "8: found its end, expected an operator or a closing bracket"),
    ("A eq 1)", "7: found the character ')', expected an operator or the end"),
    ("A eq 'secret", "6: found a string without its closing quote, expected a quote at its end"),
    ("名前 eq 'é' 🦊", "11: found the character '🦊', expected an operator or the end"),
    ("A eq 5x", "6: found a number with something behind it, expected a number on its own"),
    ("A eq 5LL", "6: found a number with something behind it, expected a number on its own"),
    (
      "A eq 9223372036854775808L",
      "6: found a number out of the range of its type, expected one that fits its type as its suffix says"
    ),
    ("A eq 1e999", "6: found a number out of the range of its type, expected one that fits its type"),
    (
      "A eq datetime'soon'",
      "14: found something else than a datetime value between the quotes, expected a datetime literal such as datetime'2014-09-02T21:09:14Z'"
    ),
    (
      "A eq X'123'",
      "7: found something else than a X value between the quotes, expected a X literal such as X'0001A0FF'"
    ),
    (
      "A eq guid'1'",
      "10: found something else than a guid value between the quotes, expected a guid literal such as guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'"
    ),
    (
      "A eq datetime'2014",
      "14: found a datetime literal without its closing quote, expected a quote at its end"
    ),
    ("length(A eq 3", "14: found its end, expected an operator, a comma or a closing bracket"),
    ("A/ eq 3", "3: found a control character, expected a name behind the '/'"),
    ("and eq 1 and", "13: found its end, expected a property, a literal, a function or a bracket"),
    ("any()", "1: found 'any' without a collection, expected a path in front of it"),
    ("Items/all()", "11: found the character ')', expected the name of a variable"),
    ("A/B(1) eq 2", "3: found the function 'B' within a path, expected a property or any or all"),
  ])
  func error(text: String, problem: String) {
    #expect(message(text, .v2) == "The filter cannot be read at character \(problem).")
  }

  @Test(arguments: [
    (
      "A eq datetime'2012-09-03T14:53:00'",
      "6: found the prefix 'datetime', which OData 4 does not have, expected the value as OData 4 writes it"
    ),
    ("A eq 5L", "6: found a number with something behind it, expected a number on its own"),
    (
      "A eq Pattern'Yellow'",
      "6: found the word 'Pattern' before a quote, expected the qualified name of an enumeration, or the prefix of a literal"
    ),
    ("A has Sales.Pattern'Yellow'", "3: found the operator 'has', expected one that is supported"),
    ("A in (B,C)", "3: found 'in' with something else than constants, expected a list of constants"),
    (
      "A eq 2012-13-45",
      "6: found something that begins like a date or a time, expected a date and time such as 2014-09-02T21:09:14Z, a date, or a time of day"
    ),
  ])
  func errorOfODataFour(text: String, problem: String) {
    #expect(message(text, .v4) == "The filter cannot be read at character \(problem).")
  }

  // MARK: Hostile text

  @Test func nestingIsBounded() throws {
    let fits = String(repeating: "(", count: 128) + "A" + String(repeating: ")", count: 128)
    #expect(try FilterParser.parse(fits, dialect: .v2) == .property(["A"]))
    for opening in ["(", "not ", "-", "f(", "not(", "a or b and c eq d gt e add f mul (", "I/any(i:"] {
      #expect(
        message(String(repeating: opening, count: 129), .v3).contains("found one level too many"),
        "\(opening)")
      #expect(
        message(String(repeating: opening, count: 1500), .v3).contains("found one level too many"),
        "\(opening)")
    }
  }

  @Test(
    "Brackets that only the written form needs take no filter beyond the bound",
    arguments: [
      String(repeating: "-", count: 129) + "0 eq A", String(repeating: "not ", count: 127) + "-(0)",
    ])
  func deepestTreesReadBack(text: String) throws {
    let tree = try FilterParser.parse(text, dialect: .v3)
    #expect(try FilterParser.parse(tree.rendered(for: .v3), dialect: .v3) == tree)
  }

  @Test func chainsAreBounded() throws {
    let fits = Array(repeating: "A", count: 512).joined(separator: " or ")
    #expect(try FilterParser.parse(fits, dialect: .v2).rendered(for: .v2) == fits)
    #expect(message(fits + " or A", .v2).contains("found one operator too many"))
  }

  @Test func lengthIsBounded() throws {
    let fits = "A eq '" + String(repeating: "x", count: 65_536 - 7) + "'"
    #expect(throws: Never.self) { try FilterParser.parse(fits, dialect: .v2) }
    #expect(message(fits + " ", .v2) == "The filter has 65537 bytes, more than the limit of 65536.")
  }

  /// Any prefix of a filter, and any one byte changed, gives a tree or an error of the right kind.
  @Test func damagedText() throws {
    let whole =
      "(A/b eq 'x''y' or not startswith(B,'é')) and C ge datetime'2014-09-02T21:09:14Z' and -D lt 2.5e3 or "
      + "E eq X'00FF' or F eq guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833' or I/any(i:i eq 5L)"
    #expect(try FilterParser.parse(whole, dialect: .v3).rendered(for: .v3).isEmpty == false)
    for dialect in Dialect.allCases {
      for end in whole.indices { check(String(whole[..<end]), dialect) }
      let bytes = Array(whole.utf8)
      for index in bytes.indices {
        for byte in "'(),/:-0aé ".utf8 {
          var copy = bytes
          copy[index] = byte
          check(String(decoding: copy, as: UTF8.self), dialect)
        }
      }
    }
    func check(_ text: String, _ dialect: Dialect) {
      do throws(ODataError) {
        _ = try FilterParser.parse(text, dialect: dialect)
      } catch {
        if error.code != .invalidQuery { Issue.record("\(text): \(error)") }
      }
    }
  }
}
