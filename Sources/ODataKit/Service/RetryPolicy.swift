/// When a request that a service was too busy for is sent again, and after how long.
///
/// Sent again is what a service says it cannot handle now: answers of the statuses 429 and 503 to any request (RFC 6585
/// § 4, RFC 9110 § 15.6.4), and those of 408, 500, 502 and 504 to requests that only read, and to change sets of Azure
/// tables inside of a batch, which undo the whole set then. Any other refusal would be the
/// same the next time, and a write whose answer is lost is never sent again.
///
/// These statuses are the word of whoever sends them, and a gateway may send a 503 although the service behind it has the
/// request. So where a write that was sent again is answered by what it would meet had it been done before (409 to an
/// insert, 412 to an update or a delete, 404 to a delete), its outcome is ``OperationOutcome/Result/unknown(_:)``.
///
/// The delay doubles from retry to retry, with half of it at random, so that many clients that were refused together do not
/// come back together. Where the service asks for a delay (`Retry-After`, RFC 9110 § 10.2.3) that counts, if it is longer;
/// one beyond ``maximumDelay`` ends the retries, and the error tells it (``ODataError/retryAfter``).
public struct RetryPolicy: Sendable {
  /// How many times a request is sent again at most; 0 for never.
  public var maximumRetries: Int
  /// The delay in front of the first retry.
  public var delay: Duration
  /// The longest delay.
  public var maximumDelay: Duration
  /// How a delay is waited for, so that tests need not wait.
  package var wait: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// A number from 0 to 1.
  package var random: @Sendable () -> Double = { .random(in: 0...1) }

  /// Makes a policy: three retries, the first after 0.8 seconds, none after more than a minute.
  public init(
    maximumRetries: Int = 3, delay: Duration = .milliseconds(800), maximumDelay: Duration = .seconds(60)
  ) {
    self.maximumRetries = maximumRetries
    self.delay = delay
    self.maximumDelay = maximumDelay
  }

  /// Nothing is sent again.
  public static let none = RetryPolicy(maximumRetries: 0)

  /// The delay in front of a retry, the first being number 0; `nil` where there shall be none.
  func delay(beforeRetry number: Int, after error: ODataError) -> Duration? {
    guard number < maximumRetries else { return nil }
    let asked = error.retryAfter ?? .zero
    guard asked <= maximumDelay else { return nil }
    let full = min(delay * (1 << min(number, 30)), maximumDelay)
    return max(asked, full / 2 + full / 2 * random())
  }
}

extension ODataError {
  /// Notes that this is the answer to a request that was sent more than once.
  mutating func noteRepetition(of method: HTTPMethod) {
    let isItsOwnTrace =
      switch (method, httpStatus) {
      case (.post, 409), (.delete, 404), (.delete, 412): true
      case (.put, 412), (.patch, 412), (.merge, 412): true
      default: false
      }
    guard isItsOwnTrace else { return }
    mayBeOwnTrace = true
    message +=
      " The change was sent again after the service had said that it was too busy, and one that had been done the "
      + "first time would be answered like this; read the entity to see."
  }

  /// Whether the same request may well be answered otherwise a little later, the service having said that it does not do
  /// now what it would change.
  func allowsRetry(of method: HTTPMethod) -> Bool {
    switch httpStatus {
    case 429, 503: true
    case 408, 500, 502, 504: method == .get || method == .head
    default: false
    }
  }

  /// The same for a change set that was refused inside of a batch. Azure tables undo the whole set whatever the status;
  /// elsewhere a failure on the way may have left it done.
  func allowsRetryOfChangeSet(in dialect: Dialect) -> Bool {
    switch httpStatus {
    case 429, 503: true
    case 408, 500, 502, 504: dialect == .azureTable
    default: false
    }
  }
}
