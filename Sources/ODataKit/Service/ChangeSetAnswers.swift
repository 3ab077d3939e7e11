/// The answers to one change set, and which operation each is about.
///
/// A service may answer the operations of a change set in any order; their `Content-ID` tells them apart (MS-ODATA
/// § 2.2.7.6.6, OData 4 Protocol § 11.7.4). Services that name none keep the order. Where some names are missing, foreign
/// or given twice, only the answers with a name of their own are anyone's: a tag given to the wrong entity would make the
/// next save overwrite another one.
struct ChangeSetAnswers {
  /// How the answers may stand.
  enum Order {
    /// Any order; `Content-ID` decides where there is any.
    case any
    /// Any order, and every answer has a name, as in JSON.
    case named
    /// The order of the operations, unless all are named. Azure tables echo what they were sent in successes, and programs
    /// that stand in for them count on their own.
    case kept
  }

  let answers: [BatchOperationResponse]
  /// For each answer the index of its operation; `nil` where that cannot be told.
  let places: [Int?]
  private let count: Int

  /// Matches answers to as many operations as there are numbers; those are what the operations were named with.
  init(_ answers: [BatchOperationResponse], numbers: Range<Int>, order: Order) {
    self.answers = answers
    count = numbers.count
    guard answers.count <= numbers.count else {
      places = answers.map { _ in nil }
      return
    }
    var named = answers.map { Self.number($0.contentID, in: numbers).map { $0 - numbers.lowerBound } }
    var uses: [Int: Int] = [:]
    for place in named { if let place { uses[place, default: 0] += 1 } }
    for (index, place) in named.enumerated() where place.map({ uses[$0] != 1 }) ?? false {
      named[index] = nil
    }
    let isInOrder =
      switch order {
      case .kept: named.contains(nil)
      // With a single operation there is nothing to mix up.
      case .any: answers.allSatisfy { $0.contentID == nil } || numbers.count == 1
      case .named: false
      }
    places = isInOrder ? Array(answers.indices) : named
  }

  /// The answer to each operation; `nil` where none can be told to be its own.
  var byOperation: [BatchOperationResponse?] {
    var found: [BatchOperationResponse?] = Array(repeating: nil, count: count)
    for (answer, place) in zip(answers, places) { if let place { found[place] = answer } }
    return found
  }

  /// The number in a name, if it is one of those that were sent, written as it was sent.
  static func number(_ name: String?, in numbers: Range<Int>) -> Int? {
    guard let name, let number = Int(name), numbers.contains(number),
      String(number).utf8.elementsEqual(name.utf8)
    else { return nil }
    return number
  }
}
