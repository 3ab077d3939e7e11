import ODataKit
import Testing

@Suite("Credentials that a service repeats")
struct SecretMaskTests {
  @Test(
    "are hidden, and the sentence around them is not",
    arguments: [
      (
        "The MAC signature found in the HTTP request 'c2VjcmV0LXNpZ25hdHVyZQ==' is not the same as any computed one.",
        "The MAC signature found in the HTTP request '***' is not the same as any computed one."
      ),
      ("Authorization: SharedKey acct:c2VjcmV0", "Authorization: SharedKey ***"),
      ("refused 'SharedKeyLite acct:c2VjcmV0='", "refused 'SharedKeyLite ***"),
      ("Bearer eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.x.y expired", "Bearer *** expired"),
      (
        "at https://h/Books?sv=1&sig=c2VjcmV0%3D&se=2 it ends", "at https://h/Books?sv=1&sig=***&se=2 it ends"
      ),
      ("Bearer tokens are not accepted here.", "Bearer tokens are not accepted here."),
      ("The specified entity already exists.", "The specified entity already exists."),
      ("", ""),
    ])
  func sentences(text: String, shown: String) {
    #expect(SecretMask.sentence(text) == shown)
  }

  @Test("so that no error of a service shows one")
  func errors() {
    let error = ServiceError.read(
      status: 403, headers: [:],
      body: Array(
        #"{"odata.error":{"code":"AuthenticationFailed","message":{"lang":"en-US","value":"The signature found in the request 'c2VjcmV0' is wrong."}}}"#
          .utf8))
    #expect(!error.description.contains("c2VjcmV0"))
    #expect(error.message == "The signature found in the request '***' is wrong.")
  }
}
