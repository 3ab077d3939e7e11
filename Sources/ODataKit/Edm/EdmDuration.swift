/// A length of time in ticks of 100 ns, signed: `Edm.Duration` of OData 4 and `Edm.Time` of OData 1 to 3.
public struct EdmDuration: Sendable, Hashable, Comparable {
  /// Ticks of 100 ns.
  public let ticks: Int64

  /// Makes a length of ticks.
  public init(ticks: Int64) { self.ticks = ticks }

  /// The length of `duration` without what is below 100 ns; `nil` beyond ±29 227 years, where the ticks exceed
  /// 64 bits.
  public init?(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: EdmDateTime.ticksPerSecond)
    let (ticks, carried) = whole.addingReportingOverflow(attoseconds / 100_000_000_000)
    guard !tooLarge, !carried else { return nil }
    self.ticks = ticks
  }

  /// The same length as Swift's own type holds it.
  public var duration: Duration {
    let (seconds, fraction) = ticks.quotientAndRemainder(dividingBy: EdmDateTime.ticksPerSecond)
    return Duration(secondsComponent: seconds, attosecondsComponent: fraction * 100_000_000_000)
  }

  /// Shorter comes first, negative before zero.
  public static func < (a: EdmDuration, b: EdmDuration) -> Bool { a.ticks < b.ticks }
}

extension EdmDuration: LosslessStringConvertible {
  /// Reads an `xs:dayTimeDuration`, e.g. `-P6DT23H59M59.9999S`.
  ///
  /// Years and months have no fixed length and are taken only when they are zero, as the older `xs:duration` writes
  /// them. `nil` also where the ticks exceed 64 bits.
  public init?(_ text: String) {
    guard let value = text.scanned({ EdmDuration(scanning: &$0) }) else { return nil }
    self = value
  }

  init?(scanning scanner: inout LexicalScanner) {
    let isNegative = scanner.take(UInt8(ascii: "-"))
    guard scanner.take(UInt8(ascii: "P")) else { return nil }
    var sum = Magnitude()
    var parts = Self.dateParts
    var hasPart = false
    var inTime = false
    while !scanner.isAtEnd {
      if !inTime, scanner.take(UInt8(ascii: "T")) {
        (inTime, hasPart, parts) = (true, false, Self.timeParts)
        continue
      }
      guard let amount = scanner.number() else { return nil }
      let fraction: Int64?
      if inTime, scanner.take(UInt8(ascii: ".")) {
        guard let ticks = scanner.fraction(), scanner.next == UInt8(ascii: "S") else { return nil }
        fraction = ticks
      } else {
        fraction = nil
      }
      // Each part once and in this order: the next one is searched for behind the last.
      guard let letter = scanner.next, let index = parts.firstIndex(where: { $0.letter == letter }),
        scanner.take(letter)
      else { return nil }
      if let ticks = parts[index].ticks {
        guard sum.add(amount, times: ticks), sum.add(UInt64(fraction ?? 0), times: 1) else { return nil }
      } else {
        guard amount == 0 else { return nil }
      }
      parts = parts[(index + 1)...]
      hasPart = true
    }
    guard hasPart, let ticks = sum.signed(isNegative: isNegative) else { return nil }
    self.ticks = ticks
  }

  /// `P6DT23H59M59.9999S`: days, hours, minutes and seconds, parts that are zero left out; `PT0S` for no time at all.
  public var description: String { String(appending: append(to:)) }

  /// Appends ``description`` as UTF-8.
  package func append(to bytes: inout [UInt8]) {
    if ticks < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(UInt8(ascii: "P"))
    let (seconds, fraction) = ticks.magnitude.quotientAndRemainder(
      dividingBy: UInt64(EdmDateTime.ticksPerSecond))
    func append(_ amount: UInt64, _ letter: UInt8) {
      guard amount > 0 else { return }
      bytes.appendInteger(amount)
      bytes.append(letter)
    }
    append(seconds / 86_400, UInt8(ascii: "D"))
    guard seconds % 86_400 > 0 || fraction > 0 || seconds == 0 else { return }
    bytes.append(UInt8(ascii: "T"))
    append(seconds / 3600 % 24, UInt8(ascii: "H"))
    append(seconds / 60 % 60, UInt8(ascii: "M"))
    guard seconds % 60 > 0 || fraction > 0 || seconds == 0 else { return }
    bytes.appendInteger(seconds % 60)
    bytes.appendFraction(ticks: Int64(fraction))
    bytes.append(UInt8(ascii: "S"))
  }

  private typealias Part = (letter: UInt8, ticks: Int64?)
  private static let dateParts: ArraySlice<Part> = [
    (UInt8(ascii: "Y"), nil), (UInt8(ascii: "M"), nil), (UInt8(ascii: "D"), EdmDateTime.ticksPerDay),
  ]
  private static let timeParts: ArraySlice<Part> = [
    (UInt8(ascii: "H"), 3600 * EdmDateTime.ticksPerSecond),
    (UInt8(ascii: "M"), 60 * EdmDateTime.ticksPerSecond),
    (UInt8(ascii: "S"), EdmDateTime.ticksPerSecond),
  ]

  /// A sum that notices when it no longer fits; unsigned, so that the most negative length can be read too.
  private struct Magnitude {
    private var value: UInt64 = 0

    mutating func add(_ amount: UInt64, times unit: Int64) -> Bool {
      let (product, tooLarge) = amount.multipliedReportingOverflow(by: UInt64(unit))
      let (sum, carried) = value.addingReportingOverflow(product)
      value = sum
      return !tooLarge && !carried
    }

    func signed(isNegative: Bool) -> Int64? {
      if isNegative, value == Int64.min.magnitude { return .min }
      return Int64(exactly: value).map { isNegative ? -$0 : $0 }
    }
  }
}
