/// What the context URL of a payload says of it (OData 4 Protocol § 10; `odata.metadata` of OData 3 JSON Format § 4.5.1).
struct JSONContext {
  enum Kind {
    /// Nothing is told, or the name of a set: a feed, or what it is in.
    case other
    case entity
    case delta, deletedEntity, link, deletedLink
  }

  /// The URL.
  let url: String
  private(set) var kind = Kind.other
  /// The related entities that have come along.
  private(set) var expansion: Expansion?
  /// The type of a payload that is a value: `Edm.Int32`, `Collection(Sample.Address)`.
  private(set) var valueType: EdmType?

  /// Reads a context URL.
  init(_ url: String) {
    self.url = url
    guard let hash = url.utf8.firstIndex(of: UInt8(ascii: "#")) else { return }
    var fragment = url.utf8[url.utf8.index(after: hash)...]
    let kinds: [(String, Kind)] = [
      ("/$entity", .entity), ("/@Element", .entity), ("/$delta", .delta),
      ("/$deletedEntity", .deletedEntity),
      ("/$link", .link), ("/$deletedLink", .deletedLink),
    ]
    for (ending, kind) in kinds where fragment.count >= ending.utf8.count {
      guard fragment.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { continue }
      self.kind = kind
      fragment = fragment.dropLast(ending.utf8.count)
    }
    let name = String(Substring(fragment))
    if kind == .other, name.hasPrefix("Edm.") || name.hasPrefix("Collection(") {
      valueType = EdmType(rawValue: name)
    }
    // A set, then what was selected of it. The set's own name may have a key in brackets in front: `Books(1)/Author(Name)`.
    if fragment.last == UInt8(ascii: ")"), let open = Self.opening(of: fragment) {
      expansion = Expansion(fragment[fragment.index(after: open)...].dropLast())
    }
  }

  /// The bracket that the last one closes.
  private static func opening(of fragment: Substring.UTF8View) -> Substring.UTF8View.Index? {
    var depth = 0
    for index in fragment.indices.reversed() {
      if fragment[index] == UInt8(ascii: ")") { depth += 1 }
      if fragment[index] == UInt8(ascii: "(") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// The names of the navigation properties that are expanded; they are the ones with brackets behind them.
  struct Expansion {
    private var names: [(name: String, inside: Substring.UTF8View)] = []

    init(_ list: Substring.UTF8View) {
      var depth = 0
      var start = list.startIndex
      var open: String.Index?
      for index in list.indices {
        switch list[index] {
        case UInt8(ascii: "("):
          if depth == 0 { open = index }
          depth += 1
        case UInt8(ascii: ")"):
          depth -= 1
          if depth == 0, let from = open {
            // `Address/Country()` is expanded in a complex property; `Details+()` recursively.
            let path = list[start..<from].split(separator: UInt8(ascii: "/")).last ?? list[start..<from]
            let name = path.last == UInt8(ascii: "+") ? path.dropLast() : path
            names.append((String(Substring(name)), list[list.index(after: from)..<index]))
          }
        case UInt8(ascii: ",") where depth == 0:
          start = list.index(after: index)
        default: break
        }
      }
    }

    /// What is expanded inside of a property; `nil` where it is not expanded itself.
    subscript(name: String) -> Expansion? {
      names.first { $0.name.utf8.elementsEqual(name.utf8) }.map { Expansion($0.inside) }
    }
  }
}
