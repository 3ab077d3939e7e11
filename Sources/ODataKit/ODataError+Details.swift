extension ODataError {
  /// One of several things that are wrong with a request (OData 4 JSON Format § 21.1, `details`).
  public struct Detail: Sendable, Hashable, CustomStringConvertible {
    /// The service's own code.
    public var code: String
    /// The service's words.
    public var message: String
    /// What of the request it is about, e.g. the name of a property.
    public var target: String?

    /// Makes a detail.
    public init(code: String, message: String, target: String? = nil) {
      self.code = code
      self.message = message
      self.target = target
    }

    /// Target, message and code, as far as they are told.
    public var description: String {
      let sentence = (target.map { $0 + ": " } ?? "") + message
      return code.isEmpty ? sentence : sentence.isEmpty ? code : "\(sentence) (\(code))"
    }
  }

  /// What went wrong inside of a service, as services for developers tell it (`innererror`).
  public struct InnerError: Sendable, Hashable, CustomStringConvertible {
    /// The service's words.
    public var message: String
    /// The name of the kind of error in the language the service is written in, e.g. `System.ArgumentException`.
    public var typeName: String?
    /// Where in the service's program it happened, line by line; never part of a description.
    public var stackTrace: String?

    /// Makes an inner error.
    public init(message: String, typeName: String? = nil, stackTrace: String? = nil) {
      self.message = message
      self.typeName = typeName
      self.stackTrace = stackTrace
    }

    /// Type and message, as far as they are told.
    public var description: String {
      [typeName, message.isEmpty ? nil : message].compactMap(\.self).joined(separator: ": ")
    }
  }
}
