import ODataKit
import Testing

/// What an error in XML tells beside code and message, and what it must not tell.
struct XMLErrorDetailTests {
  private func read(_ body: String) -> ODataError {
    ServiceError.read(status: 400, headers: [:], body: Array(body.utf8))
  }

  @Test func detailsOfVersion4() {
    let error = read(
      """
      <m:error xmlns:m="http://docs.oasis-open.org/odata/ns/metadata">
        <m:code>BadBook</m:code><m:message>The book is not valid.</m:message><m:target>Books</m:target>
        <m:details>
          <m:detail><m:code>Empty</m:code><m:message>A title is needed.</m:message><m:target>Title</m:target></m:detail>
          <m:detail><m:code>Range</m:code><m:message>Up to five.</m:message></m:detail>
        </m:details>
      </m:error>
      """)
    #expect(error.message == "The book is not valid.")
    #expect(error.serviceCode == "BadBook")
    #expect(error.target == "Books")
    #expect(
      error.details == [
        ODataError.Detail(code: "Empty", message: "A title is needed.", target: "Title"),
        ODataError.Detail(code: "Range", message: "Up to five."),
      ])
    #expect(
      error.description == """
        The book is not valid. Title: A title is needed. (Empty) Up to five. (Range) (HTTP 400, BadBook, about Books)
        """)
  }

  @Test func innerErrorsEachCausedByTheNext() {
    let error = read(
      """
      <error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code></code>
        <message xml:lang="en-US">An error occurred.</message>
        <innererror><message>Update failed.</message><type>System.Data.UpdateException</type>
          <stacktrace>   at A.B()&#xD;
         at C.D()</stacktrace>
          <internalexception><message>Disk full.</message><type>System.IO.IOException</type><stacktrace></stacktrace>
          </internalexception>
        </innererror>
      </error>
      """)
    #expect(error.message == "An error occurred.")
    #expect(
      error.innerErrors == [
        ODataError.InnerError(
          message: "Update failed.", typeName: "System.Data.UpdateException",
          stackTrace: "   at A.B()\n   at C.D()"),
        ODataError.InnerError(message: "Disk full.", typeName: "System.IO.IOException", stackTrace: ""),
      ])
    #expect(
      error.description == """
        An error occurred. Caused by System.Data.UpdateException: Update failed. \
        Caused by System.IO.IOException: Disk full. (HTTP 400)
        """)
  }

  @Test func theDetailsOfARefusedSignatureAreNowhere() {
    let error = read(
      """
      <Error><Code>AuthenticationFailed</Code><Message>Server failed to authenticate the request.</Message>
      <AuthenticationErrorDetail>The MAC signature 'c2VjcmV0' is not the same as any computed signature. Server used \
      string to sign: secret.</AuthenticationErrorDetail><details><detail><message>shown</message>\
      <AuthenticationErrorDetail>secret</AuthenticationErrorDetail></detail></details></Error>
      """)
    var everything = ""
    dump(error, to: &everything)
    #expect(!everything.contains("c2VjcmV0") && !everything.contains("secret"))
    #expect(everything.contains("shown"))
  }

  @Test func whatDetailsSayCannotSteerATerminalNorTellASignature() {
    let error = read(
      """
      <error><code>a</code><message>b</message><target>t\u{9B}</target>
      <details><detail><code>c</code><message>Signature 'abc' at sig=abc&#x85;</message></detail></details>
      <innererror><message>x\u{202E}</message><type>y</type><stacktrace>z\u{9B}</stacktrace></innererror></error>
      """)
    #expect(error.target == #"t\u{9B}"#)
    #expect(error.details.map(\.message) == [#"Signature '***' at sig=***"#])
    #expect(error.innerErrors.map(\.message) == [#"x\u{202E}"#])
    #expect(error.innerErrors.map(\.stackTrace) == [#"z\u{9B}"#])
  }

  @Test func textAroundAnElementNobodyKnowsStaysWhole() {
    #expect(
      read("<error><code>C</code><message>one <b>two</b> three</message></error>").message == "one  three")
  }
}
