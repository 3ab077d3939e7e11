import ODataKit

extension QueryExpression {
  /// The tree in prefix form with the types of its constants, to be compared and read in tests:
  /// `(and (eq A Int32:1) (not B))`.
  var outline: String {
    switch self {
    case .literal(.null): "null"
    case .literal(.string(let text)): "'\(text)'"
    case .literal(let value):
      "\(value.type?.rawValue.dropFirst(4) ?? "null"):\((try? value.literal(for: value.outlineDialect)) ?? "?")"
    case .property(let path): path.joined(separator: "/")
    case .unary(let unary, let operand): "(\(unary.rawValue) \(operand.outline))"
    case .binary(let binary, let left, let right): "(\(binary.rawValue) \(left.outline) \(right.outline))"
    case .call(let name, let arguments): "\(name)(\(arguments.map(\.outline).joined(separator: ", ")))"
    case .lambda(let quantifier, let collection, let variable, let condition):
      "(\(quantifier.rawValue) \(collection.joined(separator: "/")) \(variable ?? "-") \(condition?.outline ?? "-"))"
    }
  }
}

extension EdmValue {
  /// OData 4 spells every type without a prefix or a suffix, except what has no bare form.
  fileprivate var outlineDialect: Dialect { .v4 }
}
