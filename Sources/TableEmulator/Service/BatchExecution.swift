internal import Foundation
internal import ODataKit

/// Entity group transactions: `POST /$batch` with one change set, or with one query.
///
/// A refusal of the batch as a whole (size, framing, format) is an ordinary error; whatever goes wrong with its
/// operations comes as one part inside of a 202, with the real status and, in front of the text, the index of the
/// operation.
struct BatchExecution {
  let core: EmulatorCore
  let scope: RequestScope

  func reply(to request: ServiceRequest) throws -> ServiceReply {
    guard request.method == .post else { throw request.methodFault }
    let parts: [BatchRequestPart]
    do {
      parts = try BatchRequestReader.read(request.body, contentType: request.headers[.contentType])
    } catch {
      throw ServiceFault.invalidInput
    }
    try checkFormat(of: parts, outer: request)
    let answer: BatchResponsePart
    switch (parts.count, parts.first) {
    case (1, .query(let operation)): answer = .operation(try query(operation, outer: request))
    case (1, .changeSet(let operations)): answer = .changeSet(try changeSet(operations, outer: request))
    default: throw ServiceFault.inputNotValid
    }
    var writer = BatchResponseWriter(boundary: "batchresponse_" + newID())
    try writer.add(answer, changeSetBoundary: "changesetresponse_" + newID())
    return ServiceReply(status: 202, headers: [.contentType: writer.contentType], body: writer.finish())
  }

  private func newID() -> String { core.configuration.makeID().uuidString.lowercased() }

  /// A batch that names no format anywhere asks for Atom, like any request, and is refused as a whole where there
  /// is none.
  private func checkFormat(of parts: [BatchRequestPart], outer: ServiceRequest) throws {
    let operations = parts.flatMap { part in
      switch part {
      case .query(let operation): [operation]
      case .changeSet(let operations): operations
      }
    }
    guard outer.headers[.accept] == nil, !operations.contains(where: { $0.headers[.accept] != nil }) else {
      return
    }
    _ = try outer.format.get()
  }

  // MARK: One query

  private func query(_ operation: BatchOperation, outer: ServiceRequest) throws -> BatchOperationResponse {
    var format: ResponseFormat?
    do {
      let request = try self.request(operation, outer: outer)
      format = try? request.format.get()
      guard request.isRead else { throw ServiceFault.inputNotValid }
      let reply = try core.store.read { try core.read(request, $0, scope) }
      return response(reply, to: operation, version: outer.version)
    } catch let fault as ServiceFault {
      return failure(fault.atOperation(0), of: operation, format, outer)
    }
  }

  // MARK: A change set

  /// What stopped a change set, and where.
  private struct Failure: Error {
    let index: Int
    let fault: ServiceFault
    let format: ResponseFormat?
  }

  private func changeSet(
    _ operations: [BatchOperation], outer: ServiceRequest
  ) throws -> [BatchOperationResponse] {
    do {
      let changes = try self.changes(operations, outer: outer)
      let replies = try core.store.write { transaction in
        try changes.enumerated().map { index, change in
          try attempt(index, format: try? change.request.format.get()) {
            try change.apply(in: transaction, scope: scope)
          }
        }
      }
      return zip(operations, replies).map { response($1, to: $0, version: outer.version) }
    } catch let failure as Failure {
      let fault = failure.fault
      let isBare = failure.index == 0 && fault.isConflictWithStored
      return [
        self.failure(
          isBare ? fault : fault.atOperation(failure.index), of: operations[failure.index], failure.format,
          outer)
      ]
    }
  }

  /// Reads all operations and checks the rules of a group before anything is written.
  private func changes(_ operations: [BatchOperation], outer: ServiceRequest) throws -> [EntityChange] {
    guard !operations.isEmpty else { throw ServiceFault.inputNotValid }
    guard operations.count <= ServiceLimits.changes else {
      throw Failure(index: 0, fault: .tooManyOperations, format: nil)
    }
    var changes: [EntityChange] = []
    var rows: Set<StoreKey> = []
    for (index, operation) in operations.enumerated() {
      var format: ResponseFormat?
      let change = try attempt(index, format: nil) {
        let request = try self.request(operation, outer: outer)
        format = try? request.format.get()
        if request.isRead { throw ServiceFault.inputNotValid }
        return try EntityChange(request)
      }
      if let first = changes.first {
        guard StoreSnapshot.folded(change.table) == StoreSnapshot.folded(first.table) else {
          throw Failure(index: index, fault: .inputNotValid, format: format)
        }
        guard change.address.storeKey.partition == first.address.storeKey.partition else {
          throw Failure(index: index, fault: .differentPartitions, format: format)
        }
      }
      guard rows.insert(change.address.storeKey).inserted else {
        throw Failure(index: index, fault: .invalidDuplicateRow, format: format)
      }
      changes.append(change)
    }
    return changes
  }

  private func attempt<Result>(_ index: Int, format: ResponseFormat?, _ body: () throws -> Result) throws
    -> Result
  {
    do { return try body() } catch let fault as ServiceFault {
      // Formats belong to the batch as a whole.
      if fault.status == 415 { throw fault }
      throw Failure(index: index, fault: fault, format: format)
    }
  }

  // MARK: Parts

  /// Takes an operation apart. Its address is a URL or an absolute path, with the account in front or, as the live
  /// service's clients write it, without.
  private func request(_ operation: BatchOperation, outer: ServiceRequest) throws -> ServiceRequest {
    let target = Self.target(of: operation.url)
    let segments = target.path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let resource: Resource
    if segments.count == 1 {
      guard let segment = PercentEncoding.decode(Substring(segments[0])) else {
        throw ServiceFault.urlFailedToParse
      }
      resource = try ResourceAddress.resource(segment)
    } else {
      let address = try ResourceAddress(path: target.path)
      guard address.account.utf8.elementsEqual(scope.account.utf8) else {
        throw ServiceFault.resourceNotFound
      }
      resource = address.resource
    }
    return try ServiceRequest(
      method: operation.method, resource: resource, options: QueryOptions(target.query),
      headers: operation.headers,
      accept: operation.headers[.accept] ?? outer.headers[.accept], body: operation.body,
      version: outer.version)
  }

  private static func target(of text: String) -> (path: String, query: String?) {
    if let url = RequestURL(text) { return (url.path, url.query) }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].utf8.first == UInt8(ascii: "/") ? String(parts[0]) : "/\(parts[0])"
    return (path, parts.count == 2 ? String(parts[1]) : nil)
  }

  private func response(
    _ reply: ServiceReply, to operation: BatchOperation, version: ServiceVersion
  ) -> BatchOperationResponse {
    var headers: HeaderFields = [:]
    if version >= .json { headers["X-Content-Type-Options"] = "nosniff" }
    headers["Cache-Control"] = "no-cache"
    headers["Preference-Applied"] =
      ServiceRequest.preference(operation.headers, method: operation.method, version: version)?.rawValue
    headers[.dataServiceVersion] = reply.dataServiceVersion
    for field in reply.headers.fields { headers.append(field.name, field.value) }
    return BatchOperationResponse(
      contentID: operation.contentID, status: reply.status, headers: headers, body: reply.body)
  }

  private func failure(
    _ fault: ServiceFault, of operation: BatchOperation, _ format: ResponseFormat?, _ outer: ServiceRequest
  ) -> BatchOperationResponse {
    let accept = operation.headers[.accept] ?? outer.headers[.accept]
    let asked = try? FormatNegotiation.response(
      accept: accept, format: nil, version: outer.version, dataServiceVersion: nil)
    let reply = ErrorReply.make(
      fault, format: format ?? asked ?? .atom, requestID: scope.requestID, time: scope.time)
    return response(reply, to: operation, version: outer.version)
  }
}
