extension EdmValue {
  /// A number for each kind of value that has the same written in front of it each time, in JSON as in Atom; 0 for the
  /// others.
  var headKind: UInt8 {
    switch self {
    case .boolean: 1
    case .byte: 2
    case .sbyte: 3
    case .int16: 4
    case .int32: 5
    case .int64: 6
    case .single: 7
    case .double(let number): number.isFinite ? 8 : 0
    case .decimal: 9
    case .string: 10
    case .binary: 11
    case .guid: 12
    case .dateTime: 13
    case .dateTimeOffset: 14
    case .duration: 15
    case .date: 16
    case .timeOfDay: 17
    case .null, .enumeration, .spatial, .stream, .complex, .collection: 0
    }
  }
}
