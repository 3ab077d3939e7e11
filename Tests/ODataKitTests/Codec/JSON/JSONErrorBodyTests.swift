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
