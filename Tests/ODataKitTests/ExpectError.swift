import ODataKit
import Testing

/// Expects an ``ODataError`` of a code, and gives it for a look at its message.
@discardableResult
func expectError<Result>(
  _ code: ODataError.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  performing body: () throws -> Result
) -> ODataError? {
  do {
    _ = try body()
    Issue.record(comment ?? "an error with the code \(code) was expected", sourceLocation: sourceLocation)
    return nil
  } catch {
    let error = error as? ODataError
    #expect(error?.code == code, comment, sourceLocation: sourceLocation)
    return error
  }
}
