/// What a service speaks: the protocol generation that decides on literals, operators and names of query options.
public enum Dialect: Sendable, Hashable, CaseIterable {
  /// OData 1 and 2.
  case v2
  /// OData 3.
  case v3
  /// OData 4 and 4.01.
  case v4
  /// Azure tables: OData 3 literals, comparisons and logic only.
  case azureTable
}
