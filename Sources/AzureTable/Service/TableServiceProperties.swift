package import ODataKit

/// The settings of a table account's service: logging, metrics and rules for browsers of other origins.
///
/// In a request, what is `nil` is left as it is on the service (Set Table Service Properties, from version 2013-08-15).
public struct TableServiceProperties: Sendable, Hashable {
  /// What the service writes into its log.
  public var logging: Logging?
  /// Aggregates by the hour. Versions before 2013-08-15 call them `Metrics`.
  public var hourMetrics: Metrics?
  /// Aggregates by the minute.
  public var minuteMetrics: Metrics?
  /// The rules for browsers, five at most; an empty list deletes all.
  public var cors: [CORSRule]?

  /// Makes settings that change nothing.
  public init() {}

  /// What the service writes into its log.
  public struct Logging: Sendable, Hashable {
    /// The version of the log's format.
    public var version = "1.0"
    /// Whether deletions are logged.
    public var delete = false
    /// Whether reads are logged.
    public var read = false
    /// Whether writes are logged.
    public var write = false
    /// How many days the log is kept, 1 to 365; `nil` for ever.
    public var retentionDays: Int?

    /// Makes settings that log nothing.
    public init() {}
  }

  /// Aggregates over requests.
  public struct Metrics: Sendable, Hashable {
    /// The version of the metrics' format.
    public var version = "1.0"
    /// Whether there are any.
    public var isEnabled = false
    /// Whether they are made for each operation of the API as well; only said where they are enabled.
    public var includesAPIs: Bool?
    /// How many days they are kept, 1 to 365; `nil` for ever.
    public var retentionDays: Int?

    /// Makes settings without metrics.
    public init() {}
  }

  /// What browsers on pages of other origins may do.
  public struct CORSRule: Sendable, Hashable {
    /// The origins, or `*`.
    public var allowedOrigins: [String] = []
    /// The methods, `GET` and its kin.
    public var allowedMethods: [String] = []
    /// How long a browser may remember the answer, in seconds.
    public var maxAgeInSeconds = 0
    /// The header fields of a response that a page may read; a `*` at the end of one stands for any ending.
    public var exposedHeaders: [String] = []
    /// The header fields of a request that a page may send.
    public var allowedHeaders: [String] = []

    /// Makes a rule that allows nothing.
    public init() {}
  }
}

extension TableServiceProperties {
  /// Reads the document of the service. Throws ``ODataKit/ODataError/Code/malformedPayload`` for another one.
  package init(reading bytes: [UInt8]) throws(ODataError) {
    let root = try XMLElement.read(bytes)
    try root.expect("StorageServiceProperties")
    logging = try root.child("Logging").map(Logging.init)
    hourMetrics = try (root.child("HourMetrics") ?? root.child("Metrics")).map(Metrics.init)
    minuteMetrics = try root.child("MinuteMetrics").map(Metrics.init)
    cors = try root.child("Cors").map { element throws(ODataError) in
      var rules: [CORSRule] = []
      for rule in element.children("CorsRule") { rules.append(try CORSRule(rule)) }
      return rules
    }
  }

  /// The document as the service takes it; `isClassic` for versions before 2013-08-15, which know one kind of metrics
  /// and no rules.
  package func document(isClassic: Bool = false) throws(ODataError) -> [UInt8] {
    var root = XMLElement("StorageServiceProperties")
    if let logging { root.children.append(logging.element) }
    if let hourMetrics { root.children.append(hourMetrics.element(isClassic ? "Metrics" : "HourMetrics")) }
    if !isClassic {
      if let minuteMetrics { root.children.append(minuteMetrics.element("MinuteMetrics")) }
      if let cors { root.children.append(XMLElement("Cors", children: cors.map(\.element))) }
    }
    return try root.document()
  }
}

extension TableServiceProperties.Logging {
  fileprivate init(_ element: XMLElement) throws(ODataError) {
    version = element.child("Version")?.trimmedText ?? "1.0"
    delete = try element.boolean("Delete")
    read = try element.boolean("Read")
    write = try element.boolean("Write")
    retentionDays = try element.retentionDays
  }

  fileprivate var element: XMLElement {
    XMLElement(
      "Logging",
      children: [
        XMLElement("Version", text: version), XMLElement("Delete", text: "\(delete)"),
        XMLElement("Read", text: "\(read)"), XMLElement("Write", text: "\(write)"),
        .retention(retentionDays),
      ])
  }
}

extension TableServiceProperties.Metrics {
  fileprivate init(_ element: XMLElement) throws(ODataError) {
    version = element.child("Version")?.trimmedText ?? "1.0"
    isEnabled = try element.boolean("Enabled")
    includesAPIs = element.child("IncludeAPIs") == nil ? nil : try element.boolean("IncludeAPIs")
    retentionDays = try element.retentionDays
  }

  fileprivate func element(_ name: String) -> XMLElement {
    var element = XMLElement(
      name, children: [XMLElement("Version", text: version), XMLElement("Enabled", text: "\(isEnabled)")])
    // The service refuses the element where there are no metrics.
    if isEnabled, let includesAPIs {
      element.children.append(XMLElement("IncludeAPIs", text: "\(includesAPIs)"))
    }
    element.children.append(.retention(retentionDays))
    return element
  }
}

extension TableServiceProperties.CORSRule {
  fileprivate init(_ element: XMLElement) throws(ODataError) {
    allowedOrigins = element.list("AllowedOrigins")
    allowedMethods = element.list("AllowedMethods")
    maxAgeInSeconds = try element.integer("MaxAgeInSeconds")
    exposedHeaders = element.list("ExposedHeaders")
    allowedHeaders = element.list("AllowedHeaders")
  }

  fileprivate var element: XMLElement {
    XMLElement(
      "CorsRule",
      children: [
        XMLElement("AllowedOrigins", text: allowedOrigins.joined(separator: ",")),
        XMLElement("AllowedMethods", text: allowedMethods.joined(separator: ",")),
        XMLElement("MaxAgeInSeconds", text: "\(maxAgeInSeconds)"),
        XMLElement("ExposedHeaders", text: exposedHeaders.joined(separator: ",")),
        XMLElement("AllowedHeaders", text: allowedHeaders.joined(separator: ",")),
      ])
  }
}

extension XMLElement {
  /// Refuses a document of another kind.
  func expect(_ name: String) throws(ODataError) {
    guard self.name == name else {
      throw ODataError(
        .malformedPayload, "The body is XML, but no \(name): its root element is <\(self.name.prefix(64))>.")
    }
  }

  fileprivate static func retention(_ days: Int?) -> XMLElement {
    var element = XMLElement("RetentionPolicy", children: [XMLElement("Enabled", text: "\(days != nil)")])
    if let days { element.children.append(XMLElement("Days", text: "\(days)")) }
    return element
  }

  fileprivate var retentionDays: Int? {
    get throws(ODataError) {
      guard let policy = child("RetentionPolicy"), try policy.boolean("Enabled") else { return nil }
      return try policy.integer("Days")
    }
  }

  /// A switch; some clients write it with a capital letter.
  fileprivate func boolean(_ name: String) throws(ODataError) -> Bool {
    switch child(name)?.trimmedText.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: throw malformed(name, "true or false")
    }
  }

  fileprivate func integer(_ name: String) throws(ODataError) -> Int {
    guard let number = child(name).flatMap({ Int($0.trimmedText) }) else { throw malformed(name, "a number") }
    return number
  }

  fileprivate func list(_ name: String) -> [String] {
    (child(name)?.trimmedText ?? "").split(separator: ",").map { item in
      String(item.drop { $0 == " " })
    }
  }

  private func malformed(_ name: String, _ expected: String) -> ODataError {
    ODataError(
      .malformedPayload, "The element \(name) in \(self.name) of the settings is missing or not \(expected).")
  }
}
