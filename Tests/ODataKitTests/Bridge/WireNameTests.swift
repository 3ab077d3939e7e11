import Foundation
import ODataKit
import Testing

private struct Order: Codable {
  enum Status: String, Codable { case open, closed = "done" }
  enum Grade: Int16, Codable, CaseIterable { case low = 300, high = 400 }
  enum Only: String, Codable { case one }

  struct Address: Codable {
    var city: String
    var zip: String?
    enum CodingKeys: String, CodingKey { case city = "Town", zip }
  }

  struct Percent: Codable {
    var value: Int
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Int.self)
      guard (0...100).contains(value) else { throw Refusal() }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  struct Refusal: Error {}

  let version = 2
  var id: Int
  var other: Int
  var isOpen: Bool
  var isPaid: Bool
  var token: UUID
  var created: Date
  var blob: Data?
  var price: Decimal
  var status: Status
  var previous: Status?
  var grade: Grade
  var only: Only
  var discount: Percent
  var address: Address
  var billing: Address?
  var tags: [String]
  var nickname: String?
  var name: String
  var raw: EdmValue
  var changed: EdmDateTime
  var observed: Int32 { didSet {} }
  let constant: Float

  var isClosed: Bool { !isOpen }
  var label: String { nickname ?? name }
  var nicknameOrEmpty: String { nickname ?? "" }
  var both: String { name + "/" + (nickname ?? "") }
  var loud: String { name.uppercased() }
  var length: Int { name.count }
  var clamped: Int { min(max(id, 0), 10) }
  var wide: Int64 { Int64(id) }
  var firstTag: String? { tags.first }
  var alias: String { name }
  var fixed: Int { 5 }

  enum CodingKeys: String, CodingKey {
    case id = "ID"
    case other, isOpen, isPaid, token, created, blob, price, status, previous, grade, only, discount, address,
      billing
    case tags, nickname, raw, changed, observed, constant
    case name = "Full_Name"
  }
}

@Suite("Wire names of key paths")
struct WireNameTests {
  private func name(_ keyPath: PartialKeyPath<Order>, _ naming: PropertyNaming = .unchanged) throws -> String
  {
    try wireName(of: keyPath, naming: naming)
  }

  @Test("stored properties of every kind are found, by the names of their coding keys")
  func stored() throws {
    #expect(try name(\.id) == "ID")
    #expect(try name(\.other) == "other")
    #expect(try name(\.isOpen) == "isOpen")
    #expect(try name(\.isPaid) == "isPaid")
    #expect(try name(\.token) == "token")
    #expect(try name(\.created) == "created")
    #expect(try name(\.blob) == "blob")
    #expect(try name(\.price) == "price")
    #expect(try name(\.status) == "status")
    #expect(try name(\.previous) == "previous")
    #expect(try name(\.grade) == "grade")
    #expect(try name(\.discount) == "discount")
    #expect(try name(\.tags) == "tags")
    #expect(try name(\.nickname) == "nickname")
    #expect(try name(\.name) == "Full_Name")
    #expect(try name(\.raw) == "raw")
    #expect(try name(\.changed) == "changed")
    #expect(try name(\.observed) == "observed")
    #expect(try name(\.constant) == "constant")
  }

  @Test("nested properties are found by their path, also through an optional")
  func nested() throws {
    #expect(try name(\.address) == "address")
    #expect(try name(\.billing) == "billing")
    #expect(try name(\.address.city) == "address/Town")
    #expect(try name(\.address.zip) == "address/zip")
    #expect(try name(\.billing?.city) == "billing/Town")
    #expect(try name(\.billing?.zip, .upperCamelCase) == "Billing/Zip")
  }

  @Test("the naming is applied, and one key path has a name in each")
  func naming() throws {
    #expect(try name(\.nickname, .upperCamelCase) == "Nickname")
    #expect(try name(\.id, .unchanged.renaming(["ID": "OrderID"])) == "OrderID")
    #expect(try name(\.nickname) == "nickname")
  }

  @Test("a computed property that hands out a member as it is has the member's name")
  func alias() throws {
    #expect(try name(\.alias) == "Full_Name")
  }

  @Test("what makes something of its members has no name rather than a wrong one")
  func computed() throws {
    let keyPaths: [PartialKeyPath<Order>] = [
      \.isClosed, \.label, \.nicknameOrEmpty, \.both, \.loud, \.length, \.clamped, \.wide, \.firstTag,
      \.fixed,
      \.version, \.name.count, \.self,
    ]
    for keyPath in keyPaths {
      let error = #expect(throws: ODataError.self, "\(keyPath)") { try name(keyPath) }
      #expect(error?.code == .invalidArgument)
      #expect(
        error?.message
          == "The name of \(keyPath) on the wire cannot be found, because it is not a member that Order "
          + "decodes as it stands; use a stored property, or give the name of the property as text.")
    }
  }

  @Test("an enum of one case cannot change, so its name cannot be found")
  func singleCase() {
    let error = #expect(throws: ODataError.self) { try name(\.only) }
    #expect(error?.message.contains("is not a member") == true)
  }

  @Test("defaults for what is absent are looked through, unless they come from another member")
  func defaults() throws {
    struct Defaults: Decodable {
      var rate: Int
      var display: String
      var name: String
      enum CodingKeys: CodingKey { case rate, nickname, name }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        rate = try container.decodeIfPresent(Int.self, forKey: .rate) ?? 3
        name = try container.decode(String.self, forKey: .name)
        display = try container.decodeIfPresent(String.self, forKey: .nickname) ?? name
      }
    }
    #expect(try wireName(of: \Defaults.rate, naming: .unchanged) == "rate")
    #expect(try wireName(of: \Defaults.name, naming: .unchanged) == "name")
    #expect(throws: ODataError.self) { try wireName(of: \Defaults.display, naming: .unchanged) }
  }

  @Test("classes with superclasses are probed too")
  func classes() throws {
    class Base: Decodable { var id = 0 }
    #expect(try wireName(of: \Base.id, naming: .unchanged) == "id")
    #expect(try wireName(of: \Child.parent, naming: .unchanged) == "parent")
    #expect(try wireName(of: \Child.parent?.name, naming: .unchanged) == "parent/name")
  }

  @Test("a type that accepts no made-up values says so")
  func refusing() throws {
    struct Never: Decodable {
      var id: Int
      enum CodingKeys: CodingKey { case id }
      struct Refusal: Error {}
      init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
        throw Refusal()
      }
    }
    let error = try #require(throws: ODataError.self) { try wireName(of: \Never.id, naming: .unchanged) }
    #expect(error.message.contains("Never refuses to be decoded from made-up values"))
  }

  @Test("a type that validates is given values it accepts")
  func validating() throws {
    struct Rated: Decodable {
      var rate: Int
      var code: String
      enum CodingKeys: CodingKey { case rate, code }
      struct Refusal: Error {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        rate = try container.decode(Int.self, forKey: .rate)
        guard (0...5).contains(rate) else { throw Refusal() }
        code = try container.decode(String.self, forKey: .code)
        guard code.utf8.count == 3, code == code.uppercased() else { throw Refusal() }
      }
    }
    #expect(try wireName(of: \Rated.rate, naming: .unchanged) == "rate")
    #expect(try wireName(of: \Rated.code, naming: .unchanged) == "code")
  }
}

/// A type that holds itself.
private final class Child: Decodable {
  var name: String
  var parent: Child?
}
