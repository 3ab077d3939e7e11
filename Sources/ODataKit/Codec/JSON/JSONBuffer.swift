/// The bytes of a document of JSON while it is written.
///
/// Everything of every value goes through here. An array would check on each piece whether it is shared, and costs
/// about twice as much.
struct JSONBuffer: ~Copyable {
  private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
  private var capacity = 256
  private(set) var count = 0
  /// Room for what others write into arrays.
  private var scratch: [UInt8] = []

  deinit { memory.deallocate() }

  /// What was written.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

  /// Whether the next member is the first of its object, or the next value the first of its array: right behind a
  /// bracket. A string that ends in one has its quote behind it.
  var isAtStart: Bool {
    guard count > 0 else { return true }
    return memory[count - 1] == UInt8(ascii: "{") || memory[count - 1] == UInt8(ascii: "[")
  }

  /// What was written behind the first `count` bytes; valid until the next change.
  func bytes(behind count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: memory + count, count: self.count - count)
  }

  /// Takes back everything behind the first `count` bytes. The memory is kept.
  mutating func truncate(to count: Int) { self.count = count }

  /// Makes room for so many more bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) { if count + more > capacity { grow(more) } }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(2 * capacity, count + more)
    let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    target.update(from: memory, count: count)
    memory.deallocate()
    (memory, capacity) = (target, larger)
  }

  /// Appends one byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    memory[count] = byte
    count += 1
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (memory + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  /// Appends ASCII as it stands.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends text as it stands: digits, names of types of Edm, and what else needs no escape.
  mutating func append(plain text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends what `body` appends to an array.
  mutating func append(by body: (inout [UInt8]) -> Void) {
    scratch.removeAll(keepingCapacity: true)
    body(&scratch)
    reserve(scratch.count)
    let target = memory + count
    scratch.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { target.update(from: start, count: source.count) }
    }
    count += scratch.count
  }
}

// MARK: - Numbers

extension JSONBuffer {
  /// Appends an integer.
  @inline(__always)
  mutating func append(_ value: Int64) {
    reserve(20)
    if value < 0 {
      memory[count] = UInt8(ascii: "-")
      count += 1
    }
    digits(value.magnitude)
  }

  private mutating func digits(_ value: UInt64) {
    var width = 1
    var bound: UInt64 = 10
    while value >= bound {
      width += 1
      // 10²⁰ is too large for the type, and no value has more than 20 digits.
      if width == 20 { break }
      bound &*= 10
    }
    var rest = value
    var place = count + width
    count = place
    repeat {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      memory[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
  }

  /// Appends a finite number in the shortest text that reads back as the same one: always with a point, the exponent as
  /// `E` without a plus sign.
  mutating func append(_ value: Double) {
    if let short = ShortDecimal(value) {
      return append(short.digits, places: short.places, scale: short.scale, isNegative: value < 0)
    }
    append { $0.appendFloatingPoint(value) }
  }

  private mutating func append(_ whole: UInt64, places: Int, scale: UInt64, isNegative: Bool) {
    reserve(24)
    if isNegative {
      memory[count] = UInt8(ascii: "-")
      count += 1
    }
    let (integer, fraction) = whole.quotientAndRemainder(dividingBy: scale)
    digits(integer)
    memory[count] = UInt8(ascii: ".")
    count += 1
    // A whole number has a zero behind the point.
    let width = max(places, 1)
    var rest = fraction
    var place = count + width
    count = place
    for _ in 0..<width {
      place -= 1
      memory[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}

// MARK: - Times

extension JSONBuffer {
  /// Appends `yyyy-mm-ddThh:mm:ss[.f…]`, the fraction without its trailing zeros.
  mutating func append(localTime ticks: Int64) {
    reserve(27)
    let (day, time) = ticks.quotientAndRemainder(dividingBy: EdmDateTime.ticksPerDay)
    let (seconds, fraction) = time.quotientAndRemainder(dividingBy: EdmDateTime.ticksPerSecond)
    let (minutes, second) = Int(seconds).quotientAndRemainder(dividingBy: 60)
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    let date = CivilCalendar.date(ofDay: Int(day))
    padded(date.year / 100, 0)
    // The second half of the year takes the place of the separator.
    count -= 1
    padded(date.year % 100, UInt8(ascii: "-"))
    padded(date.month, UInt8(ascii: "-"))
    padded(date.day, UInt8(ascii: "T"))
    padded(hour, UInt8(ascii: ":"))
    padded(minute, UInt8(ascii: ":"))
    padded(second, UInt8(ascii: "."))
    guard fraction > 0 else { return count -= 1 }
    var rest = UInt32(truncatingIfNeeded: fraction)
    var width = 7
    while rest % 10 == 0 {
      rest /= 10
      width -= 1
    }
    var place = count + width
    count = place
    for _ in 0..<width {
      place -= 1
      memory[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  @inline(__always)
  private mutating func padded(_ value: Int, _ separator: UInt8) {
    let (tens, ones) = UInt8(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10)
    memory[count] = UInt8(ascii: "0") &+ tens
    memory[count + 1] = UInt8(ascii: "0") &+ ones
    memory[count + 2] = separator
    count += 3
  }
}

// MARK: - Strings

extension JSONBuffer {
  /// Appends a string with its quotes; see ``Swift/Array/appendJSON(_:isASCII:)``.
  @inline(__always)
  mutating func append(string text: String, isASCII: Bool) {
    var text = text
    text.withUTF8 { append(string: $0, isASCII: isASCII) }
  }

  /// Appends a string of UTF-8 with its quotes.
  mutating func append(string text: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    reserve(text.count + 2)
    memory[count] = UInt8(ascii: "\"")
    let end = isASCII ? text.endOfPlainASCII(from: 0) : text.endOfPlainJSON(from: 0)
    guard end == text.count else { return appendEscaped(text, isASCII: isASCII) }
    if let source = text.baseAddress { (memory + count + 1).update(from: source, count: end) }
    count += end + 2
    memory[count - 1] = UInt8(ascii: "\"")
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    append { $0.appendJSON(text, isASCII: isASCII) }
  }
}
