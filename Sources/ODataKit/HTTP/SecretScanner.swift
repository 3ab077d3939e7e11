/// Goes through a text once and leaves out what is secret in it. See ``SecretMask``.
struct SecretScanner {
  private let bytes: [UInt8]
  private let hidesSchemes: Bool
  private var out: [UInt8] = []
  private var index = 0
  /// Set behind a word like `signature`, whose next words in quotes may be one.
  private var awaitsSignature = false

  init(_ bytes: [UInt8], hidesSchemes: Bool) {
    self.bytes = bytes
    self.hidesSchemes = hidesSchemes
    out.reserveCapacity(bytes.count)
  }

  /// The text without its secrets.
  mutating func masked() -> [UInt8] {
    while let character = character(at: index) {
      if character.isOfName {
        takeWord()
      } else if character.byte == UInt8(ascii: ":") {
        takeColon(character)
      } else if awaitsSignature, character.isQuote, out.last.map({ !Self.isOfName($0) }) ?? true {
        takeSignature(character)
      } else {
        copy(to: character.end)
      }
    }
    return out
  }

  private mutating func copy(to end: Int) {
    out += bytes[index..<end]
    index = end
  }

  private mutating func hide(to end: Int) {
    out += SecretMask.mask.utf8
    index = end
  }

  // MARK: What is found

  private static let schemes: Set = [
    "sharedkey", "sharedkeylite", "bearer", "basic", "digest", "negotiate", "ntlm", "dpop",
  ]

  private mutating func takeWord() {
    let start = index
    var end = start
    var word: [UInt8] = []
    while let next = character(at: end), next.isOfName {
      // No name that matters is longer.
      if word.count < 64 { word.append(next.byte) }
      end = next.end
    }
    let name = String(decoding: word, as: UTF8.self)
    // What every JSON Web Token begins with: {" in base64.
    if name.hasPrefix("eyJ"), word.count >= 10, character(at: end)?.byte == UInt8(ascii: ".") {
      return hide(to: valueEnd(from: start, Context()))
    }
    copy(to: end)
    if hidesSchemes, Self.schemes.contains(name.lowercased()), hideCredentials(Context(), of: name) { return }
    if let kind = SecretName(name) {
      hideValue(of: kind, isQuotedName: start > 0 && Self.isQuote(bytes[start - 1]))
    }
    if hidesSchemes, name.lowercased().hasPrefix("signature") { awaitsSignature = true }
  }

  /// How a value is delimited where it stands.
  private struct Context {
    /// The quote in front of it.
    var quote: Character?
    /// Whether it is part of something percent-encoded, in which its delimiters are encoded as well.
    var isEncoded = false
    /// Whether the name that it belongs to is known to carry a secret.
    var isNamed = false
  }

  /// Hides what stands behind a scheme, if it looks like credentials.
  private mutating func hideCredentials(_ outer: Context, of scheme: String) -> Bool {
    var context = outer
    var start = index
    while let next = character(at: start), next.isBlank || next.isQuote || next.isOneOf(":+[(") {
      context.isEncoded = context.isEncoded || next.form == .percent
      if next.isQuote, context.quote == nil { context.quote = next }
      start = next.end
    }
    guard start > index else { return false }
    let word = wordEnd(from: start, context)
    guard word > start else { return false }
    if !looksSecret(start..<word) {
      guard outer.isNamed, isLast(word) else { return false }
    }
    let end: Int
    if outer.quote != nil {
      end = valueEnd(from: start, context)
    } else if scheme.lowercased() == "digest", bytes[start..<word].contains(UInt8(ascii: "=")) {
      // A list of values in quotes.
      end = self.end(from: start) { $0.isLineEnd || $0.byte == UInt8(ascii: "<") }
    } else {
      end = word
    }
    copy(to: start)
    hide(to: end)
    return true
  }

  /// Hides what is assigned to a name.
  private mutating func hideValue(of kind: SecretName, isQuotedName: Bool) {
    var context = Context(isNamed: true)
    var start = index
    while let next = character(at: start), next.isQuote || next.isOneOf("])") { start = next.end }
    while let next = character(at: start), next.isInlineBlank { start = next.end }
    guard let separator = character(at: start), separator.isOneOf("=:") else { return }
    context.isEncoded = separator.form == .percent
    start = separator.end
    var isTight = true
    while let next = character(at: start), next.isBlank || next.isQuote || next.isOneOf(">[") {
      if next.isBlank {
        // An empty value of a list of options is none that a later line has.
        if separator.byte == UInt8(ascii: "="), !next.isInlineBlank { break }
        isTight = false
      }
      if next.isQuote {
        // Behind two of them the value is empty.
        if context.quote?.byte == next.byte { return }
        context.quote = context.quote ?? next
      }
      start = next.end
    }
    isTight = isTight || isQuotedName
    let word = wordEnd(from: start, context)
    guard word > start else {
      if separator.byte == UInt8(ascii: "="), kind == .secret, start == separator.end {
        hide(from: start, to: start)
      }
      return
    }
    let isEvident = isTight || looksSecret(start..<word)
    switch kind {
    case .secret: hide(from: start, to: valueEnd(from: start, context))
    case .token:
      if isEvident || separator.byte == UInt8(ascii: "=") {
        hide(from: start, to: valueEnd(from: start, context))
      }
    case .cookies:
      if isEvident || isLast(word) {
        hide(from: start, to: context.quote == nil ? lineEnd(from: start) : valueEnd(from: start, context))
      }
    case .authorization: hideAuthorization(start, word, context, isEvident: isEvident)
    }
  }

  private mutating func hideAuthorization(_ start: Int, _ word: Int, _ context: Context, isEvident: Bool) {
    var nameEnd = start
    var name: [UInt8] = []
    while nameEnd < word, let next = character(at: nameEnd), next.isOfName {
      if name.count < 64 { name.append(next.byte) }
      nameEnd = next.end
    }
    let scheme = String(decoding: name, as: UTF8.self)
    if Self.schemes.contains(scheme.lowercased()) || ["token", "apikey"].contains(scheme.lowercased()) {
      copy(to: nameEnd)
      _ = hideCredentials(context, of: scheme)
    } else if context.quote != nil {
      hide(from: start, to: valueEnd(from: start, context))
    } else if isEvident || isLast(word) {
      hide(from: start, to: word)
    } else {
      // A scheme that is not known, or the beginning of a sentence.
      copy(to: word)
      _ = hideCredentials(context, of: scheme)
    }
  }

  private mutating func hide(from start: Int, to end: Int) {
    copy(to: start)
    hide(to: end)
  }

  /// Hides who stands in front of the host of a URL.
  private mutating func takeColon(_ colon: Character) {
    guard let first = character(at: colon.end), first.byte == UInt8(ascii: "/"),
      let second = character(at: first.end), second.byte == UInt8(ascii: "/")
    else { return copy(to: colon.end) }
    copy(to: second.end)
    let isEncoded = colon.form == .percent || first.form == .percent
    var position = index
    var host: Int?
    while let next = character(at: position), next.form == .percent && !isEncoded || !next.endsAuthority {
      if next.byte == UInt8(ascii: "@"), next.form != .percent || isEncoded { host = position }
      position = next.end
    }
    if let host { hide(to: host) }
  }

  /// Hides the word in quotes behind one that speaks of a signature.
  private mutating func takeSignature(_ quote: Character) {
    awaitsSignature = false
    let end = wordEnd(from: quote.end, Context(quote: quote))
    copy(to: quote.end)
    if end > index { hide(to: end) }
  }

  // MARK: Where values end

  /// The end of the word that begins at `start`.
  private func wordEnd(from start: Int, _ context: Context) -> Int {
    end(from: start) { next in
      (next.isBlank || next.endsValue) && (next.form != .percent || context.isEncoded)
    }
  }

  /// The end of a value: of its quotes, else of the word.
  private func valueEnd(from start: Int, _ context: Context) -> Int {
    guard let quote = context.quote else { return wordEnd(from: start, context) }
    return end(from: start) { next in
      if next.form == .percent, !context.isEncoded { return false }
      // One that is escaped belongs to the value, unless the first one is as well.
      return next.byte == quote.byte && (next.form == .plain || next.form == quote.form)
        || next.isLineEnd && next.form == .plain
    }
  }

  private func lineEnd(from start: Int) -> Int {
    end(from: start) { $0.isLineEnd || $0.isOneOf("<\"") && $0.form != .percent }
  }

  private func end(from start: Int, where isEnd: (Character) -> Bool) -> Int {
    var position = start
    while let next = character(at: position), !isEnd(next) { position = next.end }
    return position
  }

  /// Whether nothing of a sentence follows.
  private func isLast(_ end: Int) -> Bool {
    var position = end
    while let next = character(at: position) {
      if !next.isInlineBlank { return next.isLineEnd || next.endsValue || next.isOneOf(")]}") }
      position = next.end
    }
    return true
  }

  /// Whether a word is more likely a signature or a token than the next one of a sentence: those are long, or hold what
  /// words of a sentence do not.
  private func looksSecret(_ range: Range<Int>) -> Bool {
    var word = bytes[range]
    while let last = word.last, Self.sentenceMarks.contains(last) { word.removeLast() }
    if let name = word.firstIndex(of: UInt8(ascii: "=")), name > word.startIndex,
      Self.parameters.contains(String(decoding: word[..<name], as: UTF8.self).lowercased())
    {
      return false
    }
    if word.count > 20 { return true }
    if word.count > 3,
      word.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "%") })
    {
      return true
    }
    guard word.count >= 8 else { return false }
    var (digits, letters, humps, dots) = (false, false, 0, 0)
    for (byte, next) in zip(word, word.dropFirst()) {
      if Self.isLower(byte), Self.isUpper(next) { humps += 1 }
    }
    for byte in word {
      if Self.isDigit(byte) { digits = true }
      if Self.isLower(byte) || Self.isUpper(byte) { letters = true }
      if byte == UInt8(ascii: ".") { dots += 1 }
    }
    return digits && letters || humps > 1 || dots > 1
  }

  /// What a challenge says of a scheme (RFC 9110 § 11.6.1, RFC 6750 § 3), or an error of it; no credentials.
  private static let parameters: Set = [
    "realm", "error", "scope", "charset", "authorization_uri", "resource_id", "client_id",
    "error_description",
  ]
  private static let sentenceMarks = Array(".,:;!?)".utf8)

  // MARK: Characters

  /// One character as it is meant, however it is written.
  private struct Character {
    enum Form { case plain, percent, escape }
    var byte: UInt8
    var end: Int
    var form = Form.plain

    var isOfName: Bool { SecretScanner.isOfName(byte) }
    var isQuote: Bool { SecretScanner.isQuote(byte) }
    var isLineEnd: Bool { byte == 0x0A || byte == 0x0D }
    var isBlank: Bool { byte <= 0x20 }
    var isInlineBlank: Bool { isBlank && !isLineEnd }
    var endsValue: Bool { isOneOf("&#\"'<>,;") }
    var endsAuthority: Bool { isBlank || isOneOf("/?#\"'<>") }
    func isOneOf(_ characters: StaticString) -> Bool {
      characters.withUTF8Buffer { $0.contains(byte) }
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    isLower(byte) || isUpper(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
  private static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
  private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// The character at `position`, out of its percent-encoding, of however many layers, or its escape in JSON or XML;
  /// `nil` at the end.
  private func character(at position: Int) -> Character? {
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "%"): return encoded(at: position)
    case UInt8(ascii: "\\"): return escaped(at: position)
    case UInt8(ascii: "&"): return entity(at: position)
    case let byte: return Character(byte: byte, end: position + 1)
    }
  }

  private func encoded(at position: Int) -> Character {
    var digits = position + 1
    // %2520 is a %20 that was encoded once more.
    while digits + 1 < bytes.count, bytes[digits] == UInt8(ascii: "2"), bytes[digits + 1] == UInt8(ascii: "5")
    {
      digits += 2
    }
    if let byte = hexadecimal(digits, 2) {
      return Character(byte: UInt8(byte), end: digits + 2, form: .percent)
    }
    return Character(byte: UInt8(ascii: "%"), end: digits)
  }

  private func escaped(at position: Int) -> Character {
    let plain = Character(byte: UInt8(ascii: "\\"), end: position + 1)
    guard position + 1 < bytes.count else { return plain }
    switch bytes[position + 1] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): return Character(byte: 0x0A, end: position + 2, form: .escape)
    case UInt8(ascii: "t"): return Character(byte: 0x09, end: position + 2, form: .escape)
    case let byte where Self.isQuote(byte) || byte == UInt8(ascii: "/"):
      return Character(byte: byte, end: position + 2, form: .escape)
    case UInt8(ascii: "u"):
      guard let value = hexadecimal(position + 2, 4) else { return plain }
      return Character(byte: value < 0x80 ? UInt8(value) : 0xFF, end: position + 6, form: .escape)
    default: return plain
    }
  }

  private static let entities: [(text: [UInt8], byte: UInt8)] = [
    ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&#34;", "\""), ("&#58;", ":"), ("&#61;", "="),
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&#xD;", "\n"), ("&#xA;", "\n"), ("&#13;", "\n"),
    ("&#10;", "\n"),
  ].map { text, character in (Array(text.utf8), character.utf8.first!) }

  private func entity(at position: Int) -> Character {
    for entity in Self.entities where bytes[position...].starts(with: entity.text) {
      return Character(byte: entity.byte, end: position + entity.text.count, form: .escape)
    }
    return Character(byte: UInt8(ascii: "&"), end: position + 1)
  }

  private func hexadecimal(_ start: Int, _ count: Int) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[start..<start + count] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 + Int(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        value = value << 4 + Int((byte | 0x20) - UInt8(ascii: "a")) + 10
      default: return nil
      }
    }
    return value
  }
}
