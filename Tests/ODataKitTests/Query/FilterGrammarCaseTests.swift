import Foundation
import ODataKit
import ODataTestSupport
import Testing

/// The test cases that OASIS publishes with the grammar of OData 4.01, as far as they are about filters and literals.
@Suite struct FilterGrammarCaseTests {
  struct Case {
    let rule: String
    let input: String
    let isInvalid: Bool
  }

  private static let literalRules: Set = [
    "stringLiteral", "binaryLiteral", "durationLiteral", "dateTimeOffsetLiteral", "primitiveLiteral",
    "decimalLiteral",
    "doubleLiteral", "singleLiteral", "sbyteLiteral", "int16Literal", "int32Literal", "int64Literal", "null",
    "boolean",
    "guid", "date", "timeOfDayLiteral", "enumLiteral",
  ]
  private static let expressionRules: Set = [
    "commonExpr", "boolCommonExpr", "boolcommonExpr", "filter", "firstMemberExpr", "propertyPathExpr",
    "isofExpr",
    "notExpr",
  ]

  /// What is left out, each with the reason. A case that is left out as unsupported has to be refused.
  private static func reasonToSkip(_ item: Case) -> String? {
    let input = item.input
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
      (#"\[|\{|^\(?Model\..*[{%]"#, "object and collection literals"), (#" has "#, "the operator has"),
      (#" divby "#, "the operator divby"), (#"geo(graphy|metry)'"#, "spatial literals"),
      (#"[A-Z]\w+\.\w+'"#, "enumeration literals"), (#"\w\(\w+="#, "named parameters"),
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
    for item in try Self.cases() where Self.literalRules.union(Self.expressionRules).contains(item.rule) {
      if let reason = Self.reasonToSkip(item) {
        skipped[reason, default: 0] += 1
        continue
      }
      let text = item.input.replacing(/^\$?filter=/, with: "")
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

  /// Just enough of YAML for the file: one list of cases with scalars that may be quoted and folded.
  private static func cases() throws -> [Case] {
    let file = String(
      decoding: try SharedFolder.bytes("recordings/odata/odata-abnf-testcases.yaml"), as: UTF8.self)
    let list = try #require(file.range(of: "\nTestCases:")).upperBound
    return file[list...].split(separator: /\n  - Name:/).dropFirst().compactMap { block in
      var fields: [String: String] = [:]
      var current = ""
      for line in block.split(separator: "\n").dropFirst() {
        if let match = line.firstMatch(of: /^    (\w+): ?(.*)$/) {
          current = String(match.1)
          fields[current] = String(match.2)
        } else if line.hasPrefix("      "), !current.isEmpty {
          let folded = line.trimmingCharacters(in: .whitespaces)
          fields[current] = [fields[current] ?? "", folded].filter { !$0.isEmpty }.joined(separator: " ")
        }
      }
      guard let rule = fields["Rule"], let input = fields["Input"],
        let text = PercentEncoding.decode(scalar(input))
      else { return nil }
      return Case(rule: scalar(rule), input: text, isInvalid: fields["FailAt"] != nil)
    }
  }

  private static func scalar(_ raw: String) -> String {
    if raw.count >= 2, raw.hasPrefix("\""), raw.hasSuffix("\"") {
      return String(raw.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    }
    if raw.count >= 2, raw.hasPrefix("'"), raw.hasSuffix("'") {
      // Plain scalars of the file that begin with a quote are YAML strings as well.
      return String(raw.dropFirst().dropLast()).replacing("''", with: "'")
    }
    return raw
  }
}

extension QueryExpression {
  /// The rendered text, or the text that was read where the tree has a function only the parser knows.
  fileprivate func renderedOrText(_ text: String) -> String { (try? rendered(for: .v4)) ?? text }
}
