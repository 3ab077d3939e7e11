internal import Foundation

/// Leads the bytes of a document to the parser, and past it where entries look like the one before them.
///
/// The parser gets entries one by one, so that it has nothing left over when one ends. What goes past it then is a whole
/// element in the content of the feed: the parser goes on behind it as if it had not been there, but for the number of the
/// line.
struct AtomRowPrediction {
  private var rows = RowPrediction<AtomRowTemplate>()
  private let scratch = AtomRowScratch()
  private let textLength: Int

  /// `isOff` for documents in which properties stand outside of the content.
  init(limits: PayloadLimits, isOff: Bool) {
    textLength = limits.textLength
    if isOff { rows.giveUp() }
  }

  /// Reads bytes that the parser has admitted.
  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ parser: XMLPushParser, _ document: AtomDocument
  ) throws(ODataError) {
    var start = 0
    while start < bytes.count {
      if rows.template != nil, document.isBetweenEntries, parser.isDrained {
        start = takeEntries(in: bytes, from: start, parser, document)
      }
      guard rows.template != nil || rows.wantsTemplate, let end = Self.endOfEntry(in: bytes, from: start)
      else {
        return try parser.parse(UnsafeBufferPointer(rebasing: bytes[start...]))
      }
      let piece = UnsafeBufferPointer(rebasing: bytes[start..<end])
      start = end
      let isWhole = document.isBetweenEntries
      let count = document.finishedCount
      try parser.parse(piece)
      if !document.isBetweenEntries {
        // There are entries in entries.
        if isWhole { rows.learn(nil) }
      } else if isWhole, rows.wantsTemplate {
        guard document.finishedCount == count + 1, let record = document.lastFinished,
          Self.beginsEntry(in: bytes, from: start),
          !rows.keepsTemplate(hasSameShape: rows.template?.shape === record.shape)
        else { continue }
        let blanks = piece.prefix { $0.isBlank }.count
        let entry = UnsafeBufferPointer(rebasing: piece[blanks...])
        rows.learn(AtomRowTemplate(learning: entry, record, textLength: textLength, scratch))
      }
    }
  }

  /// Takes entries as long as they look like the template, and gives the place behind them.
  private mutating func takeEntries(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ parser: XMLPushParser, _ document: AtomDocument
  ) -> Int {
    guard let template = rows.template else { return start }
    var place = start
    while true {
      var index = place
      var lines = 0
      while index < bytes.count, bytes[index].isBlank, bytes[index] != UInt8(ascii: "\r") {
        if bytes[index] == UInt8(ascii: "\n") { lines += 1 }
        index += 1
      }
      guard let row = template.entry(in: bytes, from: index, scratch) else {
        rows.miss()
        return place
      }
      document.append(row.record)
      parser.pass(lines: lines + row.lines)
      place = row.end
      rows.hit()
    }
  }

  /// Whether another entry follows; nothing is learnt of the last one of a feed.
  private static func beginsEntry(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    let rest = bytes[start...].drop { $0.isBlank }
    return UnsafeBufferPointer(rebasing: rest).dropping("<entry") != nil
  }

  /// The place behind the next end tag of an entry.
  private static func endOfEntry(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let tag: StaticString = "</entry>"
    var place = start
    while let mark = bytes.firstMark(from: place) {
      let rest = UnsafeBufferPointer(rebasing: bytes[mark...])
      if rest.dropping(tag) != nil { return mark + tag.utf8CodeUnitCount }
      place = mark + 1
    }
    return nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The place of the first `<` from `start` on.
  fileprivate func firstMark(from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, CInt(UInt8(ascii: "<")), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
