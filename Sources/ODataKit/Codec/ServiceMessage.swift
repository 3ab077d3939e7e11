/// The text of a service's error, apart from what table services put around it.
///
/// Azure writes `3:The specified entity already exists.\nRequestId:…\nTime:…`: the index of the operation in its batch in
/// front, ids and time in lines behind. Cosmos spells `RequestID`, ends lines with CRLF and adds an `ActivityId`.
struct ServiceMessage: Equatable {
  /// The sentences meant for people, on one line.
  let text: String
  /// The id of the request, where a line gives it.
  let requestID: String?
  /// The zero-based index of the operation that failed, where the text begins with digits and a colon.
  let failedOperation: Int?

  /// Takes a message apart.
  init(_ raw: String) {
    var sentences: [String] = []
    var requestID: String?
    var failedOperation: Int?
    // Bytes, since CR and LF together are one Character.
    for line in raw.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      var line = line
      if sentences.isEmpty, failedOperation == nil, let index = Self.takeIndex(from: &line) {
        failedOperation = index
      }
      if let id = Self.value(of: line, after: "requestid:") {
        requestID = id
      } else if Self.value(of: line, after: "time:") == nil, Self.value(of: line, after: "activityid:") == nil
      {
        let sentence = Self.trimmed(line)
        if !sentence.isEmpty { sentences.append(sentence) }
      }
    }
    text = sentences.joined(separator: " ")
    self.requestID = requestID
    self.failedOperation = failedOperation
  }

  /// A batch holds far fewer operations than six digits can count, so longer numbers are no index.
  private static func takeIndex(from line: inout Substring.UTF8View) -> Int? {
    let digits = line.prefix { $0.isDecimalDigit }
    guard (1...6).contains(digits.count), line.dropFirst(digits.count).first == UInt8(ascii: ":"),
      let index = Int(Substring(digits))
    else { return nil }
    line = line.dropFirst(digits.count + 1)
    return index
  }

  /// What follows `label`, given in lower case; `nil` for a line that does not begin with it.
  private static func value(of line: Substring.UTF8View, after label: StaticString) -> String? {
    let start = line.prefix(label.utf8CodeUnitCount)
    guard start.count == label.utf8CodeUnitCount else { return nil }
    for (index, byte) in start.enumerated() {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      guard (isCapital ? byte | 0x20 : byte) == label.utf8Start[index] else { return nil }
    }
    return trimmed(line.dropFirst(start.count))
  }

  private static func trimmed(_ line: Substring.UTF8View) -> String {
    var line = line.drop { $0.isBlank }
    while line.last?.isBlank == true { line = line.dropLast() }
    return String(Substring(line))
  }
}
