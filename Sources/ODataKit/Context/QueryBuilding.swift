public import Foundation

/// What all queries have in common: narrowing and ordering, step by step, each step a new value. Nothing is sent
/// before one of the reading methods of the query at hand is called.
public protocol QueryBuilding<Entity> {
  /// The model type.
  associatedtype Entity: Codable
  /// The service that is asked.
  var service: ODataService { get }
  /// The entity set that is asked for.
  var setName: String { get }
  /// The query as a value.
  var query: Query { get set }
  /// The number of entities behind which the results end, over all pages.
  var maximum: Int? { get set }
}

extension QueryBuilding {
  /// Keeps the entities for which the closure's comparison holds; several filters must all hold.
  ///
  /// ```swift
  /// books.query.filter { $0.author == "夏目漱石" && $0.rate >= 4 }
  /// ```
  /// Throws ``ODataError/Code/invalidQuery`` where a property's name in the service cannot be found.
  public func filter(
    _ condition: (EntityProperties<Entity>) throws -> TypedExpression<Bool>
  ) throws -> Self {
    filter(try filterExpression(for: Entity.self, naming: service.conventions.naming, condition))
  }

  /// Keeps the entities for which a predicate of Foundation holds, as far as a service can evaluate it.
  ///
  /// Throws ``ODataError/Code/invalidQuery`` for a part of the predicate that no service has, naming it.
  public func filter(_ predicate: Predicate<Entity>) throws -> Self {
    filter(try filterExpression(predicate, naming: service.conventions.naming))
  }

  /// Keeps the entities that match a filter a person wrote, in the words of the service:
  /// `author eq '夏目漱石' and rate ge 4`. The text is plain, nothing in it is percent-encoded.
  ///
  /// Throws ``ODataError/Code/invalidQuery`` with the place in the text that cannot be read.
  public func filter(text: String) throws(ODataError) -> Self {
    filter(try FilterParser.parse(text, dialect: service.dialect))
  }

  /// Keeps the entities for which an expression holds.
  public func filter(_ expression: QueryExpression) -> Self {
    with { $0.filter = $0.filter.map { .binary(.and, $0, expression) } ?? expression }
  }

  /// Ends the results behind `count` entities, over all pages.
  public func limit(_ count: Int) -> Self {
    var copy = self
    copy.maximum = count
    return copy
  }

  /// Changes the query's value: order, skip, expand and whatever else the service has.
  public func with(_ change: (inout Query) throws -> Void) rethrows -> Self {
    var copy = self
    try change(&copy.query)
    return copy
  }

  /// The method and URL that reading sends first, without sending it.
  public func request() throws -> HTTPRequest {
    RequestBuilder(service, format: service.negotiation.current).get(try url())
  }

  /// The URL of the first page. A projection takes `names` along, whatever it selects.
  package func url(alongWith names: [String] = []) throws(ODataError) -> RequestURL {
    var query = query
    if !query.select.isEmpty {
      let selected = query.select
      query.select += names.filter { name in !selected.contains { $0.utf8.elementsEqual(name.utf8) } }
    }
    // `$top` may mean a page only; it saves reading what would be thrown away all the same.
    if let maximum, query.top == nil { query.top = min(max(maximum, 0), service.conventions.pageLimit) }
    return try RequestBuilder(service, format: service.negotiation.current).url(set: setName, query: query)
  }
}
