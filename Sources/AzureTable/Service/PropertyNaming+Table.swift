package import ODataKit

extension PropertyNaming {
  /// The names of the Table service: a model's `partitionKey`, `rowKey` and `timestamp` are `PartitionKey`, `RowKey`
  /// and `Timestamp`; every other name is the service's own.
  package static let azureTable = PropertyNaming.unchanged.renaming([
    "partitionKey": TableProperty.partitionKey,
    "rowKey": TableProperty.rowKey,
    "timestamp": TableProperty.timestamp,
  ])
}
