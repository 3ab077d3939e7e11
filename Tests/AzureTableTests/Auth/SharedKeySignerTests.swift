import AzureTable
import ODataKit
import Testing

@Suite struct SharedKeySignerTests {
  static let date = "Mon, 02 Oct 2017 20:21:25 GMT"

  struct Vector: Sendable {
    var scheme: SharedKeySigner.Scheme = .sharedKey
    var method: HTTPMethod = .get
    var target: String
    var contentType: String?
    var stringToSign: String
    var signature: String
  }

  /// Computed apart from this code, with the key every emulator has.
  static let vectors = [
    Vector(
      target: "/devstoreaccount1/Tables",
      stringToSign: "GET\n\n\n\(date)\n/devstoreaccount1/devstoreaccount1/Tables",
      signature: "Iis/ajKvCjCevTmobeR+yBScoy/4UNksrm+rQMJ29iE="),
    Vector(
      method: .post, target: "/devstoreaccount1/mytable", contentType: "application/json",
      stringToSign: "POST\n\napplication/json\n\(date)\n/devstoreaccount1/devstoreaccount1/mytable",
      signature: "by2oZr0XcMzfsqB9qq3Il08T2ufm8XxxBFHZHHgk6Rg="),
    Vector(
      target: "/devstoreaccount1/mytable?timeout=30&comp=acl",
      stringToSign: "GET\n\n\n\(date)\n/devstoreaccount1/devstoreaccount1/mytable?comp=acl",
      signature: "2VxEuNfaZ1ykwcFAQHUp3bcmoPif1Pl109LJMYNBXMA="),
    Vector(
      target: "/mytable(PartitionKey='a',RowKey='b%20c')?$filter=a%20eq%201",
      stringToSign: "GET\n\n\n\(date)\n/devstoreaccount1/mytable(PartitionKey='a',RowKey='b%20c')",
      signature: "cKFvDs4PBVmgMZJDUK//GBwWoVasCOXvDYl6nRnRXqE="),
    Vector(
      scheme: .sharedKeyLite, target: "/devstoreaccount1/Tables",
      stringToSign: "\(date)\n/devstoreaccount1/devstoreaccount1/Tables",
      signature: "vA3kodR3S9jVd+pRG7qKoxb5Nn69XhRNwZLclOpVC1s="),
  ]

  @Test(arguments: vectors) func `signs as known`(vector: Vector) throws {
    let url = try #require(RequestURL("http://127.0.0.1:10002\(vector.target)"))
    var request = HTTPRequest(vector.method, url)
    request.headers[.contentType] = vector.contentType
    let signer = SharedKeySigner(.development, scheme: vector.scheme)
    signer.sign(&request, at: try #require(HTTPDate.instant(Self.date)))
    #expect(
      SharedKeySigner.stringToSign(
        vector.scheme, accountName: "devstoreaccount1", method: request.method, url: url,
        headers: request.headers)
        == vector.stringToSign)
    #expect(
      request.headers[.authorization] == "\(vector.scheme.rawValue) devstoreaccount1:\(vector.signature)")
    #expect(request.headers["x-ms-date"] == Self.date)
  }

  @Test func `signs the path as it is on the wire, escapes and their case included`() throws {
    let url = try #require(
      RequestURL("https://acct.table.core.windows.net/Books(PartitionKey='p',RowKey='a%3db%20%C3%a9')"))
    let text = SharedKeySigner.stringToSign(
      .sharedKeyLite, accountName: "acct", method: .get, url: url, headers: [.date: Self.date])
    #expect(text == "\(Self.date)\n/acct/Books(PartitionKey='p',RowKey='a%3db%20%C3%a9')")
  }

  @Test func `prefers x-ms-date, and has a line for the MD5`() throws {
    let url = try #require(RequestURL("https://acct.table.core.windows.net/$batch"))
    let text = SharedKeySigner.stringToSign(
      .sharedKey, accountName: "acct", method: .post, url: url,
      headers: [
        "Date": "Tue, 03 Oct 2017 00:00:00 GMT", "X-MS-Date": Self.date, "Content-MD5": "md5==",
        "Content-Type": "multipart/mixed; boundary=b",
      ])
    #expect(text == "POST\nmd5==\nmultipart/mixed; boundary=b\n\(Self.date)\n/acct/$batch")
  }

  @Test func `accepts its own signatures and no others`() throws {
    let url = try #require(RequestURL("http://127.0.0.1:10002/devstoreaccount1/Tables"))
    let headers: HeaderFields = ["x-ms-date": Self.date]
    let signer = SharedKeySigner(.development)
    let good = try #require(
      SharedKeyAuthorization(signer.authorization(method: .get, url: url, headers: headers)))
    #expect(signer.accepts(good, method: .get, url: url, headers: headers))
    #expect(!signer.accepts(good, method: .delete, url: url, headers: headers))
    let other = try SharedKeyCredential(accountName: "devstoreaccount1", accountKey: "YWJjZA==")
    #expect(!SharedKeySigner(other).accepts(good, method: .get, url: url, headers: headers))
    #expect(
      !SharedKeySigner(.development, scheme: .sharedKeyLite).accepts(
        good, method: .get, url: url, headers: headers))
    let stranger = try SharedKeyCredential(
      accountName: "stranger", accountKey: SharedKeyCredential.developmentKey)
    #expect(!SharedKeySigner(stranger).accepts(good, method: .get, url: url, headers: headers))
  }

  @Test(arguments: ["", "Bearer abc", "SharedKey", "SharedKey acct", "SharedKey :YWJj", "SharedKey acct:***"])
  func `reads no authorization from`(text: String) {
    #expect(SharedKeyAuthorization(text) == nil)
  }

  @Test func `hides the key`() {
    let credential = SharedKeyCredential.development
    var dumped = ""
    dump(credential, to: &dumped)
    for text in ["\(credential)", String(reflecting: credential), dumped] {
      #expect(text.contains("devstoreaccount1"))
      #expect(!text.contains("17") && !text.contains("Eby8"))
    }
  }

  @Test func `refuses keys and names that cannot be one, without repeating them`() {
    for key in ["", "not base64!", "YWJj*", "YWJ"] {
      let error = #expect(throws: ODataError.self) {
        try SharedKeyCredential(accountName: "acct", accountKey: key)
      }
      #expect(error?.code == .invalidArgument)
      if !key.isEmpty { #expect(error?.description.contains(key) == false) }
    }
    for name in ["", "a/b", "a:b", "a b"] {
      #expect(throws: ODataError.self) { try SharedKeyCredential(accountName: name, accountKey: "YWJjZA==") }
    }
  }
}
