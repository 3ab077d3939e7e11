/// Puts entities together from tokens.
struct JSONEntityAssembler {
  private enum Place {
    /// In front of the root.
    case start
    /// In the root object, which may be an entity, the frame of a feed, or the frame of verbose JSON.
    case root
    /// In the object behind `d`, which may be an entity or the frame of a feed.
    case verboseRoot
    /// In the array of a feed.
    case feed
    /// In an entity of a feed.
    case entity
    /// Behind everything that matters.
    case end
  }

  private var place = Place.start
  private var frame = Place.root
  private var members: JSONMembers
  private var role = JSONMembers.Role.other
  /// How deep inside a value that is of no use.
  private var skipDepth = 0
  /// Whether the root was wrapped in `d`; and whether it had annotations, which the verbose format has not.
  private var isVerbose = false
  private var isAnnotated = false
  /// Inside of `__metadata`.
  private var isInMetadata = false
  private var error: JSONErrorCollector?

  private var row = 0
  private var control = ControlInformation()
  private var rowIDs: [Int] = []
  private var rowValues: [EdmValue] = []
  /// Numbers of which the value does not keep the whole spelling, by their slot: their type may still follow.
  private var exactNumbers: [(slot: Int, text: Range<Int>)] = []
  /// The spellings one behind the other, so that a row of long numbers allocates nothing.
  private var exactText: [UInt8] = []
  private var lastIDs: [Int] = []
  private var lastShape = RecordShape.empty
  private var shapes: [[Int]: RecordShape] = [:]

  private var records: [EntityRecord] = []
  private(set) var summary = PayloadSummary(isFeed: false)

  init(declaredTypes: [String: EdmType]) { members = JSONMembers(declaredTypes: declaredTypes) }

  /// The entities that became complete since the last call.
  mutating func takeRecords() -> [EntityRecord] {
    defer { records = [] }
    return records
  }

  /// Takes the next token, whose text is still in the tokenizer.
  mutating func take(_ token: JSONTokenizer.Token, from tokenizer: borrowing JSONTokenizer) throws(ODataError)
  {
    if skipDepth > 0 { return skip(token) }
    if error != nil { return try collectError(token, tokenizer.text) }
    switch token {
    case .name:
      guard let role = members.role(of: tokenizer.text) else {
        throw tokenizer.malformed("a name is not UTF-8")
      }
      self.role = role
    case .string, .number, .boolean, .null:
      switch place {
      case .start: throw tokenizer.malformed("an object was expected")
      case .feed: throw tokenizer.malformed("a feed holds something other than entities")
      case .end: break
      case .root, .verboseRoot, .entity:
        if isInMetadata {
          try takeMetadata(token, tokenizer)
        } else {
          try takeValue(token, tokenizer)
        }
      }
    case .beginObject: try beginObject(tokenizer)
    case .beginArray: try beginArray(tokenizer)
    case .endObject: endObject()
    case .endArray:
      place = frame
    }
  }

  private mutating func skip(_ token: JSONTokenizer.Token) {
    switch token {
    case .beginObject, .beginArray: skipDepth += 1
    case .endObject, .endArray: skipDepth -= 1
    default: break
    }
  }

  private mutating func collectError(
    _ token: JSONTokenizer.Token, _ text: UnsafeBufferPointer<UInt8>
  ) throws(ODataError) {
    guard error?.take(token, text) == true, let error else { return }
    throw ODataError(
      .service, error.message ?? "The service broke off its answer with an error.", serviceCode: error.code)
  }
}

// MARK: - Objects and arrays

extension JSONEntityAssembler {
  private var keyword: JSONMembers.Keyword? {
    if case .property(let id) = role { members.properties[id].keyword } else { nil }
  }

  private var isRoot: Bool { place == .root || place == .verboseRoot }

  private mutating func beginObject(_ tokenizer: borrowing JSONTokenizer) throws(ODataError) {
    switch place {
    case .start:
      place = .root
      beginEntity()
      return
    case .feed:
      place = .entity
      beginEntity()
      return
    case .root, .verboseRoot, .entity, .end: break
    }
    if case .error = role {
      error = JSONErrorCollector()
      return
    }
    switch keyword {
    case .error where place == .root && rowIDs.isEmpty:
      // Behind a feed, or with nothing else beside it, this is no property. One that has a namesake among the
      // properties of an entity stands behind the keys.
      error = JSONErrorCollector()
    case .d where place == .root && rowIDs.isEmpty && !summary.isFeed && !isAnnotated:
      isVerbose = true
      place = .verboseRoot
      beginEntity()
    case .metadata where isVerbose && !isInMetadata:
      isInMetadata = true
    default:
      try noteProperty(tokenizer)
      skipDepth = 1
    }
  }

  private mutating func beginArray(_ tokenizer: borrowing JSONTokenizer) throws(ODataError) {
    if isRoot, rowIDs.isEmpty, !summary.isFeed, !isInMetadata {
      switch (place, keyword) {
      case (.root, .value), (.root, .d), (.verboseRoot, .results):
        isVerbose = isVerbose || (keyword == .d && !isAnnotated)
        summary.isFeed = true
        frame = place
        place = .feed
        return
      default: break
      }
    }
    switch place {
    case .start: throw tokenizer.malformed("an object was expected")
    case .feed: throw tokenizer.malformed("a feed holds something other than entities")
    case .root, .verboseRoot, .entity, .end:
      try noteProperty(tokenizer)
      skipDepth = 1
    }
  }

  private mutating func endObject() {
    if isInMetadata {
      isInMetadata = false
      return
    }
    switch place {
    case .entity:
      endEntity()
      place = .feed
    case .verboseRoot:
      if !summary.isFeed { endEntity() }
      place = .end
    case .root:
      if !summary.isFeed { endEntity() }
      place = .end
    case .start, .feed, .end: break
    }
  }

  /// A property that is skipped still counts when its name comes again.
  private mutating func noteProperty(_ tokenizer: borrowing JSONTokenizer) throws(ODataError) {
    guard case .property(let id) = role, !isInMetadata else { return }
    guard members.properties[id].row != row else {
      throw Self.duplicate(members.properties[id].name, tokenizer)
    }
    members.properties[id].row = row
    members.properties[id].slot = -1
    summary.hasStructuredValues = true
  }

  fileprivate static func duplicate(_ name: String, _ tokenizer: borrowing JSONTokenizer) -> ODataError {
    tokenizer.malformed("the property “\(name)” occurs twice in an entity")
  }
}

// MARK: - Entities

extension JSONEntityAssembler {
  /// More combinations of properties than any table has; beyond them each row gets a shape of its own.
  private static let maximumShapes = 256

  private mutating func beginEntity() {
    row += 1
    control = ControlInformation()
    rowIDs.removeAll(keepingCapacity: true)
    rowValues = []
    rowValues.reserveCapacity(lastIDs.count)
    exactNumbers.removeAll(keepingCapacity: true)
    exactText.removeAll(keepingCapacity: true)
    members.beginEntity()
  }

  private mutating func endEntity() {
    if rowIDs != lastIDs {
      if let shape = shapes[rowIDs] {
        lastShape = shape
      } else {
        lastShape = RecordShape(names: rowIDs.map { members.properties[$0].name })
        if shapes.count < Self.maximumShapes { shapes[rowIDs] = lastShape }
      }
      lastIDs = rowIDs
    }
    records.append(EntityRecord(shape: lastShape, values: rowValues, control: control))
    rowIDs.removeAll(keepingCapacity: true)
    rowValues = []
  }
}

// MARK: - Values

extension JSONEntityAssembler {
  private mutating func takeValue(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) {
    if case .property(let id) = role {
      if place == .verboseRoot, keyword == .count || keyword == .next {
        // Some services write the total in front of the results, where nothing says yet that this is a feed.
        return try takeVerboseFrame(token, tokenizer)
      }
      if isRoot, summary.isFeed { return }
      return try takeProperty(id, token, tokenizer)
    }
    isAnnotated = true
    switch role {
    case .type(let id): try takeType(of: id, token, tokenizer)
    case .entityTag: control.entityTag = try text(token, tokenizer).map(EntityTag.init(rawValue:))
    case .id: control.id = try text(token, tokenizer)
    case .editLink: control.editLink = try text(token, tokenizer)
    case .typeName: control.typeName = try text(token, tokenizer)
    case .nextLink: if isRoot { summary.nextLink = try text(token, tokenizer) }
    case .count: if isRoot { try takeCount(token, tokenizer) }
    case .error, .other, .property: break
    }
  }

  private mutating func takeCount(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) {
    guard token == .string || token == .number else { return }
    guard case .int64(let count)? = try? EdmValue(lexical: tokenizer.text, .int64) else {
      throw tokenizer.malformed("the count of the entities is not an integer")
    }
    summary.count = count
  }

  /// `__count` and `__next` beside the `results` of verbose JSON.
  private mutating func takeVerboseFrame(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) {
    switch keyword {
    case .count: try takeCount(token, tokenizer)
    case .next: summary.nextLink = try text(token, tokenizer)
    default: break
    }
  }

  /// `__metadata` of verbose JSON.
  private mutating func takeMetadata(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) {
    guard case .property(let id) = role, let value = try text(token, tokenizer) else { return }
    switch members.properties[id].name {
    case "id": control.id = value
    case "uri":
      control.editLink = value
      control.id = control.id ?? value
    case "etag": control.entityTag = EntityTag(rawValue: value)
    case "type": control.typeName = value
    default: break
    }
  }

  private mutating func takeProperty(
    _ id: Int, _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) {
    guard members.properties[id].row != row else {
      throw Self.duplicate(members.properties[id].name, tokenizer)
    }
    let slot = rowValues.count
    members.properties[id].row = row
    members.properties[id].slot = slot
    let value: EdmValue
    if members.properties[id].typedRow == row, let type = members.properties[id].type {
      guard let typed = Self.value(token, tokenizer.text, as: type) else {
        throw Self.mismatch(members.properties[id].name, type, tokenizer)
      }
      value = typed
    } else if let type = members.properties[id].declaredType, token == .string || token == .number,
      let typed = Self.value(token, tokenizer.text, as: type)
    {
      value = typed
    } else {
      value = try untypedValue(token, tokenizer)
    }
    if token == .number, members.properties[id].typedRow != row, Self.losesDigits(value, tokenizer.text) {
      let start = exactText.count
      exactText.append(contentsOf: tokenizer.text)
      exactNumbers.append((slot, start..<exactText.count))
    }
    rowIDs.append(id)
    rowValues.append(value)
  }

  /// Whether the spelling says more than the value: more digits than a Double keeps, or the sign of `-0`.
  private static func losesDigits(_ value: EdmValue, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch value {
    case .double, .single: text.count > 15
    case .int32(0): text.first == UInt8(ascii: "-")
    default: false
    }
  }

  private func untypedValue(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) -> EdmValue {
    switch token {
    case .string:
      guard let text = String(validating: tokenizer.text, as: UTF8.self) else {
        throw tokenizer.malformed("a string is not UTF-8")
      }
      // Verbose JSON has no annotations, and this is how it marks a date.
      return isVerbose ? JSONVerboseDate.read(tokenizer.text) ?? .string(text) : .string(text)
    case .number where tokenizer.isInteger:
      guard case .int64(let value)? = try? EdmValue(lexical: tokenizer.text, .int64) else {
        // Nothing else can hold it exactly.
        return try number(tokenizer, as: .decimal)
      }
      return Int32(exactly: value).map(EdmValue.int32) ?? .int64(value)
    case .number: return try number(tokenizer, as: .double)
    case .boolean(let value): return .boolean(value)
    case .null, .beginObject, .endObject, .beginArray, .endArray, .name: return .null
    }
  }

  private func number(
    _ tokenizer: borrowing JSONTokenizer, as type: EdmPrimitive
  ) throws(ODataError) -> EdmValue {
    guard let value = try? EdmValue(lexical: tokenizer.text, type) else {
      throw tokenizer.malformed("a number is outside of the range of \(type.type)")
    }
    return value
  }

  /// A value of a type that is known; `nil` where the token cannot be one.
  private static func value(
    _ token: JSONTokenizer.Token, _ text: UnsafeBufferPointer<UInt8>, as type: EdmPrimitive
  ) -> EdmValue? {
    switch token {
    case .null: .null
    case .boolean(let value): type == .boolean ? .boolean(value) : nil
    case .string: (try? EdmValue(lexical: text, type)) ?? JSONVerboseDate.read(text, as: type)
    case .number: type == .string || type == .boolean ? nil : try? EdmValue(lexical: text, type)
    case .beginObject, .endObject, .beginArray, .endArray, .name: nil
    }
  }

  fileprivate static func mismatch(
    _ name: String, _ type: EdmPrimitive, _ tokenizer: borrowing JSONTokenizer
  ) -> ODataError {
    tokenizer.malformed("the value of “\(name)” is not the \(type.type) that its annotation says")
  }

  private mutating func takeType(
    of id: Int, _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) {
    guard token == .string else { return }
    let type = Self.primitive(named: tokenizer.text)
    members.properties[id].typedRow = row
    members.properties[id].type = type
    let slot = members.properties[id].slot
    // The annotation may stand behind its value.
    guard members.properties[id].row == row, slot >= 0, slot < rowValues.count, let type else { return }
    guard let typed = typed(rowValues[slot], exactSpelling(of: slot), as: type) else {
      throw Self.mismatch(members.properties[id].name, type, tokenizer)
    }
    rowValues[slot] = typed
  }

  private func exactSpelling(of slot: Int) -> [UInt8]? {
    exactNumbers.first { $0.slot == slot }.map { Array(exactText[$0.text]) }
  }

  /// A value that was read before its type was known.
  private func typed(_ value: EdmValue, _ exact: [UInt8]?, as type: EdmPrimitive) -> EdmValue? {
    if value.type == type.type || value.isNull { return value }
    var bytes: [UInt8] = []
    let token: JSONTokenizer.Token
    switch value {
    case .boolean: return nil
    case .int32, .int64, .double, .decimal:
      token = .number
      if let exact { bytes = exact } else { value.appendLexical(to: &bytes) }
    default:
      token = .string
      value.appendLexical(to: &bytes)
    }
    return bytes.withUnsafeBufferPointer { Self.value(token, $0, as: type) }
  }

  /// Finds `Edm.Int64` (OData 3), `#Int64` (4) and `Int64` (4.01).
  private static func primitive(named name: UnsafeBufferPointer<UInt8>) -> EdmPrimitive? {
    if let primitive = EdmPrimitive(name: name) { return primitive }
    let short = name.first == UInt8(ascii: "#") ? name.dropFirst() : name[...]
    let full = short.starts(with: "Edm.".utf8) ? Array(short) : Array("Edm.".utf8) + short
    return full.withUnsafeBufferPointer(EdmPrimitive.init(name:))
  }

  private func text(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) -> String? {
    guard token == .string else { return nil }
    guard let text = String(validating: tokenizer.text, as: UTF8.self) else {
      throw tokenizer.malformed("a string is not UTF-8")
    }
    return text
  }
}
