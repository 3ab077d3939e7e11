extension QueryExpression {
  /// The text of the filter in the words of a dialect, not percent-encoded, with no bracket more than its meaning
  /// needs. ``FilterParser`` reads it back into an equal tree.
  ///
  /// For Azure tables the tree is brought into what the service takes first, where that is exact: see
  /// ``TableFilter``. Throws ``ODataError/Code/unsupported`` for an operator or a function the dialect lacks, and
  /// ``ODataError/Code/invalidQuery`` for names that cannot stand in a filter, wrong numbers of arguments and trees
  /// that are too high.
  public func rendered(for dialect: Dialect) throws(ODataError) -> String {
    try checkHeight()
    let expression = dialect == .azureTable ? try TableFilter.lowered(self) : self
    var renderer = QueryRenderer(dialect: dialect)
    try renderer.append(expression)
    return renderer.text
  }
}

/// Writes a tree as text. Quoting is that of the literals; percent-encoding comes later and once.
struct QueryRenderer {
  let dialect: Dialect
  private(set) var text = ""

  init(dialect: Dialect) { self.dialect = dialect }

  mutating func append(_ expression: QueryExpression) throws(ODataError) {
    switch expression {
    case .literal(.collection(let collection)) where dialect == .v4:
      var bytes: [UInt8] = []
      try collection.appendLiteral(to: &bytes)
      text += String(decoding: bytes, as: UTF8.self)
    case .literal(let value):
      text += try value.literal(for: dialect)
    case .property(let path):
      text += try Self.path(path, dialect: dialect, mayBeConstant: false)
    case .unary(let unary, let operand):
      text += unary == .not ? "not " : "-"
      try append(operand, inBrackets: Self.needsBrackets(operand, under: unary))
    case .binary(let binary, let left, let right):
      try append(left, inBrackets: Self.precedence(left) < binary.precedence)
      text += " \(binary.rawValue) "
      try append(right, inBrackets: Self.precedence(right) <= binary.precedence)
    case .call(let name, let arguments):
      try appendCall(name, arguments)
    case .lambda(let quantifier, let collection, let variable, let condition):
      try appendLambda(quantifier, collection, variable, condition)
    }
  }

  private mutating func append(_ expression: QueryExpression, inBrackets: Bool) throws(ODataError) {
    if inBrackets { text += "(" }
    try append(expression)
    if inBrackets { text += ")" }
  }

  private static func precedence(_ expression: QueryExpression) -> Int {
    if case .binary(let binary, _, _) = expression { binary.precedence } else { .max }
  }

  private static func needsBrackets(
    _ operand: QueryExpression, under unary: QueryExpression.UnaryOperator
  ) -> Bool {
    switch operand {
    case .binary: true
    case .unary(.not, _): unary == .negate
    // `-5` is a constant; the negation of the constant 5 is another tree.
    case .literal: unary == .negate
    default: false
    }
  }

  // MARK: Calls

  private mutating func appendCall(_ name: String, _ arguments: [QueryExpression]) throws(ODataError) {
    try FunctionCatalog.check(name, argumentCount: arguments.count, dialect: dialect)
    try Self.checkName(name, dialect: dialect)
    switch (name, dialect) {
    case ("contains", .v2), ("contains", .v3):
      try appendArguments("substringof", arguments.reversed())
    case ("substringof", .v4):
      try appendArguments("contains", arguments.reversed())
    default:
      try appendArguments(name, arguments)
    }
  }

  private mutating func appendArguments(_ name: String, _ arguments: [QueryExpression]) throws(ODataError) {
    text += name + "("
    for (index, argument) in arguments.enumerated() {
      if index > 0 { text += "," }
      try append(argument)
    }
    text += ")"
  }

  private mutating func appendLambda(
    _ quantifier: QueryExpression.Quantifier, _ collection: [String], _ variable: String?,
    _ condition: QueryExpression?
  ) throws(ODataError) {
    guard dialect == .v3 || dialect == .v4 else {
      throw ODataError(
        .unsupported,
        "The operator '\(quantifier.rawValue)' cannot be sent, since \(dialect.name) does not have it.")
    }
    text += try Self.path(collection, dialect: dialect, mayBeConstant: true) + "/\(quantifier.rawValue)("
    if let variable, let condition {
      try Self.checkName(variable, dialect: dialect)
      text += variable + ":"
      try append(condition)
    } else if quantifier == .all || variable != nil || condition != nil {
      throw ODataError(.invalidQuery, "The operator 'all' needs a variable and a condition.")
    }
    text += ")"
  }

  // MARK: Names

  /// A path as text. A single name that a filter would read as a constant or as `not` is refused, unless something
  /// follows the path that tells them apart.
  static func path(_ path: [String], dialect: Dialect, mayBeConstant: Bool) throws(ODataError) -> String {
    guard !path.isEmpty else { throw ODataError(.invalidQuery, "A property in the query has no name.") }
    for name in path { try checkName(name, dialect: dialect) }
    if path.count == 1, !mayBeConstant {
      let word = dialect == .v4 ? path[0].lowercased() : path[0]
      if word == "not" || FilterScanner.literal(word: path[0], dialect: dialect) != nil {
        throw ODataError(
          .invalidQuery,
          "The property '\(path[0])' cannot be used in a filter, since \(dialect.name) reads its name as a "
            + "word of the language.")
      }
    }
    return path.joined(separator: "/")
  }

  /// Names go into the text as they are, so nothing but a name may be one.
  static func checkName(_ name: String, dialect: Dialect) throws(ODataError) {
    let scanner = FilterScanner(name, dialect: dialect, subject: "name")
    guard !name.isEmpty, scanner.endOfName(from: 0) == scanner.bytes.count else {
      throw ODataError(
        .invalidQuery,
        "The name '\(name.prefix(40))' cannot be used in a query; names are letters, digits and '_' and do not begin "
          + "with a digit.")
    }
  }
}
