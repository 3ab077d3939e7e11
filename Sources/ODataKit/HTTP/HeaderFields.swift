/// The header fields of an HTTP message, in the order they were added.
///
/// Names compare without regard to case (RFC 9110 § 5.1). A field may occur more than once; the subscript reads them
/// joined by `", "` and replaces all of them when set.
///
/// ```swift
/// var headers: HeaderFields = [.accept: "application/atom+xml"]
/// headers["If-Match"] = tag.rawValue
/// ```
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field as it stands on the wire.
  public struct Field: Sendable, Hashable {
    /// The name, in the spelling it was given.
    public var name: Name
    /// The value without surrounding blanks.
    public var value: String

    /// Makes a field.
    public init(_ name: Name, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in wire order.
  public private(set) var fields: [Field]

  /// Makes an empty list.
  public init() { fields = [] }

  /// Makes a list from pairs, in their order.
  public init(dictionaryLiteral elements: (Name, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  /// The value of `name`, several joined by `", "`; setting replaces all of them, `nil` removes.
  public subscript(name: Name) -> String? {
    get {
      var found: String?
      for field in fields where field.name == name {
        found = found.map { $0 + ", " + field.value } ?? field.value
      }
      return found
    }
    set {
      guard let newValue else {
        fields.removeAll { $0.name == name }
        return
      }
      if let index = fields.firstIndex(where: { $0.name == name }) {
        fields[index] = Field(name, newValue)
        let rest = fields[(index + 1)...].filter { $0.name != name }
        fields.replaceSubrange((index + 1)..., with: rest)
      } else {
        fields.append(Field(name, newValue))
      }
    }
  }

  /// Adds a field behind those that are there, also when the name occurs already.
  public mutating func append(_ name: Name, _ value: String) {
    fields.append(Field(name, value))
  }
}

extension HeaderFields {
  /// A header field's name; equal without regard to the case of ASCII letters.
  public struct Name: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name in the spelling it was given.
    public let rawName: String
    private let key: String

    /// Makes a name from any token.
    public init(_ name: String) {
      rawName = name
      key = name.lowercased()
    }

    /// Makes a name from a literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// The name in the spelling it was given.
    public var description: String { rawName }

    /// Equal without regard to case.
    public static func == (a: Name, b: Name) -> Bool { a.key == b.key }

    /// Hashes the lower-case form.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }
}

extension HeaderFields.Name {
  /// `Accept`
  public static let accept: Self = "Accept"
  /// `Authorization`; its value is a secret and masked wherever it is shown.
  public static let authorization: Self = "Authorization"
  /// `Content-ID`
  public static let contentID: Self = "Content-ID"
  /// `Content-Length`
  public static let contentLength: Self = "Content-Length"
  /// `Content-Type`
  public static let contentType: Self = "Content-Type"
  /// `Date`
  public static let date: Self = "Date"
  /// `DataServiceVersion`
  public static let dataServiceVersion: Self = "DataServiceVersion"
  /// `MaxDataServiceVersion`
  public static let maxDataServiceVersion: Self = "MaxDataServiceVersion"
  /// `ETag`
  public static let entityTag: Self = "ETag"
  /// `If-Match`
  public static let ifMatch: Self = "If-Match"
  /// `Location`
  public static let location: Self = "Location"
  /// `Prefer`
  public static let prefer: Self = "Prefer"
  /// `X-HTTP-Method`, the verb of a tunnelled POST.
  public static let httpMethodOverride: Self = "X-HTTP-Method"
}
