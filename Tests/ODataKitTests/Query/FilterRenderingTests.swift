import ODataKit
import Testing

@Suite struct FilterRenderingTests {
  /// What goes in one dialect and comes out in the others; `nil` where it is refused.
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    var two: String?, three: String?, four: String?
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case(text: "((A eq 1)) and ((B))", two: "A eq 1 and B", three: "A eq 1 and B", four: "A eq 1 and B"),
    Case(
      text: "(A or B) and (C and D)", two: "(A or B) and (C and D)", three: "(A or B) and (C and D)",
      four: "(A or B) and (C and D)"),
    Case(text: "A or (B and C)", two: "A or B and C", three: "A or B and C", four: "A or B and C"),
    Case(text: "not ((A))", two: "not A", three: "not A", four: "not A"),
    Case(text: "not (A eq 1)", two: "not (A eq 1)", three: "not (A eq 1)", four: "not (A eq 1)"),
    Case(text: "A sub (B sub C)", two: "A sub (B sub C)", three: "A sub (B sub C)", four: "A sub (B sub C)"),
    Case(text: "(A mul B) add C", two: "A mul B add C", three: "A mul B add C", four: "A mul B add C"),
    Case(
      text: "-(5) lt -(A add 1)", two: "-(5) lt -(A add 1)", three: "-(5) lt -(A add 1)",
      four: "-(5) lt -(A add 1)"),
    Case(
      text: "substringof('b',A)", two: "substringof('b',A)", three: "substringof('b',A)",
      four: "contains(A,'b')"),
    Case(
      text: "replace(A,'a','b') eq 'c'", two: "replace(A,'a','b') eq 'c'", three: "replace(A,'a','b') eq 'c'"),
    Case(
      text: "I/any(i:i/P gt 5 or i/Q)", three: "I/any(i:i/P gt 5 or i/Q)", four: "I/any(i:i/P gt 5 or i/Q)"),
    Case(text: "I/any()", three: "I/any()", four: "I/any()"),
    Case(text: "A eq 5L", two: "A eq 5L", three: "A eq 5L", four: "A eq 5"),
    Case(text: "A eq 1.5M", two: "A eq 1.5M", three: "A eq 1.5M", four: "A eq 1.5"),
    Case(
      text: "A eq X'0001A0FF'", two: "A eq X'0001A0FF'", three: "A eq X'0001A0FF'",
      four: "A eq binary'AAGg_w'"),
    Case(
      text: "A eq datetime'2014-09-02T21:09:14.8848547Z'", two: "A eq datetime'2014-09-02T21:09:14.8848547'",
      three: "A eq datetime'2014-09-02T21:09:14.8848547'", four: "A eq 2014-09-02T21:09:14.8848547Z"),
    Case(
      text: "A eq guid'DEBC44D5-04a9-42ea-ab2f-4e2cb49ff833'",
      two: "A eq guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'",
      three: "A eq guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'",
      four: "A eq debc44d5-04a9-42ea-ab2f-4e2cb49ff833"),
    Case(text: "A eq null", two: "A eq null", three: "A eq null", four: "A eq null"),
  ])
  func dialects(_ item: Case) throws {
    let tree = try FilterParser.parse(item.text, dialect: .v3)
    for (dialect, expected) in [(Dialect.v2, item.two), (.v3, item.three), (.v4, item.four)] {
      if let expected {
        #expect(try tree.rendered(for: dialect) == expected)
      } else {
        #expect { try tree.rendered(for: dialect) } throws: { ODataError.Code.unsupported ~= $0 }
      }
    }
  }

  @Test func functionsOfODataFour() throws {
    let tree = try FilterParser.parse(
      "contains(A,'b') and date(B) eq 2012-09-03 and Sales.IsHot(A)", dialect: .v4)
    #expect(try tree.rendered(for: .v4) == "contains(A,'b') and date(B) eq 2012-09-03 and Sales.IsHot(A)")
    #expect(
      message { try tree.rendered(for: .v2) }
        == "The function 'date' cannot be sent, since OData 2 does not have it.")
    #expect(
      message { try QueryExpression.call("length", []).rendered(for: .v4) }
        == "The function 'length' takes 1 arguments, but 0 are given.")
    #expect(
      message { try QueryExpression.call("foo", []).rendered(for: .v4) }
        == "The function 'foo' is not one of OData 4.")
  }

  /// Only names go out as names, whatever a program passes.
  @Test(arguments: [
    "", "A eq 1 or B", "A'", "A)", "1A", "A-B", "A B", "A,B", "A\u{0}", "é🦊",
  ])
  func namesThatAreNone(name: String) {
    for dialect in Dialect.allCases {
      let tree = QueryExpression.binary(.equal, .property([name]), .literal(.int32(1)))
      #expect { try tree.rendered(for: dialect) } throws: { ODataError.Code.invalidQuery ~= $0 }
    }
  }

  @Test(arguments: ["true", "false", "null", "not", "NaN", "INF"])
  func namesThatAreConstants(name: String) throws {
    let tree = QueryExpression.binary(.equal, .property([name]), .literal(.int32(1)))
    for dialect in Dialect.allCases {
      #expect { try tree.rendered(for: dialect) } throws: { ODataError.Code.invalidQuery ~= $0 }
    }
    let path = QueryExpression.property([name, "x"])
    #expect(try FilterParser.parse(path.rendered(for: .v4), dialect: .v4) == path)
  }

  @Test func heightIsBounded() {
    var tree = QueryExpression.property(["A"])
    for _ in 0..<5_000 { tree = .binary(.or, tree, .property(["B"])) }
    for dialect in Dialect.allCases {
      #expect(
        message { try tree.rendered(for: dialect) }
          == "The filter nests or chains more than 512 operators; split it over several queries.")
    }
  }
}

/// The message of the error that `body` throws.
func message(_ body: () throws -> some Any) -> String {
  do {
    return "no error, but \(try body())"
  } catch {
    return (error as? ODataError)?.message ?? "another error: \(error)"
  }
}
