import AzureTable
import Foundation
import ODataKit

/// What the user asked for.
struct Invocation {
  enum Command {
    case help(CommandName?)
    case add(title: String, author: String, rate: Int32?, id: String?)
    case show(id: String)
    case list(author: String?, title: String?, minRate: Int32?, top: Int?)
    case find(filter: String)
    case update(id: String, title: String?, author: String?, rate: Int32?)
    case remove(ids: [String])
    case importFile(path: String, oneByOne: Bool, limit: Int?)
    case demo
  }

  /// Where the books are.
  enum Place: Equatable {
    case dataFolder
    case file(String)
    case account(connectionString: String)
  }

  let command: Command
  let place: Place
  let shelf: String
  let format: PayloadFormat
  let isTraced: Bool
  let printsJSON: Bool

  /// Understands the words behind the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    let words = try Words(arguments)
    command = try Self.command(words)
    shelf = words["--shelf"] ?? "default"
    isTraced = words.has("--trace")
    printsJSON = words.has("--json")
    guard let format = words["--format"].map(PayloadFormat.init(rawValue:)) ?? .automatic else {
      throw UsageError("--format is one of automatic, atom and json", command: words.command)
    }
    self.format = format
    switch (try words.optionalText("--store"), try words.optionalText("--connection")) {
    case (_?, _?):
      throw UsageError("--store and --connection are two places; give one", command: words.command)
    case (let path?, nil): place = .file(path)
    case (nil, let text?): place = .account(connectionString: text)
    case (nil, nil): place = .dataFolder
    }
    if case .demo = command, place != .dataFolder {
      throw UsageError("demo runs in a store of its own, without --store and --connection", command: .demo)
    }
  }

  private static func command(_ words: Words) throws(UsageError) -> Command {
    if words.has("--help") { return .help(words.command) }
    guard let name = words.command else { throw UsageError("what is to be done is missing: give a command") }
    let counts = name.operand?.counts ?? 0...0
    guard words.operands.count >= counts.lowerBound else {
      throw UsageError("\(name.rawValue) needs \(name.operand?.name ?? "")", command: name)
    }
    guard words.operands.count <= counts.upperBound else {
      throw UsageError("\(name.rawValue) is given one word too many", command: name)
    }
    switch name {
    case .add:
      return .add(
        title: try words.text("--title"), author: try words.text("--author"),
        rate: try words.number("--rate"),
        id: try words.optionalText("--id"))
    case .show: return .show(id: words.operands[0])
    case .list:
      return .list(
        author: words["--author"], title: words["--title"], minRate: try words.number("--min-rate"),
        top: try words.number("--top", atLeast: 1))
    case .find: return .find(filter: words.operands[0])
    case .update:
      guard ["--title", "--author", "--rate"].contains(where: words.has) else {
        throw UsageError("update needs at least one of --title, --author and --rate", command: name)
      }
      return .update(
        id: words.operands[0], title: try words.optionalText("--title"),
        author: try words.optionalText("--author"),
        rate: try words.number("--rate"))
    case .remove: return .remove(ids: words.operands)
    case .importFile:
      return .importFile(
        path: words.operands[0], oneByOne: words.has("--one-by-one"),
        limit: try words.number("--limit", atLeast: 1))
    case .demo: return .demo
    }
  }
}
