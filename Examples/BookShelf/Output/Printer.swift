import ODataKit

/// Prints books, for people or as JSON.
final class Printer {
  private let console: Console
  private let printsJSON: Bool
  private var pending = ""

  init(console: Console, printsJSON: Bool) {
    self.console = console
    self.printsJSON = printsJSON
  }

  func added(_ book: Tracked<Book>) throws { try line(printsJSON ? json(book) : book.rowKey) }

  func show(_ book: Tracked<Book>) throws { try line(printsJSON ? json(book) : TextLine.card(book.entity)) }

  func list(_ book: Tracked<Book>) throws { try line(printsJSON ? json(book) : TextLine.row(book.entity)) }

  /// Prints what has gathered; to be called at the end.
  func flush() throws {
    try console.print(pending, terminator: "")
    pending = ""
  }

  private func json(_ book: Tracked<Book>) -> String { JSONLine(book.entity, entityTag: book.entityTag).text }

  private func line(_ text: String) throws {
    // One write for many lines: a long list is printed in the time that reading it takes.
    pending += text + "\n"
    if pending.utf8.count > 1 << 14 { try flush() }
  }
}
