/// What an error of a service says, in either format; the text as it came.
package struct ServiceErrorBody: Sendable, Hashable {
  /// The service's own code; empty where the body has none.
  package var code: String
  /// The service's words; empty where the body has none.
  package var message: String
  /// What of the request it is about.
  package var target: String?
  /// The several things that are wrong.
  package var details: [ODataError.Detail]
  /// What went wrong inside of the service, each caused by the one behind it.
  package var innerErrors: [ODataError.InnerError]

  package init(
    code: String, message: String, target: String? = nil, details: [ODataError.Detail] = [],
    innerErrors: [ODataError.InnerError] = []
  ) {
    self.code = code
    self.message = message
    self.target = target
    self.details = details
    self.innerErrors = innerErrors
  }

  /// The same with each text passed through `change`.
  func mapText(_ change: (String) -> String) -> ServiceErrorBody {
    ServiceErrorBody(
      code: change(code), message: change(message), target: target.map(change),
      details: details.map {
        ODataError.Detail(code: change($0.code), message: change($0.message), target: $0.target.map(change))
      },
      innerErrors: innerErrors.map {
        ODataError.InnerError(
          message: change($0.message), typeName: $0.typeName.map(change),
          // A trace is the one text whose lines are kept.
          stackTrace: $0.stackTrace.map { trace in
            trace.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map {
              change(String(Substring($0)))
            }
            .joined(separator: "\n")
          })
      })
  }
}
