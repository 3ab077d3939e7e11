/// Finds the entities of a payload among its tokens, and hands each to a ``JSONRecordBuilder`` once it is complete.
struct JSONEntityAssembler {
  private enum Place {
    /// In front of the root.
    case start
    /// In the root object, which may be an entity, the frame of a feed, or the frame of verbose JSON.
    case root
    /// In the object behind `d` (or in `results` inside of it), which may be an entity or the frame of a feed.
    case verboseRoot
    /// In the array of a feed.
    case feed
    /// Behind everything that matters.
    case end
  }

  private var place = Place.start
  /// What the feed stands in.
  private var frame = Place.root
  private var builder: JSONRecordBuilder
  /// How deep inside a value that is of no use.
  private var skipDepth = 0
  /// Whether the frame has properties, and so is an entity.
  private var hasProperties = false
  /// The error that is arriving.
  private var error: JSONTreeBuilder?
  /// About how many bytes are held of it.
  private var errorLength = 0

  private var records: [EntityRecord] = []
  private var rows = RowPrediction<JSONRowTemplate>()
  /// The row on the tape, as long as nothing was learnt of it.
  private var lastRow: EntityRecord?
  private(set) var summary = PayloadSummary(isFeed: false)

  private let textLength: Int
  private let entityLength: Int

  init(types: PayloadTypes, limits: PayloadLimits) {
    builder = JSONRecordBuilder(types: types)
    textLength = limits.textLength
    entityLength = limits.entityLength
  }

  /// The entities that became complete since the last call.
  mutating func takeRecords() -> [EntityRecord] {
    defer { records = [] }
    return records
  }

  /// Takes the rows that stand here and look like the one before them.
  @inline(__always)
  mutating func takeRows(in bytes: UnsafeBufferPointer<UInt8>, from tokenizer: inout JSONTokenizer) {
    guard case .feed = place, builder.tape.depth == 0, skipDepth == 0, error == nil else { return }
    if lastRow != nil {
      // Nothing is learnt of a row that is the last of its feed.
      guard tokenizer.nextObject(in: bytes) != nil else { return }
      learn()
    }
    if rows.template != nil { rows.take(in: bytes, from: &tokenizer, into: &records) }
  }

  /// Learns what rows look like from the one on the tape.
  @inline(never)
  private mutating func learn() {
    guard let record = lastRow else { return }
    lastRow = nil
    guard rows.wantsTemplate, !rows.keepsTemplate(hasSameShape: rows.template?.shape === record.shape) else {
      return
    }
    rows.learn(builder.template(for: record, textLength: textLength))
  }

  /// Takes the next token, whose text is still in the tokenizer.
  mutating func take(_ token: JSONTokenizer.Token, from tokenizer: borrowing JSONTokenizer) throws(ODataError)
  {
    if skipDepth > 0 { return skip(token) }
    if error != nil { return try collectError(token, tokenizer.text) }
    switch place {
    case .end: return
    case .start:
      guard token == .beginObject else { throw tokenizer.malformed("an object was expected") }
      place = .root
      begin(tokenizer)
    case .feed where builder.tape.depth == 0:
      switch token {
      case .beginObject: begin(tokenizer)
      case .endArray:
        place = frame
        builder.reset()
        builder.tape.append(.beginObject, from: tokenizer)
      default: throw tokenizer.malformed("a feed holds something other than entities")
      }
    case .root, .verboseRoot, .feed: try record(token, tokenizer)
    }
  }

  private mutating func begin(_ tokenizer: borrowing JSONTokenizer) {
    builder.reset()
    builder.tape.append(.beginObject, from: tokenizer)
    hasProperties = false
  }

  private mutating func skip(_ token: JSONTokenizer.Token) {
    switch token {
    case .beginObject, .beginArray: skipDepth += 1
    case .endObject, .endArray: skipDepth -= 1
    default: break
    }
  }

  private mutating func record(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) {
    switch token {
    case .name:
      guard let member = builder.members.place(of: tokenizer.text) else {
        throw tokenizer.malformed("a name is not UTF-8")
      }
      builder.tape.name(member, length: tokenizer.text.count)
      return
    case .beginObject, .beginArray:
      if builder.tape.depth == 1, try beginStructure(token, tokenizer) { return }
    case .string, .number, .boolean, .null:
      if builder.tape.depth == 1, place != .feed, !takesScalar() { return }
    case .endObject, .endArray: break
    }
    builder.tape.append(token, from: tokenizer)
    if builder.tape.size > entityLength { throw Self.tooLarge(entityLength) }
    if builder.tape.depth == 0 { try complete() }
  }

  private static func tooLarge(_ limit: Int) -> ODataError {
    ODataError(.payloadTooLarge, "An entity of the JSON payload is larger than the limit of \(limit) bytes.")
  }

  /// Whether a value that stands directly in a frame is of use.
  private mutating func takesScalar() -> Bool {
    guard case .property(let id) = builder.members.roles[builder.tape.member] else { return true }
    let word = builder.members.properties[id].word
    // Some services write the total in front of the results, where nothing says yet that this is a feed.
    if place == .verboseRoot, word == .count || word == .next { return true }
    if summary.isFeed { return false }
    hasProperties = true
    return true
  }
}

// MARK: - Objects and arrays

extension JSONEntityAssembler {
  /// Looks at what stands directly in a frame or an entity; `true` where it does not go onto the tape.
  private mutating func beginStructure(
    _ token: JSONTokenizer.Token, _ tokenizer: borrowing JSONTokenizer
  ) throws(ODataError) -> Bool {
    let role = builder.members.roles[builder.tape.member]
    if case .control(.error) = role, token == .beginObject {
      beginError(token)
      return true
    }
    guard case .property(let id) = role else {
      if place == .feed { return false }
      // Annotations of a frame may be of any size.
      guard case .control(.removed) = role else {
        skipDepth = 1
        return true
      }
      return false
    }
    guard place != .feed else { return false }
    let word = builder.members.properties[id].word
    if !hasProperties {
      switch (place, word, token) {
      case (.root, .error, .beginObject) where !isEntity:
        // With nothing else beside it, or behind a feed, this is no property. One that has a namesake among the
        // properties of an entity stands behind the keys.
        beginError(token)
        return true
      case (.root, .d, .beginObject) where !summary.isFeed && !isAnnotated:
        builder.style = .verbose
        place = .verboseRoot
        begin(tokenizer)
        return true
      // There are services that put a single entity into `results` as well.
      case (.verboseRoot, .results, .beginObject) where !summary.isFeed && frameMembers.isEmpty:
        begin(tokenizer)
        return true
      case (.root, .value, .beginArray), (.root, .d, .beginArray), (.verboseRoot, .results, .beginArray):
        if isEntity { break }
        guard !summary.isFeed else {
          // Which of the two counts is as open as it is for a property that occurs twice.
          throw tokenizer.malformed("it holds the list of entities twice")
        }
        if word == .d, !isAnnotated { builder.style = .verbose }
        try readFrame()
        summary.isFeed = true
        frame = place
        place = .feed
        builder.tape.reset()
        return true
      default: break
      }
    }
    if summary.isFeed {
      if word == .next { return false }
      skipDepth = 1
      return true
    }
    // The control information of verbose JSON is no property yet, nor is the link of a feed.
    if (word != .metadata && word != .next) || token != .beginObject { hasProperties = true }
    return false
  }

  private mutating func beginError(_ token: JSONTokenizer.Token) {
    error = JSONTreeBuilder()
    _ = error?.take(token, text: "")
  }

  private mutating func collectError(
    _ token: JSONTokenizer.Token, _ text: UnsafeBufferPointer<UInt8>
  ) throws(ODataError) {
    errorLength += text.count + JSONTape.tokenSize
    if errorLength > entityLength { throw Self.tooLarge(entityLength) }
    let text = String(decoding: text, as: UTF8.self)
    guard let tree = error?.take(token, text: text) else { return }
    throw ServiceError.breakingOff(JSONErrorBody.read(tree))
  }

  /// Whether the frame has annotations, which verbose JSON has not.
  private var isAnnotated: Bool {
    frameMembers.contains {
      switch builder.members.roles[$0.member] {
      case .control, .note: true
      case .property, .other: false
      }
    }
  }

  /// Whether the context URL says that this is one entity, whatever its properties are called.
  private var isEntity: Bool {
    for node in frameMembers {
      if case .control(.context) = builder.members.roles[node.member], let url = try? builder.string(node) {
        return JSONContext(url).kind == .entity
      }
    }
    return false
  }

  /// What stands directly in the frame so far, but for objects and arrays that are open.
  private var frameMembers: [JSONTape.Node] { framePlaces.map { builder.tape.nodes[$0] } }

  /// Where that stands on the tape.
  private var framePlaces: [Int] {
    var places: [Int] = []
    var place = 1
    while place < builder.tape.nodes.count {
      places.append(place)
      place = builder.tape.nodes[place].next(behind: place)
    }
    return places
  }

  /// The end of the object on the tape.
  private mutating func complete() throws(ODataError) {
    if place == .feed {
      let record = try builder.entity()
      records.append(record)
      // The tape is left as it is until the next row begins, which may have use for it.
      lastRow = record
    } else {
      try readFrame()
      if !summary.isFeed { records.append(try builder.entity()) }
      place = .end
    }
  }

  /// Takes what a frame says of the payload.
  private mutating func readFrame() throws(ODataError) {
    for index in framePlaces {
      let node = builder.tape.nodes[index]
      switch builder.members.roles[node.member] {
      case .control(.context):
        if let url = try builder.string(node) { builder.context = JSONContext(url) }
      case .control(.count): summary.count = try builder.count(node)
      case .control(.nextLink): summary.nextLink = try link(node)
      case .control(.deltaLink): summary.deltaLink = try link(node)
      case .property(let id) where place == .verboseRoot:
        switch builder.members.properties[id].word {
        case .count where summary.isFeed || node.kind != .object: summary.count = try builder.count(node)
        case .next: summary.nextLink = try builder.verboseNextLink(at: index)
        default: break
        }
      case .control(.type), .control, .note, .property, .other: break
      }
    }
  }

  /// A link, as absolute as the payload tells.
  private func link(_ node: JSONTape.Node) throws(ODataError) -> String? {
    try builder.string(node).map { URLReference.resolve($0, against: builder.context?.url) }
  }
}
