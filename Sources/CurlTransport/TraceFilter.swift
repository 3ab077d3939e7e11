/// Prepares libcurl's messages for being shown: line by line, secrets masked.
struct TraceFilter: Sendable {
  let output: @Sendable (String) -> Void

  func show(_ text: String, direction: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      output(direction + " " + Self.masked(String(line)))
    }
  }

  /// Hides the values of fields that carry credentials, and of signatures and tokens in URLs.
  static func masked(_ line: String) -> String {
    let secretFields = ["authorization:", "cookie:", "x-csrf-token:"]
    for field in secretFields {
      if let range = line.range(ofASCII: field) { return line[..<range.upperBound] + " …" }
    }
    var rest = line[...]
    var out = ""
    while let range = rest.range(ofASCII: "sig=") {
      out += rest[..<range.upperBound] + "…"
      rest = rest[range.upperBound...].drop { $0 != "&" && $0 != " " && $0 != "]" }
    }
    return out + rest
  }
}

extension StringProtocol {
  /// Where `text`, in lower-case ASCII, occurs first, without regard to case.
  fileprivate func range(ofASCII text: String) -> Range<Index>? {
    let needle = Array(text.utf8)
    var start = utf8.startIndex
    while start != utf8.endIndex {
      var index = start
      var matched = 0
      while index != utf8.endIndex, matched < needle.count {
        let byte = utf8[index]
        let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        guard lower == needle[matched] else { break }
        matched += 1
        utf8.formIndex(after: &index)
      }
      if matched == needle.count { return start..<index }
      utf8.formIndex(after: &start)
    }
    return nil
  }
}
