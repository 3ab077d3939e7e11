internal import AzureTable
internal import Foundation
internal import ODataKit

/// A request as a door has received it: the target exactly as on the wire, the body whole.
struct EmulatorRequest: Sendable {
  var method: HTTPMethod
  var url: RequestURL
  var headers: HeaderFields
  var body: [UInt8]
}

/// The answer to one request.
struct EmulatorResponse: Sendable {
  var status: Int
  var headers: HeaderFields
  var body: [UInt8]
}

/// What an emulator is and how strictly it looks.
struct EmulatorConfiguration: Sendable {
  /// The account whose tables these are.
  var credential = SharedKeyCredential.development
  /// Whether requests have to be signed. The in-process door hands over requests of the process itself, where a
  /// signature proves nothing.
  var checksSignatures = false
  /// Rows that one request looks at at most.
  var scanLength = ServiceLimits.scanLength
  /// The clock.
  var now: @Sendable () -> EdmDateTime = { .now() }
  /// Where request ids and batch boundaries come from.
  var makeID: @Sendable () -> UUID = { UUID() }
}

/// The table service over a store: one request in, one response out. Blocks while the store works.
struct EmulatorCore: Sendable {
  let store: TableStore
  let configuration: EmulatorConfiguration

  func handle(_ request: EmulatorRequest) -> EmulatorResponse {
    let exchange = Exchange(request, id: configuration.makeID(), time: configuration.now())
    do {
      return exchange.response(to: try reply(to: request, exchange))
    } catch let fault as ServiceFault {
      return exchange.response(to: fault)
    } catch let error as ODataError {
      return exchange.response(to: ServiceFault(store: error))
    } catch {
      return exchange.response(to: ServiceFault(500, "InternalError", "\(error)"))
    }
  }

  /// The refusal of a request whose body a door has not taken because it was over ``ServiceLimits/body``.
  func refuseBody(of request: EmulatorRequest) -> EmulatorResponse {
    let exchange = Exchange(request, id: configuration.makeID(), time: configuration.now())
    return exchange.response(to: ServiceFault.requestBodyTooLarge)
  }

  private func reply(to request: EmulatorRequest, _ exchange: Exchange) throws -> ServiceReply {
    let address = try ResourceAddress(path: request.url.path)
    if configuration.checksSignatures {
      try RequestAuthentication(configuration.credential).check(request, at: exchange.time)
    }
    guard address.account.utf8.elementsEqual(configuration.credential.accountName.utf8) else {
      throw ServiceFault.resourceNotFound
    }
    guard request.body.count <= ServiceLimits.body else { throw ServiceFault.requestBodyTooLarge }
    let version = try exchange.version.get()
    let parsed = try ServiceRequest(
      method: request.method, resource: address.resource, options: QueryOptions(request.url.query),
      headers: request.headers, accept: request.headers["Accept"], body: request.body, version: version)
    let scope = RequestScope(
      account: address.account,
      base: "\(request.url.scheme)://\(request.url.authority)/\(request.url.path.firstSegment)/",
      requestID: exchange.id, time: exchange.time, scanLength: configuration.scanLength)
    // Settings, statistics and access policies are not part of this service.
    if parsed.options.component != nil { throw ServiceFault.notImplemented }
    if address.isSecondary && !parsed.isRead { throw ServiceFault.insufficientAccountPermissions }
    if parsed.resource == .batch {
      return try BatchExecution(core: self, scope: scope).reply(to: parsed)
    }
    return try perform(parsed, scope)
  }

  /// One operation in a transaction of its own.
  private func perform(_ request: ServiceRequest, _ scope: RequestScope) throws -> ServiceReply {
    switch (request.resource, request.method) {
    case (_, .get): return try store.read { try read(request, $0, scope) }
    case (.tables, .post): return try store.write { try TableOperations.create(request, $0, scope) }
    case (.table(let name), .delete):
      return try store.write { try TableOperations.delete(name, request, $0, scope) }
    default:
      let change = try EntityChange(request)
      return try store.write { try change.apply(in: $0, scope: scope) }
    }
  }

  /// A query, alone or in a batch.
  func read(_ request: ServiceRequest, _ snapshot: StoreSnapshot, _ scope: RequestScope) throws
    -> ServiceReply
  {
    switch request.resource {
    case .tables: return try TableOperations.list(request, snapshot, scope)
    case .table(let name): return try TableOperations.read(name, request, snapshot, scope)
    case .entities(let table): return try QueryOperations.list(table, request, snapshot, scope)
    case .entity(let table, let partitionKey, let rowKey):
      let address = EntityAddress(partitionKey: partitionKey, rowKey: rowKey)
      return try QueryOperations.read(address, table: table, request, snapshot, scope)
    case .service: throw ServiceFault.notImplemented
    case .batch: throw ServiceFault.methodNotAllowed
    }
  }
}

extension String {
  /// The first segment of a path, as encoded as it came.
  fileprivate var firstSegment: Substring {
    Substring(utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
  }
}
