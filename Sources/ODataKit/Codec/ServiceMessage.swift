/// The text of a service's error, apart from what table services put around it.
///
/// Azure writes `The specified entity already exists.\nRequestId:…\nTime:…`, with ids and time in lines behind the text.
/// Cosmos spells `RequestID`, ends lines with CRLF and adds an `ActivityId`. The index in front of the text within a batch
/// is left there, since only who sent the batch knows one: see ``ODataError/takeOperationIndex(below:)``.
struct ServiceMessage: Equatable {
  /// The sentences meant for people, on one line.
  let text: String
  /// The id of the request, where a line gives it.
  let requestID: String?

  /// Takes a message apart.
  init(_ raw: String) {
    var sentences: [String] = []
    var requestID: String?
    // Bytes, since CR and LF together are one Character.
    for line in raw.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
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
