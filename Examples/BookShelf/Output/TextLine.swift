/// Books for people.
enum TextLine {
  /// Id, rate, author and title with tabs between them, on one line.
  static func row(_ book: Book) -> String {
    [book.rowKey, book.rate.map(String.init) ?? "-", book.author, book.title].map(visible).joined(
      separator: "\t")
  }

  /// One property to a line.
  static func card(_ book: Book) -> String {
    """
    id:     \(visible(book.rowKey))
    shelf:  \(visible(book.partitionKey))
    title:  \(visible(book.title))
    author: \(visible(book.author))
    rate:   \(book.rate.map(String.init) ?? "-")
    """
  }

  /// `text` with control characters spelled out: a title must neither break the line nor steer the terminal.
  static func visible(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
