import ODataKit

/// The bytes of one run, and what follows from them alone, so that a finding can be repeated.
struct FuzzInput: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes in pieces. The places of the cuts follow from the bytes, but no byte is spent on them: an input is a
  /// document as it stands.
  var pieces: [[UInt8]] {
    var random = bytes.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    func next(_ bound: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random % UInt64(bound))
    }
    // Now and then byte by byte, else in a few pieces, since most faults sit where a single cut falls.
    let longest = [1, 3, 16, max(1, bytes.count / 2)][next(4)]
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + next(longest))
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    return pieces
  }

  /// Limits that inputs of a few kilobytes reach.
  static let limits: PayloadLimits = {
    var limits = PayloadLimits()
    limits.depth = 24
    limits.textLength = 512
    limits.totalLength = 64 << 10
    limits.headerLength = 512
    limits.partLength = 2048
    return limits
  }()
}

/// Stops the run where something does not hold; libFuzzer keeps the input.
func demand(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}

/// What came of an attempt: a value, or the code of the error it ended with.
enum Outcome<Value: Equatable>: Equatable {
  case value(Value)
  case failure(ODataError.Code)

  /// Runs `body`. Whatever is no ``ODataError`` is a fault: nothing else may come out of a reader.
  init(_ body: () throws -> Value) {
    do {
      self = .value(try body())
    } catch let error as ODataError {
      self = .failure(error.code)
    } catch {
      fatalError("An error of the type \(type(of: error)) came out of a reader.")
    }
  }

  /// Demands the same outcome. Where one way of cutting finds a limit exceeded, another may first meet what is wrong
  /// behind it; but accepted is accepted.
  func demandSame(as other: Outcome, _ what: String) {
    switch (self, other) {
    case (.failure(let a), .failure(let b)):
      demand(a == b || a == .payloadTooLarge || b == .payloadTooLarge, "\(what): \(a) and \(b)")
    default: demand(self == other, "\(what):\n\(self)\nand\n\(other)")
    }
  }
}

/// What a payload was read as.
struct PayloadReading: Equatable {
  var records: [EntityRecord] = []
  var summary = PayloadSummary(isFeed: false)

  init(_ pieces: [[UInt8]], by reader: some PayloadReader) throws {
    for piece in pieces { records += try reader.read(piece) }
    summary = try reader.finish()
    demand(summary.isFeed == reader.isFeed, "the reader changed its mind about a feed")
    demand(summary.isFeed || records.count == 1, "a payload that is no feed held \(records.count) entities")
  }
}

extension FuzzInput {
  /// Reads the input as a whole and in pieces, and gives what was read.
  func read<Reader: PayloadReader>(_ makeReader: () -> Reader) -> PayloadReading? {
    let whole = Outcome { try PayloadReading([bytes], by: makeReader()) }
    let cut = Outcome { try PayloadReading(pieces, by: makeReader()) }
    whole.demandSame(as: cut, "whole and cut in pieces of \(pieces.map(\.count))")
    if case .value(let reading) = whole { return reading }
    return nil
  }
}

extension EntityRecord {
  /// Whether the record holds primitive values alone, and nothing is said of related entities. What is said beside the
  /// properties does not all come back from a request, and what is nested may come back as another kind of value
  /// where nothing tells its type.
  var isFlat: Bool {
    control.links.isEmpty && control.change == nil
      && values.allSatisfy { value in
        switch value {
        case .complex, .collection, .enumeration, .spatial, .stream: false
        default: true
        }
      }
  }
}
