internal import ODataKit

/// `$filter` of a request: which rows it takes, and the stretch of keys they lie in.
struct QueryFilter {
  /// All keys without a filter.
  let range: StoreKeyRange
  private let evaluator: QueryEvaluator?

  init(_ text: String?) throws(ServiceFault) {
    guard let text else {
      range = StoreKeyRange()
      evaluator = nil
      return
    }
    let expression: QueryExpression
    do { expression = try FilterParser.parse(text, dialect: .azureTable) } catch {
      throw error.code == .unsupported ? .notImplemented : .querySyntax
    }
    do { evaluator = try QueryEvaluator(expression) } catch {
      throw error.code == .unsupported ? .notImplemented : .inputNotValid
    }
    range = StoreKeyRange(KeyRange.extract(from: expression))
  }

  func matches(_ record: EntityRecord) -> Bool { evaluator?.matches(record) ?? true }
}

extension StoreKeyRange {
  fileprivate init(_ range: KeyRange) {
    lower = StoreKey(range.lower.partitionKey, range.lower.rowKey)
    upper = range.upper.map { StoreKey($0.partitionKey, $0.rowKey) }
  }
}
