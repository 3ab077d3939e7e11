/// An option of the command line, with the words that explain it in `--help`.
struct Option {
  /// The name with its dashes: `--rate`.
  let name: String
  /// What its value is called in `--help`; `nil` for an option without a value.
  let value: String?
  let help: String

  init(_ name: String, _ value: String? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// The options that go with every command, before it or behind it.
  static let global = [
    Option("--store", "FILE", help: "keep the books in this file instead of the one in your data folder"),
    Option("--connection", "STRING", help: "keep them in an Azure storage account, or in an emulator"),
    Option("--shelf", "NAME", help: "the shelf to work on; without it: default"),
    Option("--format", "FORMAT", help: "what is spoken to the store: automatic, atom or json"),
    Option("--trace", help: "show requests and responses on standard error, credentials masked"),
    Option("--json", help: "print books as JSON, one to a line"),
    Option("--help", help: "show how BookShelf, or one of its commands, is used"),
  ]
}

/// The command line is not what BookShelf understands; ends with exit code 2.
struct UsageError: Error {
  let message: String
  /// The command whose help is of use.
  let command: CommandName?

  init(_ message: String, command: CommandName? = nil) {
    self.message = message
    self.command = command
  }

  /// The error and where to read on, in one sentence.
  var sentence: String {
    "\(message); see BookShelf \(command.map { $0.rawValue + " " } ?? "")--help."
  }
}
