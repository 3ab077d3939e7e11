/// `$select` and `$expand`, whose shape depends on the dialect: OData 2 and 3 list paths in both
/// (`$select=Name,Orders/Date&$expand=Orders`), OData 4 puts what concerns a related entity into the brackets behind
/// it (`$select=Name&$expand=Orders($select=Date)`).
extension Query {
  func projection(for dialect: Dialect) throws(ODataError) -> [(name: String, value: String)] {
    var selected: [String] = []
    for item in select {
      selected.append(item == "*" ? item : try Self.checked(path: item, dialect: dialect))
    }
    guard dialect == .v4 else {
      var expanded: [String] = []
      for item in expand { expanded.append(try Self.checked(path: item, dialect: dialect)) }
      return Self.options(select: selected, expand: expanded)
    }
    var root = ExpandedNode()
    for item in expand { try root.expand(item, dialect: dialect) }
    for item in selected { root.select(item.split(separator: "/").map(String.init)) }
    return Self.options(select: root.selected, expand: root.children.map(\.text))
  }

  /// The navigation properties whose related entities come along with each entity.
  var expandedProperties: [String] {
    expand.compactMap { item in
      // The cast to a derived type may stand in front; what stands behind the name is about the related entities.
      item.prefix { $0 != "(" }.split(separator: "/").first { !$0.contains(".") }.map(String.init)
    }
  }

  private static func options(select: [String], expand: [String]) -> [(name: String, value: String)] {
    [("$select", select), ("$expand", expand)].compactMap { name, items in
      items.isEmpty ? nil : (name, items.joined(separator: ","))
    }
  }
}

/// A related entity that comes along in OData 4, with what is asked of it.
private struct ExpandedNode {
  var name = ""
  var selected: [String] = []
  var children: [ExpandedNode] = []
  /// Text of the caller with options of its own, passed on as it is.
  var isRaw = false

  mutating func expand(_ item: String, dialect: Dialect) throws(ODataError) {
    if item.utf8.contains(UInt8(ascii: "(")) {
      children.append(ExpandedNode(name: item, isRaw: true))
    } else {
      let path = item == "*" ? item : try Query.checked(path: item, dialect: dialect)
      insert(path.split(separator: "/").map(String.init)[...])
    }
  }

  private mutating func insert(_ path: ArraySlice<String>) {
    guard let first = path.first else { return }
    if let index = child(first) {
      children[index].insert(path.dropFirst())
    } else {
      var node = ExpandedNode(name: first)
      node.insert(path.dropFirst())
      children.append(node)
    }
  }

  /// Puts a path to where the related entity it begins with is expanded; a path of complex properties stays whole.
  mutating func select(_ path: [String]) {
    if path.count > 1, let index = child(path[0]) {
      children[index].select(Array(path.dropFirst()))
    } else {
      selected.append(path.joined(separator: "/"))
    }
  }

  private func child(_ name: String) -> Int? {
    children.firstIndex { !$0.isRaw && $0.name.utf8.elementsEqual(name.utf8) }
  }

  var text: String {
    var options: [String] = []
    if !selected.isEmpty { options.append("$select=" + selected.joined(separator: ",")) }
    if !children.isEmpty { options.append("$expand=" + children.map(\.text).joined(separator: ",")) }
    return options.isEmpty ? name : "\(name)(\(options.joined(separator: ";")))"
  }
}
