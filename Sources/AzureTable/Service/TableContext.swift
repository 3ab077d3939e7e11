public import ODataKit

/// The ``ODataKit/ObjectContext`` of a table account: tracks entities through added, modified and deleted, and saves
/// them one by one or in change sets that it plans by itself.
///
/// ```swift
/// let context = TableContext(service)
/// let books = try context.table("Books", of: Book.self)
/// let botchan = try books.add(
///   Book(partitionKey: "shelf-1", rowKey: "botchan", title: "坊っちゃん", author: "夏目漱石", rate: 4))
/// try await context.saveChanges()
/// botchan.rate = 5
/// try await context.saveChanges(.batch)
/// ```
///
/// With ``ODataKit/SaveOptions/batch`` changes are grouped by table and partition and split at 100 operations and
/// 4 MiB, counted on the bytes that are sent. Each change set is all or nothing; several are not one transaction, and
/// ``ODataKit/ObjectContext/plan(_:)`` shows them before anything is sent.
public final class TableContext: ObjectContext {
  /// The account.
  public let tables: TableService

  /// Makes a context that tracks nothing yet.
  public init(_ tables: TableService) {
    self.tables = tables
    super.init(tables.service)
  }

  /// A table, seen through a model type with `partitionKey` and `rowKey`.
  ///
  /// Throws ``ODataKit/ODataError/Code/invalidArgument`` for a name that no table can have.
  public func table<Entity: Codable>(_ name: String, of type: Entity.Type) throws(ODataError) -> EntitySet<
    Entity
  > {
    try TableRules.check(table: name)
    return EntitySet(
      name: name, context: self, keyNames: [TableProperty.partitionKey, TableProperty.rowKey])
  }
}

extension EntitySet {
  /// Reads the entity of two keys and tracks it; `nil` where the table has none.
  public func find(partitionKey: String, rowKey: String) async throws -> Tracked<Entity>? {
    try await find(.row(partitionKey: partitionKey, rowKey: rowKey))
  }
}
