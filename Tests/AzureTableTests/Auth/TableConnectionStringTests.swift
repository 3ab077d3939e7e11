import AzureTable
import ODataKit
import Testing

@Suite struct TableConnectionStringTests {
  struct Legal: Sendable {
    var text: String
    var endpoint: String
    var secondary: String?
    var account: String?
    /// The query of the signature, or `nil` where the account's key is expected.
    var signature: String?
  }

  static let legal = [
    Legal(
      text:
        "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=YWJjZA==;EndpointSuffix=core.windows.net",
      endpoint: "https://acct.table.core.windows.net/",
      secondary: "https://acct-secondary.table.core.windows.net/",
      account: "acct"),
    Legal(
      text: "accountname=acct;accountkey=YWJjZA==;", endpoint: "https://acct.table.core.windows.net/",
      secondary: "https://acct-secondary.table.core.windows.net/", account: "acct"),
    Legal(
      text: " \n AccountName = acct ;; AccountKey = YWJjZA== ; EndpointSuffix=.core.chinacloudapi.cn \n",
      endpoint: "https://acct.table.core.chinacloudapi.cn/",
      secondary: "https://acct-secondary.table.core.chinacloudapi.cn/", account: "acct"),
    Legal(
      text:
        "DefaultEndpointsProtocol=http;AccountName=acct;AccountKey=YWJjZA==;BlobEndpoint=https://elsewhere/",
      endpoint: "http://acct.table.core.windows.net/",
      secondary: "http://acct-secondary.table.core.windows.net/",
      account: "acct"),
    Legal(
      text: "AccountName=acct;AccountKey=YWJjZA==;TableEndpoint=https://acct.table.cosmos.azure.com:443/",
      endpoint: "https://acct.table.cosmos.azure.com:443/", account: "acct"),
    Legal(
      text: """
        AccountName=acct;AccountKey=YWJjZA==;EndpointSuffix=ignored.example;\
        TableEndpoint=http://10.0.0.1:10002/acct/;TableSecondaryEndpoint=http://10.0.0.1:10002/acct-secondary//
        """,
      endpoint: "http://10.0.0.1:10002/acct", secondary: "http://10.0.0.1:10002/acct-secondary",
      account: "acct"),
    Legal(
      text: "AccountName=acct;SharedAccessSignature=?sv=1&sig=ab%3D%3D",
      endpoint: "https://acct.table.core.windows.net/",
      secondary: "https://acct-secondary.table.core.windows.net/",
      account: "acct", signature: "sv=1&sig=ab%3D%3D"),
    Legal(
      text: "TableEndpoint=https://h/x/;SharedAccessSignature=sv=1&sig=a%2Bb", endpoint: "https://h/x",
      account: "h", signature: "sv=1&sig=a%2Bb"),
    Legal(
      text: "SharedAccessSignature=sv=1&sig=a=b==;TableEndpoint=http://127.0.0.1:10002/acct2",
      endpoint: "http://127.0.0.1:10002/acct2", account: "acct2", signature: "sv=1&sig=a=b=="),
    Legal(
      text: "UseDevelopmentStorage=true", endpoint: "http://127.0.0.1:10002/devstoreaccount1",
      secondary: "http://127.0.0.1:10002/devstoreaccount1-secondary", account: "devstoreaccount1"),
    Legal(
      text: "usedevelopmentstorage=TRUE;DevelopmentStorageProxyUri=http://192.168.1.5:1234/path/;",
      endpoint: "http://192.168.1.5:10002/devstoreaccount1",
      secondary: "http://192.168.1.5:10002/devstoreaccount1-secondary", account: "devstoreaccount1"),
    Legal(
      text: "UseDevelopmentStorage=true;TableEndpoint=http://127.0.0.1:5000/devstoreaccount1",
      endpoint: "http://127.0.0.1:5000/devstoreaccount1", account: "devstoreaccount1"),
  ]

  @Test(arguments: legal) func `reads`(legal: Legal) throws {
    let string = try TableConnectionString(legal.text)
    #expect(string.endpoint.description == legal.endpoint)
    #expect(string.secondaryEndpoint?.description == legal.secondary)
    #expect(string.accountName == legal.account)
    switch string.credential {
    case .sharedKey(let credential):
      #expect(legal.signature == nil)
      #expect(credential.accountName == legal.account)
    case .sharedAccessSignature(let signature):
      #expect(signature.query == legal.signature)
    }
  }

  static let illegal: [(text: String, sentence: String)] = [
    ("", "is empty; it needs AccountName and AccountKey, or UseDevelopmentStorage=true for the emulator"),
    (" ; ;", "is empty; it needs AccountName and AccountKey, or UseDevelopmentStorage=true for the emulator"),
    ("AccountName=acct;c2VjcmV0", "cannot be read: its part 2 is not name=value"),
    ("AccountName=acct;", "has no way to sign in; add AccountKey or SharedAccessSignature"),
    ("AccountName=acct;AccountKey=", "has an empty AccountKey"),
    ("AccountName=acct;AccountKey=YWJj;AccountKey=c2VjcmV0", "gives AccountKey twice; keep one"),
    ("AccountKey=c2VjcmV0", "has AccountKey but no AccountName; add AccountName"),
    (
      "TableEndpoint=https://h/;AccountKey=c2VjcmV0", "has AccountKey but no AccountName; add AccountName"
    ),
    ("SharedAccessSignature=sv=1&sig=secret", "names no account; add AccountName or TableEndpoint"),
    (
      "AccountName=acct;AccountKey=c2VjcmV0;SharedAccessSignature=sv=1&sig=secret",
      "has both AccountKey and SharedAccessSignature; keep one of them"
    ),
    (
      "AccountName=acct;AccountKey=c2VjcmV0;DefaultEndpointsProtocol=ftp",
      "has a DefaultEndpointsProtocol that is neither https nor http"
    ),
    (
      "AccountName=ac/ct;AccountKey=c2VjcmV0",
      "has an AccountName or EndpointSuffix that cannot be part of a host name"
    ),
    (
      "AccountName=acct;AccountKey=c2VjcmV0;EndpointSuffix=...",
      "has an AccountName or EndpointSuffix that cannot be part of a host name"
    ),
    (
      "AccountName=acct;AccountKey=c2VjcmV0;TableEndpoint=acct.table.core.windows.net",
      "has a TableEndpoint that is not an http or https URL"
    ),
    (
      "AccountName=acct;AccountKey=c2VjcmV0;TableEndpoint=https://h/?sv=1&sig=secret",
      "has a TableEndpoint with a query; give a shared access signature in SharedAccessSignature"
    ),
    (
      "AccountName=acct;AccountKey=c2VjcmV0;TableSecondaryEndpoint=https://h/",
      "has TableSecondaryEndpoint but no TableEndpoint; add TableEndpoint"
    ),
    (
      "UseDevelopmentStorage=false",
      "has a UseDevelopmentStorage that is not true; leave it out for a real account"
    ),
    (
      "UseDevelopmentStorage=true;AccountKey=c2VjcmV0",
      "has both UseDevelopmentStorage=true, which is the emulator, and AccountKey; keep one of them"
    ),
    (
      "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=192.168.1.5",
      "has a DevelopmentStorageProxyUri that is not an http or https URL, such as http://192.168.1.5"
    ),
    (
      "DevelopmentStorageProxyUri=http://192.168.1.5",
      "has DevelopmentStorageProxyUri, which belongs to UseDevelopmentStorage=true; add that"
    ),
  ]

  @Test(arguments: illegal) func `says what is wrong`(text: String, sentence: String) {
    let error = #expect(throws: ODataError.self) { try TableConnectionString(text) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.description == "The connection string \(sentence).")
  }

  @Test(arguments: [
    "AccountName=acct;AccountKey=c2VjcmV0!", "AccountName=acct;SharedAccessSignature=c2VjcmV0",
    "AccountName=acct;SharedAccessSignature=sig=c2Vjcm V0",
    "TableEndpoint=https://h;SharedAccessSignature=?c2VjcmV0",
  ])
  func `repeats no part of a key or signature`(text: String) {
    let error = #expect(throws: ODataError.self) { try TableConnectionString(text) }
    #expect(error?.description.contains("c2V") == false)
  }

  @Test func `hides keys and signatures when printed`() throws {
    for text in [
      "AccountName=acct;AccountKey=c2VjcmV0", "AccountName=acct;SharedAccessSignature=sig=c2VjcmV0",
    ] {
      let string = try TableConnectionString(text)
      var dumped = ""
      dump(string, to: &dumped)
      for shown in ["\(string)", String(reflecting: string), dumped] {
        #expect(shown.contains("acct"))
        #expect(!shown.contains("c2V") && !shown.contains("115"))
      }
    }
  }
}
