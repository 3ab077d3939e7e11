extension AtomRowTemplate {
  /// Learns what entries look like from one that the parser has taken, and from the record that came of it. `nil` for an
  /// entry with anything in it that a few rules do not tell apart: structured values, related entities that came along,
  /// media, sections, comments. What was learnt is tried on the same entry, and has to give the same record.
  init?(
    learning entry: UnsafeBufferPointer<UInt8>, _ record: EntityRecord, textLength: Int,
    _ scratch: AtomRowScratch
  ) {
    guard record.control.media == nil, record.control.change == nil else { return nil }
    self.init(of: record, textLength: textLength)
    var learner = Learner(markup: AtomRowMarkup(entry), record: record)
    guard learner.learn() else { return nil }
    (literals, parts) = (learner.literals, learner.parts)
    lines = literals.count { $0 == UInt8(ascii: "\n") }
    guard let again = self.entry(in: entry, from: 0, scratch), again.end == entry.count,
      again.record == record
    else { return nil }
  }

  private struct Learner {
    var markup: AtomRowMarkup
    let record: EntityRecord
    var literals: [UInt8] = []
    var parts: [Part] = []
    /// How far the bytes have become parts.
    var taken = 0
    /// The property that comes next.
    var column = 0
    /// The elements that are open.
    var open: [Range<Int>] = []
    /// How many are, where properties are what stands in the innermost.
    var propertiesDepth: Int?

    /// Ends the bytes that are the same in all entries, and leaves out what stands at `range`.
    mutating func add(_ slot: Slot, _ range: Range<Int>, isAttribute: Bool = false) {
      literals.append(contentsOf: markup.text(taken..<range.lowerBound))
      parts.append(Part(end: literals.count, slot: slot, isAttribute: isAttribute))
      taken = range.upperBound
    }

    mutating func learn() -> Bool {
      var hasOnlyText = false
      while let tag = markup.nextTag() {
        if tag.kind == .end {
          guard end(tag, hasOnlyText: hasOnlyText) else { return false }
          open.removeLast()
          if open.isEmpty {
            add(.end, tag.end..<tag.end)
            return column == record.count
          }
        } else {
          guard start(tag) else { return false }
        }
        hasOnlyText = tag.kind == .start
      }
      return false
    }

    private mutating func start(_ tag: AtomRowMarkup.Tag) -> Bool {
      let name = markup.localPart(tag.name)
      let isProperty = propertiesDepth != nil
      if isProperty {
        guard open.count == propertiesDepth, column < record.count,
          record.shape.names[column].utf8.elementsEqual(name)
        else { return false }
      } else if open.isEmpty {
        guard tag.kind == .start, markup.text(tag.name).spells("entry") else { return false }
      }
      guard attributes(of: tag) else { return false }
      if tag.kind == .start {
        open.append(tag.name)
        if !isProperty, name.spells("properties") { propertiesDepth = open.count }
      } else if isProperty {
        add(.constant(record.values[column]), tag.end..<tag.end)
        column += 1
      }
      return true
    }

    /// The text of an element becomes a slot where it differs from entity to entity; any other has to be the same.
    private mutating func end(_ tag: AtomRowMarkup.Tag, hasOnlyText: Bool) -> Bool {
      guard let name = open.last else { return false }
      if open.count == propertiesDepth {
        propertiesDepth = nil
      } else if propertiesDepth != nil {
        guard hasOnlyText else { return false }
        if record.values[column].isNull, tag.text.isEmpty {
          add(.constant(.null), tag.text)
        } else {
          guard let type = record.values[column].lexicalType else { return false }
          add(.property(type), tag.text)
        }
        column += 1
      } else if open.count == 2, hasOnlyText {
        let name = markup.text(name)
        if name.spells("id") {
          add(.id, tag.text)
        } else if !name.spells("content"), !name.spells("link"), !name.spells("category") {
          add(.ignored, tag.text)
        }
      }
      return true
    }

    /// Makes slots of the attributes whose values differ from entity to entity.
    private mutating func attributes(of tag: AtomRowMarkup.Tag) -> Bool {
      var relation: AtomRelation?
      for attribute in tag.attributes {
        let name = markup.text(attribute.name)
        if name.spells("rel") { relation = AtomRelation(markup.text(attribute.value)) }
        // Another base for what is inside is left to the parser.
        if markup.localPart(attribute.name).spells("base") { return false }
      }
      for attribute in tag.attributes {
        let slot: Slot
        if open.isEmpty, markup.localPart(attribute.name).spells("etag") {
          slot = .entityTag
        } else if open.count == 1, markup.text(tag.name).spells("link"),
          markup.text(attribute.name).spells("href")
        {
          guard let found = self.slot(of: relation) else { return false }
          slot = found
        } else {
          continue
        }
        guard attribute.isDoubleQuoted else { return false }
        add(slot, attribute.value, isAttribute: true)
      }
      return true
    }

    private func slot(of relation: AtomRelation?) -> Slot? {
      func index(of name: String) -> Int? {
        record.control.links.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
      }
      return switch relation {
      case .edit: .editLink
      case .readOnly: .readLink
      case .related(let name): index(of: name).map(Slot.navigation)
      case .relatedLinks(let name): index(of: name).map(Slot.association)
      case .other, nil: .ignored
      case .next, .delta, .editMedia, .mediaResource, .editMediaResource: nil
      }
    }
  }
}

extension EdmValue {
  /// The type whose text the value was read from; `nil` where that is not told by the value alone.
  fileprivate var lexicalType: EdmPrimitive? {
    switch self {
    case .boolean: .boolean
    case .byte: .byte
    case .sbyte: .sbyte
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .single: .single
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .binary: .binary
    case .guid: .guid
    case .dateTime: .dateTime
    case .dateTimeOffset: .dateTimeOffset
    case .duration: .duration
    case .date: .date
    case .timeOfDay: .timeOfDay
    case .null, .enumeration, .spatial, .stream, .complex, .collection: nil
    }
  }
}
