/// Reads a `$filter` as people and programs write it into a ``QueryExpression``.
///
/// ```swift
/// let filter = try FilterParser.parse("Author eq '夏目漱石' and Rate ge 4", dialect: .azureTable)
/// ```
///
/// The grammar is that of OData 2, 3 or 4 as the dialect says: operators with the precedence of the protocol,
/// brackets with or without blanks around them, operands in either order, function calls, paths, and the literals of
/// the dialect. `not` binds closer than a comparison: `not A eq 1` means `(not A) eq 1`. OData 4 alone reads operators
/// in any case, collections as constants (`["a","b"]`), and `x in ('a','b')`, which becomes `x eq 'a' or x eq 'b'`, so that
/// servers of 4.0 take it as well.
/// `substringof(b,a)` becomes `contains(a,b)`.
///
/// Not read, and refused with an error that says so: objects as constants, collections of anything but constants, `has`,
/// `divby`, and functions within a path.
public enum FilterParser {
  /// The longest text that is read, in bytes of UTF-8.
  public static let maximumLength = 65_536
  /// The deepest nesting of brackets, calls and operators before their operand.
  public static let maximumNesting = 128

  /// The tree of `text`, which is not percent-encoded any more.
  ///
  /// Throws ``ODataError/Code/invalidQuery`` with the position (characters, from 1), what was found there and what
  /// would have been right; also for a text above ``maximumLength``, brackets nested above ``maximumNesting``, and
  /// more than 512 operators in a chain.
  public static func parse(_ text: String, dialect: Dialect) throws(ODataError) -> QueryExpression {
    guard text.utf8.count <= maximumLength else {
      throw ODataError(
        .invalidQuery, "The filter has \(text.utf8.count) bytes, more than the limit of \(maximumLength).")
    }
    var grammar = FilterGrammar(scanner: FilterScanner(text, dialect: dialect, subject: "filter"))
    return try grammar.wholeFilter()
  }
}

/// The grammar, by recursive descent with a loop over operators of descending strength.
private struct FilterGrammar {
  var scanner: FilterScanner

  /// A part of the tree and its height, which is bounded while the tree is built.
  struct Part {
    var expression: QueryExpression
    var height = 1
  }

  mutating func wholeFilter() throws(ODataError) -> QueryExpression {
    let part = try operators(above: 0, nesting: 0)
    scanner.skipBlanks()
    guard scanner.peek() == nil else {
      throw scanner.failure(at: scanner.position, expected: "an operator or the end")
    }
    return part.expression
  }

  /// Operands and operators that bind closer than `minimum`.
  private mutating func operators(above minimum: Int, nesting: Int) throws(ODataError) -> Part {
    var left = try operand(nesting: nesting)
    while let (infix, end) = nextInfix(), infix.precedence > minimum {
      let start = scanner.position
      scanner.position = end
      switch infix {
      case .binary(let binary):
        let right = try operators(above: binary.precedence, nesting: nesting)
        left = try join(binary, left, right, at: start)
      case .membership:
        left = try membership(left, nesting: nesting, at: start)
      case .unsupported(let word):
        throw scanner.failure(at: start, found: "the operator '\(word)'", expected: "one that is supported")
      }
    }
    return left
  }

  // MARK: Operators

  private enum Infix {
    case binary(QueryExpression.BinaryOperator)
    case membership
    case unsupported(String)

    var precedence: Int {
      switch self {
      case .binary(let binary): binary.precedence
      case .membership: QueryExpression.BinaryOperator.equal.precedence
      case .unsupported: .max
      }
    }
  }

  /// The operator behind the blanks at the position and its end; leaves the position at the operator.
  private mutating func nextInfix() -> (Infix, Int)? {
    scanner.skipBlanks()
    let end = scanner.endOfIdentifier(from: scanner.position)
    guard end > scanner.position, end - scanner.position <= 5 else { return nil }
    var word = scanner.text(scanner.position..<end)
    if scanner.dialect == .v4 { word = word.lowercased() }
    if let binary = QueryExpression.BinaryOperator(rawValue: word) { return (.binary(binary), end) }
    guard scanner.dialect == .v4 else { return nil }
    switch word {
    case "in": return (.membership, end)
    case "has", "divby": return (.unsupported(word), end)
    default: return nil
    }
  }

  private func join(
    _ binary: QueryExpression.BinaryOperator, _ left: Part, _ right: Part, at index: Int
  ) throws(ODataError) -> Part {
    let height = try raised(max(left.height, right.height), at: index)
    return Part(expression: .binary(binary, left.expression, right.expression), height: height)
  }

  private func raised(_ height: Int, at index: Int) throws(ODataError) -> Int {
    guard height < QueryExpression.maximumHeight else {
      throw scanner.failure(
        at: index, found: "one operator too many",
        expected: "at most \(QueryExpression.maximumHeight) in a chain")
    }
    return height + 1
  }

  private func deeper(_ nesting: Int) throws(ODataError) -> Int {
    guard nesting < FilterParser.maximumNesting else {
      throw scanner.failure(
        at: scanner.position, found: "one level too many",
        expected: "at most \(FilterParser.maximumNesting) nested brackets, calls and signs")
    }
    return nesting + 1
  }

  /// `left in (a,b)`, as the comparisons it stands for.
  private mutating func membership(_ left: Part, nesting: Int, at index: Int) throws(ODataError) -> Part {
    scanner.skipBlanks()
    let items: [Part]
    if scanner.peek() == UInt8(ascii: "[") {
      items = try scanner.takeCollection().elements.map { Part(expression: .literal($0)) }
    } else {
      guard scanner.take(UInt8(ascii: "(")) else {
        throw scanner.failure(at: scanner.position, expected: "a list in brackets behind 'in'")
      }
      items = try list(nesting: try deeper(nesting))
    }
    var whole: Part?
    // The grammar takes constants, or one operand in brackets.
    guard items.count == 1 || items.allSatisfy({ if case .literal = $0.expression { true } else { false } })
    else {
      throw scanner.failure(
        at: index, found: "'in' with something else than constants", expected: "a list of constants")
    }
    for item in items {
      let equal = try join(.equal, left, item, at: index)
      whole = try whole.map { part throws(ODataError) in try join(.or, part, equal, at: index) } ?? equal
    }
    return whole ?? Part(expression: .literal(.boolean(false)))
  }

  // MARK: Operands

  private mutating func operand(nesting: Int) throws(ODataError) -> Part {
    scanner.skipBlanks()
    let start = scanner.position
    if startsNot {
      scanner.position += 3
      return try prefixed(.not, nesting: nesting, at: start)
    }
    if let value = try scanner.takeLiteral() { return Part(expression: .literal(value)) }
    if scanner.dialect == .v4, scanner.peek() == UInt8(ascii: "[") {
      return Part(expression: .literal(.collection(try scanner.takeCollection())))
    }
    if scanner.take(UInt8(ascii: "-")) { return try prefixed(.negate, nesting: nesting, at: start) }
    if scanner.take(UInt8(ascii: "(")) { return try bracketed(nesting: try deeper(nesting)) }
    return try path(nesting: nesting)
  }

  /// What stands between brackets, the opening one taken already.
  private mutating func bracketed(nesting: Int) throws(ODataError) -> Part {
    let inner = try operators(above: 0, nesting: nesting)
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: ")")) else {
      throw scanner.failure(at: scanner.position, expected: "an operator or a closing bracket")
    }
    return inner
  }

  private mutating func prefixed(
    _ unary: QueryExpression.UnaryOperator, nesting: Int, at index: Int
  ) throws(ODataError) -> Part {
    let nesting = try deeper(nesting)
    scanner.skipBlanks()
    // Brackets behind the operator are one level with it: the tree of `--0` is written as `-(0)`, and has to be read back
    // at the deepest level too.
    let inner =
      scanner.take(UInt8(ascii: "(")) ? try bracketed(nesting: nesting) : try operand(nesting: nesting)
    return Part(expression: .unary(unary, inner.expression), height: try raised(inner.height, at: index))
  }

  /// `not` is an operator only in front of a blank or a bracket.
  private var startsNot: Bool {
    let start = scanner.position
    guard scanner.endOfName(from: start) == start + 3 else { return false }
    let word = scanner.text(start..<(start + 3))
    guard word == "not" || (scanner.dialect == .v4 && word.lowercased() == "not") else { return false }
    guard let next = scanner.peek(3) else { return false }
    return next == UInt8(ascii: "(") || FilterScanner.isBlank(next)
  }

  // MARK: Names

  private mutating func path(nesting: Int) throws(ODataError) -> Part {
    var names: [String] = []
    while true {
      let start = scanner.position
      let end = scanner.endOfName(from: start)
      guard end > start else {
        throw scanner.failure(
          at: start,
          expected: names.isEmpty ? "a property, a literal, a function or a bracket" : "a name behind the '/'"
        )
      }
      scanner.position = end
      let name = scanner.text(start..<end)
      if scanner.take(UInt8(ascii: "(")) {
        if names.isEmpty {
          guard QueryExpression.Quantifier(rawValue: name) == nil else {
            throw scanner.failure(
              at: start, found: "'\(name)' without a collection", expected: "a path in front of it")
          }
          return try call(name, nesting: try deeper(nesting), at: start)
        }
        if let quantifier = QueryExpression.Quantifier(rawValue: name) {
          return try lambda(quantifier, names, nesting: try deeper(nesting), at: start)
        }
        throw scanner.failure(
          at: start, found: "the function '\(name.prefix(40))' within a path",
          expected: "a property or any or all")
      }
      names.append(name)
      guard scanner.take(UInt8(ascii: "/")) else { return Part(expression: .property(names)) }
    }
  }

  private mutating func call(_ name: String, nesting: Int, at index: Int) throws(ODataError) -> Part {
    var arguments: [QueryExpression] = []
    var height = 0
    for argument in try list(nesting: nesting) {
      arguments.append(argument.expression)
      height = max(height, argument.height)
    }
    height = try raised(height, at: index)
    if name == "substringof", arguments.count == 2 {
      return Part(expression: .call("contains", arguments.reversed()), height: height)
    }
    return Part(expression: .call(name, arguments), height: height)
  }

  /// What stands between brackets, the opening one taken already: nothing, or operands with commas between them.
  private mutating func list(nesting: Int) throws(ODataError) -> [Part] {
    scanner.skipBlanks()
    if scanner.take(UInt8(ascii: ")")) { return [] }
    var items: [Part] = []
    while true {
      items.append(try operators(above: 0, nesting: nesting))
      scanner.skipBlanks()
      if scanner.take(UInt8(ascii: ")")) { return items }
      guard scanner.take(UInt8(ascii: ",")) else {
        throw scanner.failure(at: scanner.position, expected: "an operator, a comma or a closing bracket")
      }
    }
  }

  private mutating func lambda(
    _ quantifier: QueryExpression.Quantifier, _ collection: [String], nesting: Int, at index: Int
  ) throws(ODataError) -> Part {
    scanner.skipBlanks()
    if quantifier == .any, scanner.take(UInt8(ascii: ")")) {
      return Part(expression: .lambda(.any, collection: collection, variable: nil, condition: nil))
    }
    let start = scanner.position
    let end = scanner.endOfIdentifier(from: start)
    guard end > start else { throw scanner.failure(at: start, expected: "the name of a variable") }
    let variable = scanner.text(start..<end)
    scanner.position = end
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: ":")) else {
      throw scanner.failure(at: scanner.position, expected: "a colon behind the variable")
    }
    let condition = try operators(above: 0, nesting: nesting)
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: ")")) else {
      throw scanner.failure(at: scanner.position, expected: "an operator or a closing bracket")
    }
    return Part(
      expression: .lambda(
        quantifier, collection: collection, variable: variable, condition: condition.expression),
      height: try raised(condition.height, at: index))
  }
}
