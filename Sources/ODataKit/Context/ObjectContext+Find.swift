extension ObjectContext {
  func find<Entity>(_ key: EntityKey, in set: EntitySet<Entity>) async throws -> Tracked<Entity>? {
    guard let record = try await service.entity(at: .key(set: set.name, key)) else { return nil }
    return try materialize(record, in: set, isComplete: true, merge: mergeOption)
  }
}

extension ODataService {
  /// Reads the entity of an address; `nil` where the service has none, which it says with 404 (a missing entity set
  /// has a code of its own and is an error).
  package func entity(at address: EntityAddress, select: [String] = []) async throws -> EntityRecord? {
    do {
      let (response, format) = try await exchange { builder in
        var url = try builder.url(of: address)
        var query = Query()
        query.select = select
        url.query = try query.queryString(for: dialect)
        return builder.get(url)
      }
      var record = try await entity(of: response, format: format, types: payloadTypes(of: address.set))
      if record?.control.entityTag == nil {
        record?.control.entityTag = response.headers[.entityTag].map(EntityTag.init(rawValue:))
      }
      return record
    } catch let error as ODataError where error.code == .notFound && !conventions.isSetMissing(error) {
      return nil
    }
  }
}
