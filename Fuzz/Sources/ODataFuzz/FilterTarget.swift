import ODataKit

/// `$filter` in every dialect: what was parsed is rendered, and parsed again is the same tree.
@Sendable func fuzzFilter(_ input: FuzzInput) {
  let text = String(decoding: input.bytes, as: UTF8.self)
  for dialect in [Dialect.v2, .v3, .v4, .azureTable] {
    let parsed = Outcome { try FilterParser.parse(text, dialect: dialect) }
    guard case .value(let tree) = parsed else { continue }
    // Not every tree can be said in every dialect: functions, constants and operators differ.
    guard case .value(let rendered) = Outcome({ try tree.rendered(for: dialect) }) else { continue }
    let again = Outcome { try FilterParser.parse(rendered, dialect: dialect) }
    guard case .value(let second) = again else {
      fatalError("\(text)\nwas rendered for \(dialect) as\n\(rendered)\nwhich cannot be parsed: \(again)")
    }
    // For Azure tables a tree is first brought into what the service takes; from then on it stays.
    guard dialect == .azureTable else {
      demand(second == tree, "\(text)\nwas rendered for \(dialect) as\n\(rendered)\n\(tree)\n\(second)")
      continue
    }
    let renderedAgain = Outcome { try second.rendered(for: dialect) }
    demand(
      renderedAgain == .value(rendered), "\(text)\nwas rendered as\n\(rendered)\nthen as\n\(renderedAgain)")
  }
}
