/// The texts of `--help`.
enum Help {
  static func text(for command: CommandName?) -> String {
    guard let command else { return overview }
    var text = "Usage: BookShelf [OPTIONS] \(usage(of: command))\n\n\(sentence(command.summary))\n"
    if !command.options.isEmpty { text += "\n\(table(command.options))" }
    if let notes = command.notes { text += "\n\(notes)\n" }
    return text + "\nOptions of every command:\n\(table(Option.global))"
  }

  private static let overview = """
    Usage: BookShelf [--store FILE | --connection STRING] [--shelf NAME] [--format automatic|atom|json]
                     [--trace] [--json] COMMAND

    Keeps a shelf of books, in a file of your own or in Azure tables.

    Commands:
    \(columns(CommandName.allCases.map { (usage(of: $0), $0.summary) }))
    Options:
    \(table(Option.global))
    BookShelf COMMAND --help says more about a command.

    """

  private static func usage(of command: CommandName) -> String {
    let isOptional: (Option) -> Bool = { !(command == .add && ["--title", "--author"].contains($0.name)) }
    let options = command.options.map { isOptional($0) ? "[\(spelled($0))]" : spelled($0) }
    let operand = command.operand.map { [$0.name] } ?? []
    return ([command.rawValue] + operand + options).joined(separator: " ")
  }

  private static func spelled(_ option: Option) -> String {
    option.value.map { "\(option.name) \($0)" } ?? option.name
  }

  private static func table(_ options: [Option]) -> String {
    columns(options.map { (spelled($0), $0.help) })
  }

  /// Two columns; what is too long for the first has its explanation below it.
  private static func columns(_ rows: [(String, String)]) -> String {
    let width = 22
    return rows.map { name, text in
      let gap =
        name.count < width ? String(repeating: " ", count: width - name.count) : "\n" + blanks(width + 2)
      return "  \(name)\(gap)\(text)\n"
    }.joined()
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
