import Foundation
import ODataKit

/// BookShelf keeps a shelf of books in a table: in a file of your own, or in an Azure storage account.
///
/// Read on in `Book`, then in `Store`, which opens the table, and in `Shelf`, which works with it.
@main struct Program {
  static func main() async {
    let console = Console()
    // One sentence on one line: what it quotes of a service or a file must not steer the terminal.
    let complain = { (sentence: String) in console.note("BookShelf: \(TextLine.visible(sentence))\n") }
    do {
      try await run(Invocation(Array(CommandLine.arguments.dropFirst())), console)
    } catch let error as UsageError {
      complain(error.sentence)
      exit(2)
    } catch let error as ODataError where error.serviceCode == "AuthenticationFailed" {
      // The service's own words are for whoever writes the client.
      console.note(
        "BookShelf: The key or signature in --connection is not accepted; copy it again from the account. \(error)\n"
      )
      exit(1)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ invocation: Invocation, _ console: Console) async throws {
    switch invocation.command {
    case .help(let command):
      try console.print(Help.text(for: command), terminator: "")
    case .demo:
      try await Demo(console: console, format: invocation.format, isTraced: invocation.isTraced).run()
    case .importFile(let path, let oneByOne, let limit):
      var job = try ImportJob(
        path: path, shelf: invocation.shelf, service: Store.open(invocation, console), console: console,
        batchSize: oneByOne ? 1 : 100, limit: limit ?? .max)
      let summary = try await job.run()
      // Standard output is for books, where they are printed for programs.
      if invocation.printsJSON { console.note(summary + "\n") } else { try console.print(summary) }
    default:
      let shelf = try Shelf(invocation.shelf, of: Store.open(invocation, console))
      let printer = Printer(console: console, printsJSON: invocation.printsJSON)
      try await perform(invocation.command, on: shelf, printer)
      try printer.flush()
    }
  }

  private static func perform(
    _ command: Invocation.Command, on shelf: Shelf, _ printer: Printer
  ) async throws {
    switch command {
    case .add(let title, let author, let rate, let id):
      try printer.added(try await shelf.add(title: title, author: author, rate: rate, id: id))
    case .show(let id):
      try printer.show(try await shelf.book(id))
    case .list(let author, let title, let minRate, let top):
      let query = try shelf.books(author: author, title: title, minRate: minRate, top: top)
      try await shelf.forEach(query) { try printer.list($0) }
    case .find(let filter):
      try await shelf.forEach(try shelf.books(matching: filter)) { try printer.list($0) }
    case .update(let id, let title, let author, let rate):
      try await shelf.update(id, title: title, author: author, rate: rate)
    case .remove(let ids):
      try await shelf.remove(ids)
    case .help, .demo, .importFile: break
    }
  }
}
