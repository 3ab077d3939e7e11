/// A value of an enumeration type that a service declares: one member, or several of a type with flags.
///
/// The member is kept as the service writes it: its name (`Red`), names with commas between them (`Red,Green`), or the
/// number of a value that has no name (OData 4 ABNF, rule `enumValue`).
public struct EdmEnumeration: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The qualified name of the enumeration, e.g. `Sample.Color`; `nil` where the payload does not tell.
  public var type: EdmType?
  /// The member, or several with commas between them.
  public var member: String

  /// Makes a value of a type and a member.
  public init(type: EdmType?, member: String) {
    self.type = type
    self.member = member
  }

  /// The members one by one, without blanks.
  public var members: [String] {
    member.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
  }

  /// The member as it is written.
  public var description: String { member }

  /// Same type and same member, by code units.
  public static func == (a: EdmEnumeration, b: EdmEnumeration) -> Bool {
    a.type == b.type && a.member.utf8.elementsEqual(b.member.utf8)
  }
}
