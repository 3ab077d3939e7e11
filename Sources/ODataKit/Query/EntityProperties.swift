/// The properties of an entity type inside of a condition: `$0.author` is not the author of a book but the property, as
/// an expression of its type.
///
/// A property of a structured type leads on (`$0.address.city`), also where it is optional, and a collection is asked for
/// its elements (`$0.lines.any { $0.quantity > 5 }`). A property that the Swift
/// type lacks is named: `$0["Isbn"] == "4-10-101003-6"`.
@dynamicMemberLookup
public struct EntityProperties<Entity: Decodable>: Sendable {
  let naming: PropertyNaming
  let prefix: Result<[String], ODataError>

  init(naming: PropertyNaming) { self.init(naming: naming, prefix: .success([])) }

  init(naming: PropertyNaming, prefix: Result<[String], ODataError>) {
    self.naming = naming
    self.prefix = prefix
  }

  /// A property that can be compared.
  public subscript<Value: QueryLiteral>(dynamicMember keyPath: KeyPath<Entity, Value>) -> TypedExpression<
    Value
  > {
    TypedExpression(result: path(keyPath).map { .property($0) })
  }

  /// A property of a structured type.
  @_disfavoredOverload
  public subscript<Value: Decodable>(dynamicMember keyPath: KeyPath<Entity, Value>) -> EntityProperties<Value>
  {
    EntityProperties<Value>(naming: naming, prefix: path(keyPath))
  }

  /// An optional property of a structured type.
  @_disfavoredOverload
  public subscript<Value: Decodable>(dynamicMember keyPath: KeyPath<Entity, Value?>) -> EntityProperties<
    Value
  > {
    EntityProperties<Value>(naming: naming, prefix: path(keyPath))
  }

  /// A property by its name on the wire, or the path to it.
  public subscript(name: String) -> Property {
    Property(result: prefix.map { $0 + Property.names(name) })
  }

  private func path(_ keyPath: PartialKeyPath<Entity>) -> Result<[String], ODataError> {
    prefix.flatMap { prefix in
      do {
        return .success(prefix + Property.names(try wireName(of: keyPath, naming: naming)))
      } catch let error as ODataError {
        return .failure(error)
      } catch {
        return .failure(
          ODataError(
            .invalidArgument, "The name of \(keyPath) on the wire cannot be found.", underlying: error))
      }
    }
  }
}

/// The tree of a condition on a model type. Rethrows what the closure throws, and throws what went wrong while the
/// condition was built.
package func filterExpression<Entity: Decodable>(
  for _: Entity.Type, naming: PropertyNaming,
  _ condition: (EntityProperties<Entity>) throws -> TypedExpression<Bool>
) throws -> QueryExpression {
  try condition(EntityProperties(naming: naming)).expression()
}

extension Query {
  /// Narrows the query to the properties behind key paths, in their order behind those that are selected already.
  package mutating func select<Entity: Decodable>(
    _ keyPaths: [PartialKeyPath<Entity>], naming: PropertyNaming
  ) throws {
    select += try keyPaths.map { try wireName(of: $0, naming: naming) }
  }

  /// Orders by the property behind a key path, behind the orders that are there already.
  package mutating func order<Entity: Decodable>(
    by keyPath: PartialKeyPath<Entity>, _ direction: Direction = .ascending, naming: PropertyNaming
  ) throws {
    orderBy.append(Ordering(try wireName(of: keyPath, naming: naming), direction))
  }
}
