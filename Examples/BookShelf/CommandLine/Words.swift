/// The words of a command line, sorted into options and operands.
struct Words {
  /// The command; `nil` if there is none, which only `--help` allows.
  private(set) var command: CommandName?
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  /// Sorts the words; throws ``UsageError`` for options that the command does not have or that lack their value.
  init(_ words: [String]) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        for word in rest { try takeOperand(word) }
        break
      }
      if word.utf8.count > 1, word.utf8.first == UInt8(ascii: "-") {
        try takeOption(word == "-h" ? "--help" : word, &rest)
      } else {
        try takeOperand(word)
      }
    }
  }

  /// The value of an option, `nil` unless it is given.
  subscript(name: String) -> String? { values[name] }

  /// Whether an option is given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option as a whole number of the type that is asked for.
  func number<Number: FixedWidthInteger>(_ name: String, atLeast least: Number = .min) throws(UsageError)
    -> Number?
  {
    guard let text = self[name] else { return nil }
    guard let number = Number(text) else {
      throw UsageError("\(name) takes a whole number", command: command)
    }
    guard number >= least else {
      throw UsageError("\(name) takes a number from \(least) on", command: command)
    }
    return number
  }

  /// The value of an option that must be given, and not be empty.
  func text(_ name: String) throws(UsageError) -> String {
    guard let text = try optionalText(name) else {
      throw UsageError("\(command?.rawValue ?? "BookShelf") needs \(name)", command: command)
    }
    return text
  }

  /// The value of an option that, if given, must not be empty.
  func optionalText(_ name: String) throws(UsageError) -> String? {
    let text = self[name]
    if text?.isEmpty == true { throw UsageError("\(name) must not be empty", command: command) }
    return text
  }

  private mutating func takeOperand(_ word: String) throws(UsageError) {
    guard command == nil else {
      operands.append(word)
      return
    }
    guard let name = CommandName(rawValue: word) else { throw UsageError("there is no command \(word)") }
    command = name
  }

  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let known = Option.global + (command?.options ?? [])
    guard let option = known.first(where: { $0.name == parts[0] }) else {
      throw UsageError(
        "\(command.map { $0.rawValue + " has" } ?? "there is") no option \(parts[0])", command: command)
    }
    guard !has(option.name) else { throw UsageError("\(option.name) is given twice", command: command) }
    if option.value == nil {
      guard parts.count == 1 else { throw UsageError("\(option.name) takes no value", command: command) }
      values[option.name] = ""
    } else if parts.count == 2 {
      values[option.name] = parts[1]
    } else if let value = rest.first, !known.contains(where: { $0.name == value }) {
      values[option.name] = rest.removeFirst()
    } else {
      throw UsageError("\(option.name) needs a value", command: command)
    }
  }
}
