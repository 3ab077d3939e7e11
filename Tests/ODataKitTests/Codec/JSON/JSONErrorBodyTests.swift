import Testing

@testable import ODataKit

/// Error bodies of OData 2, 3 and 4.
struct JSONErrorBodyTests {
  @Test(
    arguments: [
      (#"{"odata.error":{"code":"A","message":{"lang":"en-us","value":"b\n"}}}"# + "\r\n", "A", "b\n"),
      (
        #"{"error":{"code":"A","message":"b","target":"c","details":[{"code":"no","message":"no"}]}}"#, "A",
        "b"
      ),
      (
        #"{"error":{"innererror":{"code":"no","message":"no"},"message":{"value":"b"},"code":"A"}}"#, "A", "b"
      ),
      ("\u{FEFF}" + #"{ "x": [{"error":1}], "error" : {"code":null,"message":"b"}}"#, "", "b"),
      (
        #"{"error":{"code":"005056A509B11EE1B9A8FEC11C21578E","message":{"lang":"en","value":"b"}"#,
        "005056A509B11EE1B9A8FEC11C21578E", "b"
      ),
      (#"{"odata.error":{"code":"A","mess"#, "A", ""),
    ])
  func read(text: String, code: String, message: String) throws {
    let error = try #require(JSONErrorBody.read(Array(text.utf8)))
    #expect(error.code == code)
    #expect(error.message == message)
  }

  @Test(arguments: [
    "", "{}", "[]", "<error/>", #"{"error":"x"}"#, #"{"error":{}}"#, #"{"A":{"code":"x"}}"#,
    "{\"error\":{\"co",
  ])
  func none(text: String) { #expect(JSONErrorBody.read(Array(text.utf8)) == nil) }
}

extension JSONErrorBodyTests {
  @Test("Targets, details and inner errors are told as OData 4 tells them")
  func details() throws {
    let error = try #require(
      JSONErrorBody.read(
        Array(
          ##"""
          {"error":{"code":"501","message":"m","target":"query","details":[{"code":"301","target":"$search","message":"d"},5],
           "innererror":{"message":"i","type":"T","stacktrace":"a\n b","innererror":{"message":"j"},"context":{"message":"no"}}}}
          """##.utf8)))
    #expect(error.target == "query")
    #expect(error.details == [ODataError.Detail(code: "301", message: "d", target: "$search")])
    #expect(
      error.innerErrors == [
        ODataError.InnerError(message: "i", typeName: "T", stackTrace: "a\n b"),
        ODataError.InnerError(message: "j"),
      ])
  }

  @Test("Inner errors of OData 2 and 3, and the several of SAP's Gateway")
  func olderForms() throws {
    let old = try #require(
      JSONErrorBody.read(
        Array(
          ##"{"odata.error":{"code":"","message":{"lang":"","value":"m"},"innererror":{"message":"i","type":"T","stacktrace":"s","internalexception":{"message":"j","type":"U","stacktrace":""}}}}"##
            .utf8)))
    #expect(old.innerErrors.map(\.message) == ["i", "j"])
    #expect(old.innerErrors.map(\.typeName) == ["T", "U"])
    let sap = try #require(
      JSONErrorBody.read(
        Array(
          ##"{"error":{"code":"005056","message":{"lang":"en","value":"m"},"innererror":{"transactionid":"T","errordetails":[{"code":"A","message":"one","propertyref":"/Name","severity":"error","target":""},{"code":"B","message":"two"}]}}}"##
            .utf8)))
    #expect(
      sap.details == [
        ODataError.Detail(code: "A", message: "one", target: "/Name"),
        ODataError.Detail(code: "B", message: "two"),
      ])
    #expect(sap.innerErrors.isEmpty)
  }
}
