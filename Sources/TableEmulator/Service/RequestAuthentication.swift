internal import AzureTable
internal import ODataKit

/// Checks `Authorization` against the account's key, in both Shared Key schemes.
///
/// Every refusal is the same `AuthenticationFailed`: an answer that says what was wrong helps to guess.
struct RequestAuthentication {
  private let credential: SharedKeyCredential
  /// How far a request's date may be from the service's clock; both ways, as with the service.
  private static let allowedSkew: Int64 = 15 * 60 * 10_000_000

  init(_ credential: SharedKeyCredential) { self.credential = credential }

  func check(_ request: EmulatorRequest, at time: EdmDateTime) throws(ServiceFault) {
    guard let header = request.headers[.authorization], let authorization = SharedKeyAuthorization(header),
      let date = (request.headers[.storageDate] ?? request.headers[.date]).flatMap(HTTPDate.instant),
      abs(date.ticks - time.ticks) <= Self.allowedSkew
    else { throw .authenticationFailed }
    let signer = SharedKeySigner(credential, scheme: authorization.scheme)
    guard
      signer.accepts(
        authorization, method: request.method, url: request.url, headers: request.headers)
    else { throw .authenticationFailed }
  }
}
