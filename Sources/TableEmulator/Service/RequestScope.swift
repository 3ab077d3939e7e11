internal import ODataKit

/// What all operations of one exchange share.
struct RequestScope {
  let account: String
  /// The root that ids begin with, as the client addressed it: `http://127.0.0.1:10002/devstoreaccount1/`.
  let base: String
  let requestID: String
  let time: EdmDateTime
  /// Rows that a query looks at before it gives up its page.
  let scanLength: Int
}
