/// Adds credentials to a request. It runs once for each try, right before sending, so that dates and signatures are
/// fresh; whatever it adds is masked wherever requests are shown.
public protocol RequestAuthorizer: Sendable {
  /// Adds dates, signatures or tokens to `request`; its method, URL and body are final.
  func authorize(_ request: inout HTTPRequest) async throws
}
