import Testing

@Suite struct UsageTests {
  static let wrong: [(arguments: [String], sentence: String)] = [
    ([], "what is to be done is missing: give a command; see BookShelf --help."),
    (["lend"], "there is no command lend; see BookShelf --help."),
    (["--colour", "list"], "there is no option --colour; see BookShelf --help."),
    (["list", "--rate", "4"], "list has no option --rate; see BookShelf list --help."),
    (["list", "--top", "0"], "--top takes a number from 1 on; see BookShelf list --help."),
    (["list", "--top", "many"], "--top takes a whole number; see BookShelf list --help."),
    (["list", "x"], "list is given one word too many; see BookShelf list --help."),
    (["add", "--title", "T"], "add needs --author; see BookShelf add --help."),
    (["add", "--title", "", "--author", "A"], "--title must not be empty; see BookShelf add --help."),
    (["add", "--title"], "--title needs a value; see BookShelf add --help."),
    (["add", "--title", "--author", "A"], "--title needs a value; see BookShelf add --help."),
    (["add", "--title", "T", "--title", "U"], "--title is given twice; see BookShelf add --help."),
    (
      ["add", "--title", "T", "--author", "A", "--rate", "4.5"],
      "--rate takes a whole number; see BookShelf add --help."
    ),
    (
      ["add", "--title", "T", "--author", "A", "--rate", "2147483648"],
      "--rate takes a whole number; see BookShelf add --help."
    ),
    (["show"], "show needs ID; see BookShelf show --help."),
    (["show", "a", "b"], "show is given one word too many; see BookShelf show --help."),
    (["find"], "find needs FILTER; see BookShelf find --help."),
    (
      ["update", "a"],
      "update needs at least one of --title, --author and --rate; see BookShelf update --help."
    ),
    (["remove"], "remove needs ID...; see BookShelf remove --help."),
    (["import", "x.csv", "--one-by-one=yes"], "--one-by-one takes no value; see BookShelf import --help."),
    (
      ["--store", "a", "--connection", "b", "list"],
      "--store and --connection are two places; give one; see BookShelf list --help."
    ),
    (["--format", "xml", "list"], "--format is one of automatic, atom and json; see BookShelf list --help."),
    (
      ["demo", "--store", "a"],
      "demo runs in a store of its own, without --store and --connection; see BookShelf demo --help."
    ),
  ]

  @Test(arguments: wrong) func `wrong usage ends with 2 and one sentence`(
    arguments: [String], sentence: String
  ) async throws {
    let outcome = try await Tool.bookShelf.run(arguments, in: TemporaryFolder())
    #expect(outcome.status == 2)
    #expect(outcome.errors == "BookShelf: \(sentence)\n")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: ["add", "show", "list", "find", "update", "remove", "import", "demo"])
  func `each command has its help`(command: String) async throws {
    let home = try TemporaryFolder()
    for arguments in [[command, "--help"], ["--help", command], [command, "-h", "--json"]] {
      let outcome = try await Tool.bookShelf.run(arguments, in: home)
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("Usage: BookShelf [OPTIONS] \(command)"))
      #expect(outcome.output.contains("--store FILE"))
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test func `the help of all names every command and option`() async throws {
    let outcome = try await Tool.bookShelf("--help", in: TemporaryFolder())
    #expect(outcome.status == 0)
    for line in [
      "  add --title T --author A [--rate N] [--id ID]\n", "  show ID ",
      "  list [--author A] [--title T] [--min-rate N] [--top N]\n", "  find FILTER ",
      "  update ID [--title T] [--author A] [--rate N]\n", "  remove ID... ",
      "  import FILE.csv [--one-by-one] [--limit N]\n", "  demo ", "  --store FILE ",
      "  --connection STRING ",
      "  --shelf NAME ", "  --format FORMAT ", "  --trace ", "  --json ", "  --help ",
    ] {
      #expect(outcome.output.contains(line), "\(line) is missing")
    }
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
  }
}
