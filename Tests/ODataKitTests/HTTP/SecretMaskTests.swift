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
      ("refused 'SharedKeyLite acct:c2VjcmV0='", "refused 'SharedKeyLite ***'"),
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

  @Test(
    "are hidden in whatever spelling, case and separators they come",
    arguments: [
      (#"{"authorization":"Bearer abc"}"#, #"{"authorization":"Bearer ***"}"#),
      (#"{"Authorization" : ["Basic dXNlcjpwYXNz"], "a": 1}"#, #"{"Authorization" : ["Basic ***"], "a": 1}"#),
      (#"{\"authorization\":\"Foo abc\",\"a\":1}"#, #"{\"authorization\":\"***\",\"a\":1}"#),
      ("Authorization:Bearer eyJhbGciOi.SECRET.x is bad", "Authorization:Bearer *** is bad"),
      ("AUTHORIZATION=bearer SECRET1x", "AUTHORIZATION=bearer ***"),
      ("Authorization:\nSharedKey acct:SECRET=", "Authorization:\nSharedKey ***"),
      ("Authorization: SECRET", "Authorization: ***"),
      ("Authorization: Token SECRET", "Authorization: Token ***"),
      ("Authorization%3A%20Bearer%20SECRET12", "Authorization%3A%20Bearer%20***"),
      ("Authorization&#58; Bearer &quot;SECRET&quot;", "Authorization&#58; Bearer &quot;***&quot;"),
      (
        #"Authorization: Digest username="u", response="SECRET""#,
        #"Authorization: Digest ***"#
      ),
      ("the bearer+eyJhbGciOi.SECRET.x is bad", "the bearer+*** is bad"),
      ("token eyJhbGciOi.SECRET.x, that", "token ***, that"),
      (
        "https://h/?u=https%3A%2F%2Fh%2F%3Fsv%3D1%26sig%3DSECRET%26se%3D2",
        "https://h/?u=https%3A%2F%2Fh%2F%3Fsv%3D1%26sig%3D***%26se%3D2"
      ),
      ("u=https%253A%252F%252Fh%253Fsig%253DSECRET", "u=https%253A%252F%252Fh%253Fsig%253D***"),
      ("Cookie: MYSAPSSO2=SECRET; X-CSRF-Token: SECRET", "Cookie: ***"),
      ("Set-Cookie: s=SECRET; path=/\nDate: now", "Set-Cookie: ***\nDate: now"),
      ("x-csrf-token: SECRET\r\nAccept: x", "x-csrf-token: ***\r\nAccept: x"),
      (#"{"cookie":"a=SECRET; b=SECRET","a":1}"#, #"{"cookie":"***","a":1}"#),
      (#"{"token":"SECRET","password":"my, \"SECRET\"","a":1}"#, #"{"token":"***","password":"***","a":1}"#),
      ("AccountName=a;AccountKey=SECRETSECRETSECRET==;x=1", "AccountName=a;AccountKey=***;x=1"),
      ("SharedAccessSignature=sv=1&sig=SECRET", "SharedAccessSignature=***&sig=***"),
      ("Endpoint=sb://h/;SharedAccessKey=SECRET=", "Endpoint=sb://h/;SharedAccessKey=***"),
      ("User=u;Pwd=SECRET;Password = SECRET", "User=u;Pwd=***;Password = ***"),
      ("at https://user:SECRET@h/x and user@h", "at https://***@h/x and user@h"),
      ("to=https%3A%2F%2Fuser%3ASECRET%40h%2Fx", "to=https%3A%2F%2F***%40h%2Fx"),
      ("https://SECRET@h?a=b@c", "https://***@h?a=b@c"),
    ])
  func spellings(text: String, shown: String) {
    #expect(SecretMask.sentence(text) == shown)
    #expect(SecretMask.sentence(Array(text.utf8)) == Array(shown.utf8))
  }

  @Test(
    "are not seen in sentences that only speak of them",
    arguments: [
      "The Authorization header is missing.", "Authorization: access denied to Books",
      "Basic authentication is off.",
      "Basic authentication: use another scheme.", "Unexpected token: 'eq' at position 12",
      "The token has expired.",
      "Unrecognized token '=' in $filter", "The cookie is too old.", "Cookies: please enable them",
      "The password has expired.", "Property 'Password' of type Edm.String is required.",
      "Bearer realm=\"books.test\"",
      "https://h/Books?$skiptoken=abc123def456&$filter=Design%20eq%20'x'", "/Books?$deltatoken=1!2",
      "NextPartitionKey=abc&NextRowKey=1", "the mail of user@books.test:80",
      "The signature algorithm is not known.",
      "A digest is missing; see https://h/docs", "坊 100 % sure, \\ and & too", "%", "%2", "%25", "\\u12",
      "&quot",
    ])
  func harmless(_ text: String) {
    #expect(SecretMask.sentence(text) == text)
  }

  @Test("are looked for in a time that grows with the text only")
  func time() {
    for piece in [
      "cookie: a ", "authorization: b ", "%25", "token ", "basic ", "://", "a:'", "signature '", "\\u00",
      "eyJ",
    ] {
      let text = Array(String(repeating: piece, count: (1 << 17) / piece.utf8.count).utf8)
      let elapsed = ContinuousClock().measure { _ = SecretMask.sentence(text) }
      #expect(elapsed < .seconds(5), "\(piece)")
    }
  }

  @Test(
    "so that no error of a service shows one, whatever its body is",
    arguments: [
      #"{"authorization":"Bearer eyJhbGciOi.SECRET.x"}"#,
      #"{"error":{"code":"x","message":"bad header Authorization:Bearer eyJhbGciOi.SECRET.x"}}"#,
      #"{"error":{"code":"x","message":"the bearer eyJhbGciOi.SECRET.x is bad"}}"#,
      #"{"error":{"code":"x","message":"m","details":[{"code":"c","message":"Authorization:\nSharedKey acct:SECRET="}]}}"#,
      #"{"error":{"code":"x","message":"see https://h/?u=https%3A%2F%2Fh%2F%3Fsv%3D1%26sig%3DSECRET"}}"#,
      "Cookie: MYSAPSSO2=SECRET; X-CSRF-Token: SECRET", "AccountName=a;AccountKey=SECRETSECRETSECRET==",
      "Cookie: a=SECRET;\n x=1",
    ])
  func bodies(_ body: String) {
    let error = ServiceError.read(status: 500, headers: [:], body: Array(body.utf8))
    #expect(!error.description.contains("SECRET"), "\(error)")
  }

  @Test("nor the address of a redirect its user")
  func redirect() {
    let error = ServiceError.read(
      status: 301, headers: ["Location": "https://user:SECRET@h/x?sig=SECRET"], body: [])
    #expect(error.message.contains("It redirects to https://***@h/x, which is not followed"))
    #expect(!error.description.contains("SECRET"))
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
