/// The key of an entity: one value, or several with their names in order.
///
/// ```swift
/// let key = EntityKey(["PartitionKey": .string("O'Neil"), "RowKey": .string("")])
/// try key.predicate(for: .azureTable)   // (PartitionKey='O%27%27Neil',RowKey='')
/// ```
///
/// An empty string is a key like any other. Names and strings compare by code units.
public struct EntityKey: Sendable, Hashable {
  /// One value of a key.
  public struct Component: Sendable, Hashable {
    /// The name of the key property, or `nil` where a key of one value is written without it.
    public let name: String?
    /// The value; never null.
    public let value: EdmValue

    init(name: String?, value: EdmValue) {
      self.name = name
      self.value = value
    }

    /// Same name by code units, same value.
    public static func == (a: Component, b: Component) -> Bool {
      let sameName =
        switch (a.name, b.name) {
        case (nil, nil): true
        case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
        default: false
        }
      return sameName && a.value == b.value
    }

    /// Hashes name and value.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(value)
    }
  }

  /// The values in the order they are written.
  public let components: [Component]

  init(components: [Component]) { self.components = components }

  /// A key of one value, written without a name: `('x')`, `(5)`.
  public init(_ value: EdmValue) {
    components = [Component(name: nil, value: value)]
  }

  /// A key of named values, written in this order. The names must differ; there must be at least one.
  public init(_ values: KeyValuePairs<String, EdmValue>) {
    components = values.map { Component(name: $0.key, value: $0.value) }
  }

  /// A key of named values, written in this order; see ``init(_:)``.
  public init(named values: [(String, EdmValue)]) {
    components = values.map { Component(name: $0.0, value: $0.1) }
  }

  /// The value of a key property, or `nil` where the key does not name it.
  public subscript(name: String) -> EdmValue? {
    components.first { $0.name.map { $0.utf8.elementsEqual(name.utf8) } ?? false }?.value
  }

  /// The key as it stands behind the name of the set in a URL, brackets included: in each string every quote is
  /// doubled, then everything between the outer quotes is percent-encoded, once. Signatures use the same text.
  ///
  /// Throws ``ODataError/Code/invalidQuery`` for a key without values, with a null, or with a name that is none, and
  /// what ``EdmValue/literal(for:)`` throws.
  public func predicate(for dialect: Dialect) throws(ODataError) -> String {
    guard !components.isEmpty else { throw ODataError(.invalidQuery, "The key of an entity has no values.") }
    var text = "("
    for (index, component) in components.enumerated() {
      if index > 0 { text += "," }
      if let name = component.name {
        try QueryRenderer.checkName(name, dialect: dialect)
        text += PercentEncoding.encode(name) + "="
      }
      guard !component.value.isNull else {
        throw ODataError(
          .invalidQuery, "The key property '\(component.name ?? "")' is null; a key always has a value.")
      }
      text += Self.encoded(literal: try component.value.literal(for: dialect))
    }
    return text + ")"
  }

  /// The prefix and the outer quotes of a literal belong to the grammar of URLs and stay bare; so recorded requests
  /// look, and so the text stays readable.
  private static func encoded(literal: String) -> String {
    let quote: Character = "'"
    guard literal.utf8.last == UInt8(ascii: "'"), let open = literal.firstIndex(of: quote) else {
      return PercentEncoding.encode(literal)
    }
    let content = literal[literal.index(after: open)...].dropLast()
    return "\(literal[..<open])'\(PercentEncoding.encode(String(content)))'"
  }
}

// MARK: - Reading

extension EntityKey {
  /// Reads a key predicate with its brackets as it stands in a URL: `('x')`,
  /// `(PartitionKey=%27a%27,RowKey='')`. It is decoded first and read after, as services do, so quotes may be encoded
  /// or not; a `+` is a plus.
  ///
  /// Throws ``ODataError/Code/invalidQuery`` for broken escapes, for a text that is no key, for `()`, for a name that
  /// occurs twice, and for several values without names.
  public static func parse(
    _ encodedPredicate: some StringProtocol, dialect: Dialect
  ) throws(ODataError) -> EntityKey {
    try parse(decoded: decode(encodedPredicate), dialect: dialect)
  }

  private static func decode(_ text: some StringProtocol) throws(ODataError) -> String {
    guard let text = PercentEncoding.decode(text) else {
      throw ODataError(.invalidQuery, "The key predicate has a broken percent escape or is not UTF-8.")
    }
    return text
  }

  private static func parse(decoded text: String, dialect: Dialect) throws(ODataError) -> EntityKey {
    var scanner = FilterScanner(text, dialect: dialect, subject: "key predicate")
    guard scanner.take(UInt8(ascii: "(")) else {
      throw scanner.failure(at: 0, expected: "an opening bracket")
    }
    var components: [Component] = []
    repeat {
      scanner.skipBlanks()
      let start = scanner.position
      let component = try scanner.takeKeyComponent()
      if let name = component.name,
        components.contains(where: { $0.name?.utf8.elementsEqual(name.utf8) ?? false })
      {
        throw scanner.failure(
          at: start, found: "the name '\(name.prefix(40))' again", expected: "each name once")
      }
      components.append(component)
      guard components.count == 1 || components.allSatisfy({ $0.name != nil }) else {
        throw scanner.failure(at: start, found: "several values", expected: "a name in front of each")
      }
      scanner.skipBlanks()
    } while scanner.take(UInt8(ascii: ","))
    guard scanner.take(UInt8(ascii: ")")) else {
      throw scanner.failure(at: scanner.position, expected: "a comma or a closing bracket")
    }
    guard scanner.peek() == nil else { throw scanner.failure(at: scanner.position, expected: "the end") }
    return EntityKey(components: components)
  }

  /// Reads one segment of a path, such as an edit link: the decoded name, and the key where one stands behind it.
  /// `Books()` has no key, as in table URLs that mean the whole set.
  package static func parse(
    segment: some StringProtocol, dialect: Dialect
  ) throws(ODataError) -> (name: String, key: EntityKey?) {
    let text = try decode(segment)
    // A bracket never belongs to the name, so the first one opens the predicate, encoded or not.
    let open = text.firstIndex(of: "(") ?? text.endIndex
    let predicate = String(text[open...])
    let key = predicate.isEmpty || predicate == "()" ? nil : try parse(decoded: predicate, dialect: dialect)
    return (String(text[..<open]), key)
  }
}

extension FilterScanner {
  /// `name=literal` or a literal alone.
  fileprivate mutating func takeKeyComponent() throws(ODataError) -> EntityKey.Component {
    let start = position
    let end = endOfName(from: start)
    var name: String?
    if end > start {
      position = end
      skipBlanks()
      if take(UInt8(ascii: "=")) {
        name = text(start..<end)
        skipBlanks()
      } else {
        position = start
      }
    }
    let valueStart = position
    guard let value = try takeLiteral(), !value.isNull else {
      throw failure(at: valueStart, expected: name == nil ? "a value or a name" : "a value behind the name")
    }
    return EntityKey.Component(name: name, value: value)
  }
}
