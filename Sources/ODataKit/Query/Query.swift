/// What is asked of an entity set: a value without a service, a type or a dialect, rendered at the last moment.
///
/// ```swift
/// var query = Query()
/// query.filter = try FilterParser.parse("Rate ge 4", dialect: .v2)
/// query.orderBy = [.init("Title")]
/// query.top = 10
/// try query.queryString(for: .v2)   // $filter=Rate%20ge%204&$orderby=Title&$top=10
/// ```
public struct Query: Sendable, Hashable {
  /// Which entities; all where `nil`.
  public var filter: QueryExpression?
  /// Which properties, as names or paths (`Address/City`); all where empty.
  public var select: [String] = []
  /// Which related entities come along, as paths of navigation properties (`Orders/Lines`). In OData 4 a path
  /// becomes nested options, and an item with a bracket (`Orders($top=5)`) is passed on as it is.
  public var expand: [String] = []
  /// The order of the entities; later ones decide where earlier ones are equal.
  public var orderBy: [Ordering] = []
  /// The greatest number of entities, 0 or more. What a service gives in one page is a matter of paging.
  public var top: Int?
  /// How many entities are left out at the beginning, 0 or more.
  public var skip: Int?
  /// Whether the total number of entities that the filter takes comes along.
  public var inlineCount = false
  /// Other options, behind the rest and in this order.
  public var customOptions: [CustomOption] = []

  /// A query for everything, or for the entities and properties that are given.
  public init(filter: QueryExpression? = nil, select: [String] = []) {
    self.filter = filter
    self.select = select
  }

  /// One level of an order.
  public struct Ordering: Sendable, Hashable {
    /// The property, or the path to it (`Address/City`).
    public var path: String
    /// Which end comes first.
    public var direction: Direction

    /// Orders by a property.
    public init(_ path: String, _ direction: Direction = .ascending) {
      self.path = path
      self.direction = direction
    }
  }

  /// The direction of an order.
  public enum Direction: String, Sendable, Hashable {
    /// Small first.
    case ascending = "asc"
    /// Great first.
    case descending = "desc"
  }

  /// An option that the rest of the query does not cover, such as `$format` or one of the service's own.
  public struct CustomOption: Sendable, Hashable {
    /// The name, raw; a leading `$` stays bare.
    public var name: String
    /// The value, raw: it is encoded when the query is rendered.
    public var value: String

    /// Makes an option of raw text.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}

extension Query {
  /// The query as it stands behind the `?` of a URL, percent-encoded once; `nil` where there is nothing to say. The
  /// options come in this order: filter, select, expand, orderby, top, skip, count, custom ones.
  ///
  /// Throws ``ODataError/Code/unsupported`` for what the dialect lacks (Azure tables: order, skip, expand, count),
  /// ``ODataError/Code/invalidQuery`` for a negative number, for something that is no name, and for an option that is
  /// given twice, and what ``QueryExpression/rendered(for:)`` throws.
  public func queryString(for dialect: Dialect) throws(ODataError) -> String? {
    if dialect == .azureTable { try checkTableOptions() }
    var options: [(name: String, value: String)] = []
    if let filter { options.append(("$filter", try filter.rendered(for: dialect))) }
    options += try projection(for: dialect)
    if !orderBy.isEmpty { options.append(("$orderby", try ordering(for: dialect))) }
    if let top { options.append(("$top", try Self.count(top, "$top"))) }
    if let skip { options.append(("$skip", try Self.count(skip, "$skip"))) }
    if inlineCount { options.append(dialect == .v4 ? ("$count", "true") : ("$inlinecount", "allpages")) }
    for option in customOptions {
      guard !option.name.isEmpty, option.name != "$" else {
        throw ODataError(.invalidQuery, "A custom option of the query has no name.")
      }
      guard !options.contains(where: { $0.name.utf8.elementsEqual(option.name.utf8) }) else {
        throw ODataError(.invalidQuery, "The query option '\(option.name.prefix(40))' is given twice.")
      }
      options.append((option.name, option.value))
    }
    guard !options.isEmpty else { return nil }
    return options.map { "\(Self.encoded(name: $0.name))=\(PercentEncoding.encode($0.value))" }.joined(
      separator: "&")
  }

  private static func encoded(name: String) -> String {
    name.utf8.first == UInt8(ascii: "$")
      ? "$" + PercentEncoding.encode(String(name.dropFirst())) : PercentEncoding.encode(name)
  }

  private static func count(_ number: Int, _ name: String) throws(ODataError) -> String {
    guard number >= 0 else {
      throw ODataError(.invalidQuery, "The option \(name) is \(number); it cannot be negative.")
    }
    return String(number)
  }

  private func checkTableOptions() throws(ODataError) {
    let lacking: [(name: String, isUsed: Bool)] = [
      ("$orderby", !orderBy.isEmpty), ("$skip", skip != nil), ("$expand", !expand.isEmpty),
      ("a count", inlineCount),
    ]
    guard let option = lacking.first(where: \.isUsed) else { return }
    throw ODataError(
      .unsupported,
      "The query asks for \(option.name), which the table service does not have: it takes $filter, $select and $top, "
        + "and orders by PartitionKey and RowKey.")
  }

  private func ordering(for dialect: Dialect) throws(ODataError) -> String {
    var items: [String] = []
    for level in orderBy {
      let path = try Self.checked(path: level.path, dialect: dialect)
      items.append(level.direction == .ascending ? path : "\(path) \(level.direction.rawValue)")
    }
    return items.joined(separator: ",")
  }

  /// A path that consists of names only, so that nothing else slips into an option.
  static func checked(path: String, dialect: Dialect) throws(ODataError) -> String {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return try QueryRenderer.path(names, dialect: dialect, mayBeConstant: true)
  }
}
