/// The commands, with how each is written and what its help says.
enum CommandName: String, CaseIterable {
  case add, show, list, find, update, remove
  case importFile = "import"
  case demo

  /// What stands behind the options: its name in `--help`, and how many may be given.
  var operand: (name: String, counts: ClosedRange<Int>)? {
    switch self {
    case .add, .list, .demo: nil
    case .show, .update: ("ID", 1...1)
    case .find: ("FILTER", 1...1)
    case .remove: ("ID...", 1...Int.max)
    case .importFile: ("FILE.csv", 1...1)
    }
  }

  var options: [Option] {
    switch self {
    case .add:
      [
        Option("--title", "T", help: "the title"),
        Option("--author", "A", help: "the author"),
        Option("--rate", "N", help: "how you rate it, a whole number"),
        Option("--id", "ID", help: "its id on the shelf; without it, a new GUID"),
      ]
    case .list:
      [
        Option("--author", "A", help: "only books by this author, spelled exactly so"),
        Option("--title", "T", help: "only books of this title, spelled exactly so"),
        Option("--min-rate", "N", help: "only books rated N or better"),
        Option("--top", "N", help: "at most N books; without it, all of them"),
      ]
    case .update:
      [
        Option("--title", "T", help: "the new title"),
        Option("--author", "A", help: "the new author"),
        Option("--rate", "N", help: "the new rate"),
      ]
    case .importFile:
      [
        Option("--one-by-one", help: "send each book on its own instead of a hundred at a time"),
        Option("--limit", "N", help: "read at most N rows of the file"),
      ]
    case .show, .find, .remove, .demo: []
    }
  }

  var summary: String {
    switch self {
    case .add: "put a book on the shelf and print its id"
    case .show: "show one book"
    case .list: "list the books of the shelf"
    case .find: "list the books that a filter matches"
    case .update: "change a book"
    case .remove: "take books off the shelf"
    case .importFile: "read books from a CSV file"
    case .demo: "see what BookShelf does, in a store of its own"
    }
  }

  /// What `--help` says below the options.
  var notes: String? {
    switch self {
    case .find:
      """
      FILTER is OData text over title, author and rate:
        BookShelf find "author eq '夏目漱石' and rate ge 4"
      A quote within a text is written twice: 'O''Neil'.
      """
    case .importFile:
      """
      The first row names the columns. Used are title, author or authors, rate or average_rating (rounded), and id
      or book_id; others are passed over. A book whose id is on the shelf replaces the one that is there. Rows that
      cannot be used go to FILE.rejected.csv, with the reason behind them.
      """
    default: nil
    }
  }
}
