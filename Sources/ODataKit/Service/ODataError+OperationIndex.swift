/// What stands in front of the message of a refusal in a batch of a table service.
enum OperationIndex: Equatable {
  /// The zero-based index of the operation that failed.
  case index(Int)
  /// A number that none of the operations has: it belongs to the text, or tells nothing.
  case beyond
  /// No number.
  case none
}

extension ODataError {
  /// Takes the index of the operation that failed off the message, where it is one of `count` operations.
  ///
  /// Azure and Cosmos write `3:The specified entity already exists.` where the fourth operation failed. Only answers to a
  /// batch of a table service have it; other messages may begin with a time.
  mutating func takeOperationIndex(below count: Int) -> OperationIndex {
    let digits = message.utf8.prefix { $0.isDecimalDigit }
    let rest = message.utf8.dropFirst(digits.count)
    // A batch holds far fewer operations than six digits can count, so longer numbers are no index.
    guard (1...6).contains(digits.count), rest.first == UInt8(ascii: ":"), let index = Int(Substring(digits))
    else { return .none }
    guard index < count else { return .beyond }
    let text = rest.dropFirst().drop { $0.isBlank }
    if !text.isEmpty { message = String(Substring(text)) }
    return .index(index)
  }
}
