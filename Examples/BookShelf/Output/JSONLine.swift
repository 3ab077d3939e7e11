import ODataKit

/// A book as one line of JSON. The members stand in a fixed order, so that lines compare and cut well.
struct JSONLine {
  private(set) var text = "{"

  init(_ book: Book, entityTag: EntityTag?) {
    append("partitionKey", book.partitionKey)
    append("rowKey", book.rowKey)
    append("timestamp", book.timestamp?.description)
    append("etag", entityTag?.rawValue)
    append("title", book.title)
    append("author", book.author)
    text += ",\"rate\":\(book.rate.map(String.init) ?? "null")}"
  }

  private mutating func append(_ name: String, _ value: String?) {
    if text.utf8.count > 1 { text += "," }
    text += "\"\(name)\":"
    guard let value else {
      text += "null"
      return
    }
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
