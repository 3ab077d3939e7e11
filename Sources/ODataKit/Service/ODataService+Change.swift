extension ODataService {
  /// Writes and sends one change. Throws only `CancellationError` and what the change breaks before it is sent.
  package func perform(_ operation: ChangeOperation) async throws -> OperationOutcome {
    try await perform(RequestBuilder(self, format: negotiation.current).prepare(operation))
  }

  /// Sends one change on its own. Throws only `CancellationError`; everything else is an outcome.
  package func perform(_ change: PreparedChange) async throws -> OperationOutcome {
    let operation = change.operation
    do {
      let (response, format) = try await exchange { try $0.request(change) }
      return try await outcome(of: operation, status: response.status, response: response, format: format)
    } catch let error as ODataError {
      return OperationOutcome(operation, error.leavesOutcomeOpen ? .unknown(error) : .failed(error))
    }
  }

  private func outcome(
    of operation: ChangeOperation, status: Int, response: HTTPResponse, format: WireFormat
  ) async throws -> OperationOutcome {
    let tag = response.headers[.entityTag].map(EntityTag.init(rawValue:))
    // These two say that it was done, whatever becomes of the body. A 200 does not: proxies and login pages answer with
    // it to whatever they are sent, so it has to carry the entity, or nothing at all where nothing was to be created.
    let isConfirmed = status == 201 || status == 204
    do {
      let stored =
        status == 204
        ? nil
        : try await entity(
          of: response, format: format, types: payloadTypes(of: operation.address.set))
      guard isConfirmed || stored != nil || operation.kind != .insert else {
        return OperationOutcome(operation, .unknown(unconfirmed(response)))
      }
      return OperationOutcome(
        operation, .done, stored: operation.kind == .delete || operation.kind.isOfLink ? nil : stored,
        entityTag: tag ?? stored?.control.entityTag)
    } catch is ODataError {
      guard isConfirmed else { return OperationOutcome(operation, .unknown(unconfirmed(response))) }
      return OperationOutcome(operation, .done, entityTag: tag)
    }
  }

  private func unconfirmed(_ response: HTTPResponse) -> ODataError {
    ODataError(
      .malformedPayload,
      "\(root.authority) answered a write in a way that does not say that it was done; check the address and any "
        + "proxy, and read the entity to see.",
      httpStatus: response.status,
      requestID: ServiceError.requestID(response.headers))
  }
}
