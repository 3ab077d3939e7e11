public import ODataKit

/// A stored access policy of a table: what a shared access signature that names it allows, changed or revoked in one
/// place.
///
/// A table has five at most. A new one may take 30 seconds before signatures that name it are taken (Set Table ACL).
public struct TableAccessPolicy: Sendable, Hashable {
  /// The name that signatures use, 64 characters at most.
  public var id: String
  /// The start of its validity; `nil` where the signature says it.
  public var start: EdmDateTime?
  /// The end of its validity; `nil` where the signature says it.
  public var expiry: EdmDateTime?
  /// What is allowed, out of the letters `r`, `a`, `u` and `d`, in that order; `nil` where the signature says it.
  public var permissions: String?

  /// Makes a policy.
  public init(
    id: String, start: EdmDateTime? = nil, expiry: EdmDateTime? = nil, permissions: String? = nil
  ) {
    self.id = id
    self.start = start
    self.expiry = expiry
    self.permissions = permissions
  }
}

extension TableAccessPolicy {
  /// Reads the document of the service. Throws ``ODataKit/ODataError/Code/malformedPayload`` for another one.
  package static func read(_ bytes: [UInt8]) throws(ODataError) -> [TableAccessPolicy] {
    let root = try XMLElement.read(bytes)
    try root.expect("SignedIdentifiers")
    var policies: [TableAccessPolicy] = []
    for identifier in root.children("SignedIdentifier") {
      let policy = identifier.child("AccessPolicy")
      policies.append(
        TableAccessPolicy(
          id: identifier.child("Id")?.text ?? "", start: try policy?.instant("Start"),
          expiry: try policy?.instant("Expiry"), permissions: policy?.child("Permission")?.trimmedText))
    }
    return policies
  }

  /// The document as the service takes it.
  ///
  /// Throws ``ODataKit/ODataError/Code/invalidArgument`` for more than five policies, a name that is empty or too long,
  /// and one that is there twice.
  package static func document(_ policies: [TableAccessPolicy]) throws(ODataError) -> [UInt8] {
    guard policies.count <= 5 else {
      throw ODataError(
        .invalidArgument, "A table has five stored access policies at most, and \(policies.count) were given."
      )
    }
    var root = XMLElement("SignedIdentifiers")
    var names: Set<[UInt8]> = []
    for policy in policies {
      guard (1...64).contains(policy.id.utf16.count) else {
        throw ODataError(
          .invalidArgument,
          "The id of a stored access policy is empty or longer than 64 characters; shorten it.")
      }
      guard names.insert(Array(policy.id.utf8)).inserted else {
        throw ODataError(.invalidArgument, "Two stored access policies have the same id; give each its own.")
      }
      root.children.append(policy.element)
    }
    return try root.document()
  }

  private var element: XMLElement {
    var policy = XMLElement("AccessPolicy")
    if let start { policy.children.append(XMLElement("Start", text: start.description)) }
    if let expiry { policy.children.append(XMLElement("Expiry", text: expiry.description)) }
    if let permissions { policy.children.append(XMLElement("Permission", text: permissions)) }
    return XMLElement("SignedIdentifier", children: [XMLElement("Id", text: id), policy])
  }
}

extension XMLElement {
  /// A point in time; a date alone means its first moment in UTC.
  fileprivate func instant(_ name: String) throws(ODataError) -> EdmDateTime? {
    guard let text = child(name)?.trimmedText, !text.isEmpty else { return nil }
    if let instant = EdmDateTime(text) ?? EdmDateTime(text + "T00:00:00Z") { return instant }
    throw ODataError(.malformedPayload, "The element \(name) of an access policy is no point in time.")
  }
}
