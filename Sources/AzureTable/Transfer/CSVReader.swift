public import ODataKit

/// Reads the records of a CSV file (RFC 4180) out of chunks that may be cut anywhere.
///
/// ```swift
/// var reader = CSVReader()
/// while let chunk = try file.read(upToCount: 1 << 16), !chunk.isEmpty {
///   for record in try reader.read([UInt8](chunk)) { … }
/// }
/// for record in try reader.finish() { … }
/// ```
///
/// The text is UTF-8, with or without a byte order mark. A quoted field keeps commas, quotes and line ends of any
/// kind; a carriage return that no line feed follows belongs to the field, unless it is what ends the very first
/// line. Lines without any character are passed over. A record that breaks the rules is given with its
/// ``CSVRecord/problem``, and reading goes on behind it.
public struct CSVReader: Sendable {
  private enum State {
    /// Before the first character of a field.
    case fieldStart
    case bare
    case quoted
    /// Behind a quote in a quoted field: its end, or the first half of a doubled one.
    case quote
    /// Behind the closing quote, where nothing may stand.
    case behindQuote
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let limit: Int
  /// The first bytes, until it is clear whether they are a byte order mark; `nil` from then on.
  private var start: [UInt8]? = []
  private var state = State.fieldStart
  /// A carriage return outside of quotes, of which the next byte tells what it is.
  private var carriageReturn = false
  /// Whether lines end with a carriage return alone; `nil` until the first line has ended.
  private var oldMacLines: Bool?
  private var line = 1
  private var firstLine = 1
  private var raw: [UInt8] = []
  private var text: [UInt8] = []
  private var ends: [Int] = []
  private var problem: String?
  /// What ended the reading, thrown once the records in front of it have been given.
  private var failure: ODataError?

  /// Makes a reader that takes records of up to `recordLimit` bytes.
  public init(recordLimit: Int = 4 << 20) { limit = recordLimit }

  /// Takes the next bytes of the file; gives the records that are complete with them.
  ///
  /// Throws ``ODataKit/ODataError/Code/payloadTooLarge`` for a record over the limit, which is mostly a quote that
  /// is never closed, and ``ODataKit/ODataError/Code/malformedPayload`` for a file in UTF-16.
  public mutating func read(_ bytes: [UInt8]) throws(ODataError) -> [CSVRecord] {
    if let failure { throw failure }
    var records: [CSVRecord] = []
    do throws(ODataError) {
      try take(bytes, into: &records)
    } catch {
      failure = error
      if records.isEmpty { throw error }
    }
    return records
  }

  private mutating func take(_ bytes: [UInt8], into records: inout [CSVRecord]) throws(ODataError) {
    if var first = start {
      first += bytes
      if first.count < Self.mark.count {
        start = first
        return
      }
      try take(try withoutMark(first), into: &records)
    } else {
      try take(bytes[...], into: &records)
    }
  }

  /// Says that the file is complete; gives the last record, if its line has no end.
  public mutating func finish() throws(ODataError) -> [CSVRecord] {
    if let failure { throw failure }
    var records: [CSVRecord] = []
    if let first = start { try take(try withoutMark(first), into: &records) }
    if state == .quoted {
      problem = "the quoted field that begins in this row is never closed"
      // The row as it is written elsewhere must not swallow what follows it there.
      raw.append(UInt8(ascii: "\""))
    }
    endRecord(into: &records)
    return records
  }

  private mutating func withoutMark(_ first: [UInt8]) throws(ODataError) -> ArraySlice<UInt8> {
    start = nil
    if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
      throw ODataError(.malformedPayload, "The file is in UTF-16; save it as CSV in UTF-8.")
    }
    return first.starts(with: Self.mark) ? first.dropFirst(Self.mark.count) : first[...]
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, into records: inout [CSVRecord]) throws(ODataError) {
    for byte in bytes {
      if carriageReturn {
        carriageReturn = false
        if byte == UInt8(ascii: "\n") || oldMacLines != false {
          endLine(oldMac: byte != UInt8(ascii: "\n"), into: &records)
          if byte == UInt8(ascii: "\n") { continue }
        } else {
          add(UInt8(ascii: "\r"))
        }
      }
      if state != .quoted {
        if byte == UInt8(ascii: "\r") {
          carriageReturn = true
          continue
        }
        if byte == UInt8(ascii: "\n"), oldMacLines != true {
          endLine(oldMac: false, into: &records)
          continue
        }
      } else if byte == (oldMacLines == true ? UInt8(ascii: "\r") : UInt8(ascii: "\n")) {
        line += 1
      }
      add(byte)
      guard raw.count <= limit else {
        throw ODataError(
          .payloadTooLarge,
          """
          The row that begins in line \(firstLine) is longer than \(limit) bytes; look there for a quoted field that \
          is not closed.
          """)
      }
    }
  }

  private mutating func add(_ byte: UInt8) {
    raw.append(byte)
    let quote = UInt8(ascii: "\"")
    switch (state, byte) {
    case (.fieldStart, quote): state = .quoted
    case (.quoted, quote): state = .quote
    case (.quoted, _): text.append(byte)
    case (.quote, quote):
      text.append(quote)
      state = .quoted
    case (_, UInt8(ascii: ",")):
      ends.append(text.count)
      state = .fieldStart
    case (.quote, _), (.behindQuote, _):
      problem = problem ?? "something stands between the end of a quoted field and the next comma"
      text.append(byte)
      state = .behindQuote
    case (.fieldStart, _), (.bare, _):
      text.append(byte)
      state = .bare
    }
  }

  private mutating func endLine(oldMac: Bool, into records: inout [CSVRecord]) {
    if oldMacLines == nil { oldMacLines = oldMac }
    endRecord(into: &records)
    line += 1
    firstLine = line
  }

  private mutating func endRecord(into records: inout [CSVRecord]) {
    defer {
      state = .fieldStart
      raw.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      problem = nil
    }
    guard !raw.isEmpty else { return }
    ends.append(text.count)
    var fields: [String] = []
    fields.reserveCapacity(ends.count)
    var begin = 0
    for end in ends {
      if let field = String(validating: text[begin..<end], as: UTF8.self) {
        fields.append(field)
      } else {
        problem = problem ?? "column \(fields.count + 1) is not UTF-8"
        fields.append(String(decoding: text[begin..<end], as: UTF8.self))
      }
      begin = end
    }
    records.append(CSVRecord(line: firstLine, fields: fields, bytes: raw, problem: problem))
  }
}

/// One row of a CSV file.
public struct CSVRecord: Sendable, Hashable {
  /// The line of the file it begins in, from 1.
  public let line: Int
  /// The fields without their quotes.
  public let fields: [String]
  /// The row as it stands in the file, without its line end.
  public let bytes: [UInt8]
  /// What is wrong with the row, as half a sentence; `nil` for a good one.
  public let problem: String?

  /// The text of one field as it goes into a file: quoted where it holds a comma, a quote or a line end.
  public static func text(of field: String) -> String {
    let special: (UInt8) -> Bool = {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\r")
        || $0 == UInt8(ascii: "\n")
    }
    guard field.utf8.contains(where: special) else { return field }
    // By bytes: a quote with a combining mark behind it is one Character and another one.
    var out: [UInt8] = [UInt8(ascii: "\"")]
    for byte in field.utf8 {
      if byte == UInt8(ascii: "\"") { out.append(byte) }
      out.append(byte)
    }
    out.append(UInt8(ascii: "\""))
    return String(decoding: out, as: UTF8.self)
  }
}
