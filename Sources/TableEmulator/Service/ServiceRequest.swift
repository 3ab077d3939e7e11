internal import ODataKit

/// One request to the table service, alone or inside a batch, taken apart and with its format settled.
struct ServiceRequest {
  /// The verb that counts: a tunnelled POST has its real one.
  let method: HTTPMethod
  let resource: Resource
  let options: QueryOptions
  let headers: HeaderFields
  let body: [UInt8]
  let version: ServiceVersion
  /// The format of the answer, or why there can be none. Requests that are answered without a body never look at
  /// it, as the service doesn't.
  let format: Result<ResponseFormat, ServiceFault>

  init(
    method: HTTPMethod, resource: Resource, options: QueryOptions, headers: HeaderFields, accept: String?,
    body: [UInt8], version: ServiceVersion
  ) throws(ServiceFault) {
    self.method = try Self.effective(method, headers)
    self.resource = resource
    self.options = options
    self.headers = headers
    self.body = body
    self.version = version
    let dataServiceVersion = try FormatNegotiation.dataServiceVersion(headers, version: version)
    format = Result { () throws(ServiceFault) in
      try FormatNegotiation.response(
        accept: accept, format: options.format, version: version, dataServiceVersion: dataServiceVersion)
    }
  }

  /// Whether nothing is changed by it.
  var isRead: Bool { method == .get || method == .head }

  /// What `Prefer` asks of this request.
  var preference: Preference? { Self.preference(headers, method: method, version: version) }

  /// What `Prefer` asks of an insert, and is told to have been applied even when the insert is refused. The header
  /// came with OData 3.
  static func preference(_ headers: HeaderFields, method: HTTPMethod, version: ServiceVersion) -> Preference?
  {
    guard version >= .json, method == .post, headers[.httpMethodOverride] == nil else { return nil }
    return headers[.prefer].flatMap { Preference(rawValue: $0) }
  }

  /// The values of `Prefer` that the service knows.
  enum Preference: String {
    case noContent = "return-no-content"
    case content = "return-content"
  }

  /// Follows `X-HTTP-Method` of a POST.
  private static func effective(_ method: HTTPMethod, _ headers: HeaderFields) throws(ServiceFault)
    -> HTTPMethod
  {
    let overrides = headers.fields.filter { $0.name == .httpMethodOverride }
    guard let override = overrides.first?.value else { return method }
    guard overrides.count == 1 else { throw .xMethodIncorrectCount }
    guard method == .post else { throw .xMethodNotUsingPost }
    switch override {
    case "MERGE", "PUT", "PATCH", "DELETE": return HTTPMethod(rawValue: override)
    default: throw .xMethodIncorrectValue
    }
  }
}

/// The answer to one operation, before the headers that every answer has.
struct ServiceReply {
  var status: Int
  var headers: HeaderFields = [:]
  var body: [UInt8] = []
  /// What `DataServiceVersion` says where the answer is a part of a batch.
  var dataServiceVersion = "3.0;"
}

/// `If-Match` of an update or delete.
enum MatchCondition: Hashable {
  /// No header: insert or update.
  case none
  /// `*`: the entity has to be there.
  case exists
  /// A tag: the entity has to be this version.
  case tag(EntityTag)

  init(_ headers: HeaderFields, isDelete: Bool) throws(ServiceFault) {
    let match = headers[.ifMatch]
    if headers["If-None-Match"] != nil {
      throw match != nil ? .bothMatchHeaders : isDelete ? .ifNoneMatchOnDelete : .ifNoneMatchOnPut
    }
    switch match {
    case nil: self = .none
    case "*": self = .exists
    case let text?:
      guard Self.isEntityTag(text) else { throw .invalidEntityTag(text) }
      self = .tag(EntityTag(rawValue: text))
    }
  }

  /// Refuses what is stored, given when it was last written.
  func check(_ stored: EdmDateTime?) throws(ServiceFault) {
    switch self {
    case .none: return
    case .exists: if stored == nil { throw .resourceNotFound }
    case .tag(let tag):
      guard let stored else { throw .resourceNotFound }
      guard tag == EntityTag(timestamp: stored) else { throw .updateConditionNotSatisfied }
    }
  }

  /// One quoted text, with or without `W/`.
  private static func isEntityTag(_ text: String) -> Bool {
    let bytes = text.utf8
    let quoted = bytes.starts(with: "W/".utf8) ? bytes.dropFirst(2) : bytes[...]
    let quote = UInt8(ascii: "\"")
    return quoted.count >= 2 && quoted.first == quote && quoted.last == quote
      && !quoted.dropFirst().dropLast().contains(quote)
  }
}
