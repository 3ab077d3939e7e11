internal import ODataKit

extension TableService {
  /// Creates a table. Throws ``ODataKit/ODataError/Code/alreadyExists`` where there is one of that name, in whatever
  /// case, and ``ODataKit/ODataError/Code/invalidArgument`` for a name that no table can have.
  public func createTable(_ name: String) async throws {
    try TableRules.check(table: name)
    let operation = ChangeOperation(
      .insert, at: .set(TableProperty.tables), record: EntityRecord([TableProperty.tableName: .string(name)]),
      prefersMinimalResponse: true)
    try await service.perform(operation).get()
  }

  /// Creates a table unless there is one; gives whether it was created.
  @discardableResult
  public func createTableIfNotExists(_ name: String) async throws -> Bool {
    do {
      try await createTable(name)
      return true
    } catch let error as ODataError where error.serviceCode == "TableAlreadyExists" {
      return false
    }
  }

  /// Deletes a table with all its entities. Throws ``ODataKit/ODataError/Code/notFound`` where there is none.
  ///
  /// Azure takes a while for it: creating a table of the same name is refused for some 40 seconds.
  public func deleteTable(_ name: String) async throws {
    try TableRules.check(table: name)
    let operation = ChangeOperation(
      .delete, at: .key(set: TableProperty.tables, EntityKey(.string(name))))
    try await service.perform(operation).get()
  }

  /// The names of the account's tables, in the order of the service, all pages; those that begin with `prefix` only,
  /// where one is given.
  public func tableNames(prefix: String? = nil) async throws -> [String] {
    var query = ValueQuery<TableEntry>(service, set: TableProperty.tables)
    if let prefix, !prefix.isEmpty {
      query = query.filter(
        .call("startswith", [.property([TableProperty.tableName]), .literal(.string(prefix))]))
    }
    return try await query.execute().map(\.tableName)
  }

  /// Whether there is a table of that name.
  public func hasTable(_ name: String) async throws -> Bool {
    try TableRules.check(table: name)
    return try await service.entity(at: .key(set: TableProperty.tables, EntityKey(.string(name)))) != nil
  }
}

/// A row of the table of tables.
private struct TableEntry: Codable {
  let tableName: String

  enum CodingKeys: String, CodingKey {
    case tableName = "TableName"
  }
}
