extension RowPrediction<JSONRowTemplate> {
  /// Reads rows as long as they look like the template.
  mutating func take(
    in bytes: UnsafeBufferPointer<UInt8>, from tokenizer: inout JSONTokenizer,
    into records: inout [EntityRecord]
  ) {
    guard let template else { return }
    while let start = tokenizer.nextObject(in: bytes) {
      guard let end = template.takeRow(in: bytes, from: start, &tokenizer, into: &records) else {
        return miss()
      }
      tokenizer.skipObject(to: end)
      hit()
    }
  }
}

extension JSONRecordBuilder {
  /// What rows look like that are like the one on the tape, of which `record` was made; `nil` where they cannot be told by
  /// their looks: with objects and arrays in them, or with control information that few have.
  mutating func template(for record: EntityRecord, textLength: Int) -> JSONRowTemplate? {
    guard style != .verbose, record.control.change == nil, let root = tape.nodes.first else { return nil }
    let known = record.control.typeName.map(EdmType.init) ?? types.root
    let table = types.place(of: known, else: types.root)
    var template = JSONRowTemplate(
      record.shape, control: ControlInformation(typeName: record.control.typeName), base: context?.url,
      textLength: textLength)
    var notes: [Int: PayloadType] = [:]
    for node in tape.nodes[1..<root.end] {
      guard case .note(let id, .type) = members.roles[node.member], node.kind == .string else { continue }
      notes[id] = PayloadType(name: tape.text(node))
    }
    var count = 0
    for node in tape.nodes[1..<root.end] {
      guard node.kind != .object, node.kind != .array else { return nil }
      let name = members.spelling(node.member)
      let isAdded: Bool
      switch members.roles[node.member] {
      case .property(let id):
        let declared = types.type(of: members.properties[id].name, id, in: table)
        let known = notes[id]?.completed(by: declared) ?? declared
        var type: EdmPrimitive?
        if !known.isCollection, let name = known.type {
          guard let primitive = EdmPrimitive(name) else { return nil }
          type = primitive
        }
        count += 1
        isAdded = template.append(name, .property(type))
      case .note(_, .type), .control(.type):
        guard node.kind == .string else { return nil }
        isAdded = template.append(name, .constant, constant: tape.text(node))
      case .control(.entityTag): isAdded = node.kind == .string && template.append(name, .entityTag)
      case .control(.id): isAdded = node.kind == .string && template.append(name, .id)
      case .control(.editLink): isAdded = node.kind == .string && template.append(name, .editLink)
      case .control, .note, .other: return nil
      }
      guard isAdded else { return nil }
    }
    return count == record.count ? template : nil
  }
}
