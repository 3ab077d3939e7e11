/// Builds rows and lets those with the same property names share one ``RecordShape``.
///
/// Names are compared by their address in the parser's dictionary (see ``XMLName``), so a row like an earlier one costs
/// a comparison for each property and makes no `String`. A few shapes are remembered: rows of a table without a schema,
/// or with properties that are often null, take turns between several.
struct RowAssembler {
  private struct Known {
    let shape: RecordShape
    let names: [UnsafePointer<UInt8>]
  }

  private static let memory = 16
  private var known: [Known] = []
  /// The known shape this row has followed so far; `nil` once it has gone its own way.
  private var followed: Int?
  /// The names of a row that goes its own way.
  private var names: [UnsafePointer<UInt8>] = []
  /// The same as a set, once a walk over them would be slow.
  private var nameSet: Set<UnsafePointer<UInt8>> = []
  private var values: [EdmValue] = []

  /// Starts a row.
  mutating func begin() {
    followed = known.isEmpty ? nil : 0
    names.removeAll(keepingCapacity: true)
    nameSet.removeAll()
    values = []
    if let first = known.first { values.reserveCapacity(first.names.count) }
  }

  /// Adds a property; `false`, and nothing added, if the row has one of that name.
  mutating func append(_ name: UnsafePointer<UInt8>, _ value: EdmValue) -> Bool {
    let column = values.count
    if let current = followed {
      if column < known[current].names.count, known[current].names[column] == name {
        values.append(value)
        return true
      }
      let prefix = known[current].names.prefix(column)
      followed = known.firstIndex {
        $0.names.count > column && $0.names[column] == name && $0.names.prefix(column) == prefix
      }
      if followed == nil { names.append(contentsOf: prefix) }
    }
    if followed == nil {
      guard remember(name) else { return false }
    }
    values.append(value)
    return true
  }

  /// Changes the value of a property; `false` if the row does not have it.
  mutating func change(_ name: UnsafePointer<UInt8>, _ body: (inout EdmValue) -> Void) -> Bool {
    let present = followed.map { known[$0].names.prefix(values.count) } ?? names[...]
    guard let column = present.firstIndex(of: name) else { return false }
    body(&values[column])
    return true
  }

  private mutating func remember(_ name: UnsafePointer<UInt8>) -> Bool {
    if names.count < 64 {
      guard !names.contains(name) else { return false }
    } else {
      if nameSet.isEmpty { nameSet = Set(names) }
      guard nameSet.insert(name).inserted else { return false }
    }
    names.append(name)
    return true
  }

  /// Ends the row.
  mutating func finish(_ control: ControlInformation) -> EntityRecord {
    let record = EntityRecord(shape: shape(), values: values, control: control)
    values = []
    return record
  }

  private mutating func shape() -> RecordShape {
    if let followed {
      if values.count == known[followed].names.count {
        if followed != 0 { known.swapAt(0, followed) }
        return known[0].shape
      }
      // The row stopped in the middle of the shape it followed.
      names.append(contentsOf: known[followed].names.prefix(values.count))
    }
    if let index = known.firstIndex(where: { $0.names == names }) {
      known.swapAt(0, index)
      return known[0].shape
    }
    let shape = RecordShape(names: names.map { String(cString: $0) })
    if known.count == Self.memory { known.removeLast() }
    known.insert(Known(shape: shape, names: names), at: 0)
    return shape
  }
}
