import Foundation
import ODataKit
import ODataTestSupport
import Testing

/// One of the test cases that OASIS publishes with the grammar of OData 4.01.
struct GrammarCase {
  /// The rule of the grammar that the input is held against.
  let rule: String
  /// The input as it is published: percent-encoded where the rule is about URLs.
  let input: String
  /// Whether the input does not follow the rule.
  let isInvalid: Bool

  /// The input as a filter sees it.
  var decoded: String? { PercentEncoding.decode(input) }

  /// All cases, from the folder of recordings. Just enough of YAML for the file: one list of cases with scalars that may
  /// be quoted and folded.
  static func all() throws -> [GrammarCase] {
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
      guard let rule = fields["Rule"], let input = fields["Input"] else { return nil }
      return GrammarCase(rule: scalar(rule), input: scalar(input), isInvalid: fields["FailAt"] != nil)
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
