/// What went wrong, in one sentence that says what, where and what to do.
///
/// `description` never holds keys, signatures or entity values. Match on the code:
///
/// ```swift
/// do { try await context.saveChanges() } catch ODataError.Code.concurrencyConflict { … }
/// ```
public struct ODataError: Error, Sendable, CustomStringConvertible {
  /// The kind of error.
  public var code: Code
  /// One or more full sentences.
  public var message: String
  /// The HTTP status, where a service answered.
  public var httpStatus: Int?
  /// The service's own code, e.g. `EntityAlreadyExists`.
  public var serviceCode: String?
  /// The service's id of the request (`x-ms-request-id` in Azure), to be given to its operators.
  public var requestID: String?
  /// The zero-based index of the operation that failed within its batch, where the service tells it.
  public var failedOperation: Int?
  /// What of the request it is about, where the service tells it, e.g. the name of a property.
  public var target: String?
  /// The several things that are wrong, where the service tells them one by one.
  public var details: [Detail] = []
  /// What went wrong inside of the service, where it tells; each was caused by the one behind it.
  public var innerErrors: [InnerError] = []
  /// How long the service asks to be left alone (`Retry-After`), where it does.
  public var retryAfter: Duration?
  /// The error below this one.
  public var underlying: (any Error)?
  /// Set where a request was carried out and its answer could not be read.
  package var responseWasLost = false
  /// Set where the error is the answer to a change set inside of a batch that as such was taken.
  package var wasInBatch = false
  /// Set where a write was sent again, and this answer may be due to the first time.
  var mayBeOwnTrace = false
  /// Set where what a request needs could not be had, so that the request itself was never sent.
  var isBeforeSending = false

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, httpStatus: Int? = nil, serviceCode: String? = nil,
    requestID: String? = nil,
    failedOperation: Int? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.httpStatus = httpStatus
    self.serviceCode = serviceCode
    self.requestID = requestID
    self.failedOperation = failedOperation
    self.underlying = underlying
  }

  /// The message and the details a service tells, with the service's code, status and request id behind them where a
  /// service answered.
  public var description: String {
    let context = [
      httpStatus.map { "HTTP \($0)" }, serviceCode, requestID.map { "request \($0)" },
      target.map { "about \($0)" },
    ].compactMap(\.self)
    let causes = innerErrors.map(\.description).filter { !$0.isEmpty }.map { "Caused by \($0)" }
    let text = ([message] + details.map(\.description) + causes).joined(separator: " ")
    return context.isEmpty ? text : "\(text) (\(context.joined(separator: ", ")))"
  }
}

extension ODataError {
  /// The kind of an error; an open set, since services and modules above add their own.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// A short word for the kind.
    public let rawValue: String
    /// Makes a code of one's own.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// The short word.
    public var description: String { rawValue }

    /// The caller gave something that cannot be used; nothing was sent.
    public static let invalidArgument = Code("invalidArgument")
    /// A value breaks a rule of the data model or of the payload format; nothing was sent.
    public static let invalidValue = Code("invalidValue")
    /// A filter or another query option cannot be read.
    public static let invalidQuery = Code("invalidQuery")
    /// The service or the chosen format lacks what was asked for: nothing was sent, or the service said so (415, 501).
    public static let unsupported = Code("unsupported")
    /// A payload could not be read: broken, cut short, or not what its kind promises.
    public static let malformedPayload = Code("malformedPayload")
    /// A payload or a part of it exceeds a set limit, ours or the service's (413).
    public static let payloadTooLarge = Code("payloadTooLarge")
    /// No connection, or it broke, or what came over it was not HTTP; see ``ODataError/transportFailure``.
    public static let transport = Code("transport")
    /// The time limit passed before the exchange was complete.
    public static let timeout = Code("timeout")
    /// The service refused the credentials (401, 403).
    public static let unauthorized = Code("unauthorized")
    /// What the request names does not exist (404).
    public static let notFound = Code("notFound")
    /// What was to be created exists already (409).
    public static let alreadyExists = Code("alreadyExists")
    /// The entity changed since it was read (412).
    public static let concurrencyConflict = Code("concurrencyConflict")
    /// Any other refusal by the service.
    public static let service = Code("service")
    /// The context is used in a way its states do not allow.
    public static let invalidState = Code("invalidState")

    /// Lets `catch ODataError.Code.notFound` match an ``ODataError`` of that code, and a ``SaveError`` whose first
    /// failure has it.
    public static func ~= (code: Code, error: any Error) -> Bool {
      switch error {
      case let error as ODataError: error.code == code
      case let error as SaveError: error.cause.code == code
      default: false
      }
    }
  }
}

extension ODataError {
  /// Whether a write that ended with this error may have been carried out all the same.
  package var leavesOutcomeOpen: Bool {
    if isBeforeSending { return false }
    if mayBeOwnTrace { return true }
    return switch code {
    case .transport, .timeout: transportFailure?.exposure != .notSent
    case .service where [408, 500, 502, 504].contains(httpStatus): true
    default: responseWasLost
    }
  }
}
