/// The functions of the protocol: which dialect has which, and with how many arguments.
enum FunctionCatalog {
  private struct Entry {
    let dialects: Set<Dialect>
    let arguments: ClosedRange<Int>
  }

  /// Throws unless the dialect has the function with that number of arguments. A dotted name that is not in the
  /// catalogue belongs to the service (OData 3 and 4) and passes.
  static func check(_ name: String, argumentCount: Int, dialect: Dialect) throws(ODataError) {
    guard let entry = entries[name] else {
      if name.utf8.contains(UInt8(ascii: ".")), dialect == .v3 || dialect == .v4 { return }
      throw ODataError(.unsupported, "The function '\(name.prefix(40))' is not one of \(dialect.name).")
    }
    guard entry.dialects.contains(dialect) else {
      throw ODataError(
        .unsupported, "The function '\(name)' cannot be sent, since \(dialect.name) does not have it.")
    }
    guard entry.arguments.contains(argumentCount) else {
      let range = entry.arguments
      let wanted = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      throw ODataError(
        .invalidQuery, "The function '\(name)' takes \(wanted) arguments, but \(argumentCount) are given.")
    }
  }

  private static let entries: [String: Entry] = {
    let old: Set<Dialect> = [.v2, .v3]
    let everywhere: Set<Dialect> = [.v2, .v3, .v4]
    let spatial: Set<Dialect> = [.v3, .v4]
    var entries: [String: Entry] = [:]
    func add(_ names: [String], _ dialects: Set<Dialect>, _ arguments: ClosedRange<Int>) {
      for name in names { entries[name] = Entry(dialects: dialects, arguments: arguments) }
    }
    // `contains` stands for `substringof` in OData 2 and 3; the renderer spells it.
    add(["contains", "startswith", "endswith", "indexof", "concat"], everywhere, 2...2)
    add(["substringof"], everywhere, 2...2)
    add(["replace"], old, 3...3)
    add(["substring"], everywhere, 2...3)
    add(["length", "tolower", "toupper", "trim"], everywhere, 1...1)
    add(["year", "month", "day", "hour", "minute", "second"], everywhere, 1...1)
    add(["round", "floor", "ceiling"], everywhere, 1...1)
    add(["isof", "cast"], everywhere, 1...2)
    add(["geo.distance", "geo.intersects"], spatial, 2...2)
    add(["geo.length"], spatial, 1...1)
    let new: Set<Dialect> = [.v4]
    add(["date", "time", "fractionalseconds", "totaloffsetminutes", "totalseconds"], new, 1...1)
    add(["now", "mindatetime", "maxdatetime"], new, 0...0)
    add(["matchesPattern", "hassubset", "hassubsequence"], new, 2...2)
    return entries
  }()
}
