internal import ODataKit

/// Dates and signs each request with the account's key.
struct SharedKeyAuthorizer: RequestAuthorizer {
  let signer: SharedKeySigner
  let now: @Sendable () -> EdmDateTime

  func authorize(_ request: inout HTTPRequest) async throws { signer.sign(&request, at: now()) }
}

/// Puts a shared access signature behind the URL of each request.
struct SharedAccessSignatureAuthorizer: RequestAuthorizer {
  let signature: SharedAccessSignature

  func authorize(_ request: inout HTTPRequest) async throws {
    request.url = request.url.appending(option: signature.query)
  }
}
