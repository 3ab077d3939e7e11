/// Finds the elements of a list, no two of which have the same name, by their names.
///
/// A list as services have them is searched from its beginning. A longer one, as only a hostile payload has, is found
/// through a table, so that it does not take the square of its length.
struct NameIndex {
  /// What is searched faster than looked up.
  private static let searchedLength = 32

  private var places: [ByteName: Int] = [:]

  /// The place of a name in a list of `count` elements, `name` being that of one; `nil` where it is not there. Between two
  /// calls a list may grow at its end, or begin anew.
  mutating func place(of wanted: String, in count: Int, name: (Int) -> String) -> Int? {
    guard count > Self.searchedLength else {
      if !places.isEmpty { places.removeAll() }
      return (0..<count).first { name($0).hasSameBytes(as: wanted) }
    }
    while places.count < count { places[ByteName(name(places.count))] = places.count }
    return places[ByteName(wanted)]
  }
}

extension NameIndex {
  /// Changes the link of a navigation property, a new one if there is none.
  mutating func change(
    _ name: String, in links: inout [NavigationLink], _ change: (inout NavigationLink) -> Void
  ) {
    let known = place(of: name, in: links.count) { links[$0].name }
    if known == nil { links.append(NavigationLink(name)) }
    change(&links[known ?? links.endIndex - 1])
  }

  /// Changes what is known of a stream, a new one if there is none.
  mutating func change(
    _ name: String, in streams: inout [(name: String, stream: EdmStream)], _ change: (inout EdmStream) -> Void
  ) {
    let known = place(of: name, in: streams.count) { streams[$0].name }
    if known == nil { streams.append((name, EdmStream())) }
    change(&streams[known ?? streams.endIndex - 1].stream)
  }
}
