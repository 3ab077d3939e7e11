// Collections as constants of OData 4: JSON arrays, `["Fred","George"]` (OData 4.01 URL Conventions § 5.1.1.14.2). An element
// is a constant that JSON has a value for. What it has none for (a date, NaN) is a string there, and only the service
// knows which type that has; without quotes it is refused, since a program would take it for more than the service is told.
// Arrays within arrays, objects and elements that are calculated are not read.

extension FilterScanner {
  /// The collection whose opening bracket is next.
  mutating func takeCollection() throws(ODataError) -> EdmCollection {
    position += 1
    var elements: [EdmValue] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return EdmCollection() }
    while true {
      skipBlanks()
      if peek() == UInt8(ascii: "\"") {
        elements.append(.string(try takeJSONString()))
      } else {
        let start = position
        guard let value = try takeLiteral(), value.isOfJSON else {
          throw failure(
            at: start,
            expected: "an element of the collection: a string in quotes, a number, true, false or null")
        }
        elements.append(value)
      }
      skipBlanks()
      if take(UInt8(ascii: "]")) { return EdmCollection(ofUniform: elements) }
      guard take(UInt8(ascii: ",")) else {
        throw failure(at: position, expected: "a comma or the ']' that ends the collection")
      }
    }
  }

  private mutating func takeJSONString() throws(ODataError) -> String {
    let start = position
    var end = start + 1
    while let byte = byte(at: end), byte != UInt8(ascii: "\"") { end += byte == UInt8(ascii: "\\") ? 2 : 1 }
    guard end < bytes.count else {
      throw failure(at: start, found: "a string without its closing quote", expected: "a quote at its end")
    }
    let text = bytes[start...end].withUnsafeBufferPointer { bytes in
      var tokenizer = JSONTokenizer(limits: PayloadLimits())
      guard (try? tokenizer.next(in: bytes, isFinal: true)) == .string else { return String?.none }
      return String(validating: tokenizer.text, as: UTF8.self)
    }
    guard let text else {
      throw failure(at: start, found: "something that is no string of JSON", expected: "a string in quotes")
    }
    position = end + 1
    return text
  }
}

extension EdmValue {
  /// Whether JSON has values of this kind, so that they come back as what they were.
  fileprivate var isOfJSON: Bool {
    switch self {
    case .null, .boolean, .int32, .int64, .decimal, .string: true
    case .double(let number): number.isFinite
    default: false
    }
  }
}

extension EdmCollection {
  /// Appends the collection as a constant of OData 4. What JSON has no values for (dates, GUIDs, bytes, members of
  /// enumerations) goes as a string, the type of which the service knows.
  func appendLiteral(to text: inout [UInt8]) throws(ODataError) {
    text.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      switch element {
      case .stream, .complex, .collection, .spatial:
        throw ODataError(
          .unsupported, "A \(element.kindName) cannot be an element of a constant; compare its parts instead."
        )
      case .null: text += "null".utf8
      case .boolean, .byte, .sbyte, .int16, .int32, .int64, .decimal: element.appendLexical(to: &text)
      case .single(let number) where number.isFinite: element.appendLexical(to: &text)
      case .double(let number) where number.isFinite: element.appendLexical(to: &text)
      case .binary(let bytes):
        text.append(UInt8(ascii: "\""))
        Base64.append(bytes, alphabet: .urlSafe, to: &text)
        text.append(UInt8(ascii: "\""))
      default: text.appendJSON(String(appending: element.appendLexical(to:)), isASCII: false)
      }
    }
    text.append(UInt8(ascii: "]"))
  }
}
